//===- RingOfBuffers.h - Where a loop's loads go ahead of time --*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTIR_RINGOFBUFFERS_H
#define KERNELSCOPE_PASSES_TTIR_RINGOFBUFFERS_H

#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "passes/analysis/AxisInfo.h"
#include "passes/ttgir/BarrierRing.h"

namespace kernelscope {

/// The mask of an access through `pointers` that has `mask`, null for none, if
/// it happens only where `runs` holds.
mlir::Value maskIf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value runs,
                   mlir::Value pointers, mlir::Value mask);

/// For each of some loads of a loop as many buffers in shared memory as there
/// are slots. The copies of one iteration go to the same slot: `tt.load` as one
/// group of `cp.async` or of copies to LDS, `tt.descriptor_load` by TMA with
/// one mbarrier for all.
class RingOfBuffers {
public:
  /// There may be no `loads`; `loop` has them.
  RingOfBuffers(mlir::scf::ForOp loop, llvm::ArrayRef<mlir::Operation *> loads,
                const AxisInfoAnalysis &axes, const Target &target);

  /// The slots for which `bytes` of shared memory suffice, beside what `loop`
  /// needs with them: the buffers that stay, and the most scratch memory of an
  /// op.
  int64_t slotsWithin(int64_t bytes, mlir::scf::ForOp loop) const;

  /// Those that `allocate` made.
  unsigned getSlots() const { return slots; }
  /// Whether there are mbarriers, whose phase changes each time round.
  bool hasBarriers() const { return bytesByTma != 0; }
  bool isEmpty() const { return buffers.empty(); }

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
    /// The elements that one copy of a thread takes.
    unsigned elements = 1;
    mlir::Value ring = {};
  };
  mlir::Value at(mlir::OpBuilder &b, mlir::Value ring, mlir::Value slot) const;
  mlir::Value load(mlir::OpBuilder &b, mlir::Location where, mlir::Type type,
                   mlir::Value memory) const;
  void readFrom(mlir::OpBuilder &b, mlir::Value memory,
                mlir::Value tensor) const;
  mlir::Value transposed(mlir::OpBuilder &b, mlir::Value memory,
                         tt::TransOp op) const;

  const Buffer *sourceOf(ttg::LocalAllocOp alloc) const;

  const mlir::Location loc;
  const bool isAmd;
  llvm::SmallVector<Buffer> buffers;
  unsigned slots = 0;
  uint64_t bytesByTma = 0;
  bool hasGroups = false;
  ttgir::BarrierRing barriers;
};

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_TTIR_RINGOFBUFFERS_H
