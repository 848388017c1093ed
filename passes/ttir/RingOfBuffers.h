//===- RingOfBuffers.h - Where a loop's loads go ahead of time --*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTIR_RINGOFBUFFERS_H
#define KERNELSCOPE_PASSES_TTIR_RINGOFBUFFERS_H

#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "passes/ttgir/BarrierRing.h"

namespace kernelscope {

/// For each of some loads of a loop as many buffers in shared memory as there
/// are slots. The copies of one iteration go to the same slot: `tt.load` as one
/// group of `cp.async`, `tt.descriptor_load` by TMA with one mbarrier for all.
class RingOfBuffers {
public:
  explicit RingOfBuffers(llvm::ArrayRef<mlir::Operation *> loads);

  /// The slots for which `bytes` of shared memory suffice, beside what `loop`
  /// needs with them: the buffers that stay, and the most scratch memory of an
  /// op.
  int64_t slotsWithin(int64_t bytes, mlir::scf::ForOp loop) const;

  /// Those that `allocate` made.
  unsigned getSlots() const { return slots; }
  /// Whether there are mbarriers, whose phase changes each time round.
  bool hasBarriers() const { return bytesByTma != 0; }

  /// Whether the product that reads `operand` in `loop` reads memory that its
  /// threads do not write: the ring, or a buffer from before the loop.
  bool keeps(mlir::Value operand, mlir::scf::ForOp loop) const;

  void allocate(mlir::OpBuilder &b, unsigned slots);
  /// Starts the copies to `slot`, with what `values` has for the operands of
  /// the loads, if `runs`.
  void copy(mlir::OpBuilder &b, const mlir::IRMapping &values, mlir::Value slot,
            mlir::Value runs) const;
  /// Waits for the copies to `slot`, which `pending` others follow, if `runs`,
  /// or always if that is null.
  void wait(mlir::OpBuilder &b, mlir::Value slot, mlir::Value phase,
            unsigned pending, mlir::Value runs = {}) const;
  /// Has the loop read `slot`, and erases the loads.
  void read(mlir::OpBuilder &b, mlir::Value slot);
  void release(mlir::OpBuilder &b) const;

private:
  struct Buffer {
    mlir::Operation *load;
    /// One slot.
    ttg::MemDescType type;
    mlir::Value ring = {};
  };
  mlir::Value at(mlir::OpBuilder &b, mlir::Value ring, mlir::Value slot) const;
  void readFrom(mlir::OpBuilder &b, mlir::Value memory,
                mlir::Value tensor) const;
  mlir::Value transposed(mlir::OpBuilder &b, mlir::Value memory,
                         tt::TransOp op) const;

  const Buffer *sourceOf(ttg::LocalAllocOp alloc) const;

  const mlir::Location loc;
  llvm::SmallVector<Buffer> buffers;
  unsigned slots = 0;
  uint64_t bytesByTma = 0;
  bool hasGroups = false;
  ttgir::BarrierRing barriers;
};

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_TTIR_RINGOFBUFFERS_H
