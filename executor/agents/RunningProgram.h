//===- RunningProgram.h - What the agents of a program share ---*- C++ -*-===//
//
// One program of the grid while it runs. Each agent has a frame of its own and
// this in common with the others.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_AGENTS_RUNNINGPROGRAM_H
#define KERNELSCOPE_EXECUTOR_AGENTS_RUNNINGPROGRAM_H

#include "executor/agents/Cluster.h"
#include "executor/agents/Images.h"
#include "executor/agents/MBarrier.h"
#include "executor/agents/ProgramTurns.h"
#include "executor/agents/Scheduler.h"
#include "executor/plan/Memory.h"
#include <map>

namespace kernelscope::executor {

namespace sanitize {
class Sanitizer;
} // namespace sanitize

struct RunningProgram {
  /// `turns` is null if programs do not wait for each other.
  RunningProgram(Memory &memory, Grid grid, const Options &options,
                 ProgramTurns *turns)
      : memory(memory), print(options.print), grid{grid.x, grid.y, grid.z},
        schedule(options.schedule), maxSteps(options.maxSteps),
        firstTrace(options.trace), turns(turns) {
    barriers.isEager = isEager();
    if (isSeeded())
      scheduler.random = &random;
    if (turns)
      scheduler.pauseProgram = [this](mlir::Operation *op, const Wait *wait) {
        return pause(op, wait);
      };
  }

  /// Resets it to run program number `index` of the grid, x first.
  void start(uint64_t index) {
    id = ProgramId::of(index, {grid[0], grid[1], grid[2]});
    barriers.clear();
    sharedScratch.clear();
    images.clear();
    if (cluster)
      cluster->start();
    clock = steps = 0;
    isTooLong = false;
    trace = index == 0 ? firstTrace : nullptr;
    barriers.trace = trace;
    random.start(schedule.seed, index);
  }
  bool isEager() const { return schedule.kind == Schedule::Kind::Eager; }
  bool isSeeded() const { return schedule.kind == Schedule::Kind::Seeded; }

  /// Between two ops of a seeded schedule: some asynchronous work may take
  /// effect, and other agents may run. False: the program stops.
  bool disturb() {
    const size_t choice = random.below(8);
    if (choice == 0)
      return scheduler.yield();
    if (choice == 1)
      barriers.advance(random);
    else if (choice == 2 && !queues.empty())
      return queues[random.below(queues.size())]->advance(random);
    return !scheduler.hasFailed();
  }

  /// Other programs run (Scheduler::pauseProgram).
  bool pause(mlir::Operation *op, const Wait *wait) {
    if (turns->pause(op, wait))
      return true;
    if (turns->isStopping())
      return scheduler.fail({op, "another program has failed", {}});
    // More memory, or another program, may be what it waits for.
    isTooLong = true;
    return wait ? false : scheduler.fail(turns->describe(op));
  }

  Memory &memory;
  llvm::raw_ostream *print; ///< where tt.print writes; nowhere when null
  uint32_t grid[3];
  ProgramId id;
  uint64_t clock = 0; ///< how often its code has looked at a clock
  Schedule schedule;
  Random random; ///< of a seeded schedule
  uint64_t steps = 0, maxSteps;
  bool isTooLong = false; ///< it has run more, and that is its fault
  sanitize::Sanitizer *sanitizer = nullptr; ///< null for none
  Trace *firstTrace;      ///< of the first program; null for none
  Trace *trace = nullptr; ///< of this one
  ProgramTurns *turns;
  MBarriers barriers;
  /// Where a pass has put buffers of shared and tensor memory, by their first
  /// byte: what Triton's sanitizer knows them by.
  std::map<const char *, uint32_t> placedAt;
  /// Views of shared memory that strides cannot describe.
  Images images;
  /// Scratch memory that the CTAs of a cluster share, by its op.
  std::map<mlir::Operation *, int64_t> sharedScratch;
  std::unique_ptr<Cluster> cluster; ///< null when it is one CTA
  /// Those of all agents.
  std::vector<AsyncQueue *> queues;
  Scheduler scheduler{id, [this] {
                        return isSeeded() ? barriers.advance(random)
                                          : barriers.advance();
                      }};
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_AGENTS_RUNNINGPROGRAM_H
