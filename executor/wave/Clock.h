//===- Clock.h - What happened before what ----------------------*- C++ -*-===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_CLOCK_H
#define KERNELSCOPE_EXECUTOR_WAVE_CLOCK_H

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace kernelscope::wave {

/// For each agent, such as a wave, how much of what it did has happened before.
class Clock {
public:
  uint32_t at(unsigned agent) const {
    return agent < times.size() ? times[agent] : 0;
  }
  void set(unsigned agent, uint32_t time) {
    if (agent >= times.size())
      times.resize(agent + 1);
    times[agent] = time;
  }
  void join(const Clock &other) {
    if (times.size() < other.times.size())
      times.resize(other.times.size());
    for (size_t i = 0; i < other.times.size(); ++i)
      times[i] = std::max(times[i], other.times[i]);
  }

private:
  std::vector<uint32_t> times;
};

/// What those know that arrive at a barrier in this round, and what those learn
/// that wait for the end of an earlier one.
struct Meeting {
  Clock arriving, ended;

  /// What came before an earlier round came before this one, too.
  void endRound() { ended.join(std::exchange(arriving, {})); }
};

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_CLOCK_H
