//===- EngineWatch.h - whether the engine gets on ---------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FRONT_ENGINEWATCH_H
#define KERNELSCOPE_SERVER_FRONT_ENGINEWATCH_H

#include "server/engine/Pulse.h"

#include <array>
#include <chrono>
#include <set>
#include <sys/types.h>

namespace kernelscope {

/// Looks now and then at what the engine's threads are doing. The time for
/// which a thread waits for a processor does not count: on a busy machine it
/// can do nothing about it.
class EngineWatch {
public:
  using Clock = std::chrono::steady_clock;

  /// `patience`: how long an engine that has work may show no sign of life.
  explicit EngineWatch(std::chrono::milliseconds patience)
      : patience(patience) {}

  /// For the engine that has just been started.
  void reset();
  /// The engine got on, or had nothing to do until now.
  void sign() { lastSign = Clock::now(); }
  /// Whether the engine makes no progress. `hasWork`: something is expected of
  /// it, whether or not a thread is at it.
  bool isStuck(const PulseBoard &board, pid_t engine, bool hasWork);
  /// Whether that is because of this thread.
  bool isHanging(const Pulse &pulse) const { return hanging.contains(&pulse); }

private:
  /// What a slot of the board showed when it last changed.
  struct Seen {
    uint32_t document = 0;
    uint64_t beat = 0;
    Clock::time_point since;
    Clock::duration ran{}, waited{}; ///< Of the thread, since it began.
  };

  const std::chrono::milliseconds patience;
  std::array<Seen, std::tuple_size_v<PulseBoard>> seen;
  Clock::time_point lastSign, lastLook;
  std::set<const Pulse *> hanging; ///< Slots that did not get on.
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FRONT_ENGINEWATCH_H
