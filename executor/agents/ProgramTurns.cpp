//===- ProgramTurns.cpp - Programs that wait for each other ---------------===//

#include "executor/agents/ProgramTurns.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace kernelscope::executor {

/// Programs at once, each with the values of its tensors.
constexpr size_t mostWorkers = 256;
/// Pauses without any change, after which none is expected. A loop that gives
/// up after some attempts ends before.
constexpr uint64_t patience = uint64_t{1} << 19;

void ProgramTurns::run(llvm::function_ref<void()> work) {
  while (true) {
    // A new worker gets its turn only when all others have paused.
    if (numStarted < programs && !stopping && workers.size() < mostWorkers) {
      workers.emplace_back().fiber =
          std::make_unique<Fiber>([work] { work(); });
      resume(workers.size() - 1);
    } else {
      for (size_t i = 0; i < workers.size(); ++i)
        resume(i);
    }
    llvm::erase_if(workers,
                   [](const Worker &w) { return w.fiber->hasEnded(); });
    if (workers.empty())
      return;
  }
}

void ProgramTurns::resume(size_t worker) {
  if (workers[worker].fiber->hasEnded())
    return;
  running = worker;
  workers[worker].fiber->resume();
}

void ProgramTurns::start(const ProgramId &id) {
  workers[running].program = &id;
  ++numStarted;
  changed();
}

void ProgramTurns::ended() {
  workers[running].program = nullptr;
  ++numEnded;
  changed();
}

bool ProgramTurns::pause(Operation *op, const Wait *wait) {
  if (stopping)
    return false;
  ++idle;
  blocked = wait ? blocked + 1 : 0;
  const bool mayStart = numStarted < programs && workers.size() < mostWorkers;
  if (idle > patience || (blocked > workers.size() && !mayStart))
    return false;
  workers[running].at = op;
  workers[running].fiber->suspend();
  if (wait && wait->isOver())
    changed();
  return !stopping;
}

Fault ProgramTurns::describe(Operation *op) const {
  const uint64_t paused = numStarted - numEnded;
  std::string message = llvm::formatv(
      "{0}: deadlock: it looks at memory in a loop for a change that no "
      "program "
      "makes; of {1} programs {2} have ended and {3} wait in such a loop",
      workers[running].program->name(), programs, numEnded, paused);
  if (numStarted < programs)
    message += llvm::formatv(", and {0} have not started, because at most {1} "
                             "run at the same time",
                             programs - numStarted, mostWorkers);
  Fault made{op, std::move(message), {}};
  // The first program at each other place.
  llvm::SmallPtrSet<Operation *, 4> named{op};
  for (const Worker &worker : workers)
    if (worker.program && worker.at && named.insert(worker.at).second)
      made.notes.emplace_back(worker.at,
                              worker.program->name() + " waits here");
  return made;
}

} // namespace kernelscope::executor
