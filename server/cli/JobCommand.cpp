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

void cli::addKernelOptions(CLI::App &app, CompileRequest &request) {
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
         "issued N - 1 iterations ahead. Default: 3, or 2 on AMD.")
      ->check(aboveZero());
  app.add_option("--enable-fp-fusion", request.enableFpFusion,
                 "Whether a multiplication and an addition may become one "
                 "fused operation. Default: true.");
  app.add_option("--waves-per-eu", request.wavesPerEu,
                 "For AMD: how many waves must fit in the registers of a "
                 "SIMD. Default: LLVM decides.")
      ->check(aboveZero());
  app.add_option("--allow-flush-denorm", request.allowFlushDenorm,
                 "For AMD: whether denormals of f32 become zeros. Default: "
                 "false.");
  app.add_option("--wgp-cu-mode", request.wgpCuMode,
                 "For AMD: cu runs the waves of a workgroup on one compute "
                 "unit, wgp on a workgroup processor. Default: wgp.")
      ->check(oneOf({"wgp", "cu"}));
  app.add_option("--llvm-fn-attrs", request.llvmFnAttrs,
                 "For AMD: attributes of the kernel in LLVM IR, such as "
                 "amdgpu-sched-strategy=iterative-ilp,noinline.");
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
