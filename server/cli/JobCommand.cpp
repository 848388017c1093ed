//===- JobCommand.cpp - what the subcommands that run a job share ---------===//

#include "server/cli/JobCommand.h"

#include "server/cli/Source.h"
#include "server/jobs/Job.h"
#include "server/jobs/Runner.h"
#include "server/text/Text.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

using namespace kernelscope;

namespace {

void print(const JobDiagnostic &diagnostic, const std::string &path,
           const Text &text) {
  const char *severity = diagnostic.severity.c_str();
  const char *message = diagnostic.message.c_str();
  if (!diagnostic.line) {
    std::fprintf(stderr, "%s: %s: %s\n", path.c_str(), severity, message);
    return;
  }
  size_t line = *diagnostic.line, column = diagnostic.column.value_or(0);
  std::fprintf(stderr, "%s:%zu:%zu: %s: %s\n", path.c_str(), line + 1,
               column + 1, severity, message);
  size_t offset = std::min(text.lineSpan(line).begin + column, text.size());
  std::fputs(cli::showSource(text, {offset, offset}).c_str(), stderr);
}

} // namespace

Json cli::runWatchedJob(const std::string &name, Json request) {
  const bool isWatched = isatty(STDERR_FILENO);
  Json result = runJob(name, std::move(request), [&](const JobNews &news) {
    if (isWatched && news.stage)
      std::fprintf(stderr, "\r\033[K%.100s", news.stage->c_str());
  });
  if (isWatched)
    std::fputs("\r\033[K", stderr);
  return result;
}

int cli::reportJob(const Json &answer, const std::string &path,
                   const std::string &content) {
  Text text(content);
  std::optional<JobError> error = errorOf(answer);
  auto diagnostics =
      error ? error->diagnostics
            : optionalOf<std::vector<JobDiagnostic>>(answer, "diagnostics");
  if (error && (!diagnostics || diagnostics->empty()))
    diagnostics = {{"error", error->line, error->column, error->message}};
  for (const JobDiagnostic &diagnostic :
       diagnostics.value_or(std::vector<JobDiagnostic>()))
    print(diagnostic, path, text);
  return exitCodeOf(answer);
}
