//===- MBarrier.cpp - Barriers in shared memory ---------------------------===//

#include "executor/agents/MBarrier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace kernelscope::executor;

void PhaseKnowledge::endPhase(uint64_t phase) {
  ended.emplace_back(phase, running);
  if (ended.size() > kept)
    ended.pop_front();
}

const sanitize::Knowledge *PhaseKnowledge::of(uint64_t phase) const {
  for (const auto &[number, knowledge] : ended)
    if (number >= phase)
      return &knowledge;
  return nullptr;
}

void MBarrier::endPhaseIfDone() {
  if (pending != 0 || bytes != 0)
    return;
  pending = count;
  knowledge.endPhase(ended++);
  // An agent that waits for a phase must see its end before the next one ends.
  for (const Waiting &wait : over)
    if (!knowledge.knows(wait.seen))
      missed = wait.op;
  for (const Waiting &wait : waiting)
    if (wait.phase + 1 < ended)
      missed = wait.op;
  over.clear();
}

void MBarrier::endWait(uint64_t phase, mlir::Operation *op,
                       sanitize::Moment at) {
  auto found = llvm::find_if(waiting, [&](const Waiting &wait) {
    return wait.phase == phase && wait.op == op;
  });
  if (found != waiting.end())
    waiting.erase(found);
  if (at && phase + 1 == ended)
    over.push_back({phase, op, at});
}

bool MBarrier::arrive(uint32_t arrivals, const sanitize::Release &by) {
  if (arrivals > pending)
    return false;
  pending -= arrivals;
  knowledge.arrive(by);
  endPhaseIfDone();
  return true;
}

bool MBarrier::complete(int64_t size, const sanitize::Release &by) {
  if (pending == 0 && size > bytes)
    return false;
  bytes -= size;
  knowledge.arrive(by);
  endPhaseIfDone();
  return true;
}

std::string MBarrier::missing() const {
  std::string text = llvm::formatv("{0} of {1} arrivals", pending, count);
  if (bytes > 0)
    text += llvm::formatv(" and {0} bytes", bytes);
  if (bytes < 0)
    text += llvm::formatv(" and got {0} bytes that nothing expected", -bytes);
  return text;
}

MBarrier *MBarriers::find(const char *at) {
  auto found = barriers.find(at);
  return found == barriers.end() ? nullptr : &found->second;
}

bool MBarriers::init(const char *at, uint32_t count, mlir::Operation *op) {
  invalidated.erase(at);
  return barriers.try_emplace(at, count, op).second;
}

MBarrier *MBarriers::findIn(const char *begin, size_t size) {
  auto found = barriers.lower_bound(begin);
  return found == barriers.end() || found->first >= begin + size
             ? nullptr
             : &found->second;
}

void MBarriers::forget(const char *begin, size_t size) {
  barriers.erase(barriers.lower_bound(begin),
                 barriers.lower_bound(begin + size));
  invalidated.erase(invalidated.lower_bound(begin),
                    invalidated.lower_bound(begin + size));
}

mlir::Operation *MBarriers::pendingSignal(const char *at,
                                          const sanitize::Clock &known) const {
  auto found = llvm::find_if(work, [&](const Work &item) {
    return item.at == at && item.done && !known.knows(item.done->done);
  });
  return found == work.end() ? nullptr : found->op;
}

bool MBarriers::takeEffect(std::list<Work>::iterator next) {
  if (next == work.end())
    return false;
  // What it was to signal before, less barriers that were invalidated too
  // early: that stops no program by itself.
  if (next->engine)
    next = llvm::find_if(work, [&](const Work &item) {
      return &item == &*next || (item.engine == next->engine && find(item.at));
    });
  const Effect effect = std::move(next->effect);
  work.erase(next);
  effect(); // A fault of it stops the program by itself.
  return true;
}

bool MBarriers::advance() {
  return takeEffect(llvm::find_if(work, [&](const auto &item) {
    const MBarrier *barrier = find(item.at);
    return barrier && barrier->hasWaiters();
  }));
}

bool MBarriers::advance(Random &random) {
  return takeEffect(work.empty()
                        ? work.end()
                        : std::next(work.begin(), random.below(work.size())));
}
