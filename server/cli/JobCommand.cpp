//===- JobCommand.cpp - what the subcommands that run a job share ---------===//

#include "server/cli/JobCommand.h"

#include "server/jobs/Job.h"
#include "server/text/Text.h"

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

namespace {

void print(const Json &entry, const std::string &severity,
           const std::string &path, const Text &text) {
  std::string message = entry["message"];
  if (!entry.contains("line")) {
    std::fprintf(stderr, "%s: %s: %s\n", path.c_str(), severity.c_str(),
                 message.c_str());
    return;
  }
  size_t line = entry["line"];
  size_t column = entry.value("column", size_t(0));
  std::fprintf(stderr, "%s:%zu:%zu: %s: %s\n", path.c_str(), line + 1,
               column + 1, severity.c_str(), message.c_str());
  Span span = text.lineSpan(line);
  std::string source = text.str().substr(span.begin, span.size());
  // The caret's indent keeps tabs, so that it stands under its column.
  std::string indent = source.substr(0, column);
  for (char &c : indent)
    if (c != '\t')
      c = ' ';
  std::fprintf(stderr, "%s\n%s^\n", source.c_str(), indent.c_str());
}

} // namespace

int cli::reportJob(const Json &answer, const std::string &path,
                   const std::string &content) {
  Text text(content);
  auto error = answer.find("error");
  const Json &about = error == answer.end() ? answer : *error;
  Json diagnostics = about.value("diagnostics", Json::array());
  for (const Json &entry : diagnostics)
    print(entry, entry["severity"], path, text);
  if (error != answer.end() && diagnostics.empty())
    print(*error, "error", path, text);
  return exitCodeOf(answer);
}
