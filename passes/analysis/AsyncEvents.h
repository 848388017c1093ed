//===- AsyncEvents.h - What an op has to do with copies ---------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_ASYNCEVENTS_H
#define KERNELSCOPE_PASSES_ANALYSIS_ASYNCEVENTS_H

#include "dialects/ttg/MemoryAccess.h"

#include <map>
#include <vector>

namespace kernelscope {

/// Marks a `ttg.local_load` of what an async_wait has waited for, as Triton
/// names it.
constexpr llvm::StringLiteral syncedLoadName = "ttg.amdg.syncedViaAsyncWait";

/// What an op does that `AsyncFlow` follows.
struct AsyncEvent {
  /// With `isAmd` also whether AMD's counters count it.
  AsyncEvent(mlir::Operation *op, bool isAmd);

  mlir::Operation *op;
  bool isCall = false, commits = false, isMarked = false;
  /// It is one of the instructions, or of the data mover's copies, that AMD's
  /// waits count.
  bool countsAsInstruction = false, countsAsTensorCopy = false;
  /// It lets a barrier know when all copies before it are done.
  bool tellsBarrier = false;
  /// What it waits for, and how much of it it leaves.
  std::optional<ttg::Completion> awaited = {};
  std::optional<int64_t> pending = {};
  /// The shared memory that it reads, if who reads it does not see to that
  /// itself.
  llvm::SmallVector<mlir::Value, 2> reads = {};
  /// The shared memory that it starts to write.
  llvm::SmallVector<mlir::Value, 1> destinations = {};

  /// Whether any of this is so, or the op has regions.
  bool matters() const {
    return op->getNumRegions() != 0 || isCall || commits || isMarked ||
           tellsBarrier || countsAsInstruction || countsAsTensorCopy ||
           awaited || !reads.empty() || !destinations.empty();
  }
};

/// The events of blocks, each found once.
class AsyncEvents {
public:
  explicit AsyncEvents(bool isAmd) : isAmd(isAmd) {}
  /// Those of the ops of `block` that matter.
  llvm::ArrayRef<AsyncEvent> of(mlir::Block &block);
  /// Whether some wait seen so far leaves groups or copies in flight.
  bool leaveSome() const { return someLeft; }

private:
  bool isAmd, someLeft = false;
  std::map<mlir::Block *, std::vector<AsyncEvent>> known;
};

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_ANALYSIS_ASYNCEVENTS_H
