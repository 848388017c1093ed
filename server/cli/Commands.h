//===- Commands.h - the subcommands of the program --------------*- C++ -*-===//
//
// One function per subcommand, each in the file of its name. `argv[0]` is the
// subcommand's name. They return the process's exit code: 0 done, 1 an error in
// the IR, 2 wrong usage, 3 a tool or device is missing. Arguments are read with
// CLI11: see Arguments.h.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_CLI_COMMANDS_H
#define KERNELSCOPE_SERVER_CLI_COMMANDS_H

namespace kernelscope::cli {

int lsp(int argc, char **argv);
int preview(int argc, char **argv);
int check(int argc, char **argv);
int opt(int argc, char **argv);
int run(int argc, char **argv);
int bisect(int argc, char **argv);
int doctor(int argc, char **argv);
/// `override` is a word of C++.
int override_(int argc, char **argv);

} // namespace kernelscope::cli

#endif // KERNELSCOPE_SERVER_CLI_COMMANDS_H
