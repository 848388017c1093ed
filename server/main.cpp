//===- main.cpp - the program and its subcommands -------------------------===//

#include "server/Version.h"
#include "server/cli/Arguments.h"
#include "server/cli/Commands.h"
#include "server/cli/Source.h"
#include "server/engine/Engine.h"
#include "server/jobs/Zygote.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

using namespace kernelscope;

namespace {

struct Command {
  const char *name;
  const char *summary; ///< One line of `--help`; empty for a command that
                       ///< only the program itself uses.
  int (*run)(int argc, char **argv);
};

constexpr Command commands[] = {
    {"lsp", "run the language server", cli::lsp},
    {"check", "print the errors and warnings of files", cli::check},
    {"preview", "compile a kernel to PTX, AMDGCN, LLVM IR, TTGIR or an object",
     cli::preview},
    {"opt", "run passes on a file, like mlir-opt", cli::opt},
    {"run", "run a kernel on a GPU or the CPU and report its results",
     cli::run},
    {"bisect", "find the pass of a dump after which a kernel goes wrong",
     cli::bisect},
    {"override", "put an edited dump back into Triton's override folder",
     cli::override_},
    {"doctor", "list what this machine has: GPUs, drivers, ptxas, libdevice",
     cli::doctor},
    // The language server's children.
    {"engine", "", [](int, char **) { return serveFront(); }},
    {"zygote", "", [](int, char **) { return serveJobs(); }},
};

std::string help() {
  std::string text =
      "Kernelscope understands the GPU kernel IR of Triton and Gluon (.ttir, "
      ".ttgir, .mlir).\n\nusage: kernelscope COMMAND [ARGUMENTS]     "
      "kernelscope COMMAND --help explains a command\n\n";
  for (const Command &command : commands)
    if (*command.summary)
      text += llvm::formatv("  {0,-9} {1}\n", command.name, command.summary);
  return text + "\nexit codes: 0 done, 1 an error in the IR, 2 wrong usage, 3 "
                "a tool or device is missing\n";
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fputs(help().c_str(), stderr);
    return 2;
  }
  std::string_view name = argv[1];
  // `kernelscope help COMMAND` is `kernelscope COMMAND --help`.
  std::vector<char *> askHelp;
  static char helpOption[] = "--help";
  if (name == "help" && argc > 2) {
    askHelp = {argv[0], argv[2], helpOption, nullptr};
    argc = 3;
    argv = askHelp.data();
    name = argv[1];
  }
  if (name == "--help" || name == "-h" || name == "help")
    return cli::writeOutput("", help()) ? 0 : 2;
  if (name == "--version")
    return cli::writeOutput(
               "", llvm::formatv(
                       "kernelscope {0} (LLVM {1}, reads dumps of Triton up "
                       "to {2})\n",
                       programVersion, llvmVersion, newestTriton))
               ? 0
               : 2;
  for (const Command &command : commands)
    if (name == command.name)
      return command.run(argc - 1, argv + 1);
  std::vector<std::string> known = {"help", "--help", "--version"};
  for (const Command &command : commands)
    if (*command.summary)
      known.push_back(command.name);
  std::string meant = cli::didYouMean(known, name);
  std::fprintf(stderr,
               "kernelscope: unknown %s '%s'%s `kernelscope --help` lists the "
               "commands\n",
               name.starts_with('-') ? "option" : "command", argv[1],
               meant.empty() ? ";" : meant.c_str());
  return 2;
}
