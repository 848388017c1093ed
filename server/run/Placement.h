//===- Placement.h - Strides and shapes that keep elements apart -*- C++
//-*-===//
//
// Of the sizes that a default launch has no bound for: what programs write must
// not be at the same addresses.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_PLACEMENT_H
#define KERNELSCOPE_SERVER_RUN_PLACEMENT_H

#include "server/run/Arguments.h"
#include "server/run/IndexTerms.h"

namespace kernelscope::run {

/// Integers in a buffer are below this, and so is a scalar that nothing bounds.
constexpr double unboundedInteger = 1000;

/// Gives each of `strides` the least value that keeps elements apart; the last
/// in the signature is that of the innermost dimension. One that no address
/// uses, or that would have to be huge, keeps its value.
void chooseStrides(mlir::FunctionOpInterface kernel,
                   llvm::ArrayRef<ArgumentInfo> arguments,
                   const llvm::SmallBitVector &strides, IndexAnalysis &analysis,
                   std::vector<double> &scalars);

/// Where the block is that an op moves by a descriptor; rows that are named one
/// by one are not there.
std::optional<llvm::SmallVector<mlir::Value>>
coordinatesOf(mlir::Operation *op);

/// A tensor with all blocks that are moved by a descriptor, minus a tail where
/// there are several.
std::vector<int64_t> guessShape(mlir::BlockArgument descriptor,
                                const ArgumentInfo &info,
                                IndexAnalysis &analysis);

/// An argument that places blocks, such as the rows of a head, becomes at least
/// what the other summands of the place reach, or blocks would overlap.
void keepBlocksApart(mlir::FunctionOpInterface kernel,
                     const llvm::SmallBitVector &placing,
                     IndexAnalysis &analysis, std::vector<double> &scalars);

/// The same of an argument that is the distance of what programs store through
/// pointers.
void keepStoresApart(mlir::FunctionOpInterface kernel,
                     llvm::ArrayRef<ArgumentInfo> arguments,
                     const llvm::SmallBitVector &placing,
                     IndexAnalysis &analysis, std::vector<double> &scalars);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_PLACEMENT_H
