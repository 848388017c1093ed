//===- Fiber.h - A function that can pause ----------------------*- C++ -*-===//
//
// A function on a stack of its own, by Boost.Context. Steps are plain closures
// that call each other; only a fiber can stop in the middle of them.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_AGENTS_FIBER_H
#define KERNELSCOPE_EXECUTOR_AGENTS_FIBER_H

#include <functional>
#include <memory>

namespace kernelscope::executor {

/// A function that runs in pieces on the thread that resumes it. It throws
/// nothing and must have ended, or never have begun, when it is destroyed.
class Fiber {
public:
  explicit Fiber(std::function<void()> body);
  ~Fiber();

  /// Runs the function until it suspends itself or ends.
  void resume();
  /// Returns to the caller of resume(); only the function itself calls this.
  void suspend();
  bool hasBegun() const;
  bool hasEnded() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_AGENTS_FIBER_H
