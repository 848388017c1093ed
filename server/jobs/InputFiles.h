//===- InputFiles.h - the files that paths stand for ------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_JOBS_INPUTFILES_H
#define KERNELSCOPE_SERVER_JOBS_INPUTFILES_H

#include <filesystem>
#include <string>
#include <vector>

namespace kernelscope {

/// Whether the name of a file is one of those of `isTritonIR`.
bool mayBeTritonIR(const std::filesystem::path &path);
/// Whether a file is Triton's IR: `.ttir`, `.ttgir`, `.glir`, and `.mlir` that
/// has ops or types of Triton's dialects.
bool isTritonIR(const std::filesystem::path &path);

/// What paths stand for.
struct InputFiles {
  std::vector<std::string> files;
  std::vector<std::string> withoutIR;  ///< Given folders that have no file of
                                       ///< IR.
  std::vector<std::string> unreadable; ///< Folders that cannot be listed.
};

/// Each path that is not a folder, as it is; for a folder, the IR of Triton in
/// it and below, in order of their names; for a pattern as of the shell
/// (`dumps/*.ttgir`, `dumps/**/*.ttgir`), all of this for what it matches.
InputFiles inputFiles(const std::vector<std::string> &given);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_INPUTFILES_H
