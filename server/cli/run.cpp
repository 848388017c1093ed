//===- run.cpp - `kernelscope run`: runs a kernel and reports -------------===//
//
// On the CPU executor or a GPU, on the inputs of a launch spec or on defaults.
//
//===----------------------------------------------------------------------===//

#include "server/cli/Arguments.h"
#include "server/cli/Commands.h"
#include "server/cli/JobCommand.h"
#include "server/cli/Source.h"
#include "server/jobs/Runner.h"

using namespace kernelscope;

int cli::run(int argc, char **argv) {
  CLI::App app("Runs a kernel and reports its outputs, its time and how far "
               "the results are "
               "from the CPU executor's. Inputs come from a launch spec, "
               "FILE.launch.json "
               "unless --spec names another; what it leaves out is worked out "
               "from the IR.",
               "kernelscope run");
  app.footer(
      "Exit codes: 0 done; 1 an error in the IR or at run time, or results "
      "that differ; "
      "2 wrong usage or a launch spec that does not fit; 3 no driver or GPU.\n"
      "For example:\n"
      "  kernelscope run kernel.ttgir --device cuda\n"
      "  kernelscope run kernel.ttir --device cpu --spec inputs.json --output "
      "results/");
  std::string file, device = "auto", spec, arch, output, format = "text";
  std::optional<bool> compare;
  std::optional<unsigned> line;
  app.add_option("file", file, "A .ttir, .ttgir or .mlir file.")->required();
  app.add_option("--device", device,
                 "cuda, hip, cpu, or auto: the GPU that the file is for if "
                 "this machine has it, else the CPU.")
      ->check(CLI::IsMember({"auto", "cuda", "hip", "cpu"}))
      ->capture_default_str();
  std::string kernel;
  app.add_option("--kernel", kernel,
                 "Which kernel of the file, when there are several.");
  app.add_option("--spec", spec,
                 "The launch spec. Default: FILE.launch.json, if it is there.");
  app.add_option("--line", line,
                 "Of a file that `// -----` splits, the part with this line.")
      ->check(CLI::PositiveNumber);
  app.add_option("--arch", arch,
                 "Compile for this architecture, not the file's or GPU's.");
  app.add_option("--output", output,
                 "Write each output to this folder, as .npy.");
  app.add_option("--format", format, "text or json.")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app.add_flag("--compare,!--no-compare", compare,
               "Compare with the CPU executor. Default: on a GPU, when the "
               "buffers are small.");
  if (std::optional<int> exitCode = parse(app, argc, argv))
    return *exitCode;

  std::optional<std::string> text = readInput(file);
  if (!text)
    return 2;
  Json request = {{"path", file},     {"text", *text}, {"device", device},
                  {"kernel", kernel}, {"spec", spec},  {"arch", arch},
                  {"output", output}};
  if (compare)
    request["compare"] = *compare;
  if (line)
    request["line"] = *line - 1;
  Json answer = runJob("run", std::move(request));
  if (int exitCode = reportJob(answer, file, *text))
    return exitCode;
  std::string shown = answer["printed"];
  shown += format == "json" ? answer["data"].dump(2) + "\n"
                            : answer["report"].get<std::string>();
  if (!writeOutput("", shown))
    return 2;
  if (answer["matches"] == false) {
    std::fprintf(stderr,
                 "%s: error: the results differ from the CPU "
                 "executor's by more than the tolerance\n",
                 file.c_str());
    return 1;
  }
  return 0;
}
