//===- MatrixTiles.h - Tensors in tiles of shared memory --------*- C++ -*-===//
//
// Carries out the plans of LoadMatrixPlan.h.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_MATRIXTILES_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_MATRIXTILES_H

#include "passes/lower/support/LoadMatrixPlan.h"
#include "passes/lower/support/SharedAccess.h"

namespace kernelscope::lower {

/// How ldmatrix or stmatrix moves registers at `places` that hold values of the
/// (unconverted) type `element`, if it can.
std::optional<LoadMatrixPlan> planTiles(const SharedPlaces &places,
                                        mlir::Type element);

/// The same for bytes that the instruction transposes.
std::optional<LoadMatrixPlan> planByteTiles(const SharedPlaces &places,
                                            mlir::Type element, bool isStore);

/// The words that this lane receives, where it gives the address of a row.
using LoadWords = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    mlir::Value row, unsigned words)>;
using StoreWords =
    llvm::function_ref<void(mlir::Value row, llvm::ArrayRef<mlir::Value>)>;

/// Loads all registers at `places`, as values of LLVM type `element`.
llvm::SmallVector<mlir::Value> loadInTiles(Builder &b, const TargetHooks &hooks,
                                           const SharedPlaces &places,
                                           const LoadMatrixPlan &plan,
                                           mlir::Type element, LoadWords load);

/// Stores all registers. Threads that hold copies store the same value.
void storeInTiles(Builder &b, const TargetHooks &hooks,
                  const SharedPlaces &places, const LoadMatrixPlan &plan,
                  llvm::ArrayRef<mlir::Value> elements, StoreWords store);

/// Both by the target's tiles of words.
llvm::SmallVector<mlir::Value> loadInTiles(Builder &b, const TargetHooks &hooks,
                                           const SharedPlaces &places,
                                           const LoadMatrixPlan &plan,
                                           mlir::Type element);
void storeInTiles(Builder &b, const TargetHooks &hooks,
                  const SharedPlaces &places, const LoadMatrixPlan &plan,
                  llvm::ArrayRef<mlir::Value> elements);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_MATRIXTILES_H
