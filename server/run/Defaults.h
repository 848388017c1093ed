//===- Defaults.h - A launch computed from the IR ---------------*- C++ -*-===//
//
// Default inputs of a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_DEFAULTS_H
#define KERNELSCOPE_SERVER_RUN_DEFAULTS_H

#include "server/run/Arguments.h"

namespace kernelscope::run {

/// A grid, and a number for each scalar argument (by position; ignored for
/// pointers).
struct LaunchGuess {
  executor::Grid grid;
  std::vector<double> scalars;
  /// Of each descriptor, the shape of its tensor.
  std::vector<std::vector<int64_t>> shapes;
};

/// Chooses sizes so that the kernel does all of its work on a moderate problem:
/// a scalar that bounds an index gets what the blocks of the grid, the range or
/// a few rounds of the loop cover, minus a tail, so that masks matter; a scalar
/// that scales an index (a stride) gets the extent of its neighbours, so that
/// elements with different indices are at different addresses. A descriptor's
/// tensor is as big as the blocks that are moved, minus a tail. Values respect
/// tt.divisibility. `grid`, and the scalars of `given`, are kept. The work of
/// the kernel is doubled `doublings` times: by more programs, and of those that
/// work on a plane by more rounds, too.
LaunchGuess guessLaunch(mlir::FunctionOpInterface kernel,
                        llvm::ArrayRef<ArgumentInfo> arguments,
                        std::optional<executor::Grid> grid,
                        llvm::ArrayRef<std::optional<double>> given,
                        unsigned doublings = 0);

/// How a buffer is filled by default, when the scalar arguments are `scalars`;
/// what no argument describes has none.
Fill defaultFill(const ArgumentInfo &argument, llvm::ArrayRef<double> scalars);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_DEFAULTS_H
