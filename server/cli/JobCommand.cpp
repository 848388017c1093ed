//===- JobCommand.cpp - what the subcommands that run a job share ---------===//

#include "server/cli/JobCommand.h"

#include "server/cli/Source.h"
#include "server/jobs/Job.h"
#include "server/text/Text.h"

#include <algorithm>
#include <cstdio>

using namespace kernelscope;

namespace {

void print(const Json &entry, const std::string &severity,
           const std::string &path, const Text &text) {
  std::string message = entry["message"];
  if (!entry.contains("line")) {
    std::fprintf(stderr, "%s: %s: %s\n", path.c_str(), severity.c_str(),
                 message.c_str());
    return;
  }
  size_t line = entry["line"];
  size_t column = entry.value("column", size_t(0));
  std::fprintf(stderr, "%s:%zu:%zu: %s: %s\n", path.c_str(), line + 1,
               column + 1, severity.c_str(), message.c_str());
  size_t offset = std::min(text.lineSpan(line).begin + column, text.size());
  std::fputs(cli::showSource(text, {offset, offset}).c_str(), stderr);
}

} // namespace

int cli::reportJob(const Json &answer, const std::string &path,
                   const std::string &content) {
  Text text(content);
  auto error = answer.find("error");
  const Json &about = error == answer.end() ? answer : *error;
  Json diagnostics = about.value("diagnostics", Json::array());
  for (const Json &entry : diagnostics)
    print(entry, entry["severity"], path, text);
  if (error != answer.end() && diagnostics.empty())
    print(*error, "error", path, text);
  return exitCodeOf(answer);
}
