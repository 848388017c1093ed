//===- Fiber.cpp - A function that can pause ------------------------------===//
//
// AddressSanitizer must be told of each change of stacks. Boost.Context does so
// only in a build of its own, on ucontext; Debian's is not, so it is done here.
//
//===----------------------------------------------------------------------===//

#include "executor/agents/Fiber.h"
#include <cassert>
#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KS_ASAN 1
#include <sanitizer/common_interface_defs.h>
#endif
#endif

// When a fiber ends, the sanitizer's copy of its stack goes before Boost's last
// frames on it do, so they must not live in that copy.
#ifdef KS_ASAN
#pragma clang attribute push(__attribute__((no_sanitize("address"))),          \
                             apply_to = function)
#endif
#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

namespace kernelscope::executor {

/// As big as a thread's: the steps of nested regions nest on it. Memory is
/// taken page by page as it is used, and a guard page ends it.
constexpr size_t stackBytes = size_t{8} << 20;

struct Fiber::State {
  std::function<void()> body;
  boost::context::stack_context stack;
  /// Where the fiber is while it does not run, and who resumed it meanwhile.
  boost::context::fiber inside, outside;
  bool begun = false, ended = false;
#ifdef KS_ASAN
  const void *outsideStack = nullptr;
  size_t outsideBytes = 0;
#endif

  void begin();
};

#ifdef KS_ASAN
static void leave(void **saved, const void *stack, size_t bytes) {
  __sanitizer_start_switch_fiber(saved, stack, bytes);
}
static void arrive(void *saved, const void **stack, size_t *bytes) {
  __sanitizer_finish_switch_fiber(saved, stack, bytes);
}
#endif

void Fiber::State::begin() {
  boost::context::protected_fixedsize_stack allocator(stackBytes);
  stack = allocator.allocate();
  begun = true;
  inside = boost::context::fiber(
      std::allocator_arg,
      boost::context::preallocated(stack.sp, stack.size, stack), allocator,
      [this](boost::context::fiber &&caller) {
#ifdef KS_ASAN
        arrive(nullptr, &outsideStack, &outsideBytes);
#endif
        outside = std::move(caller);
        body();
        ended = true;
#ifdef KS_ASAN
        leave(nullptr, outsideStack, outsideBytes);
#endif
        return std::move(outside);
      });
}

Fiber::Fiber(std::function<void()> body) : state(std::make_unique<State>()) {
  state->body = std::move(body);
}

Fiber::~Fiber() {
  assert((!state->begun || state->ended) && "a fiber is left in the middle");
}

void Fiber::resume() {
  if (!state->begun)
    state->begin();
#ifdef KS_ASAN
  void *saved = nullptr;
  leave(&saved, static_cast<char *>(state->stack.sp) - state->stack.size,
        state->stack.size);
#endif
  state->inside = std::move(state->inside).resume();
#ifdef KS_ASAN
  arrive(saved, nullptr, nullptr);
#endif
}

void Fiber::suspend() {
#ifdef KS_ASAN
  void *saved = nullptr;
  leave(&saved, state->outsideStack, state->outsideBytes);
#endif
  state->outside = std::move(state->outside).resume();
#ifdef KS_ASAN
  arrive(saved, &state->outsideStack, &state->outsideBytes);
#endif
}

bool Fiber::hasBegun() const { return state->begun; }
bool Fiber::hasEnded() const { return state->ended; }

} // namespace kernelscope::executor

#ifdef KS_ASAN
#pragma clang attribute pop
#endif
