//===- ResultFiles.cpp - results as files that an editor can open ---------===//

#include "server/front/ResultFiles.h"

#include <cstdlib>
#include <fstream>

using namespace kernelscope;

ResultFiles::~ResultFiles() {
  std::error_code ignored;
  if (!folder.empty())
    std::filesystem::remove_all(folder, ignored);
}

std::string ResultFiles::write(const std::string &name,
                               const std::string &content) {
  if (folder.empty()) {
    std::error_code problem;
    std::string pattern =
        (std::filesystem::temp_directory_path(problem) / "kernelscope-XXXXXX")
            .string();
    if (problem || !mkdtemp(pattern.data()))
      return {};
    folder = pattern;
  }
  std::filesystem::path path = folder / name;
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  return file ? path.string() : std::string();
}
