//===- main.cpp - the program and its subcommands -------------------------===//

#include "server/cli/Commands.h"
#include "server/engine/Engine.h"
#include "server/jobs/Zygote.h"

#include <cstdio>
#include <string_view>

using namespace kernelscope;

namespace {

struct Command {
  const char *name;
  const char *summary; ///< One line of `--help`; empty for a command that
                       ///< only the program itself uses.
  int (*run)(int argc, char **argv);
};

constexpr Command commands[] = {
    {"lsp", "the language server", cli::lsp},
    {"check", "print what is wrong with files", cli::check},
    {"preview", "what a kernel becomes: PTX, AMDGCN, LLVM IR, TTGIR, objects",
     cli::preview},
    {"opt", "run passes over a file, as mlir-opt does", cli::opt},
    {"run", "run a kernel on a GPU or the CPU and report what it gives",
     cli::run},
    {"doctor", "what this machine has: GPUs, drivers, ptxas, libdevice",
     cli::doctor},
    // The language server's children.
    {"engine", "", [](int, char **) { return serveFront(); }},
    {"zygote", "", [](int, char **) { return serveJobs(); }},
};

int help(std::FILE *out) {
  std::fprintf(out, "Kernelscope understands the GPU kernel IR of Triton and "
                    "Gluon (.ttir, .ttgir, .mlir).\n\n"
                    "usage: kernelscope COMMAND [ARGUMENTS]     kernelscope "
                    "COMMAND --help explains one\n\n");
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
  if (name == "--help" || name == "-h" || name == "help")
    return help(stdout);
  if (name == "--version") {
    std::puts("kernelscope " KERNELSCOPE_VERSION);
    return 0;
  }
  for (const Command &command : commands)
    if (name == command.name)
      return command.run(argc - 1, argv + 1);
  std::fprintf(stderr,
               "kernelscope: unknown command '%s'; `kernelscope --help` lists "
               "the commands\n",
               argv[1]);
  return 2;
}
