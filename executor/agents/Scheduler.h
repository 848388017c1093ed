//===- Scheduler.h - Runs the agents of a program --------------*- C++ -*-===//
// A program is a set of agents: the warps that it starts with, and each
// partition of a warp_specialize. One runs at a time, until it waits or ends,
// and the others get their turn in the order in which they were started, or in
// that of a seeded schedule, which lets an agent stop anywhere. So the same
// program produces the same run. Asynchronous work takes effect when no agent
// can continue without it, or earlier if the schedule says so.
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_AGENTS_SCHEDULER_H
#define KERNELSCOPE_EXECUTOR_AGENTS_SCHEDULER_H

#include "executor/Executor.h"
#include "executor/agents/Fiber.h"
#include "executor/agents/Random.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kernelscope::executor {

/// What went wrong in a program: an error on an op, with notes on others.
struct Fault {
  mlir::Operation *op = nullptr;
  std::string message;
  std::vector<std::pair<mlir::Operation *, std::string>> notes;
};

/// Which program of the grid it is.
struct ProgramId {
  uint32_t axis[3] = {};
  /// Program number `index` of the grid, x first.
  static ProgramId of(uint64_t index, Grid grid);
  /// "program (x, y, z)".
  std::string name() const;
};

/// What an agent waits for.
struct Wait {
  mlir::Operation *op;
  /// Checked again whenever other agents have run.
  llvm::function_ref<bool()> isOver;
  /// What is awaited, as words that follow "waits for"; used in a deadlock.
  llvm::function_ref<std::string()> what;
  /// It waits for the end of agents that it started, so it is never the cause
  /// of a deadlock.
  bool forAgents = false;
};

/// The agents of one program. The first runs on the thread's own stack and
/// resumes the others while it waits, so a program with one agent has no fiber.
class Scheduler {
public:
  /// `advance` lets some asynchronous work take effect, and is false when there
  /// is none that could help. It is called when no agent can continue.
  Scheduler(const ProgramId &program, std::function<bool()> advance);
  ~Scheduler();

  /// An agent to be started by `op`.
  struct Start {
    std::string name;
    std::function<bool()> run;
  };
  /// Runs `own` while `others` run as agents; returns when all have ended.
  /// False: the program stops.
  bool fork(mlir::Operation *op, llvm::ArrayRef<Start> others,
            llvm::function_ref<bool()> own);

  /// Returns when `wait` ends. False: the program stops, since some agent has
  /// failed or this is a deadlock.
  bool wait(const Wait &wait) {
    return !fault && (wait.isOver() || block(wait));
  }

  /// Each other agent that can continues until it waits. False: the program
  /// stops.
  bool letOthersRun();
  /// Other programs get their turn: `op` has found the same in memory as the
  /// last time. False: the program stops.
  bool letOtherProgramsRun(mlir::Operation *op);
  /// Other agents may take a turn. Only with a seeded schedule. False: the
  /// program stops.
  bool yield();

  /// The name of the first agent.
  void nameFirst(std::string name);
  /// The name of the agent that runs.
  const std::string &runningAgent() const;
  /// Stops the program for this reason, unless there was another. False.
  bool fail(Fault reason);
  /// Ends the agents that still run, and returns the fault of a program that
  /// failed. The scheduler is then ready for the next program.
  std::optional<Fault> finish();
  bool hasFailed() const { return fault.has_value(); }

  /// Chooses the next agent in a seeded schedule; null in others.
  Random *random = nullptr;
  /// Lets other programs run while the running agent looks at memory at `op` in
  /// a loop, or while no agent can continue and one waits for the end of
  /// `wait`. False: that is a deadlock, or the program stops. Null if programs
  /// do not take turns.
  std::function<bool(mlir::Operation *op, const Wait *wait)> pauseProgram;

private:
  struct Agent;

  bool block(const Wait &wait);
  /// Gives the other agents turns, and asynchronous work effect, until the
  /// first agent's wait ends.
  void runOthers();
  /// As above, but whose turn it is is chosen at random.
  void runAnyOrder();
  void resume(Agent &agent);
  /// No agent can continue: `stuck` waits.
  void awaitOtherPrograms(const Wait *stuck);
  /// Lets other programs run if an agent wants them to.
  void pauseIfPolled();
  /// The agent that a deadlock is about.
  const Agent &findStuck() const;
  Fault describeDeadlock() const;

  const ProgramId &program;
  std::function<bool()> advance;
  std::vector<std::unique_ptr<Agent>> agents;
  Agent *running;
  /// Where an agent wants other programs to run; null for nowhere.
  mlir::Operation *polled = nullptr;
  std::optional<Fault> fault;
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_AGENTS_SCHEDULER_H
