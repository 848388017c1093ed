//===- Origins.h - What integers of a kernel are made of --------*- C++ -*-===//
//
// Follows each integer back to program ids, ranges, loop counters, arguments.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_ORIGINS_H
#define KERNELSCOPE_SERVER_RUN_ORIGINS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"
#include <algorithm>
#include <array>

namespace kernelscope::run {

/// What an integer value is made of.
struct Origin {
  std::array<int64_t, 3> block =
      {};                         ///< factor of each program id; 0: not there
  std::array<bool, 3> split = {}; ///< only a part of the program id is in it
  int64_t range = 0;              ///< elements of the widest tt.make_range
  int64_t step = 0;               ///< of the loop whose counter is in it
  bool memory = false;            ///< something loaded is in it
  llvm::SmallBitVector arguments; ///< scalar arguments in it

  void join(const Origin &other) {
    for (int axis = 0; axis < 3; ++axis) {
      block[axis] = std::max(block[axis], other.block[axis]);
      split[axis] |= other.split[axis];
    }
    range = std::max(range, other.range);
    step = std::max(step, other.step);
    memory |= other.memory;
    arguments |= other.arguments;
  }
};

class Origins {
public:
  explicit Origins(mlir::FunctionOpInterface kernel) : kernel(kernel) {}

  const Origin &of(mlir::Value value);
  /// Programs along each axis among which a loop divides its rounds by a step
  /// that is a constant: one more would do the work of another. Zero: no such
  /// loop.
  std::array<int64_t, 3> mostPrograms();

private:
  /// The same where parts of a buffer that are a constant distance apart are
  /// stored to: with more programs one part would run into the next.
  void limitByParts(std::array<int64_t, 3> &most);
  Origin compute(mlir::Value value, Origin made);

  mlir::FunctionOpInterface kernel;
  llvm::DenseMap<mlir::Value, Origin> known;
};

/// The arguments whose product bounds a loop, perhaps as a number of blocks, of
/// `block` elements; empty where it is not a product of several.
llvm::SmallVector<mlir::BlockArgument>
factorsOfBound(mlir::Value bound, int64_t &block,
               mlir::FunctionOpInterface kernel);

/// `size` times the magnitude of `factor`. It stays a size that memory could
/// have: what multiplies by more is a hash, not an index.
int64_t scaled(int64_t size, int64_t factor);

/// The step of a loop; at least 1.
int64_t stepOf(mlir::scf::ForOp loop);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_ORIGINS_H
