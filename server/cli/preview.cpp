//===- preview.cpp - `kernelscope preview`: what a kernel becomes ---------===//

#include "server/cli/Arguments.h"
#include "server/cli/Commands.h"
#include "server/cli/JobCommand.h"
#include "server/cli/Source.h"
#include "server/jobs/Runner.h"

#include "llvm/Support/Base64.h"
#include "llvm/Support/Error.h"

#include <unistd.h>

using namespace kernelscope;

int cli::preview(int argc, char **argv) {
  CLI::App app("Compiles a kernel and prints what it becomes. TTIR goes "
               "through the whole pipeline of the target; "
               "TTGIR is taken as it stands.",
               "kernelscope preview");
  app.footer("For example:\n"
             "  kernelscope preview kernel.ttgir --arch sm_90a\n"
             "  kernelscope preview kernel.ttir --arch gfx950 --emit hsaco -o "
             "kernel.hsaco");
  std::string file, arch, emit, kernel, output, map;
  std::optional<unsigned> warps, line;
  app.add_option("file", file,
                 "A .ttir, .ttgir or .mlir file; - is standard input.")
      ->required();
  app.add_option("--line", line,
                 "Of a file that `// -----` splits, the part with this line.")
      ->check(CLI::PositiveNumber);
  app.add_option("--arch", arch,
                 "sm_80, sm_90a, gfx950, ...: `kernelscope doctor` lists them. "
                 "Default: what the file says.");
  app.add_option("--emit", emit,
                 "ttgir, llvm, ptx, sass, cubin, amdgcn or hsaco. Default: the "
                 "arch's assembly.");
  app.add_option("--kernel", kernel, "Only this kernel. Default: all.");
  app.add_option("-o,--output", output,
                 "Where to write. Default: standard output.");
  app.add_option("--map", map,
                 "Write [[IR line, output line], ...], from 1, to this file.");
  app.add_option("--num-warps", warps,
                 "Warps of a block, for TTIR, which does not say. Default: 4.")
      ->check(CLI::PositiveNumber);
  if (std::optional<int> exitCode = parse(app, argc, argv))
    return *exitCode;

  std::optional<std::string> text = readInput(file);
  if (!text)
    return 2;
  Json request = {{"path", file},
                  {"text", *text},
                  {"arch", arch},
                  {"emit", emit},
                  {"kernel", kernel}};
  if (warps)
    request["warps"] = *warps;
  if (line)
    request["line"] = *line - 1;
  Json answer = runJob("preview", std::move(request));
  if (int exitCode = reportJob(answer, file, *text))
    return exitCode;

  std::string content;
  if (answer.contains("text")) {
    content = answer["text"];
  } else {
    if (output.empty() && isatty(STDOUT_FILENO)) {
      std::fprintf(
          stderr,
          "%s: error: an object is not for a terminal; name a file with -o\n",
          file.c_str());
      return 2;
    }
    std::vector<char> bytes;
    llvm::cantFail(llvm::decodeBase64(
        answer["base64"].get_ref<const std::string &>(), bytes));
    content.assign(bytes.begin(), bytes.end());
  }
  if (!map.empty()) {
    Json lines = Json::array();
    for (const Json &link : answer["lines"])
      lines.push_back(
          {link[0].get<unsigned>() + 1, link[1].get<unsigned>() + 1});
    if (!writeOutput(map, lines.dump() + "\n"))
      return 2;
  }
  return writeOutput(output, content) ? 0 : 2;
}
