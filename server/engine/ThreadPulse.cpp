//===- ThreadPulse.cpp - what this thread shows on the board --------------===//

#include "server/engine/ThreadPulse.h"

#include "server/analysis/ParserWatch.h"

#include <csignal>
#include <optional>
#include <unistd.h>
#include <utility>

using namespace kernelscope;

/// The slot of this thread, for the handler of fatal signals.
static thread_local Pulse *thisPulse = nullptr;

PulseHolder::PulseHolder(PulseBoard &board, uint32_t document, int64_t version,
                         uint64_t request) {
  for (Pulse &slot : board) {
    uint32_t free = 0;
    if (!slot.document.compare_exchange_strong(free, document))
      continue;
    slot.version = version;
    slot.request = request;
    slot.offset = 0;
    slot.thread = gettid();
    ++slot.beat;
    thisPulse = &slot;
    return;
  }
}

PulseHolder::~PulseHolder() {
  if (Pulse *pulse = std::exchange(thisPulse, nullptr))
    pulse->document = 0;
}

void PulseHolder::beatAt(size_t offset) {
  if (!thisPulse)
    return;
  thisPulse->offset.store(offset, std::memory_order_relaxed);
  thisPulse->beat.fetch_add(1, std::memory_order_relaxed);
}

FatalSignalMarks::FatalSignalMarks() : stack(64 << 10) {
  stack_t alternative{};
  alternative.ss_sp = stack.data();
  alternative.ss_size = stack.size();
  sigaltstack(&alternative, nullptr);
  struct sigaction action{};
  action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  action.sa_handler = [](int signal) {
    if (thisPulse) {
      thisPulse->signal = signal;
      if (std::optional<size_t> place = ParserWatch::position())
        thisPulse->offset = *place;
    }
    raise(signal);
  };
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
    sigaction(signal, &action, nullptr);
}

FatalSignalMarks::~FatalSignalMarks() {
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
}
