//===- LoadsAhead.h - Loads that a loop may start early ---------*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTGIR_LOADSAHEAD_H
#define KERNELSCOPE_PASSES_TTGIR_LOADSAHEAD_H

#include "dialects/target/Target.h"
#include "dialects/tt/TT.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/analysis/AxisInfo.h"
#include "llvm/ADT/SetVector.h"

namespace kernelscope::ttgir {

/// The loads of a loop that a copy to shared memory can do some iterations
/// before their data is used, and what their addresses are computed from.
struct LoadsAhead {
  /// `tt.load` for `cp.async` or copies to LDS and `tt.descriptor_load` for
  /// TMA, in the order of the loop.
  llvm::SmallVector<mlir::Operation *> loads;
  /// AMD: those that go to registers instead, where the chip has no such copy
  /// of them, or threads compute with what they loaded.
  llvm::SmallVector<tt::LoadOp> held;
  /// Ops of the loop that addresses and masks need, in its order. They have no
  /// effects.
  llvm::SmallVector<mlir::Operation *> addresses;
  /// The iteration arguments that these or the loads read.
  llvm::SmallSetVector<mlir::BlockArgument, 4> carried;
};

/// The bits of each copy to shared memory that a thread makes for `load`; 0
/// if `target` cannot copy it so, or had better not: AMD's copies of single
/// words take more instructions than loads of 128 bits.
unsigned copyBits(tt::LoadOp load, const AxisInfoAnalysis &axes,
                  const Target &target);

/// The loads in `loop` that end in a product, or, if `all`, each of them.
/// Left out are those whose addresses depend on what the loop loads or has no
/// arithmetic for, that a copy of 4 bytes or more cannot do (AMD holds them in
/// registers), or that may read what the loop writes: through the same argument
/// of the kernel, or through a pointer of unknown origin. A loop that calls,
/// that synchronises threads, or in which other loops are has none.
LoadsAhead findLoadsAhead(mlir::scf::ForOp loop, const AxisInfoAnalysis &axes,
                          const Target &target, bool all);

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_LOADSAHEAD_H
