//===- Frame.h - The values of a running agent -----------------*- C++ -*-===//
//
// The bytes of all slots of a plan, and what its steps can request from the
// program that they run in.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_PLAN_FRAME_H
#define KERNELSCOPE_EXECUTOR_PLAN_FRAME_H

#include "dialects/ttg/MemoryAccess.h"
#include "executor/agents/AsyncQueue.h"
#include "executor/agents/RunningProgram.h"
#include "executor/plan/Plan.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include <string>

namespace kernelscope::executor {

/// The state of one agent of a program.
class Frame {
public:
  Frame(const Plan &plan, RunningProgram &program);

  template <typename T> T *at(Slot slot) {
    return reinterpret_cast<T *>(pointers[slot]);
  }
  /// Runs all steps of `body`.
  bool run(const Body &body) {
    program.steps += body.work;
    if (program.isSeeded())
      return runDisturbed(body);
    for (const Step &step : body.steps)
      if (!step(*this))
        return false;
    return true;
  }
  /// Loop `op` continues. False after a fault: the program runs too long.
  bool goOn(mlir::Operation *op) {
    return program.steps <= program.maxSteps || failTooLong(op);
  }
  /// Records what is wrong with `op` and returns false.
  bool fault(mlir::Operation *op, const llvm::Twine &message) {
    return program.scheduler.fail({op, message.str(), {}});
  }
  /// Returns once `wait` ends; other agents run meanwhile. False: the program
  /// stops.
  bool wait(const Wait &wait) {
    return program.trace ? waitTraced(wait) : program.scheduler.wait(wait);
  }
  /// Zeroed memory that lives until the agent ends.
  char *allocate(size_t bytes);
  /// Resets the frame for another run of its plan.
  void reset();
  /// The agent has ended. False after a fault.
  bool end();
  /// Asynchronous work of this agent that a wait of this kind orders: any but
  /// AtOnce and MBarrier, whose work is `program.barriers`'.
  AsyncQueue &queue(ttg::Completion completion) {
    return queues[static_cast<size_t>(completion)];
  }
  /// "program (x, y, z)".
  std::string programName() const { return program.id.name(); }
  /// The frame of `plan.partitions[index]`.
  Frame &partition(size_t index);

  /// The sanitizer's record of this agent; null when there is none.
  void setWatch(sanitize::Watch *record);

  /// All CTAs of the cluster bring the elements of `values`, a tensor of
  /// `owners`, that they are the first to have, and get the others. False when
  /// the program stops.
  bool exchange(mlir::Operation *op, Slot values, size_t elementBytes,
                const Owners &owners);
  /// The other agents continue until they wait: this one looks at memory that
  /// they may write. False: the program stops.
  bool letOthersRun() { return program.scheduler.letOthersRun(); }

  /// `op` has found `values` in memory that other programs may write, and has
  /// changed them or not. If it finds the same again and again, other programs
  /// run first. False: the program stops.
  bool found(mlir::Operation *op, llvm::ArrayRef<char> values, bool changed);

  const Plan &plan;
  RunningProgram &program;
  Memory &memory;
  unsigned cta = 0; ///< in its cluster
  sanitize::Watch *watch = nullptr;
  /// A value that asynchronous work computes later. Until then the slots that
  /// hold it have a mark in their first bytes, and NaN, or -1, in the others.
  using Deferred = std::shared_ptr<std::vector<char>>;
  /// Marks `slot`, which has `bytes` bytes; `op` computes the value.
  Deferred defer(Slot slot, size_t bytes, mlir::Operation *op);
  /// The op that computes the value that `slot` is marked with; null when it
  /// has a value.
  mlir::Operation *deferredBy(Slot slot);
  /// What `slot` is marked with; null when it has a value.
  Deferred deferredAt(Slot slot, size_t bytes);
  /// Gives each slot that is marked so the value that `deferred` has now.
  void resolve(const Deferred &deferred);

  /// Elements per scalar while a combine region runs on many at once.
  size_t lanes = 1;

private:
  bool runDisturbed(const Body &body);
  bool failTooLong(mlir::Operation *op);
  bool waitTraced(const Wait &wait);

  /// What found() was told last, as a hash.
  uint64_t lastFound = 0;
  AsyncQueue queues[static_cast<size_t>(ttg::Completion::MBarrier)];
  std::vector<char *> pointers;
  std::unique_ptr<char[]> bytes;
  std::vector<std::unique_ptr<char[]>> allocations;
  std::vector<std::unique_ptr<Frame>> partitions;
  std::vector<Deferred> deferred;
  std::vector<mlir::Operation *> deferring; ///< the op of each of them
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_PLAN_FRAME_H
