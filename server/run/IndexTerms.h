//===- IndexTerms.h - Addresses as sums of strides --------------*- C++ -*-===//
//
// Takes an address apart: how far it reaches along each stride, when the scalar
// arguments have given values. This is how the defaults choose strides so that
// what is different in the kernel is at different addresses.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_INDEXTERMS_H
#define KERNELSCOPE_SERVER_RUN_INDEXTERMS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Value.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <map>
#include <optional>

namespace kernelscope::run {

/// One summand of an index: `factor` times some scalar arguments, times
/// anything from zero to `reach`.
struct IndexTerm {
  int64_t factor = 1;
  int64_t reach = 0;
};

/// The summands of an index, by the arguments in their product, in order.
using IndexTerms = std::map<std::vector<unsigned>, IndexTerm>;

/// Takes the integers and pointers of a kernel apart.
class IndexAnalysis {
public:
  /// `blocks` programs along each axis, `scalars` as arguments. `loaded` is the
  /// largest integer in a buffer.
  IndexAnalysis(mlir::FunctionOpInterface kernel, std::array<int64_t, 3> blocks,
                llvm::ArrayRef<double> scalars, int64_t loaded)
      : kernel(kernel), blocks(blocks), scalars(scalars), loaded(loaded) {}

  /// The scalars have changed.
  void forget() { known.clear(); }
  /// The summands of `value`, without the base of a pointer.
  IndexTerms of(mlir::Value value);
  /// The largest value of `value`.
  int64_t largest(mlir::Value value);
  /// From an element to the next along a summand.
  int64_t unit(const std::vector<unsigned> &arguments,
               const IndexTerm &term) const;
  /// The largest value of a summand.
  int64_t span(const std::vector<unsigned> &arguments,
               const IndexTerm &term) const;

private:
  IndexTerms compute(mlir::Value value);
  IndexTerms ofBlockArgument(mlir::BlockArgument argument);
  /// What `next`, which a loop yields, adds to some argument of its; none when
  /// it is not such a sum.
  std::optional<IndexTerms> growthOf(mlir::Value next, mlir::scf::ForOp loop,
                                     unsigned depth = 0);
  IndexTerms product(mlir::Value left, mlir::Value right);
  int64_t largestOf(const IndexTerms &terms) const;
  /// One summand without arguments.
  static IndexTerms upTo(int64_t largest);

  mlir::FunctionOpInterface kernel;
  std::array<int64_t, 3> blocks;
  llvm::ArrayRef<double> scalars;
  int64_t loaded;
  llvm::DenseMap<mlir::Value, IndexTerms> known;
  unsigned depth = 0;
};

/// The value that an argument of a partition of ttg.warp_specialize is; null
/// for other arguments.
mlir::Value outsideOf(mlir::BlockArgument argument);

/// The scalar argument that `value` is, spread or extended perhaps; null when
/// it is none.
mlir::BlockArgument scalarArgumentOf(mlir::Value value,
                                     mlir::FunctionOpInterface kernel);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_INDEXTERMS_H
