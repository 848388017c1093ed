//===- MBarrier.cpp - Barriers in shared memory ---------------------------===//

#include "executor/agents/MBarrier.h"
#include "llvm/Support/FormatVariadic.h"

using namespace kernelscope::executor;

bool MBarrier::arrive(uint32_t arrivals) {
  if (arrivals > pending)
    return false;
  pending -= arrivals;
  if (pending == 0 && bytes == 0) {
    pending = count;
    ++ended;
  }
  return true;
}

std::string MBarrier::missing() const {
  std::string text = llvm::formatv("{0} of {1} arrivals", pending, count);
  if (bytes)
    text += llvm::formatv(" and {0} bytes", bytes);
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
