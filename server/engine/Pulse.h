//===- Pulse.h - what the engine's threads are doing ------------*- C++ -*-===//
//
// A page of memory that the front and the engine share, so that the front
// knows, if the engine dies or hangs, which document it was working on, and
// where in it.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ENGINE_PULSE_H
#define KERNELSCOPE_SERVER_ENGINE_PULSE_H

#include <array>
#include <atomic>
#include <cstdint>

namespace kernelscope {

/// One thread at work.
struct Pulse {
  std::atomic<uint32_t> document; ///< The front's number of the document; 0
                                  ///< when the slot is free.
  std::atomic<int64_t> version;
  std::atomic<uint64_t>
      request; ///< The request that is answered; 0: the document is analysed.
  std::atomic<uint64_t>
      offset; ///< Bytes: the op at work, or the last one that was.
  std::atomic<uint64_t> beat;  ///< Grows as the thread gets on.
  std::atomic<int32_t> thread; ///< The system's number of it.
  std::atomic<int32_t> signal; ///< The signal that this thread died of, or 0.
};

/// All threads at work. Zeroed memory is a board of free slots.
using PulseBoard = std::array<Pulse, 64>;
static_assert(std::atomic<uint64_t>::is_always_lock_free,
              "the board is shared between processes");

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ENGINE_PULSE_H
