//===- LayoutCache.h - Cache of linear layouts ------------------*- C++ -*-===//
//
// A kernel has few layouts and many ops: each op's verifier, and each pass,
// asks for the same few again and again.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TTG_LAYOUTCACHE_H
#define KERNELSCOPE_DIALECTS_TTG_LAYOUTCACHE_H

#include "dialects/layout/LinearLayout.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

namespace kernelscope::ttg {

/// The layouts of the encodings of one dialect in one context. Threads may
/// share it.
class LayoutCache : public mlir::DialectInterface::Base<LayoutCache> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LayoutCache)
  explicit LayoutCache(mlir::Dialect *dialect) : Base(dialect) {}

  std::optional<LinearLayout> find(mlir::Attribute encoding,
                                   llvm::ArrayRef<int64_t> shape) const {
    std::lock_guard lock(mutex);
    auto known = layouts.find(encoding);
    if (known != layouts.end())
      for (const Entry &entry : known->second)
        if (llvm::ArrayRef(entry.shape) == shape)
          return entry.layout;
    return std::nullopt;
  }

  void add(mlir::Attribute encoding, llvm::ArrayRef<int64_t> shape,
           const LinearLayout &layout) {
    std::lock_guard lock(mutex);
    layouts[encoding].push_back({llvm::SmallVector<int64_t>(shape), layout});
  }

  /// A tensor type with an encoding of this dialect, and the numbers of CTAs,
  /// of warps and of threads per warp that the module and the op's region have.
  using Placed = std::tuple<mlir::Type, std::optional<int>, std::optional<int>,
                            std::optional<int>>;

  /// Whether `addFitting` was called with it. An edit verifies all types of a
  /// function again, which are the same except for a few.
  bool isFitting(const Placed &placed) const {
    std::lock_guard lock(mutex);
    return fitting.contains(placed);
  }

  void addFitting(const Placed &placed) {
    std::lock_guard lock(mutex);
    fitting.insert(placed);
  }

private:
  struct Entry {
    llvm::SmallVector<int64_t> shape;
    LinearLayout layout;
  };

  mutable std::mutex mutex;
  llvm::DenseMap<mlir::Attribute, std::vector<Entry>> layouts;
  llvm::DenseSet<Placed> fitting;
};

} // namespace kernelscope::ttg

#endif // KERNELSCOPE_DIALECTS_TTG_LAYOUTCACHE_H
