//===- FreeMemory.cpp - How much memory a run may take --------------------===//

#include "server/run/FreeMemory.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <optional>
#include <sys/resource.h>
#include <unistd.h>

using namespace llvm;

namespace kernelscope::run {
namespace {

/// The number after `key` in a text file of the kernel's; none when the file or
/// a number is missing ("max" stands for no limit).
std::optional<uint64_t> numberIn(const char *file, StringRef key = "") {
  // Files in /proc and /sys have no size.
  auto text = MemoryBuffer::getFileAsStream(file);
  if (!text)
    return std::nullopt;
  const StringRef after = (*text)->getBuffer().split(key).second;
  uint64_t number;
  if (after.ltrim().take_while(isDigit).getAsInteger(10, number))
    return std::nullopt;
  return number;
}

} // namespace

uint64_t mostBufferBytes() {
  uint64_t most = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                  static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  constexpr uint64_t kilobyte = 1024;
  if (auto available = numberIn("/proc/meminfo", "MemAvailable:"))
    most = std::min(most, *available * kilobyte);
  const auto limit = numberIn("/sys/fs/cgroup/memory.max"),
             used = numberIn("/sys/fs/cgroup/memory.current");
  if (limit && used)
    most = std::min(most, *limit - std::min(*limit, *used));
  rlimit ownLimit;
  if (getrlimit(RLIMIT_AS, &ownLimit) == 0)
    most = std::min<uint64_t>(most, ownLimit.rlim_cur);
  return most / 2;
}

} // namespace kernelscope::run
