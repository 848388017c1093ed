//===- check.cpp - `kernelscope check`: the diagnostics of files ----------===//

#include "server/cli/Arguments.h"
#include "server/cli/CheckReport.h"
#include "server/cli/Commands.h"
#include "server/cli/Source.h"
#include "server/jobs/CheckFiles.h"

using namespace kernelscope;

int cli::check(int argc, char **argv) {
  CLI::App app(
      "Prints the errors and warnings of IR files (.ttir, .ttgir, .mlir). "
      "Lines and columns count from 1; a column is a code point.",
      "kernelscope check");
  std::vector<std::string> paths;
  std::string format = "text";
  double seconds = 10;
  app.add_option("FILE", paths, "files to check; - is standard input")
      ->required();
  app.add_option("--format", format, "output format: text, json or sarif")
      ->check(CLI::IsMember({"text", "json", "sarif"}))
      ->capture_default_str();
  app.add_option(
         "--time-limit", seconds,
         "time limit for each file, in seconds; exceeding it is an error")
      ->check(CLI::Range(0.001, 1e6))
      ->capture_default_str();
  std::vector<std::string> allow;
  app.add_option("--allow", allow,
                 "codes of warnings to turn off, as in --allow phase-parity; "
                 "in a file, the comment `// kernelscope: allow(CODE)` turns "
                 "them off for its line and the next")
      ->type_name("CODE")
      ->allow_extra_args(false)
      ->delimiter(',');
  app.footer("exit codes: 0 no errors, 1 errors, 2 wrong usage or a file that "
             "cannot be read");
  if (std::optional<int> code = parse(app, argc, argv))
    return *code;

  std::vector<FileToCheck> inputs;
  for (const std::string &path : paths)
    if (std::optional<std::string> text = readInput(path))
      inputs.push_back({path == "-" ? "<stdin>" : path, std::move(*text)});
  bool isUnreadable = inputs.size() < paths.size();

  auto diagnostics = checkFiles(inputs,
                                std::chrono::ceil<std::chrono::milliseconds>(
                                    std::chrono::duration<double>(seconds)),
                                allow);
  bool hasErrors = false;
  std::vector<CheckedFile> files;
  for (size_t i = 0; i < inputs.size(); ++i) {
    for (const Diagnostic &diagnostic : diagnostics[i])
      hasErrors |= diagnostic.severity == Severity::Error;
    files.push_back({std::move(inputs[i].path), Text(std::move(inputs[i].text)),
                     std::move(diagnostics[i])});
  }
  bool isWritten = writeOutput("", format == "text"   ? textReport(files)
                                   : format == "json" ? jsonReport(files)
                                                      : sarifReport(files));
  return isUnreadable || !isWritten ? 2 : hasErrors ? 1 : 0;
}
