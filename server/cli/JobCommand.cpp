//===- JobCommand.cpp - what the subcommands that run a job share ---------===//

#include "server/cli/JobCommand.h"

#include "server/cli/Arguments.h"
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

/// One line that the next one replaces: how much is done, if that is known, and
/// at what the job is.
static void show(const std::string &stage, std::optional<unsigned> percentage) {
  std::fputs("\r\033[K", stderr);
  if (percentage) {
    constexpr unsigned width = 20;
    const unsigned full = *percentage * width / 100;
    std::fprintf(stderr, "[%s%s] %3u %% ", std::string(full, '#').c_str(),
                 std::string(width - full, '.').c_str(), *percentage);
  }
  std::fprintf(stderr, "%.100s", stage.c_str());
}

void cli::addTtirOptions(CLI::App &app, CompileRequest &request) {
  app.add_option("--num-warps", request.warps,
                 "For TTIR: warps per CTA. Default: 4, or 8 on NVIDIA if the "
                 "products need the registers of more warps. TTGIR states its "
                 "own number, which its layouts need.")
      ->check(aboveZero());
  app.add_option("--num-ctas", request.ctas,
                 "For TTIR: CTAs per cluster, which run each program together. "
                 "Default: 1.")
      ->check(aboveZero());
  app.add_option(
         "--num-stages", request.stages,
         "For TTIR: pipeline stages of loops with matrix products; loads are "
         "issued that many iterations minus one ahead. Default: 3.")
      ->check(aboveZero());
}

Json cli::runWatchedJob(const std::string &name, Json request) {
  const bool isWatched = isTerminal(STDERR_FILENO);
  Json result = runJob(name, std::move(request), [&](const JobNews &news) {
    if (isWatched && news.stage)
      show(*news.stage, news.percentage);
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
