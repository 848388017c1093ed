//===- bisect.cpp - `kernelscope bisect`: which pass broke a kernel -------===//

#include "server/cli/Arguments.h"
#include "server/cli/Commands.h"
#include "server/cli/JobCommand.h"
#include "server/cli/Source.h"
#include "server/jobs/Answers.h"
#include "server/jobs/Requests.h"

using namespace kernelscope;

int cli::bisect(int argc, char **argv) {
  CLI::App app(
      "Runs each section of a dump of all passes on the CPU, on the same "
      "inputs, and reports the pass after which the kernel first fails or its "
      "results differ, with what that pass changed. The inputs come from a "
      "launch spec, DUMP.launch.json unless --spec names another; whatever it "
      "leaves out is derived from the first section. Sections that the "
      "executor cannot run are skipped.",
      "kernelscope bisect");
  app.footer(
      "Exit codes: 0 no pass changes the results; 1 one does, or no "
      "section can be run; 2 wrong usage, or a launch spec that does not fit "
      "the kernel.\n"
      "For example:\n"
      "  MLIR_ENABLE_DUMP=1 python kernel.py 2> passes.mlir\n"
      "  kernelscope bisect passes.mlir --kernel matmul");
  BisectRequest request;
  std::string spec, format = "text";
  app.add_option("dump", request.path,
                 "What MLIR_ENABLE_DUMP or --mlir-print-ir-after-all wrote.")
      ->required();
  app.add_option("--kernel", request.kernel,
                 "Which kernel to run, if the dump has several.");
  app.add_option("--spec", spec,
                 "The launch spec. Default: DUMP.launch.json, if it exists.");
  app.add_flag("--exact", request.exact,
               "Report any bit that differs. Default: only results outside the "
               "tolerances of `kernelscope run`.");
  app.add_option("--format", format, "Format of the report: text or json.")
      ->check(oneOf({"text", "json"}))
      ->capture_default_str();
  if (std::optional<int> exitCode = parse(app, argc, argv))
    return *exitCode;

  const std::string file = request.path;
  std::optional<std::string> text = readIR(file);
  if (!text)
    return 2;
  request.text = *text;
  request.spec = spec;
  Json result = runWatchedJob("bisect", std::move(request));
  if (int exitCode = reportJob(result, file, *text))
    return exitCode;
  const std::string json = result.dump(2) + "\n";
  BisectAnswer answer;
  from_json(result, answer);
  if (!writeOutput("", format == "json" ? json : answer.report))
    return 2;
  return answer.passes.empty() ? 0 : 1;
}
