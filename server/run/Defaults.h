//===- Defaults.h - A launch worked out from the IR -------------*- C++ -*-===//
//
// What a kernel can be run on when nobody says.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_DEFAULTS_H
#define KERNELSCOPE_SERVER_RUN_DEFAULTS_H

#include "server/run/Arguments.h"

namespace kernelscope::run {

/// A grid, and a number for each scalar argument (by position; of no meaning
/// for pointers).
struct LaunchGuess {
  executor::Grid grid;
  std::vector<double> scalars;
};

/// Chooses sizes so that the kernel does all of its work on a moderate problem:
/// a scalar that bounds an index gets what the blocks of the grid, the range or
/// a few rounds of the loop cover, less a tail, so that masks matter; a scalar
/// that scales an index (a stride) gets the widest extent. Values keep to
/// tt.divisibility. `grid` is kept when it is given.
LaunchGuess guessLaunch(mlir::FunctionOpInterface kernel,
                        llvm::ArrayRef<ArgumentInfo> arguments,
                        std::optional<executor::Grid> grid);

/// How a buffer is filled by default.
Fill defaultFill(const ArgumentInfo &argument);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_DEFAULTS_H
