//===- run.cpp - `kernelscope run`: runs a kernel and reports -------------===//
//
// On the CPU executor or a GPU, on the inputs of a launch spec or on defaults.
//
//===----------------------------------------------------------------------===//

#include "server/cli/Arguments.h"
#include "server/cli/Commands.h"
#include "server/cli/JobCommand.h"
#include "server/cli/Source.h"
#include "server/jobs/Answers.h"
#include "server/jobs/Requests.h"

using namespace kernelscope;

int cli::run(int argc, char **argv) {
  CLI::App app("Runs a kernel and reports its outputs, its time and how far "
               "the results are from the CPU executor's. The inputs come from "
               "a launch spec, FILE.launch.json unless --spec names another; "
               "whatever it leaves out is derived from the IR.",
               "kernelscope run");
  app.footer(
      "Exit codes: 0 done; 1 an error in the IR or at run time, or results "
      "that differ; 2 wrong usage or a launch spec that does not fit the "
      "kernel; 3 no driver or GPU.\n"
      "For example:\n"
      "  kernelscope run kernel.ttgir --device cuda\n"
      "  kernelscope run kernel.ttir --device cpu --spec inputs.json --output "
      "results/");
  RunRequest request;
  request.device = "auto";
  std::string spec, format = "text", sanitize;
  std::optional<unsigned> line;
  app.add_option("file", request.path, "A .ttir, .ttgir or .mlir file.")
      ->required();
  app.add_option("--device", request.device,
                 "Device: cuda, hip, cpu, sim (the GPU of --arch, simulated "
                 "on the CPU), or auto: the GPU that the file targets if "
                 "this machine has one, else the CPU.")
      ->check(oneOf({"auto", "cuda", "hip", "sim", "cpu"}))
      ->capture_default_str();
  app.add_option("--kernel", request.kernel,
                 "Which kernel to run, if the file has several.");
  app.add_option("--spec", spec,
                 "The launch spec. Default: FILE.launch.json, if it exists.");
  app.add_option(
         "--line", line,
         "In a file split by `// -----`, use the part that contains this line.")
      ->check(aboveZero());
  app.add_option(
      "--arch", request.arch,
      "Compile for this architecture instead of the file's or the GPU's.");
  addKernelOptions(app, request);
  app.add_option("--output", request.output,
                 "Write each output to this folder as .npy.");
  app.add_option("--inputs", request.inputs,
                 "Write each input to this folder as .npy, before the run.");
  app.add_option("--trace", request.trace,
                 "Write what each partition and engine of the first program "
                 "does, and waits for, to this file: in the Chrome trace "
                 "format, which ui.perfetto.dev opens. Runs on the CPU.");
  app.add_option("--code", request.code,
                 "Run this code on the GPU instead of compiling: PTX, a cubin "
                 "or a code object, such as Triton's cache holds. Shared "
                 "memory, warps and scratch are taken from the .json beside "
                 "it, if there is one.");
  app.add_option("--format", format, "Format of the report: text or json.")
      ->check(oneOf({"text", "json"}))
      ->capture_default_str();
  // A flag that is absent would set an optional to false.
  app.add_flag_callback(
      "--compare", [&] { request.compare = true; },
      "Compare with the CPU executor. Default: on a GPU or the simulator, if "
      "the buffers are small.");
  app.add_flag_callback(
      "--no-compare", [&] { request.compare = false; },
      "Do not compare with the CPU executor.");
  app.add_option("--schedule", request.schedule,
                 "On the CPU, when asynchronous work takes effect: late, as "
                 "late as the waits allow; eager, when it is issued; seed:N, "
                 "at pseudo-random times, with the partitions in a "
                 "pseudo-random order. Default: the spec's, or late.");
  app.add_option("--sanitize", sanitize,
                 "On the CPU, look for races, missing fences and reads of "
                 "memory that nothing has written: all or none. Default: the "
                 "spec's, or all.")
      ->check(oneOf({"all", "none"}));
  app.add_option(
         "--max-steps", request.maxSteps,
         "On the CPU, how much work a program may do, in ops on scalars. "
         "Default: the spec's, or 100 million.")
      ->check(aboveZero());
  if (std::optional<int> exitCode = parse(app, argc, argv))
    return *exitCode;
  if (!sanitize.empty())
    request.sanitize = sanitize == "all";

  const std::string file = request.path;
  std::optional<std::string> text = readIR(file);
  if (!text || (line && !hasLine(*text, *line, file)))
    return 2;
  request.text = *text;
  request.spec = spec;
  if (line)
    request.line = *line - 1;
  Json result = runWatchedJob("run", std::move(request));
  if (int exitCode = reportJob(result, file, *text))
    return exitCode;
  RunAnswer answer;
  from_json(result, answer);
  if (!writeOutput("", format == "json"
                           ? answer.printed + answer.data.dump(2) + "\n"
                           : answer.report))
    return 2;
  if (!answer.matches) {
    std::fprintf(stderr,
                 "%s: error: the results differ from the reference "
                 "by more than the tolerance\n",
                 file.c_str());
    return 1;
  }
  return 0;
}
