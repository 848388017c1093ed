//===- override.cpp - `kernelscope override`: a stage back into Triton ----===//
//
// Writes an edited stage, or what IR becomes, to where Triton looks with
// TRITON_KERNEL_OVERRIDE=1: <override folder>/<hash>/<kernel>.<stage>. The hash
// is the name of the folder that the dump is in.
//
//===----------------------------------------------------------------------===//

#include "server/analysis/Syntax.h"
#include "server/analysis/spellings/Spellings.h"
#include "server/cli/Arguments.h"
#include "server/cli/Commands.h"
#include "server/cli/JobCommand.h"
#include "server/cli/OverrideWarnings.h"
#include "server/cli/Source.h"
#include "server/jobs/Answers.h"
#include "server/jobs/Requests.h"
#include "server/jobs/Runner.h"

#include "dialects/Dialects.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Error.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

using namespace kernelscope;
namespace fs = std::filesystem;

namespace {

/// What Triton reads from its override folder (`parse` in its compiler.py), in
/// the order in which it compiles.
struct Stage {
  llvm::StringLiteral suffix;
  bool isIR;
  /// The vendor whose kernels have it; empty for both.
  llvm::StringLiteral vendor;
  /// What stands before the kernel's name where it is defined, in text of the
  /// backends; empty where nothing is looked for.
  llvm::StringLiteral entry;
};

constexpr Stage stages[] = {
    {".ttir", true, "", ""},
    {".glir", true, "", ""},
    {".ttgir", true, "", ""},
    {".llir", false, "", "@"},
    {".ptx", false, "NVIDIA", ".entry "},
    {".cubin", false, "NVIDIA", ""},
    {".amdgcn", false, "AMD", ".amdhsa_kernel "},
    {".hsaco", false, "AMD", ""},
};

} // namespace

static fs::path folderFrom(const std::string &option, const char *variable,
                           const char *usual) {
  if (!option.empty())
    return option;
  if (const char *set = std::getenv(variable); set && *set)
    return set;
  const char *home = std::getenv("HOME");
  return fs::path(home ? home : ".") / ".triton" / usual;
}

/// The stages, as in ".ttir, .ttgir, ...".
static std::string allStages() {
  std::string list;
  for (const Stage &stage : stages)
    list += (list.empty() ? "" : ", ") + stage.suffix.str();
  return list;
}

static const Stage *findStage(llvm::StringRef suffix) {
  const Stage *found = llvm::find_if(
      stages, [&](const Stage &stage) { return stage.suffix == suffix; });
  return found == std::end(stages) ? nullptr : found;
}

/// A file in `dump` that only kernels for another vendor than `stage` have, if
/// none there is for that one: kernels for several chips share a folder.
static std::optional<std::string> otherVendorsFile(const fs::path &dump,
                                                   const std::string &name,
                                                   const Stage &stage) {
  std::optional<std::string> others;
  std::error_code error;
  for (const Stage &other : stages) {
    std::string file = name + other.suffix.str();
    if (stage.vendor.empty() || other.vendor.empty() ||
        !fs::exists(dump / file, error))
      continue;
    if (other.vendor == stage.vendor)
      return std::nullopt;
    others = others.value_or(file);
  }
  return others;
}

/// The file in `folder` that Triton takes in the place of what it compiles from
/// `written`: that of a later stage, as an earlier call may have left it.
static std::optional<std::string> laterFile(const fs::path &folder,
                                            const std::string &name,
                                            const Stage &written) {
  std::error_code error;
  for (const Stage *later = &written + 1; later != std::end(stages); ++later)
    if ((written.vendor.empty() || later->vendor == written.vendor) &&
        fs::exists(folder / (name + later->suffix.str()), error))
      return name + later->suffix.str();
  return std::nullopt;
}

/// What the launch of our code needs, which Triton works out from its own IR.
static std::string needsOf(const Json &kernels, const std::string &name) {
  for (const Json &kernel : kernels)
    if (kernel.value("name", "") == name)
      return std::to_string(kernel.value("warps", 0)) + " warps and " +
             std::to_string(kernel.value("sharedBytes", 0)) +
             " bytes of shared memory";
  return "";
}

/// Triton names the folder of a kernel by a hash in base 32, or in base 16.
static bool isHash(const std::string &name) {
  return name.size() >= 40 && llvm::all_of(name, [](unsigned char c) {
           return std::isalnum(c) || c == '_' || c == '-';
         });
}

/// The folders below `dumps` that have a stage of the kernel `name`.
static std::vector<fs::path> findDumps(const fs::path &dumps,
                                       const std::string &name) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(dumps, error), end; !error && it != end;
       it.increment(error))
    for (const char *stage : {".ttir", ".ttgir", ".source"})
      if (fs::exists(it->path() / (name + stage), error)) {
        found.push_back(it->path());
        break;
      }
  std::sort(found.begin(), found.end());
  return found;
}

int cli::override_(int argc, char **argv) {
  CLI::App app("Puts an edited stage of a dump back into Triton: writes it, or "
               "the code compiled from it, to Triton's override folder, and "
               "prints the command that uses it.",
               "kernelscope override");
  std::string file, emit, hash, dumps, folder, release;
  PreviewRequest request;
  app.add_option(
         "file", file,
         "IR (.ttir, .ttgir, .glir) or a later stage (.llir, .ptx, "
         ".cubin, .amdgcn, .hsaco), from Triton's dump folder or edited "
         "elsewhere under the same name.")
      ->required();
  app.add_option("--emit", emit,
                 "What to put back: ptx, cubin, amdgcn or hsaco that "
                 "Kernelscope compiles from the IR. Default: the file itself.")
      ->check(oneOf({"ptx", "cubin", "amdgcn", "hsaco"}));
  app.add_option(
      "--hash", hash,
      "Name of the kernel's folder. Default: the folder that the file is in, "
      "or the only folder in the dump folder with such a kernel.");
  app.add_option("--dump-dir", dumps,
                 "Triton's dump folder. Default: TRITON_DUMP_DIR, else "
                 "~/.triton/dump.");
  app.add_option("--override-dir", folder,
                 "Triton's override folder. Default: TRITON_OVERRIDE_DIR, else "
                 "~/.triton/override.");
  app.add_option("--release", release,
                 "The release of Triton that will read it. Default: the file's "
                 "own.")
      ->type_name("3.x")
      ->check(tritonRelease());
  app.add_option("--arch", request.arch, "Architecture. Default: the file's.");
  if (std::optional<int> exitCode = parse(app, argc, argv))
    return *exitCode;
  fs::path path = fs::absolute(file);
  std::string name = path.stem().string();
  const Stage *stage = findStage(path.extension().string());
  if (!stage) {
    std::fprintf(stderr,
                 "%s: error: Triton does not read '%s' from its override "
                 "folder; it reads %s\n",
                 file.c_str(), path.filename().c_str(), allStages().c_str());
    return 2;
  }
  std::optional<std::string> text =
      stage->isIR || !emit.empty() ? readIR(file) : readInput(file);
  if (!text)
    return 2;

  fs::path dumpFolder = folderFrom(dumps, "TRITON_DUMP_DIR", "dump");
  fs::path dump = hash.empty() ? path.parent_path() : dumpFolder / hash;
  if (hash.empty() && !isHash(dump.filename().string())) {
    std::vector<fs::path> found = findDumps(dumpFolder, name);
    if (found.size() != 1) {
      std::fprintf(stderr,
                   "%s: error: %s kernel named '%s' in %s; name its folder "
                   "with --hash\n",
                   file.c_str(), found.empty() ? "no" : "more than one",
                   name.c_str(), dumpFolder.c_str());
      for (const fs::path &each : found)
        std::fprintf(stderr, "  %s\n", each.filename().c_str());
      return 2;
    }
    dump = found.front();
  }
  const Stage *written = emit.empty() ? stage : findStage("." + emit);
  if (std::optional<std::string> other =
          otherVendorsFile(dump, name, *written)) {
    std::fprintf(stderr,
                 "%s: error: the kernel is for another vendor: its dump has "
                 "%s, so Triton would not read %s%s\n",
                 file.c_str(), other->c_str(), name.c_str(),
                 written->suffix.str().c_str());
    return 2;
  }

  std::string content = *text, needs;
  if (!emit.empty()) {
    request.path = file;
    request.text = *text;
    request.emit = emit;
    Json result = runJob("preview", std::move(request));
    if (int exitCode = reportJob(result, file, *text))
      return exitCode;
    PreviewAnswer answer;
    from_json(result, answer);
    needs = needsOf(answer.kernels, name);
    if (answer.text) {
      content = std::move(*answer.text);
    } else {
      std::vector<char> bytes;
      llvm::cantFail(llvm::decodeBase64(*answer.base64, bytes));
      content.assign(bytes.begin(), bytes.end());
    }
  } else if (stage->isIR) {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    context.loadAllAvailableDialects();
    std::optional<Release> wanted = Release::parse(release);
    if (wanted)
      content = withEdits(content, editsFor(Syntax(*text), *wanted, context));
    warnOfRelease(content, path, dump, name, wanted, context);
  }

  fs::path target = folderFrom(folder, "TRITON_OVERRIDE_DIR", "override");
  fs::path output = target / dump.filename() / (name + written->suffix.str());
  std::error_code error;
  fs::create_directories(output.parent_path(), error);
  if (!writeOutput(output.string(), content))
    return 2;
  if (!fs::is_directory(dump, error))
    warn("Triton's dump folder has no '" + dump.filename().string() +
         "'; Triton reads only the folder named after the hash of its kernel");
  if (std::optional<std::string> later =
          laterFile(output.parent_path(), name, *written))
    warn("the override folder also has " + *later +
         ", which Triton uses instead of what it compiles from " +
         output.filename().string() + "; remove it");
  if (stage->isIR)
    warnOfIR(emit.empty() ? content : *text, path, dump, name);
  else if (!stage->entry.empty())
    warnOfAssembly(content, stage->entry, name);
  std::string said = output.string() +
                     "\nTriton runs it with:\n  TRITON_KERNEL_OVERRIDE=1 "
                     "TRITON_ALWAYS_COMPILE=1 TRITON_OVERRIDE_DIR=" +
                     fs::absolute(target).string() + " python ...\n";
  if (!needs.empty())
    said += "The code needs " + needs +
            ". Triton launches it with what its own IR needs: if your edit "
            "changes either, put back the edited IR first, then the code.\n";
  return writeOutput("", said) ? 0 : 2;
}
