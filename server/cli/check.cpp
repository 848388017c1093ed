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
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

using namespace kernelscope;
using Json = nlohmann::ordered_json;

namespace {

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

void print(const Json &json) {
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
  print(result);
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
  print({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
         {"version", "2.1.0"},
         {"runs", Json::array({{{"tool",
                                 {{"driver",
                                   {{"name", "kernelscope"},
                                    {"version", KERNELSCOPE_VERSION}}}}},
                                {"columnKind", "unicodeCodePoints"},
                                {"results", std::move(results)}}})}});
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

  bool isUnreadable = false, hasErrors = false;
  std::vector<CheckedFile> files;
  for (const std::string &path : paths) {
    std::optional<std::string> text = readFile(path);
    if (!text) {
      std::cerr << "kernelscope check: cannot read '" << path
                << "': " << std::strerror(errno) << "\n";
      isUnreadable = true;
      continue;
    }
    std::string name = path == "-" ? "<stdin>" : path;
    files.push_back({name, analyze(Text(std::move(*text)), name)});
    for (const Diagnostic &diagnostic : files.back().document->diagnostics())
      hasErrors |= diagnostic.severity == Severity::Error;
  }
  if (format == "text")
    printText(files);
  else if (format == "json")
    printJson(files);
  else
    printSarif(files);
  return isUnreadable ? 2 : hasErrors ? 1 : 0;
}
