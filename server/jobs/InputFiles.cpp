//===- InputFiles.cpp - the files that paths stand for --------------------===//

#include "server/jobs/InputFiles.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <glob.h>
#include <iterator>
#include <regex>
#include <string>
#include <unistd.h>

using namespace kernelscope;
namespace fs = std::filesystem;

/// Whether a text of MLIR is about Triton's dialects.
static bool isOfTriton(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  for (const char *word :
       {"tt.func", "#ttg.", "\"ttg.", "ttg.", "!tt.", "ttng.", "amdg."})
    if (text.find(word) != std::string::npos)
      return true;
  return false;
}

bool kernelscope::mayBeTritonIR(const fs::path &path) {
  std::string suffix = path.extension().string();
  return suffix == ".ttir" || suffix == ".ttgir" || suffix == ".glir" ||
         suffix == ".mlir";
}

bool kernelscope::isTritonIR(const fs::path &path) {
  return mayBeTritonIR(path) &&
         (path.extension() != ".mlir" || isOfTriton(path));
}

/// A path as a pattern that matches only it.
static std::string asPattern(const std::string &path) {
  std::string pattern;
  for (char c : path) {
    if (llvm::StringRef("*?[]{}\\").contains(c))
      pattern += '\\';
    pattern += c;
  }
  return pattern;
}

/// The paths that match a pattern, sorted. `**` between slashes stands for
/// any number of folders, also none, as in Git and Python.
static std::vector<std::string> matchesOf(const std::string &pattern) {
  static const std::regex anyFolders("(^|/)\\*\\*(/+|$)");
  std::vector<std::string> matches;
  std::smatch any;
  if (!std::regex_search(pattern, any, anyFolders)) {
    glob_t found;
    if (glob(pattern.c_str(), GLOB_BRACE, nullptr, &found) == 0)
      matches.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    globfree(&found);
    return matches;
  }
  std::string before = any.prefix().str() + any.str(1), rest = any.suffix();
  // A folder at the end stands for what is below it.
  if (rest.empty())
    return before.empty() ? std::vector<std::string>{"."} : matchesOf(before);
  std::error_code error;
  for (const std::string &folder :
       before.empty() ? std::vector<std::string>{""} : matchesOf(before)) {
    std::vector<std::string> folders{folder};
    auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator
             it(folder.empty() ? "." : folder, options, error),
         end;
         !error && it != end; it.increment(error))
      if (it->is_directory(error))
        folders.push_back(
            (folder.empty() ? it->path().lexically_relative(".") : it->path())
                .string() +
            "/");
    for (const std::string &below : folders)
      std::ranges::copy(matchesOf(asPattern(below) + rest),
                        std::back_inserter(matches));
  }
  // Two of `**` reach the same file on several ways.
  std::ranges::sort(matches);
  matches.erase(std::ranges::unique(matches).begin(), matches.end());
  return matches;
}

/// What a pattern in quotes, which the shell has left as it is, matches; a path
/// that exists stands for itself, and so does a pattern without a match.
static std::vector<std::string> expandPattern(const std::string &path) {
  std::error_code error;
  if (path.find_first_of("*?[{") == std::string::npos ||
      fs::exists(path, error))
    return {path};
  std::vector<std::string> matches = matchesOf(path);
  return matches.empty() ? std::vector{path} : matches;
}

/// Whether a folder can be listed and its files opened.
static bool isReadable(const fs::path &folder) {
  return access(folder.c_str(), R_OK | X_OK) == 0;
}

InputFiles kernelscope::inputFiles(const std::vector<std::string> &given) {
  std::vector<std::string> paths;
  InputFiles inputs;
  for (const std::string &path : given)
    std::ranges::copy(expandPattern(path), std::back_inserter(paths));
  for (const std::string &path : paths) {
    std::error_code error;
    if (path == "-" || !fs::is_directory(path, error)) {
      inputs.files.push_back(path);
      continue;
    }
    if (!isReadable(path)) {
      inputs.unreadable.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator it(path, options, error), end;
         !error && it != end; it.increment(error))
      if (it->is_regular_file(error) && isTritonIR(it->path()))
        found.push_back(it->path().string());
      else if (it->is_directory(error) && !isReadable(it->path()))
        inputs.unreadable.push_back(it->path().string());
    std::sort(found.begin(), found.end());
    inputs.files.insert(inputs.files.end(), found.begin(), found.end());
    if (found.empty())
      inputs.withoutIR.push_back(path);
  }
  return inputs;
}
