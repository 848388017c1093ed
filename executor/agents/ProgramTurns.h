//===- ProgramTurns.h - Programs that wait for each other ------*- C++ -*-===//
//
// A program may look at global memory in a loop until another program has
// stored a value there, as the parts of a split matrix product do. Programs run
// one after another, so such a program pauses, and those after it get their
// turn. On a GPU they run at the same time.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_AGENTS_PROGRAMTURNS_H
#define KERNELSCOPE_EXECUTOR_AGENTS_PROGRAMTURNS_H

#include "executor/agents/Fiber.h"
#include "executor/agents/Scheduler.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>
#include <vector>

namespace kernelscope::executor {

/// Workers that each run programs of a grid, one worker at a time. The first
/// runs all of them unless a program pauses: then the next worker takes the
/// next program, or one that has paused continues. So programs that do not wait
/// run in their order.
class ProgramTurns {
public:
  /// Programs in the grid.
  explicit ProgramTurns(uint64_t programs) : programs(programs) {}

  /// Runs `work` as many times as needed, each on a fiber of its own. It takes
  /// programs that no other has taken, until there are none.
  void run(llvm::function_ref<void()> work);

  /// The worker that runs takes a program; `id` lives as long as the worker.
  void start(const ProgramId &id);
  /// Its program has ended, or has changed memory by an atomic access.
  void ended();
  void changed() { idle = blocked = 0; }

  /// The program of the worker that runs found at `op` what it has found there
  /// before, and others get their turn; or it cannot continue before the end of
  /// `wait`. False: no program can change that, or isStopping().
  bool pause(mlir::Operation *op, const Wait *wait);
  /// What pause() has found for a program that looks at memory in a loop.
  Fault describe(mlir::Operation *op) const;

  /// A program has failed: those that have paused end.
  void stop() { stopping = true; }
  bool isStopping() const { return stopping; }

private:
  struct Worker {
    std::unique_ptr<Fiber> fiber;
    const ProgramId *program = nullptr; ///< null between two programs
    mlir::Operation *at = nullptr;      ///< where it has paused
  };
  void resume(size_t worker);

  const uint64_t programs;
  uint64_t numStarted = 0, numEnded = 0;
  std::vector<Worker> workers;
  size_t running = 0;
  bool stopping = false;
  /// Pauses since a program has started, ended or changed memory; and those of
  /// them in a row in which a program could not continue.
  uint64_t idle = 0, blocked = 0;
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_AGENTS_PROGRAMTURNS_H
