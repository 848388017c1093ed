//===- preview.cpp - `kernelscope preview`: what a kernel becomes ---------===//

#include "passes/emit/Emit.h"
#include "server/cli/Arguments.h"
#include "server/cli/Commands.h"
#include "server/cli/JobCommand.h"
#include "server/cli/Source.h"
#include "server/jobs/Answers.h"
#include "server/jobs/Requests.h"
#include "server/jobs/Runner.h"

#include "llvm/Support/Base64.h"
#include "llvm/Support/Error.h"

#include <unistd.h>

using namespace kernelscope;

int cli::preview(int argc, char **argv) {
  CLI::App app("Compiles a kernel and prints the result. TTIR goes through the "
               "target's whole pipeline; TTGIR is lowered as it is.",
               "kernelscope preview");
  app.footer("For example:\n"
             "  kernelscope preview kernel.ttgir --arch sm_90a\n"
             "  kernelscope preview kernel.ttir --arch gfx950 --emit hsaco -o "
             "kernel.hsaco");
  PreviewRequest request;
  std::string output, map;
  std::optional<unsigned> line;
  app.add_option("file", request.path,
                 "A .ttir, .ttgir or .mlir file; - is standard input.")
      ->required();
  app.add_option(
         "--line", line,
         "In a file split by `// -----`, use the part that contains this line.")
      ->check(aboveZero());
  app.add_option("--arch", request.arch,
                 "Architecture, such as sm_90a or gfx950; `kernelscope doctor` "
                 "lists them. Default: the file's; if it names no chip "
                 "of the vendor, " +
                     Target::usual(Vendor::Nvidia, 32).arch + ", " +
                     Target::usual(Vendor::Amd, 64).arch + ", or " +
                     Target::usual(Vendor::Amd, 32).arch +
                     " for layouts of 32 threads per warp.");
  std::vector<std::string> emits;
  for (const EmitInfo &info : knownEmits())
    emits.push_back(info.name.str());
  app.add_option("--emit", request.emit,
                 "What to print. Default: the architecture's assembly.")
      ->check(oneOf(emits));
  app.add_option("--kernel", request.kernel,
                 "Compile only this kernel. Default: all.");
  app.add_option("-o,--output", output,
                 "Output file. Default: standard output.");
  app.add_option(
      "--map", map,
      "Write [[IR line, output line], ...] to this file; lines count from 1.");
  addKernelOptions(app, request);
  if (std::optional<int> exitCode = parse(app, argc, argv))
    return *exitCode;

  const std::string file = request.path;
  std::optional<std::string> text = readIR(file);
  if (!text || (line && !hasLine(*text, *line, file)))
    return 2;
  request.text = *text;
  if (line)
    request.line = *line - 1;
  Json result = runJob("preview", std::move(request));
  if (int exitCode = reportJob(result, file, *text))
    return exitCode;

  PreviewAnswer answer;
  from_json(result, answer);
  if (answer.isDefaultArch)
    std::fprintf(stderr,
                 "%s: note: compiled for %s, the default, because the file "
                 "names no chip of this vendor; --arch selects another\n",
                 file.c_str(), answer.arch.c_str());
  std::string content;
  if (answer.text) {
    content = std::move(*answer.text);
  } else {
    if (output.empty() && isatty(STDOUT_FILENO)) {
      std::fprintf(stderr,
                   "%s: error: cannot print an object file to a terminal; name "
                   "a file with -o\n",
                   file.c_str());
      return 2;
    }
    std::vector<char> bytes;
    llvm::cantFail(llvm::decodeBase64(*answer.base64, bytes));
    content.assign(bytes.begin(), bytes.end());
  }
  if (!map.empty()) {
    Json lines = Json::array();
    for (auto [irLine, outputLine] : answer.lines)
      lines.push_back({irLine + 1, outputLine + 1});
    if (!writeOutput(map, lines.dump() + "\n"))
      return 2;
  }
  return writeOutput(output, content) ? 0 : 2;
}
