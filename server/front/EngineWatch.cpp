//===- EngineWatch.cpp - whether the engine gets on -----------------------===//

#include "server/front/EngineWatch.h"

#include <filesystem>
#include <fstream>
#include <string>

using namespace kernelscope;
using Clock = EngineWatch::Clock;

namespace fs = std::filesystem;

/// Whether the thread runs, or waits for a processor.
static bool isRunnable(const fs::path &task) {
  // `number (name) state ...`; a name may have parentheses, too.
  std::ifstream stat(task / "stat");
  std::string line;
  std::getline(stat, line);
  size_t name = line.rfind(") ");
  return name != std::string::npos && line.substr(name + 2, 1) == "R";
}

static fs::path tasksOf(pid_t process) {
  return fs::path("/proc") / std::to_string(process) / "task";
}

/// Whether a thread of the process runs, or waits for a processor.
static bool hasRunnable(pid_t process) {
  std::error_code error;
  fs::directory_iterator task(tasksOf(process), error), end;
  for (; !error && task != end; task.increment(error))
    if (isRunnable(task->path()))
      return true;
  return false;
}

namespace {

/// What the kernel says of a thread; nothing but zeros if it says nothing.
struct ThreadTimes {
  Clock::duration ran{};    ///< On a processor.
  Clock::duration waited{}; ///< For one, without the wait at hand.
  bool isRunnable = false;  ///< Runs, or waits for a processor.

  ThreadTimes(pid_t process, int32_t thread) {
    fs::path task = tasksOf(process) / std::to_string(thread);
    std::ifstream times(task / "schedstat");
    int64_t onProcessor = 0, inQueue = 0;
    if (!(times >> onProcessor >> inQueue))
      return;
    ran = std::chrono::nanoseconds(onProcessor);
    waited = std::chrono::nanoseconds(inQueue);
    isRunnable = ::isRunnable(task);
  }
};

} // namespace

void EngineWatch::reset() {
  seen = {};
  hanging.clear();
  sign();
  lastLook = lastSign;
}

bool EngineWatch::isStuck(const PulseBoard &board, pid_t engine, bool hasWork) {
  auto now = Clock::now();
  if (now - lastLook > patience / 2)
    reset();
  lastLook = now;
  bool busy = false;
  for (size_t slot = 0; slot < board.size(); ++slot) {
    const Pulse &pulse = board[slot];
    uint32_t document = pulse.document;
    uint64_t beat = pulse.beat;
    if (document)
      busy = true;
    else if (!seen[slot].document)
      continue;
    ThreadTimes times(engine, pulse.thread);
    Seen &last = seen[slot];
    if (document != last.document || beat != last.beat) {
      last = {document, beat, now, times.ran, times.waited};
      continue;
    }
    auto stoodStill = times.isRunnable
                          ? times.ran - last.ran
                          : now - last.since - (times.waited - last.waited);
    if (document && stoodStill >= patience)
      hanging.insert(&pulse);
  }
  // A thread at work speaks for itself; others take messages or send them.
  if (!hasWork || busy || hasRunnable(engine))
    lastSign = now;
  return !hanging.empty() || now - lastSign >= patience;
}
