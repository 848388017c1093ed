//===- RunningProgram.h - What the agents of a program share ---*- C++ -*-===//
//
// One program of the grid while it runs. Each agent has a frame of its own and
// this in common with the others.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_AGENTS_RUNNINGPROGRAM_H
#define KERNELSCOPE_EXECUTOR_AGENTS_RUNNINGPROGRAM_H

#include "executor/agents/MBarrier.h"
#include "executor/agents/Scheduler.h"
#include "executor/plan/Memory.h"

namespace kernelscope::executor {

struct RunningProgram {
  RunningProgram(Memory &memory, Grid grid, llvm::raw_ostream *print)
      : memory(memory), print(print), grid{grid.x, grid.y, grid.z} {}

  /// Makes it ready to run program number `index` of the grid, x first.
  void start(uint64_t index) {
    id = {{static_cast<uint32_t>(index % grid[0]),
           static_cast<uint32_t>(index / grid[0] % grid[1]),
           static_cast<uint32_t>(index / grid[0] / grid[1])}};
    barriers.clear();
    clock = 0;
  }

  Memory &memory;
  llvm::raw_ostream *print; ///< where tt.print writes; nowhere when null
  uint32_t grid[3];
  ProgramId id;
  uint64_t clock = 0; ///< how often its code has looked at a clock
  MBarriers barriers;
  Scheduler scheduler{id, [this] { return barriers.advance(); }};
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_AGENTS_RUNNINGPROGRAM_H
