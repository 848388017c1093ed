//===- Log.cpp - what the server did, for those who ask -------------------===//

#include "server/front/Log.h"

#include <chrono>
#include <ctime>

using namespace kernelscope;

void Log::write(const std::string &line) {
  if (!file)
    return;
  auto now = std::chrono::system_clock::now();
  std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(
                          now.time_since_epoch())
                          .count() %
                      1000;
  std::tm time{};
  localtime_r(&seconds, &time);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, "%H:%M:%S", &time);
  std::fprintf(file, "%s.%03d %s\n", stamp, static_cast<int>(milliseconds),
               line.c_str());
  std::fflush(file);
}
