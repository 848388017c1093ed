//===- check.cpp - `kernelscope check`: the diagnostics of files ----------===//
//
// Prints them as text with the source line, as JSON, or as SARIF 2.1.0.
//
//===----------------------------------------------------------------------===//

#include "server/analysis/Document.h"
#include "server/cli/Arguments.h"
#include "server/cli/Commands.h"

#include <nlohmann/json.hpp>

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kernelscope;
using Json = nlohmann::ordered_json;

namespace {

struct InputFile {
  std::string path;
  std::string text;
  /// Where analysis died before.
  std::vector<size_t> quarantine;
};

struct CheckedFile {
  std::string path;
  std::shared_ptr<const Document> document;
};

const char *nameOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Information:
  case Severity::Hint:
    return "hint";
  }
  return "error";
}

std::optional<std::string> readFile(const std::string &path) {
  if (path == "-")
    return std::string(std::istreambuf_iterator<char>(std::cin), {});
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  // An empty file leaves the failure bit of `text`, so that says nothing.
  text << file.rdbuf();
  if (!file.is_open() || file.bad() || std::filesystem::is_directory(path))
    return std::nullopt;
  return std::move(text).str();
}

/// Lines and columns from 1, columns in code points.
Range humanRange(const Document &document, Span span) {
  Range range = document.text().rangeAt(span, PositionEncoding::UTF32);
  return {{range.start.line + 1, range.start.character + 1},
          {range.end.line + 1, range.end.character + 1}};
}

//===--- Text
//---------------------------------------------------------------===//

/// The line of `span` with a caret below and `~` to its end.
void printSource(const Document &document, Span span) {
  const Text &text = document.text();
  Span line = text.lineSpan(text.lineAt(span.begin));
  std::string source = text.str().substr(line.begin, line.size());
  std::string marks;
  for (size_t i = line.begin; i < span.begin; ++i) {
    unsigned char byte = text.str()[i];
    if (byte == '\t')
      marks += '\t';
    else if ((byte & 0xC0) != 0x80) // not inside a UTF-8 character
      marks += ' ';
  }
  marks += '^';
  for (size_t i = span.begin + 1; i < std::min(span.end, line.end); ++i)
    if ((static_cast<unsigned char>(text.str()[i]) & 0xC0) != 0x80)
      marks += '~';
  std::cout << "  " << source << "\n  " << marks << "\n";
}

void printText(const std::vector<CheckedFile> &files) {
  size_t errors = 0, others = 0;
  for (const auto &[path, document] : files) {
    for (const Diagnostic &diagnostic : document->diagnostics()) {
      (diagnostic.severity == Severity::Error ? errors : others)++;
      Position start = humanRange(*document, diagnostic.span).start;
      std::cout << path << ':' << start.line << ':' << start.character << ": "
                << nameOf(diagnostic.severity) << ": " << diagnostic.message
                << " [" << diagnostic.code << "]\n";
      printSource(*document, diagnostic.span);
      for (const RelatedInformation &related : diagnostic.related) {
        if (related.span) {
          Position at = humanRange(*document, *related.span).start;
          std::cout << path << ':' << at.line << ':' << at.character
                    << ": note: " << related.message << "\n";
          printSource(*document, *related.span);
        } else if (related.source) {
          std::cout << related.source->file << ':' << related.source->line
                    << ':' << related.source->column
                    << ": note: " << related.message << "\n";
        } else {
          std::cout << path << ": note: " << related.message << "\n";
        }
      }
    }
  }
  if (errors + others != 0)
    std::cout << errors << (errors == 1 ? " error, " : " errors, ") << others
              << (others == 1 ? " warning or hint\n" : " warnings and hints\n");
}

//===--- JSON
//---------------------------------------------------------------===//

Json toJson(const Document &document, const Diagnostic &diagnostic) {
  Range range = humanRange(document, diagnostic.span);
  return {{"line", range.start.line},
          {"column", range.start.character},
          {"end_line", range.end.line},
          {"end_column", range.end.character},
          {"severity", nameOf(diagnostic.severity)},
          {"code", diagnostic.code},
          {"message", diagnostic.message}};
}

void printDocument(const Json &json) {
  // Messages quote the file, which may hold bytes that are no UTF-8.
  std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

void printJson(const std::vector<CheckedFile> &files) {
  Json result = {{"files", Json::array()}};
  for (const auto &[path, document] : files) {
    Json diagnostics = Json::array();
    for (const Diagnostic &diagnostic : document->diagnostics())
      diagnostics.push_back(toJson(*document, diagnostic));
    result["files"].push_back(
        {{"path", path}, {"diagnostics", std::move(diagnostics)}});
  }
  printDocument(result);
}

//===--- SARIF
//--------------------------------------------------------------===//

Json sarifRegion(const Document &document, Span span) {
  Range range = humanRange(document, span);
  return {{"startLine", range.start.line},
          {"startColumn", range.start.character},
          {"endLine", range.end.line},
          {"endColumn", range.end.character}};
}

/// A path as a URI reference: all but the plain characters escaped.
std::string toUri(const std::string &path) {
  static const char *digits = "0123456789ABCDEF";
  std::string uri = !path.empty() && path.front() == '/' ? "file://" : "";
  for (unsigned char c : path) {
    bool isPlain = c < 0x80 && (std::isalnum(c) || std::strchr("/._-~", c));
    if (isPlain)
      uri += char(c);
    else
      uri += {'%', digits[c >> 4], digits[c & 15]};
  }
  return uri;
}

Json sarifLocation(const std::string &path, Json region) {
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", toUri(path)}}},
            {"region", std::move(region)}}}};
}

Json sarifResult(const CheckedFile &file, const Diagnostic &diagnostic) {
  const Document &document = *file.document;
  const char *level = diagnostic.severity == Severity::Error     ? "error"
                      : diagnostic.severity == Severity::Warning ? "warning"
                                                                 : "note";
  Json result = {
      {"ruleId", diagnostic.code},
      {"level", level},
      {"message", {{"text", diagnostic.message}}},
      {"locations", Json::array({sarifLocation(
                        file.path, sarifRegion(document, diagnostic.span))})}};
  Json related = Json::array();
  for (const RelatedInformation &information : diagnostic.related) {
    Json location;
    if (information.span) {
      location =
          sarifLocation(file.path, sarifRegion(document, *information.span));
    } else if (information.source && information.source->line > 0) {
      Json region = {{"startLine", information.source->line}};
      if (information.source->column > 0)
        region["startColumn"] = information.source->column;
      location = sarifLocation(information.source->file, std::move(region));
    }
    location["id"] = related.size();
    location["message"] = {{"text", information.message}};
    related.push_back(std::move(location));
  }
  if (!related.empty())
    result["relatedLocations"] = std::move(related);
  return result;
}

void printSarif(const std::vector<CheckedFile> &files) {
  Json results = Json::array();
  for (const CheckedFile &file : files)
    for (const Diagnostic &diagnostic : file.document->diagnostics())
      results.push_back(sarifResult(file, diagnostic));
  printDocument(
      {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
       {"version", "2.1.0"},
       {"runs",
        Json::array(
            {{{"tool",
               {{"driver",
                 {{"name", "kernelscope"}, {"version", KERNELSCOPE_VERSION}}}}},
              {"columnKind", "unicodeCodePoints"},
              {"results", std::move(results)}}})}});
}

//===--- Checking
//-----------------------------------------------------------===//

/// Where the checking process is, in memory that its parent sees.
struct Progress {
  size_t file;
  size_t offset;
};

void print(const std::vector<CheckedFile> &files, const std::string &format) {
  if (format == "text")
    printText(files);
  else if (format == "json")
    printJson(files);
  else
    printSarif(files);
}

/// True if there is an error.
bool checkFiles(const std::vector<InputFile> &inputs, const std::string &format,
                volatile Progress &progress) {
  bool hasErrors = false;
  std::vector<CheckedFile> files;
  for (const InputFile &input : inputs) {
    progress.file = files.size();
    AnalyzeOptions options;
    options.quarantine = input.quarantine;
    options.progress = [&](size_t offset) { progress.offset = offset; };
    files.push_back(
        {input.path, analyze(Text(input.text), input.path, options)});
    for (const Diagnostic &diagnostic : files.back().document->diagnostics())
      hasErrors |= diagnostic.severity == Severity::Error;
  }
  print(files, format);
  std::cout.flush();
  return hasErrors;
}

/// Checks in a child, so that a crash of a verifier costs the function it was
/// in: what killed the child is left out in the next one, and reported.
int checkInChild(std::vector<InputFile> &inputs, const std::string &format) {
  auto *progress = static_cast<Progress *>(
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (progress == MAP_FAILED) {
    std::cerr << "kernelscope check: no memory\n";
    return 2;
  }
  constexpr int mostCrashes = 64;
  for (int crashes = 0; crashes < mostCrashes; ++crashes) {
    std::cout.flush();
    pid_t child = fork();
    if (child == 0)
      std::_Exit(checkFiles(inputs, format, *progress) ? 1 : 0);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0) {
      std::cerr << "kernelscope check: cannot start a process: "
                << std::strerror(errno) << "\n";
      return 2;
    }
    if (WIFEXITED(status))
      return WEXITSTATUS(status);
    inputs[progress->file].quarantine.push_back(progress->offset);
  }
  std::cerr << "kernelscope check: analysis of '" << inputs[progress->file].path
            << "' keeps crashing\n";
  return 1;
}

} // namespace

int cli::check(int argc, char **argv) {
  CLI::App app("Prints what is wrong with IR files (.ttir, .ttgir, .mlir). "
               "Lines and columns count from 1, columns in code points.",
               "kernelscope check");
  std::vector<std::string> paths;
  std::string format = "text";
  app.add_option("FILE", paths, "files to check; - reads standard input")
      ->required();
  app.add_option("--format", format, "text, json or sarif")
      ->check(CLI::IsMember({"text", "json", "sarif"}))
      ->capture_default_str();
  app.footer("exit codes: 0 no errors, 1 errors, 2 wrong usage or a file that "
             "cannot be read");
  if (std::optional<int> code = parse(app, argc, argv))
    return *code;

  bool isUnreadable = false;
  std::vector<InputFile> inputs;
  for (const std::string &path : paths) {
    std::optional<std::string> text = readFile(path);
    if (!text) {
      std::cerr << "kernelscope check: cannot read '" << path
                << "': " << std::strerror(errno) << "\n";
      isUnreadable = true;
      continue;
    }
    inputs.push_back({path == "-" ? "<stdin>" : path, std::move(*text), {}});
  }
  int code = checkInChild(inputs, format);
  return isUnreadable ? 2 : code;
}
