//===- ResultFiles.h - results as files that an editor can open -*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FRONT_RESULTFILES_H
#define KERNELSCOPE_SERVER_FRONT_RESULTFILES_H

#include <filesystem>
#include <string>

namespace kernelscope {

/// A folder of this session's own, made when it is first needed and removed at
/// the end.
class ResultFiles {
public:
  ResultFiles() = default;
  ~ResultFiles();
  ResultFiles(const ResultFiles &) = delete;
  ResultFiles &operator=(const ResultFiles &) = delete;

  /// Writes a file of that name, which replaces an older one; its path, or
  /// empty if it cannot be written.
  std::string write(const std::string &name, const std::string &content);

private:
  std::filesystem::path folder;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FRONT_RESULTFILES_H
