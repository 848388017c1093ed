//===- InputFiles.h - the files that paths stand for ------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_CLI_INPUTFILES_H
#define KERNELSCOPE_SERVER_CLI_INPUTFILES_H

#include <string>
#include <vector>

namespace kernelscope::cli {

/// Each path that is no folder, as it is; for a folder, the IR of Triton in it
/// and below, in order of their names: `.ttir`, `.ttgir`, `.glir`, and `.mlir`
/// that has ops or types of Triton's dialects.
std::vector<std::string> inputFiles(const std::vector<std::string> &paths);

} // namespace kernelscope::cli

#endif // KERNELSCOPE_SERVER_CLI_INPUTFILES_H
