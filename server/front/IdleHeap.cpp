//===- IdleHeap.cpp - the front's freed memory when nothing happens -------===//

#include "server/front/IdleHeap.h"

#include "server/ipc/Heap.h"

#include <utility>

using namespace kernelscope;

/// A pause in typing is shorter.
constexpr std::chrono::seconds silence(3);
/// What the next messages need again.
constexpr size_t keptBytes = 4 << 20;

void IdleHeap::wait() {
  isWaiting = true;
  timer.expires_after(silence);
  timer.async_wait(
      [this, alive = std::weak_ptr(alive)](boost::system::error_code error) {
        if (error || alive.expired())
          return;
        if (std::exchange(isUsed, false))
          return wait();
        isWaiting = false;
        releaseFreed(keptBytes);
      });
}
