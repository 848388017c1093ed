//===- GlobalAccess.h - Which elements one access takes ---------*- C++ -*-===//
//
// Loads and stores of global memory take as many neighbouring elements at once
// as layout, alignment, mask and hardware allow. The axis analysis runs on the
// IR before it is lowered, so its result is recorded on each op first, as the
// attribute `access.run = array<i32: dimension, elements>`.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_GLOBALACCESS_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_GLOBALACCESS_H

#include "dialects/layout/LinearLayout.h"
#include "dialects/tt/TT.h"
#include "passes/analysis/AxisInfo.h"
#include "passes/lower/support/Lowering.h"

namespace kernelscope::lower {

/// Records on each op under `root` that accesses global memory how many
/// elements along which dimension one access may take, at most `maxBits`
/// together, and on each elementwise op of integers which registers are equal.
void annotateAccessRuns(mlir::Operation *root, unsigned maxBits);

/// How the registers of a tensor fall into accesses.
struct AccessPlan {
  /// The registers of each access, in the order of addresses; all have the same
  /// number. Registers that hold copies are left out.
  std::vector<llvm::SmallVector<unsigned>> accesses;
  /// For each register the one in `accesses` that holds the same element.
  llvm::SmallVector<unsigned> sources;
};

/// The plan for `op`, whose elements have type `type`: a tensor, or a scalar,
/// which is one access. Uses what `annotateAccessRuns` recorded, else single
/// elements.
AccessPlan planAccesses(mlir::Operation *op, mlir::Type type);

/// The registers of the first access that `planAccesses` would plan for `op` on
/// `target`, without what `annotateAccessRuns` records; `axes` is of the
/// function around it. None for an op without a tensor of addresses.
llvm::SmallVector<unsigned> firstAccessOf(tt::GlobalAccessOpInterface op,
                                          const AxisInfoAnalysis &axes,
                                          const Target &target);

/// How many of the registers of an access, from the first on, also follow each
/// other in shared memory, where those bits of the register index step 1, 2, 4.
unsigned neighboursInBoth(llvm::ArrayRef<unsigned> access,
                          llvm::ArrayRef<unsigned> sharedBits);

/// The bits of the thread's index in which threads differ that hold copies of
/// the same elements of a value of type `type`.
int32_t threadCopyBits(mlir::Type type, const TargetHooks &hooks);
/// An i1 that is true in one thread among those that hold copies of the same
/// elements of a value of type `type`; null if there are no copies. Of a scalar
/// all threads have a copy. Without `acrossBlocks`, each block of a cluster has
/// its own.
mlir::Value holdsFirstCopy(Builder &b, mlir::Type type,
                           const TargetHooks &hooks, mlir::Operation *op,
                           bool acrossBlocks = true);

/// Both; either may be null for always.
mlir::Value bothHold(Builder &b, mlir::Value p, mlir::Value q);

/// The LLVM type that an element lies in memory as: an i1 takes a byte.
mlir::Type memoryType(Builder &b, mlir::Type element);
/// Elements as they lie in memory, and back.
llvm::SmallVector<mlir::Value> toMemory(Builder &b,
                                        llvm::ArrayRef<mlir::Value> elements);
mlir::Value fromMemory(Builder &b, mlir::Type element, mlir::Value value);

/// Whether an optional operand of an op of TTGIR is absent or all zeros.
bool isAbsentOrZero(mlir::Value other);

/// The elements of an optional operand; none without it.
llvm::SmallVector<mlir::Value> unpackOptional(Builder &b, mlir::Value packed);
/// The elements at `registers`; none of none.
llvm::SmallVector<mlir::Value> pick(llvm::ArrayRef<mlir::Value> elements,
                                    llvm::ArrayRef<unsigned> registers);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_GLOBALACCESS_H
