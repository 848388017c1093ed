//===- JobCommand.h - what the subcommands that run a job share -*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_CLI_JOBCOMMAND_H
#define KERNELSCOPE_SERVER_CLI_JOBCOMMAND_H

#include "server/ipc/Message.h"
#include "server/jobs/Requests.h"

#include <CLI/CLI.hpp>

#include <string>

namespace kernelscope::cli {

/// Declares the options that say of a kernel what its IR does not: the launch
/// of TTIR, and Triton's options for LLVM.
void addKernelOptions(CLI::App &app, CompileRequest &request);

/// Runs a job as `runJob`, and shows its stages on a line of stderr that the
/// next one overwrites, where that is a terminal.
Json runWatchedJob(const std::string &name, Json request);

/// Prints what a job reported to standard error, as
///   FILE:LINE:COLUMN: error: MESSAGE
/// with the line of `text` and a caret. For an answer without a result the
/// exit code, else 0.
int reportJob(const Json &answer, const std::string &path,
              const std::string &text);

} // namespace kernelscope::cli

#endif // KERNELSCOPE_SERVER_CLI_JOBCOMMAND_H
