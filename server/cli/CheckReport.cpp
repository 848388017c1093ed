//===- CheckReport.cpp - diagnostics as text, JSON or SARIF ---------------===//

#include "server/cli/CheckReport.h"

#include "server/Version.h"
#include "server/cli/RuleText.h"
#include "server/cli/Source.h"
#include "server/lsp/Conversion.h"
#include "server/lsp/Protocol.h"

#include <nlohmann/json.hpp>

#include <cstring>
#include <filesystem>
#include <map>
#include <set>

using namespace kernelscope;
using cli::CheckedFile;
using OrderedJson = nlohmann::ordered_json;

namespace {

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

/// Lines and columns from 1, columns in code points.
Range humanRange(const Text &text, Span span) {
  Range range = text.rangeAt(span, PositionEncoding::UTF32);
  return {{range.start.line + 1, range.start.character + 1},
          {range.end.line + 1, range.end.character + 1}};
}

std::string place(const std::string &path, size_t line, size_t column) {
  return cli::printable(path) + ":" + std::to_string(line) + ":" +
         std::to_string(column) + ": ";
}

std::string place(const CheckedFile &file, Span span) {
  Position start = humanRange(file.text, span).start;
  return place(file.path, start.line, start.character);
}

std::string noteText(const CheckedFile &file,
                     const RelatedInformation &related) {
  std::string note = "note: " + related.message + "\n";
  if (related.span)
    return place(file, *related.span) + note +
           cli::showSource(file.text, *related.span);
  if (const auto &source = related.source)
    return place(source->file, source->line, source->column) + note;
  return cli::printable(file.path) + ": " + note;
}

//===--- JSON ---------------------------------------------------------===//

OrderedJson rangeJson(const Text &text, Span span) {
  Range range = humanRange(text, span);
  return {{"line", range.start.line},
          {"column", range.start.character},
          {"end_line", range.end.line},
          {"end_column", range.end.character}};
}

OrderedJson relatedJson(const CheckedFile &file,
                        const RelatedInformation &related) {
  OrderedJson json = OrderedJson::object();
  if (related.span) {
    json = rangeJson(file.text, *related.span);
  } else if (const auto &source = related.source) {
    json["path"] = source->file;
    json["line"] = source->line;
    json["column"] = source->column;
  }
  json["message"] = related.message;
  return json;
}

OrderedJson diagnosticJson(const CheckedFile &file,
                           const Diagnostic &diagnostic) {
  OrderedJson json = rangeJson(file.text, diagnostic.span);
  json["severity"] = nameOf(diagnostic.severity);
  json["code"] = diagnostic.code;
  json["message"] = diagnostic.message;
  for (const RelatedInformation &related : diagnostic.related)
    json["related"].push_back(relatedJson(file, related));
  return json;
}

std::string print(const OrderedJson &json) {
  // Messages quote the file, which may contain invalid UTF-8.
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

//===--- SARIF --------------------------------------------------------===//

OrderedJson sarifRegion(const Text &text, Span span) {
  Range range = humanRange(text, span);
  return {{"startLine", range.start.line},
          {"startColumn", range.start.character},
          {"endLine", range.end.line},
          {"endColumn", range.end.character}};
}

/// A relative path is a relative reference.
std::string toUri(const std::string &path) {
  std::string uri = uriOf(path);
  return path.starts_with('/') ? uri : uri.substr(strlen("file://"));
}

OrderedJson sarifLocation(const std::string &path, OrderedJson region) {
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", toUri(path)}}},
            {"region", std::move(region)}}}};
}

OrderedJson sarifResult(const CheckedFile &file, const Diagnostic &diagnostic) {
  const char *level = diagnostic.severity == Severity::Error     ? "error"
                      : diagnostic.severity == Severity::Warning ? "warning"
                                                                 : "note";
  OrderedJson result = {
      {"ruleId", diagnostic.code},
      {"level", level},
      {"message", {{"text", diagnostic.message}}},
      {"locations", OrderedJson::array({sarifLocation(
                        file.path, sarifRegion(file.text, diagnostic.span))})}};
  OrderedJson related = OrderedJson::array();
  for (const RelatedInformation &information : diagnostic.related) {
    OrderedJson location;
    if (information.span) {
      location =
          sarifLocation(file.path, sarifRegion(file.text, *information.span));
    } else if (information.source && information.source->line > 0) {
      OrderedJson region = {{"startLine", information.source->line}};
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

} // namespace

namespace {

/// Marks of a terminal around a word; nothing without colours.
struct Colours {
  bool isOn;
  std::string paint(const char *code, const std::string &text) const {
    return isOn ? "\033[" + std::string(code) + "m" + text + "\033[0m" : text;
  }
  std::string severity(Severity severity) const {
    const char *code = severity == Severity::Error     ? "1;31"
                       : severity == Severity::Warning ? "1;35"
                                                       : "1;36";
    return paint(code, std::string(nameOf(severity)) + ":");
  }
};

struct Counts {
  size_t errors = 0, warnings = 0, hints = 0;

  void add(const CheckedFile &file) {
    for (const Diagnostic &diagnostic : file.diagnostics)
      (diagnostic.severity == Severity::Error     ? errors
       : diagnostic.severity == Severity::Warning ? warnings
                                                  : hints)++;
  }
  std::string str() const {
    std::string text;
    auto add = [&](size_t count, const char *what) {
      if (count)
        text += (text.empty() ? "" : ", ") + std::to_string(count) + " " +
                what + (count == 1 ? "" : "s");
    };
    add(errors, "error");
    add(warnings, "warning");
    add(hints, "hint");
    return text;
  }
};

} // namespace

std::string cli::textReport(const CheckedFiles &files, bool isColoured) {
  Colours colours{isColoured};
  std::string report;
  Counts counts;
  size_t filesWithSome = 0;
  for (const CheckedFile &file : files.checked) {
    counts.add(file);
    filesWithSome += !file.diagnostics.empty();
    for (const Diagnostic &diagnostic : file.diagnostics) {
      report += colours.paint("1", place(file, diagnostic.span)) +
                colours.severity(diagnostic.severity) + " " +
                diagnostic.message + " [" + diagnostic.code + "]\n" +
                showSource(file.text, diagnostic.span);
      for (const RelatedInformation &related : diagnostic.related)
        report += noteText(file, related);
    }
  }
  if (std::string found = counts.str(); !found.empty())
    report += found +
              (files.checked.size() == 1
                   ? ""
                   : " in " + std::to_string(filesWithSome) + " of " +
                         std::to_string(files.checked.size()) + " files") +
              "\n";
  return report;
}

/// A path without the suffix that distinguishes the stages of a kernel.
static std::string kernelOf(const std::string &path) {
  return std::filesystem::path(path).replace_extension().string();
}

std::string cli::summaryReport(const CheckedFiles &files) {
  // Stages in the order of a compilation are a line; others stand alone.
  std::map<std::string, std::vector<const CheckedFile *>> kernels;
  std::vector<std::string> order;
  for (const CheckedFile &file : files.checked) {
    std::vector<const CheckedFile *> &stages = kernels[kernelOf(file.path)];
    if (stages.empty())
      order.push_back(kernelOf(file.path));
    stages.push_back(&file);
  }
  std::string report;
  for (const std::string &kernel : order) {
    const std::vector<const CheckedFile *> &stages = kernels[kernel];
    std::string found;
    for (const CheckedFile *file : stages) {
      Counts counts;
      counts.add(*file);
      if (std::string count = counts.str(); !count.empty())
        found +=
            (found.empty() ? "" : "; ") + count +
            (stages.size() > 1
                 ? " in " +
                       std::filesystem::path(file->path).extension().string()
                 : "");
    }
    report += printable(stages.size() > 1 ? kernel : stages.front()->path) +
              ": " + (found.empty() ? "ok" : found) + "\n";
  }
  return report;
}

std::string cli::jsonReport(const CheckedFiles &files) {
  OrderedJson result = {{"files", OrderedJson::array()}};
  for (const CheckedFile &file : files.checked) {
    OrderedJson diagnostics = OrderedJson::array();
    for (const Diagnostic &diagnostic : file.diagnostics)
      diagnostics.push_back(diagnosticJson(file, diagnostic));
    result["files"].push_back(
        {{"path", file.path}, {"diagnostics", std::move(diagnostics)}});
  }
  for (const std::string &path : files.unreadable)
    result["files"].push_back(
        {{"path", path}, {"error", "the file cannot be read"}});
  return print(result);
}

/// What SARIF's viewers show of a code: what it is about, and its page if it
/// has one.
static OrderedJson sarifRule(const std::string &code) {
  OrderedJson rule = {{"id", code}};
  if (std::string page = rulePage(code); !page.empty())
    rule["helpUri"] = page;
  rule["shortDescription"] = {{"text", cli::aboutRule(code)}};
  return rule;
}

std::string cli::sarifReport(const CheckedFiles &files) {
  OrderedJson results = OrderedJson::array();
  std::set<std::string> codes;
  for (const CheckedFile &file : files.checked)
    for (const Diagnostic &diagnostic : file.diagnostics) {
      results.push_back(sarifResult(file, diagnostic));
      codes.insert(diagnostic.code);
    }
  OrderedJson rules = OrderedJson::array();
  for (const std::string &code : codes)
    rules.push_back(sarifRule(code));
  OrderedJson notes = OrderedJson::array();
  for (const std::string &path : files.unreadable)
    notes.push_back(
        {{"level", "error"},
         {"message", {{"text", "the file cannot be read: " + path}}}});
  OrderedJson invocation = {{"executionSuccessful", files.unreadable.empty()}};
  if (!notes.empty())
    invocation["toolExecutionNotifications"] = std::move(notes);
  return print(
      {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
       {"version", "2.1.0"},
       {"runs",
        OrderedJson::array(
            {{{"tool",
               {{"driver",
                 {{"name", "kernelscope"},
                  {"informationUri",
                   "https://github.com/kernelscope/kernelscope"},
                  {"version", programVersion},
                  {"rules", std::move(rules)}}}}},
              {"invocations", OrderedJson::array({std::move(invocation)})},
              {"columnKind", "unicodeCodePoints"},
              {"results", std::move(results)}}})}});
}
