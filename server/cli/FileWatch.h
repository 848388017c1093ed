//===- FileWatch.h - which of the files that one names changed --*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_CLI_FILEWATCH_H
#define KERNELSCOPE_SERVER_CLI_FILEWATCH_H

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace kernelscope::cli {

/// Follows files and folders by their times, which works on every file system,
/// network ones included.
class FileWatch {
public:
  explicit FileWatch(std::vector<std::string> paths);

  /// The IR files that paths stand for now.
  const std::vector<std::string> &files() const { return current; }
  /// The files that have changed or come since the last call, or since the
  /// watch began. Folders are read again only if something came or went.
  std::vector<std::string> changed();

private:
  using Stamp = std::pair<std::filesystem::file_time_type, uintmax_t>;

  static Stamp stampOf(const std::string &path);
  bool hasNewEntries();
  void list();

  std::vector<std::string> paths, current;
  std::map<std::string, Stamp> stamps;
  std::map<std::string, std::filesystem::file_time_type> folders;
};

} // namespace kernelscope::cli

#endif // KERNELSCOPE_SERVER_CLI_FILEWATCH_H
