//===- BarrierRun.h - whether waits on barriers end, and suffice -*- C++
//-*-===//
//
// Runs what a function does to its barriers, and nothing else: partitions side
// by side, loops with the values that they carry, in an order in which a
// mistake shows. Integer arguments stand for large sizes. Of the buffers that
// they guard it knows what fills them, and who has heard that it is done.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_BARRIERRUN_H
#define KERNELSCOPE_PASSES_ANALYSIS_BARRIERRUN_H

#include "passes/analysis/Barriers.h"

namespace kernelscope {

/// A wait that never ends, and why.
struct BarrierFault {
  enum Reason : uint8_t {
    /// The phase that the wait asks for is not the one that completed last,
    /// which it has not seen.
    WrongPhase,
    /// Nothing arrives before the wait, and phase 1 would not wait at all.
    NothingArrives,
    /// Nothing arrives at the barrier at all.
    NeverArrivedAt,
    /// Some of the arrivals of the phase come, and no more.
    TooFewArrivals,
    /// Phases complete two at a time.
    TooManyArrivals,
    /// All have arrived, but fewer bytes came than were announced.
    MissingBytes
  };
  Reason reason;
  mlir::Operation *wait;
  /// The parity that it asks for.
  int64_t phase;
  mlir::Operation *init;
  /// The arrivals that a phase needs, and those that came.
  int64_t needed, arrived;
  /// MissingBytes: those that were announced, and those that came.
  int64_t expected = 0, copied = 0;
  /// What arrived last, or announced the bytes; null for nothing.
  mlir::Operation *last = nullptr;
  /// The wait returned before, in an earlier iteration.
  bool isRepeated = false;
  /// It is in another partition than what arrives.
  bool isAcrossPartitions = false;
};

/// Another phase for a wait, or for what a loop carries to one.
struct PhaseEdit {
  /// Of the wait, or of the end of a loop.
  mlir::OpOperand *operand;
  /// A phase, or with `counts` the counter of a loop, of whose quotient by
  /// `divisor` the lowest bit is the phase.
  mlir::Value base;
  bool counts = false;
  int64_t divisor = 1;
  /// The phase is the other one.
  bool flips = false;
};

/// The edit with which all waits of `function` end, of which `fault` is the
/// first that does not; nothing where none of those that are tried does it.
std::optional<PhaseEdit> findPhaseEdit(const BarrierFault &fault,
                                       mlir::Operation *function,
                                       const Barriers &barriers);

/// An access by somebody who has not waited for what comes before it, nor for
/// anybody who has.
struct UnguardedAccess {
  enum Kind : uint8_t {
    /// Of a buffer that `other` fills.
    Read,
    /// Of a buffer that `other` may still read.
    Overwrite,
    /// Of a barrier at which `other` has still to arrive.
    Invalidate
  };
  Kind kind;
  mlir::Operation *op, *other;
  /// No wait of its partition is for such a barrier.
  bool hasNoWait = false;
};

/// What a run of a function's barriers shows.
struct BarrierRun {
  /// It came to its end, or to a wait that has none.
  bool isKnown = false;
  /// The first wait that never ends; nothing where all end, or where what
  /// decides it is not known.
  std::optional<BarrierFault> endless;
  /// What uses a barrier of a ring before it is initialised, unlike others of
  /// the ring; else null.
  mlir::Operation *uninitialised = nullptr;
  /// The first access without its wait. Of this and a wait that never ends, the
  /// one that is the cause.
  std::optional<UnguardedAccess> unguarded;
};

BarrierRun runBarriers(mlir::Operation *function, const Barriers &barriers);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_ANALYSIS_BARRIERRUN_H
