//===- TritonWheel.cpp - What an installed Triton brings along ------------===//

#include "passes/emit/TritonWheel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using llvm::StringRef;

namespace kernelscope::emit {

/// Where the Python that `program` belongs to has its `lib`.
static std::string prefixOf(StringRef program) {
  return llvm::sys::path::parent_path(llvm::sys::path::parent_path(program))
      .str();
}

static std::vector<std::string> findBackends() {
  std::vector<std::string> prefixes;
  // Any function of the program identifies the program.
  auto here = reinterpret_cast<void *>(&findBackends);
  prefixes.push_back(
      prefixOf(llvm::sys::fs::getMainExecutable("kernelscope", here)));
  for (StringRef variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (auto prefix = llvm::sys::Process::GetEnv(variable))
      prefixes.push_back(*prefix);
  if (auto python = llvm::sys::findProgramByName("python3"))
    prefixes.push_back(prefixOf(*python));
  if (auto home = llvm::sys::Process::GetEnv("HOME"))
    prefixes.push_back(*home + "/.local");
  prefixes.emplace_back("/usr/local");

  std::vector<std::string> found;
  for (const std::string &prefix : prefixes) {
    std::error_code error;
    llvm::SmallString<128> lib(prefix);
    llvm::sys::path::append(lib, "lib");
    for (llvm::sys::fs::directory_iterator entry(lib, error), end;
         !error && entry != end; entry.increment(error)) {
      if (!llvm::sys::path::filename(entry->path()).starts_with("python3"))
        continue;
      for (StringRef packages : {"site-packages", "dist-packages"}) {
        llvm::SmallString<128> path(entry->path());
        llvm::sys::path::append(path, packages, "triton", "backends");
        if (llvm::sys::fs::is_directory(path) &&
            !llvm::is_contained(found, path.str()))
          found.push_back(path.str().str());
      }
    }
  }
  return found;
}

const std::vector<std::string> &tritonBackends() {
  static const std::vector<std::string> found = findBackends();
  return found;
}

} // namespace kernelscope::emit
