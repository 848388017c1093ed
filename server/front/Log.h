//===- Log.h - what the server did, for those who ask -----------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FRONT_LOG_H
#define KERNELSCOPE_SERVER_FRONT_LOG_H

#include <cstdio>
#include <string>

namespace kernelscope {

/// Lines with a time stamp in a file, or nowhere: standard output is the
/// protocol.
class Log {
public:
  Log() = default;
  ~Log() {
    if (file)
      std::fclose(file);
  }
  Log(const Log &) = delete;
  Log &operator=(const Log &) = delete;

  /// False if the file cannot be written.
  bool open(const std::string &path) {
    return (file = std::fopen(path.c_str(), "ae"));
  }
  void write(const std::string &line);

private:
  std::FILE *file = nullptr;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FRONT_LOG_H
