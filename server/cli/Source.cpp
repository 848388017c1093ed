//===- Source.cpp - the files that subcommands read and show --------------===//

#include "server/cli/Source.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string_view>
#include <unistd.h>

using namespace kernelscope;

std::optional<std::string> cli::readInput(const std::string &path) {
  std::ifstream file;
  if (path != "-") {
    file.open(path, std::ios::binary);
    if (!file && path.find_first_of("*?[") != std::string::npos) {
      std::fprintf(stderr, "%s: error: no file matches this pattern\n",
                   path.c_str());
      return std::nullopt;
    }
    if (!file || std::filesystem::is_directory(path)) {
      std::fprintf(stderr, "%s: error: cannot read the file: %s\n",
                   path.c_str(), std::strerror(file ? EISDIR : errno));
      return std::nullopt;
    }
  }
  std::istream &in = path == "-" ? std::cin : file;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// What a file that Triton writes beside its IR holds, by its suffix; empty for
/// all other files.
static llvm::StringRef languageBelow(llvm::StringRef path) {
  return llvm::StringSwitch<llvm::StringRef>(llvm::sys::path::extension(path))
      .Cases({".llir", ".ll"}, "LLVM IR")
      .Case(".ptx", "PTX")
      .Case(".amdgcn", "AMD assembly")
      .Case(".sass", "SASS")
      .Cases({".cubin", ".hsaco"}, "machine code")
      .Case(".json", "JSON")
      .Default("");
}

/// Why bytes are no text, which is UTF-8; empty if they are.
static llvm::StringRef whyNoText(llvm::StringRef content) {
  if (content.starts_with("\xff\xfe") || content.starts_with("\xfe\xff"))
    return "is UTF-16; save it as UTF-8";
  // As git distinguishes them.
  return content.take_front(8000).contains('\0') ? "is binary" : "";
}

std::optional<std::string> cli::readIR(const std::string &path) {
  llvm::StringRef language = languageBelow(path);
  if (language.empty()) {
    std::optional<std::string> content = readInput(path);
    if (!content || whyNoText(*content).empty())
      return content;
    std::fprintf(stderr, "%s: error: the file %s\n", path.c_str(),
                 whyNoText(*content).str().c_str());
    return std::nullopt;
  }
  std::fprintf(
      stderr,
      "%s: error: the file holds %s; this command reads Triton's IR (.ttir, "
      ".ttgir, .glir, .source, .mlir)\n",
      path.c_str(), language.str().c_str());
  return std::nullopt;
}

bool cli::hasLine(const std::string &text, unsigned line,
                  const std::string &path) {
  const size_t count =
      std::ranges::count(text, '\n') + (!text.empty() && text.back() != '\n');
  if (line > count)
    std::fprintf(stderr, "%s: error: --line %u: the file has %zu line%s\n",
                 path.c_str(), line, count, count == 1 ? "" : "s");
  return line <= count;
}

bool cli::writeOutput(const std::string &path, const std::string &content) {
  if (path.empty() || path == "-") {
    bool isWritten = std::fwrite(content.data(), 1, content.size(), stdout) ==
                         content.size() &&
                     std::fflush(stdout) == 0;
    if (!isWritten)
      std::fprintf(stderr, "kernelscope: cannot write standard output: %s\n",
                   std::strerror(errno));
    return isWritten;
  }
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  if (!file)
    std::fprintf(stderr, "%s: error: cannot write the file: %s\n", path.c_str(),
                 std::strerror(errno));
  return bool(file);
}

bool cli::isTerminal(int descriptor) {
  const char *terminal = std::getenv("TERM");
  return isatty(descriptor) && terminal && terminal != std::string_view("dumb");
}

bool cli::wantsColours(int descriptor) {
  const char *refused = std::getenv("NO_COLOR");
  return isTerminal(descriptor) && !(refused && *refused != '\0');
}

std::string cli::printable(std::string_view line) {
  std::string result;
  for (char c : line)
    if ((c >= 0 && c < ' ' && c != '\t') || c == '\x7f')
      result += "\xef\xbf\xbd";
    else
      result += c;
  return result;
}

std::string cli::showSource(const Text &text, Span span) {
  Span line = text.lineSpan(text.lineAt(span.begin));
  // Of a long line, what is around the column.
  constexpr size_t shown = 160, before = 60;
  bool isCutBefore = false, isCutAfter = false;
  if (line.size() > shown) {
    auto isInsideCharacter = [&](size_t at) {
      return at < line.end &&
             (static_cast<unsigned char>(text.str()[at]) & 0xC0) == 0x80;
    };
    size_t begin = std::max(line.begin + before, span.begin) - before;
    begin = std::min(begin, line.end - shown);
    while (isInsideCharacter(begin))
      ++begin;
    size_t end = begin + shown;
    while (isInsideCharacter(end))
      ++end;
    isCutBefore = begin > line.begin;
    isCutAfter = end < line.end;
    line = {begin, end};
  }
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
  return (isCutBefore ? "  ..." : "  ") +
         printable(text.str().substr(line.begin, line.size())) +
         (isCutAfter ? "...\n" : "\n") + (isCutBefore ? "     " : "  ") +
         marks + "\n";
}
