//===- main.cpp - the program and its subcommands -------------------------===//

#include "server/Version.h"
#include "server/cli/Commands.h"
#include "server/engine/Engine.h"
#include "server/jobs/Zygote.h"

#include "llvm/ADT/StringRef.h"

#include <cstdio>
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

int help(std::FILE *out) {
  std::fprintf(
      out, "Kernelscope understands the GPU kernel IR of Triton and Gluon "
           "(.ttir, .ttgir, .mlir).\n\nusage: kernelscope COMMAND [ARGUMENTS]  "
           "   kernelscope COMMAND --help explains a command\n\n");
  for (const Command &command : commands)
    if (*command.summary)
      std::fprintf(out, "  %-9s %s\n", command.name, command.summary);
  std::fprintf(out, "\nexit codes: 0 done, 1 an error in the IR, 2 wrong "
                    "usage, 3 a tool or device is missing\n");
  return out == stdout ? 0 : 2;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2)
    return help(stderr);
  std::string_view name = argv[1];
  // `kernelscope help COMMAND` is `kernelscope COMMAND --help`.
  std::vector<char *> askHelp;
  static char helpOption[] = "--help";
  if (name == "help" && argc == 3) {
    askHelp = {argv[0], argv[2], helpOption, nullptr};
    argc = 3;
    argv = askHelp.data();
    name = argv[1];
  }
  if (name == "--help" || name == "-h" || name == "help")
    return help(stdout);
  if (name == "--version") {
    std::printf("kernelscope %s (LLVM %s, reads dumps of Triton up to %s)\n",
                programVersion, llvmVersion, newestTriton);
    return 0;
  }
  for (const Command &command : commands)
    if (name == command.name)
      return command.run(argc - 1, argv + 1);
  const Command *nearest = nullptr;
  unsigned distance = 3;
  for (const Command &command : commands)
    if (unsigned other = llvm::StringRef(name).edit_distance(command.name);
        *command.summary && other < distance) {
      nearest = &command;
      distance = other;
    }
  std::fprintf(stderr,
               "kernelscope: unknown command '%s'; %s%s%s`kernelscope --help` "
               "lists the commands\n",
               argv[1], nearest ? "did you mean '" : "",
               nearest ? nearest->name : "", nearest ? "'? " : "");
  return 2;
}
