//===- Finding.h - What the sanitizer reports ------------------*- C++ -*-===//

#ifndef KERNELSCOPE_EXECUTOR_SANITIZE_FINDING_H
#define KERNELSCOPE_EXECUTOR_SANITIZE_FINDING_H

#include "executor/sanitize/Shadow.h"
#include <string>

namespace kernelscope::executor::sanitize {

/// Something that is wrong though this run may have gone well: an error on an
/// op, with notes on others.
struct Finding {
  enum class Kind : uint8_t {
    Race,          ///< nothing orders the two accesses
    NoFence,       ///< no proxy fence is between them
    Uninitialized, ///< what is read was never written
    Freed,         ///< the buffer has been deallocated
    NotAwaited,    ///< the agent ends before its store has read its source
  };
  Kind kind;
  mlir::Operation *op;
  mlir::Operation *other; ///< of the other access; the key with `kind`, `op`
  std::string message;
  std::vector<std::pair<mlir::Operation *, std::string>> notes;
};

/// An access that is made now.
struct NewAccess {
  const Access &access;
  bool isWrite;
  const Allocation &memory;
};

/// `earlier`, a write if `wasWrite`, may not be done.
Finding race(const NewAccess &access, const Access &earlier, bool wasWrite);
/// `earlier` wrote by ordinary stores what the async proxy accesses now.
Finding noFence(const NewAccess &access, const Access &earlier);
/// `bytes` bytes have not been written.
Finding uninitialized(const NewAccess &access, int64_t bytes);
/// The buffer is no more.
Finding freed(const NewAccess &access);
/// The store `op` may read shared memory when its agent has ended.
Finding notAwaited(mlir::Operation *op);

} // namespace kernelscope::executor::sanitize

#endif // KERNELSCOPE_EXECUTOR_SANITIZE_FINDING_H
