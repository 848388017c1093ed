//===- Finding.h - What the sanitizer reports ------------------*- C++ -*-===//

#ifndef KERNELSCOPE_EXECUTOR_SANITIZE_FINDING_H
#define KERNELSCOPE_EXECUTOR_SANITIZE_FINDING_H

#include "executor/sanitize/AgentRaces.h"
#include "executor/sanitize/Shadow.h"
#include <string>

namespace kernelscope::executor::sanitize {

/// Something that is wrong though this run may have gone well: an error on an
/// op, with notes on others.
struct Finding {
  enum class Kind : uint8_t {
    Race,           ///< nothing orders the two accesses
    NoFence,        ///< no proxy fence is between them
    Uninitialized,  ///< what is read was never written
    Freed,          ///< the buffer has been deallocated
    NotAwaited,     ///< the agent ends before its store has read its source
    UsedEarly,      ///< no wait is between a product and the use of its result
    MissedPhase,    ///< a phase ends before a wait has seen the one before
    Invalidated,    ///< a barrier that is still to be signalled
    NotInvalidated, ///< a barrier whose place another buffer takes
    OutsideBins,    ///< a value that a histogram has no bin for
  };
  Kind kind;
  mlir::Operation *op;
  mlir::Operation *other; ///< of the other access; the key with `kind`, `op`
  std::string message;
  std::vector<std::pair<mlir::Operation *, std::string>> notes;
};

/// An access that happens now.
struct NewAccess {
  const Access &access;
  bool isWrite;
  const Allocation &memory;
};

/// `earlier`, a write if `wasWrite`, may not be done.
Finding race(const NewAccess &access, const Access &earlier, bool wasWrite);
/// `op` accesses an element of global memory that another agent or an
/// asynchronous copy has accessed; one of the two stores.
Finding globalRace(mlir::Operation *op, bool isStore,
                   const AgentRaces::Conflict &other);
/// `earlier` wrote by ordinary stores what the async proxy accesses now.
/// With `isElsewhere` there is a fence, but of another CTA's memory.
Finding noFence(const NewAccess &access, const Access &earlier,
                bool isElsewhere);
/// `bytes` bytes have not been written.
Finding uninitialized(const NewAccess &access, int64_t bytes);
/// The buffer has been freed.
Finding freed(const NewAccess &access);
/// The store `op` may read shared memory when its agent has ended.
Finding notAwaited(mlir::Operation *op);
/// `op` uses the result of `product`, which may be in flight.
Finding usedEarly(mlir::Operation *op, mlir::Operation *product);
/// `signal` ends a phase of the barrier of `init` though `wait` may not have
/// seen the end of the phase before.
Finding missedPhase(mlir::Operation *signal, mlir::Operation *wait,
                    mlir::Operation *init);
/// `op` invalidates the barrier of `init`, which `signal`, an op of another
/// partition if `isOther`, has still to signal.
Finding invalidated(mlir::Operation *op, mlir::Operation *signal,
                    mlir::Operation *init, bool isOther);
/// The buffer that `op` allocates takes the place of the barrier of `init`,
/// which has not been invalidated.
Finding notInvalidated(mlir::Operation *op, mlir::Operation *init);
/// The histogram `op` of `bins` bins counts `value`, which is outside of them,
/// in `countedIn` if that is a bin.
Finding outsideBins(mlir::Operation *op, int64_t value, int64_t bins,
                    uint64_t countedIn);

} // namespace kernelscope::executor::sanitize

#endif // KERNELSCOPE_EXECUTOR_SANITIZE_FINDING_H
