//===- Bisect.cpp - the job that finds the pass that breaks a kernel ------===//

#include "server/jobs/Bisect.h"

#include "dialects/ttg/LaunchConfig.h"
#include "server/analysis/ParseForCompile.h"
#include "server/jobs/Answers.h"
#include "server/jobs/JobIR.h"
#include "server/jobs/RunKernel.h"
#include "server/run/DumpSections.h"
#include "server/run/IRDiff.h"
#include "server/run/Report.h"
#include "server/run/Resolve.h"
#include "server/run/Run.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace kernelscope;
using llvm::formatv;

namespace {

/// What came of a section.
struct Outcome {
  enum class Kind {
    Same,      ///< as the first that runs, bit by bit
    Close,     ///< within the tolerance
    Unchanged, ///< the section says that it is as the one before
    NotRun,    ///< the executor cannot run it, or it has no kernel
    Differs,
    Fails
  };
  Kind kind;
  std::string why; ///< in words, when that is not Same or Unchanged

  bool operator==(const Outcome &) const = default;
  bool isGood() const { return kind <= Kind::Unchanged; }
  bool isBad() const { return kind >= Kind::Differs; }
};

const char *nameOf(Outcome::Kind kind) {
  constexpr const char *names[] = {"same",    "close",   "unchanged",
                                   "not run", "differs", "fails"};
  return names[static_cast<size_t>(kind)];
}

/// As one reads it: locations only make lines long.
std::string printed(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out);
  return text;
}

class Bisection {
public:
  Bisection(const BisectRequest &request, run::LaunchSpec spec,
            JobProgress &progress)
      : request(request), spec(std::move(spec)), progress(progress),
        sections(run::splitDump(request.text)) {}

  Json run();

private:
  Outcome runSection(const run::DumpSection &section);
  mlir::OwningOpRef<mlir::ModuleOp> parse(const run::DumpSection &section,
                                          std::string &why);
  Outcome compare(const run::Launch &found) const;
  Json answer(std::optional<size_t> good, std::optional<size_t> bad);
  std::string list(size_t count) const;

  const BisectRequest &request;
  run::LaunchSpec spec;
  JobProgress &progress;
  std::string stage;       ///< the section at work, in words
  unsigned percentage = 0; ///< of sections that are done
  std::vector<run::DumpSection> sections;
  std::vector<Outcome> outcomes;
  /// Attributes of the module that the last function stood in: a pass on
  /// functions may print only its function.
  std::string moduleAttributes;
  std::optional<run::Launch> start, reference;
  bool isOlder = false;        ///< Triton 3.6, or an older one, wrote the dump
  bool hasFences = false;      ///< some section so far has one
  std::string textNow;         ///< of the section that ran last
  BisectAnswer::Side goodSide; ///< of the last good one
  std::vector<JobDiagnostic> diagnostics; ///< of the last section
  std::optional<JobFailure> failure;      ///< the request itself is wrong
};

mlir::OwningOpRef<mlir::ModuleOp>
Bisection::parse(const run::DumpSection &section, std::string &why) {
  // Lines stay where they are in the dump.
  std::string text(section.line + 1, '\n');
  const bool isFunction = section.text.ltrim().starts_with("tt.func");
  text += isFunction ? "module attributes " + moduleAttributes + " {" +
                           section.text.str() + "}"
                     : section.text.str();
  std::vector<Diagnostic> found;
  auto module = parseForCompile(text, request.path, jobContext(), found);
  if (!module) {
    why = "it cannot be parsed";
    for (const Diagnostic &diagnostic : found)
      if (diagnostic.severity == Severity::Error) {
        why += ": " + diagnostic.message;
        break;
      }
    return nullptr;
  }
  // Triton 3.6 writes `ttng.two-ctas` only after it has allocated shared
  // memory, later releases before: what distinguishes them is in earlier
  // sections.
  isOlder |=
      (*module)->hasAttr(ttg::sharedBytesName) && ttg::isOlderDump(*module);
  if (isOlder)
    (*module)->removeAttr(ttg::twoCTAsName);
  if (!isFunction) {
    moduleAttributes.clear();
    llvm::raw_string_ostream(moduleAttributes)
        << (*module)->getDiscardableAttrDictionary();
  }
  return module;
}

Outcome Bisection::compare(const run::Launch &found) const {
  auto next = found.arguments.begin();
  bool isSame = true;
  for (const run::ArgumentValue &expected : reference->arguments) {
    if (!expected.info.isPointer)
      continue;
    next = std::find_if(next, found.arguments.end(),
                        [](const auto &value) { return value.info.isPointer; });
    if (next == found.arguments.end())
      break;
    const run::ArgumentValue &value = *next++;
    if (value.bytes == expected.bytes)
      continue;
    isSame = false;
    auto given = spec.tolerance.find(expected.info.dtype);
    const run::Tolerance tolerance = request.exact ? run::Tolerance()
                                     : given != spec.tolerance.end()
                                         ? given->second
                                         : run::defaultTolerance(expected);
    const auto difference =
        *run::reportOutput(value, &expected, tolerance).comparison;
    if (difference.outside)
      return {Outcome::Kind::Differs,
              formatv("{0} of {1} elements of '{2}' differ from the first "
                      "section's; the first is [{3}]: {4}, not {5}",
                      difference.outside, expected.count(), expected.info.name,
                      run::indexText(expected.shape, difference.firstOutside),
                      difference.found, difference.expected)};
  }
  return isSame ? Outcome{Outcome::Kind::Same, ""}
                : Outcome{Outcome::Kind::Close,
                          "its bits differ, within the tolerance"};
}

Outcome Bisection::runSection(const run::DumpSection &section) {
  if (!section.hasIR() && !outcomes.empty())
    return outcomes.back().isGood() ? Outcome{Outcome::Kind::Unchanged, ""}
                                    : outcomes.back();
  if (!section.text.contains("tt.func"))
    return {Outcome::Kind::NotRun, "it has no tt.func"};
  std::string why;
  mlir::OwningOpRef<mlir::ModuleOp> module = parse(section, why);
  if (!module)
    return {Outcome::Kind::NotRun, why};
  llvm::Expected<mlir::FunctionOpInterface> kernel =
      run::chooseKernel(*module, spec.kernel);
  if (!kernel) {
    // Of the first section it is the request that is wrong.
    if (!start && spec.kernel)
      failure = JobFailure::InvalidUsage;
    return {Outcome::Kind::NotRun, llvm::toString(kernel.takeError())};
  }
  if (!spec.kernel)
    spec.kernel = (*kernel).getName().str();

  IRDiagnostics found(progress);
  auto fails = [&](Outcome::Kind kind) {
    diagnostics = found.list();
    return Outcome{kind, diagnostics.empty() ? "it failed without a message"
                                             : diagnostics.front().message};
  };
  std::unique_ptr<executor::Kernel> executable =
      executor::Kernel::create(*kernel);
  if (!executable)
    return fails(Outcome::Kind::NotRun);
  executor::Options options;
  options.onProgress = [&](uint64_t ran, uint64_t programs) {
    progress.advance(formatv("{0}, {1} of {2} programs", stage, ran, programs),
                     percentage);
  };
  run::LaunchProgress filling;
  filling.onSizing = options.onProgress;
  filling.onFilling = [&](const run::ArgumentInfo &buffer, uint64_t filled,
                          uint64_t elements) {
    progress.advance(formatv("{0}, filling the buffer of '{1}': {2}%", stage,
                             buffer.name, 100 * filled / elements),
                     percentage);
  };
  llvm::Expected<run::Launch> launch =
      start ? run::sameLaunch(*kernel, *executable, *start)
            : run::resolveLaunch(*kernel, executable.get(), spec, filling);
  if (!launch) {
    if (!start)
      failure = JobFailure::InvalidUsage;
    return {Outcome::Kind::NotRun, llvm::toString(launch.takeError())};
  }
  if (!start)
    start = *launch;
  textNow = printed(*module);
  options.schedule = spec.schedule;
  options.sanitize = spec.sanitize;
  options.maxSteps = spec.maxSteps.value_or(options.maxSteps);
  // Proxy fences come by a pass of their own, after those that move waits.
  hasFences |= section.text.contains("ttng.fence_async_shared");
  options.hasFences = hasFences;
  options.isFinal = false;
  if (failed(executable->run(run::executorArguments(*launch), launch->grid,
                             options))) {
    Outcome made = fails(Outcome::Kind::Fails);
    // What the executor does not support is not the kernel's fault.
    if (llvm::StringRef(made.why).contains("the CPU executor"))
      made.kind = Outcome::Kind::NotRun;
    return made;
  }
  if (!reference) {
    reference = std::move(*launch);
    return {Outcome::Kind::Same, ""};
  }
  return compare(*launch);
}

/// How many of the first `count` are good, and a line for each other one, or
/// for several in a row that are the same.
std::string Bisection::list(size_t count) const {
  const size_t good =
      llvm::count_if(llvm::ArrayRef(outcomes).take_front(count),
                     [](const Outcome &outcome) { return outcome.isGood(); });
  std::string text =
      formatv("{0} of {1} sections{2} produce the same results as the first\n",
              good, count, count < sections.size() ? " before it" : "");
  for (size_t i = 0, next; i < count; i = next) {
    next = i + 1;
    while (next < count && outcomes[next] == outcomes[i])
      ++next;
    if (outcomes[i].why.empty())
      continue;
    text += formatv("  line {0}: {1}{2}: {3}: {4}\n", sections[i].line + 1,
                    sections[i].title,
                    next > i + 1 ? formatv(" and {0} more", next - i - 1).str()
                                 : "",
                    nameOf(outcomes[i].kind), outcomes[i].why);
  }
  return text;
}

Json Bisection::answer(std::optional<size_t> good, std::optional<size_t> bad) {
  BisectAnswer made;
  made.sections = Json::array();
  for (auto [section, outcome] : llvm::zip(sections, outcomes))
    made.sections.push_back({{"title", section.title},
                             {"pass", section.pass},
                             {"line", section.line},
                             {"outcome", nameOf(outcome.kind)},
                             {"why", outcome.why}});
  llvm::raw_string_ostream report(made.report);
  report << *spec.kernel << ": ";
  if (!bad) {
    report << "no pass changes the results\n" << list(outcomes.size());
    return made;
  }
  made.passes = run::passesBetween(sections, *good, *bad);
  made.before = goodSide;
  made.after = {sections[*bad].title, sections[*bad].line, textNow};
  made.diagnostics = diagnostics;
  const std::string names = llvm::join(made.passes, ", ");
  report << (outcomes[*bad].kind == Outcome::Kind::Fails ? "fails" : "differs")
         << (made.passes.size() == 1 ? " after " + names
                                     : " after one of " + names)
         << "\n"
         << formatv("  line {0}: {1}: results of the first section\n",
                    sections[*good].line + 1, sections[*good].title)
         << formatv("  line {0}: {1}: {2}\n", sections[*bad].line + 1,
                    sections[*bad].title, outcomes[*bad].why)
         << "\n"
         << run::diffIR(made.before->text, made.after->text) << "\n"
         << list(*bad);
  return made;
}

Json Bisection::run() {
  if (sections.size() < 2)
    return jobError(
        JobFailure::InvalidUsage,
        formatv(
            "the file is not a dump of passes: it has {0} lines '// -----// IR "
            "Dump Before (or After) PASS' and needs 2; MLIR_ENABLE_DUMP=1 and "
            "`kernelscope opt --mlir-print-ir-after-all` write them",
            sections.size()));
  std::optional<size_t> good;
  for (const auto &[index, section] : llvm::enumerate(sections)) {
    stage = formatv("section {0} of {1}: {2}", index + 1, sections.size(),
                    section.title);
    percentage = 100 * index / sections.size();
    progress.advance(stage, percentage); // the limit of time is a section's
    diagnostics.clear();
    outcomes.push_back(runSection(section));
    const Outcome &outcome = outcomes.back();
    if (failure)
      return jobError(*failure, outcome.why);
    if (outcome.isBad() && !good) {
      JobError error;
      error.message =
          "the first section that can be run fails already: " + outcome.why;
      error.diagnostics = diagnostics;
      return failedJob(error);
    }
    if (outcome.isBad())
      return answer(good, index);
    if (!outcome.isGood() || (!good && !reference))
      continue;
    good = index;
    if (outcome.kind != Outcome::Kind::Unchanged)
      goodSide = {section.title, section.line, std::move(textNow)};
  }
  if (good)
    return answer(good, std::nullopt);
  JobError error;
  error.message = "no section of the dump can be run";
  for (auto [section, outcome] : llvm::zip(sections, outcomes))
    error.diagnostics = error.diagnostics.value_or(std::vector<JobDiagnostic>{
        {"error", section.line, 0, error.message + ": " + outcome.why}});
  return failedJob(error);
}

} // namespace

Json kernelscope::bisectJob(const BisectRequest &request,
                            JobProgress &progress) {
  llvm::Expected<run::LaunchSpec> spec =
      launchSpecOf(request.spec, request.path);
  if (!spec)
    return jobError(JobFailure::InvalidUsage, llvm::toString(spec.takeError()));
  if (!request.kernel.empty())
    spec->kernel = request.kernel;
  return Bisection(request, std::move(*spec), progress).run();
}
