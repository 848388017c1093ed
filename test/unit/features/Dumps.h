//===- Dumps.h - the corpus of Triton's dumps, as texts ---------*- C++ -*-===//

#ifndef KERNELSCOPE_TEST_UNIT_FEATURES_DUMPS_H
#define KERNELSCOPE_TEST_UNIT_FEATURES_DUMPS_H

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace kernelscope {

using Extensions = std::initializer_list<std::string_view>;

/// The files of the corpus with one of these extensions, in order; none where
/// there is no corpus.
inline std::vector<std::filesystem::path> dumps(Extensions extensions = {
                                                    ".ttir", ".ttgir"}) {
  std::vector<std::filesystem::path> paths;
  if (std::filesystem::exists(KS_CORPUS))
    for (const auto &entry :
         std::filesystem::recursive_directory_iterator(KS_CORPUS))
      if (std::find(extensions.begin(), extensions.end(),
                    entry.path().extension().native()) != extensions.end())
        paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

inline std::string read(const std::filesystem::path &path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The number in a variable of the environment, or `otherwise` if it is not
/// set.
inline size_t numberFrom(const char *variable, size_t otherwise) {
  const char *value = std::getenv(variable);
  return value ? std::strtoul(value, nullptr, 10) : otherwise;
}

#define SKIP_WITHOUT_CORPUS(paths)                                             \
  if ((paths).empty())                                                         \
  GTEST_SKIP() << "the corpus of Triton's dumps is not there"

} // namespace kernelscope

#endif // KERNELSCOPE_TEST_UNIT_FEATURES_DUMPS_H
