//===- check.cpp - `kernelscope check`: the diagnostics of files ----------===//

#include "passes/lint/Lint.h"
#include "server/cli/Arguments.h"
#include "server/cli/CheckReport.h"
#include "server/cli/Commands.h"
#include "server/cli/FileWatch.h"
#include "server/cli/Source.h"
#include "server/jobs/CheckFiles.h"
#include "server/jobs/InputFiles.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>
#include <unistd.h>

using namespace kernelscope;

/// Why `code` cannot be turned off; empty if it can.
static std::string whyNotAllowed(const std::string &code) {
  std::string known = "older-spelling, newer-spelling";
  if (code == "older-spelling" || code == "newer-spelling")
    return "";
  for (const Lint &lint : lints) {
    if (lint.code == code)
      return "";
    known += ", " + lint.code.str();
  }
  return "'" + code +
         "' is not the code of a warning or hint; the codes are: " + known;
}

namespace {

/// How files are checked and reported.
struct Checker {
  const ClientSettings &settings;
  std::chrono::milliseconds time; ///< For each file.
  const std::string &format, &output, &colours;

  /// Returns the exit code.
  int check(const InputFiles &given) const;
};

/// "checked 12 of 300 files" on a terminal, while it takes long.
class ProgressLine {
public:
  explicit ProgressLine(size_t total) : total(total) {}
  ~ProgressLine() {
    if (isShown)
      std::fputs("\r\033[K", stderr);
  }
  void show(size_t done) {
    if (!isTerminal || total < 2 || Clock::now() < next)
      return;
    next = Clock::now() + std::chrono::milliseconds(100);
    isShown = true;
    std::fprintf(stderr, "\r\033[Kchecked %zu of %zu files", done, total);
  }

private:
  using Clock = std::chrono::steady_clock;
  size_t total;
  bool isTerminal = cli::isTerminal(STDERR_FILENO), isShown = false;
  Clock::time_point next = Clock::now() + std::chrono::milliseconds(300);
};

} // namespace

int Checker::check(const InputFiles &given) const {
  for (const std::string &path : given.files)
    if (std::error_code error;
        std::filesystem::equivalent(path, output, error)) {
      std::fprintf(stderr,
                   "%s: error: the report would overwrite a file that is "
                   "checked; name another with -o\n",
                   output.c_str());
      return 2;
    }
  std::vector<FileToCheck> inputs;
  cli::CheckedFiles files;
  for (const std::string &folder : given.withoutIR)
    std::fprintf(stderr,
                 "%s: warning: the folder has no IR of Triton (.ttir, .ttgir, "
                 ".glir, .mlir)\n",
                 folder.c_str());
  for (const std::string &folder : given.unreadable) {
    std::fprintf(stderr, "%s: error: cannot read the folder: %s\n",
                 folder.c_str(), std::strerror(EACCES));
    files.unreadable.push_back(folder);
  }
  for (const std::string &path : given.files)
    if (std::optional<std::string> text = cli::readIR(path))
      inputs.push_back({path == "-" ? "<stdin>" : path, std::move(*text)});
    else
      files.unreadable.push_back(path);

  std::vector<std::vector<Diagnostic>> diagnostics;
  {
    ProgressLine progress(inputs.size());
    diagnostics = checkFiles(inputs, time, settings,
                             [&](size_t done) { progress.show(done); });
  }
  bool hasErrors = false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    for (const Diagnostic &diagnostic : diagnostics[i])
      hasErrors |= diagnostic.severity == Severity::Error;
    files.checked.push_back({std::move(inputs[i].path),
                             Text(std::move(inputs[i].text)),
                             std::move(diagnostics[i])});
  }
  std::string report =
      format == "text"
          ? cli::textReport(files, colours == "auto"
                                       ? output.empty() &&
                                             cli::wantsColours(STDOUT_FILENO)
                                       : colours == "always")
      : format == "summary" ? cli::summaryReport(files)
      : format == "json"    ? cli::jsonReport(files)
                            : cli::sarifReport(files);
  bool isWritten = cli::writeOutput(output, report);
  return !files.unreadable.empty() || !isWritten ? 2 : hasErrors ? 1 : 0;
}

int cli::check(int argc, char **argv) {
  CLI::App app(
      "Prints the errors and warnings of IR files (.ttir, .ttgir, .glir, "
      ".mlir), or of all such files in a folder, such as Triton's dump folder. "
      "Lines and columns count from 1; a column is a code point.",
      "kernelscope check");
  std::vector<std::string> paths;
  std::string format = "text", output, colours = "auto";
  double seconds = 10;
  app.add_option("FILE", paths,
                 "Files, folders and patterns ('dumps/**/*.ttgir') to check; - "
                 "is standard input.")
      ->required();
  app.add_option("--format", format,
                 "Output format: text, summary (a line for each file), json or "
                 "sarif.")
      ->check(oneOf({"text", "summary", "json", "sarif"}))
      ->capture_default_str();
  app.add_option("-o,--output", output,
                 "Output file. Default: standard output.");
  app.add_option(
         "--time-limit", seconds,
         "Time limit for each file, in seconds; exceeding it is an error.")
      ->check(CLI::Range(0.001, 1e6).description(""))
      ->type_name("SECONDS")
      ->capture_default_str();
  app.add_option("--color", colours,
                 "Colours of the text format: auto (on a terminal, unless "
                 "NO_COLOR is set), always or never.")
      ->check(oneOf({"auto", "always", "never"}))
      ->capture_default_str();
  bool isWatching = false;
  app.add_flag("--watch", isWatching,
               "Check files again whenever they change, until Ctrl-C.");
  ClientSettings settings;
  app.add_option("--allow", settings.allow,
                 "Codes of warnings and hints to turn off, as in --allow "
                 "phase-parity. In a file, the comment `// kernelscope: "
                 "allow(CODE)` turns them off for its line and the next.")
      ->type_name("CODE")
      ->check(whyNotAllowed)
      ->allow_extra_args(false)
      ->delimiter(',');
  app.add_option("--release", settings.release,
                 "The release of Triton that the files are for. Default: the "
                 "release that wrote each file, if its spelling shows it.")
      ->type_name("3.x")
      ->check(tritonRelease());
  app.footer("Exit codes: 0 no errors; 1 errors; 2 wrong usage or a file that "
             "cannot be read.\n"
             "For example:\n"
             "  kernelscope check kernel.ttgir\n"
             "  kernelscope check \"$TRITON_DUMP_DIR\" --format=summary");
  if (std::optional<int> code = parse(app, argc, argv))
    return *code;

  if (isWatching && (format == "json" || format == "sarif" ||
                     std::ranges::find(paths, "-") != paths.end())) {
    std::fputs("--watch: takes files and folders, and the format text or "
               "summary\n",
               stderr);
    return 2;
  }
  const Checker checker{settings,
                        std::chrono::ceil<std::chrono::milliseconds>(
                            std::chrono::duration<double>(seconds)),
                        format, output, colours};
  if (!isWatching)
    return checker.check(inputFiles(paths));

  FileWatch watch(paths);
  auto checkAll = [&](const std::vector<std::string> &files) {
    if (checker.check(InputFiles{files, {}, {}}) == 0)
      std::fprintf(stderr, "no errors in %zu file%s\n", files.size(),
                   files.size() == 1 ? "" : "s");
  };
  checkAll(watch.files());
  std::fprintf(stderr, "watching %zu file%s; Ctrl-C ends it\n",
               watch.files().size(), watch.files().size() == 1 ? "" : "s");
  while (true) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    std::vector<std::string> changed = watch.changed();
    if (changed.empty())
      continue;
    for (const std::string &file : changed)
      std::fprintf(stderr, "changed: %s\n", printable(file).c_str());
    checkAll(changed);
  }
}
