//===- Knowledge.h - What is known to have been done -----------*- C++ -*-===//
// Vector clocks. Each agent, each engine, and each asynchronous op while it is
// in flight is an actor; its steps have numbers. An agent that waits learns
// what the others knew when they signalled.
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_SANITIZE_KNOWLEDGE_H
#define KERNELSCOPE_EXECUTOR_SANITIZE_KNOWLEDGE_H

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace kernelscope::executor::sanitize {

/// A step of an actor. Steps of an actor are done in order.
struct Moment {
  uint32_t actor = 0, step = 0;
  /// False for the default: no moment.
  explicit operator bool() const { return step != 0; }
  bool operator==(const Moment &) const = default;
};

/// Of each actor the last step that is known to be done.
class Clock {
public:
  bool knows(Moment moment) const { return moment.step <= of(moment.actor); }
  bool knows(const Clock &other) const {
    for (uint32_t actor = 0; actor < other.last.size(); ++actor)
      if (other.last[actor] > of(actor))
        return false;
    return true;
  }
  uint32_t of(uint32_t actor) const {
    return actor < last.size() ? last[actor] : 0;
  }
  void learn(Moment moment) {
    if (moment.actor >= last.size())
      last.resize(moment.actor + 1, 0);
    last[moment.actor] = std::max(last[moment.actor], moment.step);
  }
  void learn(const Clock &other) {
    if (other.last.size() > last.size())
      last.resize(other.last.size(), 0);
    for (size_t actor = 0; actor < other.last.size(); ++actor)
      last[actor] = std::max(last[actor], other.last[actor]);
  }

private:
  std::vector<uint32_t> last;
};

/// What an actor knows. An actor that learns a moment learns what its actor
/// knew then, so knowledge is closed under "was done before".
struct Knowledge {
  Clock done;
  /// Of what is done, the ordinary accesses to the shared memory of each CTA
  /// that a proxy fence has followed: only those are ordered before accesses by
  /// the async proxy (PTX ISA, "Proxies").
  std::vector<Clock> fenced;

  bool isFenced(unsigned cta, Moment moment) const {
    return cta < fenced.size() && fenced[cta].knows(moment);
  }
  /// A fence of the shared memory of CTAs from `first` up to `end`.
  void fence(unsigned first, unsigned end) {
    if (fenced.size() < end)
      fenced.resize(end);
    for (unsigned cta = first; cta < end; ++cta)
      fenced[cta].learn(done);
  }
  void learn(const Knowledge &other) {
    done.learn(other.done);
    if (fenced.size() < other.fenced.size())
      fenced.resize(other.fenced.size());
    for (size_t cta = 0; cta < other.fenced.size(); ++cta)
      fenced[cta].learn(other.fenced[cta]);
  }
};

/// What the signaller knows; null without a sanitizer.
using Release = std::shared_ptr<const Knowledge>;

} // namespace kernelscope::executor::sanitize

#endif // KERNELSCOPE_EXECUTOR_SANITIZE_KNOWLEDGE_H
