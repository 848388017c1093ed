//===- FileWatch.cpp - which of the files that one names changed ----------===//

#include "server/cli/FileWatch.h"

#include "server/jobs/InputFiles.h"

#include <algorithm>

using namespace kernelscope;
namespace fs = std::filesystem;

cli::FileWatch::FileWatch(std::vector<std::string> named)
    : paths(std::move(named)) {
  list();
  for (const std::string &file : current)
    stamps[file] = stampOf(file);
}

cli::FileWatch::Stamp cli::FileWatch::stampOf(const std::string &path) {
  std::error_code error;
  fs::file_time_type time = fs::last_write_time(path, error);
  uintmax_t size = fs::file_size(path, error);
  return {time, size};
}

/// A folder's own time changes when an entry comes or goes.
bool cli::FileWatch::hasNewEntries() {
  return std::any_of(folders.begin(), folders.end(), [](const auto &folder) {
    std::error_code error;
    return fs::last_write_time(folder.first, error) != folder.second;
  });
}

void cli::FileWatch::list() {
  folders.clear();
  for (const std::string &path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error))
      continue;
    auto note = [&](const fs::path &folder) {
      folders[folder.string()] = fs::last_write_time(folder, error);
    };
    note(path);
    auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator it(path, options, error), end;
         !error && it != end; it.increment(error))
      if (it->is_directory(error))
        note(it->path());
  }
  current = inputFiles(paths).files;
}

std::vector<std::string> cli::FileWatch::changed() {
  if (hasNewEntries())
    list();
  std::vector<std::string> changed;
  std::error_code error;
  for (const std::string &file : current) {
    // An editor may take a file away for a moment while it saves.
    if (!fs::exists(file, error))
      continue;
    Stamp stamp = stampOf(file);
    auto [known, isNew] = stamps.try_emplace(file, stamp);
    if (isNew || known->second != stamp)
      changed.push_back(file);
    known->second = stamp;
  }
  return changed;
}
