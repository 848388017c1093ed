//===- Source.cpp - the files that subcommands read and show --------------===//

#include "server/cli/Source.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

using namespace kernelscope;

std::optional<std::string> cli::readInput(const std::string &path) {
  std::ifstream file;
  if (path != "-") {
    file.open(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path)) {
      std::fprintf(stderr, "%s: error: cannot read the file: %s\n",
                   path.c_str(), std::strerror(file ? EISDIR : errno));
      return std::nullopt;
    }
  }
  std::istream &in = path == "-" ? std::cin : file;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

bool cli::writeOutput(const std::string &path, const std::string &content) {
  if (path.empty() || path == "-")
    return std::fwrite(content.data(), 1, content.size(), stdout) ==
               content.size() &&
           std::fflush(stdout) == 0;
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  if (!file)
    std::fprintf(stderr, "%s: error: cannot write the file: %s\n", path.c_str(),
                 std::strerror(errno));
  return bool(file);
}

std::string cli::showSource(const Text &text, Span span) {
  Span line = text.lineSpan(text.lineAt(span.begin));
  std::string marks;
  auto mark = [&](size_t from, size_t to, char with) {
    for (size_t i = from; i < to; ++i) {
      char byte = text.str()[i];
      if ((static_cast<unsigned char>(byte) & 0xC0) !=
          0x80) // not inside a UTF-8 character
        marks += byte == '\t' && with == ' ' ? '\t' : with;
    }
  };
  mark(line.begin, std::min(span.begin, line.end), ' ');
  marks += '^';
  mark(span.begin + 1, std::min(span.end, line.end), '~');
  return "  " + text.str().substr(line.begin, line.size()) + "\n  " + marks +
         "\n";
}
