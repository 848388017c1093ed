//===- Cells.h - The memory that an access of a CTA touches ----*- C++ -*-===//
//
// Without a cluster that is all of a view. In one, each CTA accesses what it
// has: of memory its own part, of a tensor in registers the elements that it
// holds, wherever in the cluster they are kept.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_OPS_CELLS_H
#define KERNELSCOPE_EXECUTOR_OPS_CELLS_H

#include "executor/ops/Barrier.h"
#include "executor/ops/Watched.h"

namespace kernelscope::executor {

/// Who accesses which elements of a view.
struct Tile {
  /// Those of a tensor in registers, or that each CTA copies; the others are in
  /// no place here.
  Owners registers;
  /// Not null: those that these CTAs have in memory.
  CTAs inMemory = 0;
  /// Of those, what is kept by these CTAs.
  CTAs keptBy = ~CTAs{0};

  /// What the CTA of `frame` has in its memory.
  static Tile own(const Frame &frame) {
    return {nullptr, CTAs{1} << frame.cta};
  }
};

/// The elements of a view that one access touches, as they are when it is
/// issued.
class Cells {
public:
  /// Those of `view`, a tensor of `shape`, in the memory of the CTA of `frame`.
  /// Waits until other CTAs have allocated what is in their memory; none after
  /// a fault.
  static std::optional<Cells> of(Frame &frame, mlir::Operation *op,
                                 const View &view,
                                 llvm::ArrayRef<int64_t> shape,
                                 size_t elementBytes, const Tile &tile);

  /// To and from row-major order; elements of others are left as they are.
  void read(char *values) const;
  void write(const char *values) const;
  /// Reports the access to the sanitizer.
  void use(Uses &uses, bool isWrite) const;
  /// How many there are.
  size_t count() const;
  /// Of each element, whether it is one of these; empty without a cluster.
  std::vector<bool> touched() const;
  /// Of each element, whether it is one of these and no CTA before this one has
  /// it; empty without a cluster.
  const std::vector<bool> &firsts() const { return isFirst; }

private:
  View view;
  llvm::SmallVector<int64_t, 4> shape;
  size_t elementBytes = 0;
  /// Of a view of an image, where its elements are.
  void resolve(const Images &images);

  /// In a cluster, or of an image, where each element is, in parts of
  /// `placeBytes`; null for those that are not touched.
  std::vector<char *> places;
  size_t placeBytes = 0;
  std::vector<bool> isFirst;
};

/// Whether several CTAs have the same element.
inline bool areCopies(const Owners &owners) {
  return !owners || !llvm::isPowerOf2_64(owners->front());
}

/// `op` reads or writes `cells` at once.
void watchCells(Frame &frame, mlir::Operation *op, const Cells &cells,
                bool isWrite, ttg::Proxy proxy = ttg::Proxy::Generic);
/// As `watchStart`, of `cells`.
sanitize::Watch::Started watchStart(Frame &frame, mlir::Operation *op,
                                    const Cells &cells, bool isWrite,
                                    ttg::Proxy proxy,
                                    const MBarrier *signals = nullptr);
/// As `watchSkip`.
void watchSkip(Frame &frame, const Cells &cells);

/// Issues an asynchronous write of `cells` that completes `bytes` on `barrier`.
/// `values` makes what is written when the write takes effect; nothing after a
/// fault. `started` gets the moment at which it is done. False after a fault.
bool issueWrite(Frame &frame, const BarrierAddress &barrier, Cells cells,
                ttg::Proxy proxy, int64_t bytes,
                std::function<std::optional<std::vector<char>>()> values,
                llvm::function_ref<void(sanitize::Moment)> started = {});

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_OPS_CELLS_H
