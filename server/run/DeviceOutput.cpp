//===- DeviceOutput.cpp - What a kernel on a GPU prints -------------------===//

#include "server/run/DeviceOutput.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"
#include <cstdio>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;

namespace kernelscope::run {

CapturedOutput::CapturedOutput() {
  std::fflush(nullptr);
  file = memfd_create("device output", MFD_CLOEXEC);
  if (file < 0)
    return;
  output = dup(STDOUT_FILENO);
  error = dup(STDERR_FILENO);
  dup2(file, STDOUT_FILENO);
  dup2(file, STDERR_FILENO);
}

CapturedOutput::~CapturedOutput() { take(); }

std::string CapturedOutput::take() {
  std::string text;
  if (file < 0)
    return text;
  std::fflush(nullptr);
  for (auto [kept, standard] :
       {std::pair{output, STDOUT_FILENO}, std::pair{error, STDERR_FILENO}}) {
    if (kept < 0)
      continue;
    dup2(kept, standard);
    close(kept);
  }
  text.resize(static_cast<size_t>(lseek(file, 0, SEEK_END)));
  for (size_t done = 0; done < text.size();) {
    ssize_t count = pread(file, text.data() + done, text.size() - done,
                          static_cast<off_t>(done));
    if (count <= 0)
      break;
    done += static_cast<size_t>(count);
  }
  close(file);
  file = -1;
  return text;
}

std::vector<FailedAssertion> failedAssertions(StringRef written,
                                              const KernelInfo &kernel) {
  static const Regex cuda(
      "^(.*):([0-9]+): .*: block: \\[([0-9]+),([0-9]+),([0-9]+)\\], thread: "
      "\\[([0-9]+),[0-9]+,[0-9]+\\] Assertion `(.*)` failed\\.$");
  static const Regex ours("^(.*):([0-9]+): [^:]*: (program .*: assertion "
                          "failed: .*)$");
  std::vector<FailedAssertion> assertions;
  SmallVector<StringRef> lines, parts;
  written.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  auto number = [&](size_t part) {
    unsigned value = 0;
    parts[part].getAsInteger(10, value);
    return value;
  };
  for (StringRef line : lines) {
    if (cuda.match(line, &parts)) {
      const unsigned thread = number(6);
      assertions.push_back(
          {parts[1].str(), number(2),
           formatv("program ({0}, {1}, {2}), warp {3}, thread {4}: assertion "
                   "failed: {5}",
                   number(3) / std::max(1u, kernel.ctas), number(4), number(5),
                   thread / std::max(1u, kernel.threadsPerWarp), thread,
                   parts[7])
               .str()});
    } else if (ours.match(line, &parts)) {
      assertions.push_back({parts[1].str(), number(2), parts[3].str()});
    }
  }
  return assertions;
}

} // namespace kernelscope::run
