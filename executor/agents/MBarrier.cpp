//===- MBarrier.cpp - Barriers in shared memory ---------------------------===//

#include "executor/agents/MBarrier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace kernelscope::executor;

void MBarrier::endPhaseIfDone() {
  if (pending != 0 || bytes != 0)
    return;
  pending = count;
  ++ended;
}

bool MBarrier::arrive(uint32_t arrivals) {
  if (arrivals > pending)
    return false;
  pending -= arrivals;
  endPhaseIfDone();
  return true;
}

bool MBarrier::complete(int64_t size) {
  if (pending == 0 && size > bytes)
    return false;
  bytes -= size;
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

bool MBarriers::init(const char *at, uint32_t count) {
  return barriers.try_emplace(at, count).second;
}

void MBarriers::forget(const char *begin, size_t size) {
  barriers.erase(barriers.lower_bound(begin),
                 barriers.lower_bound(begin + size));
}

bool MBarriers::advance() {
  auto next = llvm::find_if(work, [&](const auto &item) {
    const MBarrier *barrier = find(item.first);
    return barrier && barrier->waiters > 0;
  });
  if (next == work.end())
    return false;
  const Effect effect = std::move(next->second);
  work.erase(next);
  effect(); // A fault of it stops the program by itself.
  return true;
}
