//===- override.cpp - `kernelscope override`: IR back into Triton ---------===//
//
// Writes an edited dump, or what it becomes, to where Triton looks with
// TRITON_KERNEL_OVERRIDE=1: <override folder>/<hash>/<kernel>.<stage>. The hash
// is the name of the folder that the dump is in.
//
//===----------------------------------------------------------------------===//

#include "server/analysis/Syntax.h"
#include "server/analysis/spellings/Spellings.h"
#include "server/cli/Arguments.h"
#include "server/cli/Commands.h"
#include "server/cli/JobCommand.h"
#include "server/cli/Source.h"
#include "server/jobs/Answers.h"
#include "server/jobs/Requests.h"
#include "server/jobs/Runner.h"

#include "dialects/Dialects.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Error.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace kernelscope;
namespace fs = std::filesystem;

namespace {

/// A kernel's name, and the types of its arguments without layouts.
struct Signature {
  std::string name;
  std::vector<std::string> types;
};

} // namespace

/// The public functions of a text.
static std::vector<Signature> signaturesOf(llvm::StringRef text) {
  Syntax syntax(text);
  const std::vector<Token> &tokens = syntax.tokens();
  std::vector<Signature> signatures;
  for (const Statement &statement : syntax.statements()) {
    if (syntax.text(statement.name) != "tt.func")
      continue;
    std::string header = syntax.text(statement.header(syntax)).str();
    const Token *symbol = syntax.symbolOf(statement);
    if (!symbol || llvm::StringRef(header).contains("tt.func private"))
      continue;
    Signature &signature = signatures.emplace_back();
    signature.name = syntax.text(*symbol).drop_front().trim('"').str();
    // `%name: TYPE`, where a layout or an attribute ends what counts.
    size_t end = syntax.tokenAfter(statement.header(syntax).end);
    for (size_t i = statement.firstToken; i + 2 < end; ++i) {
      if (tokens[i].kind != Token::Value || syntax.text(tokens[i + 1]) != ":")
        continue;
      std::string type = syntax.text(tokens[i + 2]).str();
      bool isPointer = type == "!tt.ptr";
      for (size_t j = i + 3; isPointer && j < end; ++j) {
        llvm::StringRef word = syntax.text(tokens[j]);
        if (word == ",")
          break;
        type += word;
        if (word == ">")
          break;
      }
      signature.types.push_back(std::move(type));
    }
  }
  return signatures;
}

static fs::path folderFrom(const std::string &option, const char *variable,
                           const char *usual) {
  if (!option.empty())
    return option;
  if (const char *set = std::getenv(variable); set && *set)
    return set;
  const char *home = std::getenv("HOME");
  return fs::path(home ? home : ".") / ".triton" / usual;
}

/// Triton names the folder of a kernel by a hash in base 32, or in base 16.
static bool isHash(const std::string &name) {
  return name.size() >= 40 && llvm::all_of(name, [](unsigned char c) {
           return std::isalnum(c) || c == '_' || c == '-';
         });
}

static std::string readFile(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
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

/// The release of Triton that made the dump of the kernel `name`, of which
/// `file` may be an edited stage: by the version in the metadata, if they are
/// there, else by the spelling of the other stages.
static std::optional<Release> releaseOf(const fs::path &dump,
                                        const std::string &name,
                                        const fs::path &file,
                                        mlir::MLIRContext &context) {
  Json metadata = Json::parse(readFile(dump / (name + ".json")), nullptr,
                              /*allow_exceptions=*/false);
  if (metadata.is_object() && metadata.contains("triton_version") &&
      metadata["triton_version"].is_string())
    if (auto release =
            Release::parse(metadata["triton_version"].get<std::string>()))
      return release;
  std::error_code error;
  for (const char *stage : {".ttgir", ".ttir", ".source", ".glir"}) {
    fs::path other = dump / (name + stage);
    if (!fs::exists(other, error) || fs::equivalent(other, file, error))
      continue;
    std::string text = readFile(other);
    if (auto release = workOutRelease(Syntax(text), context))
      return release;
  }
  return std::nullopt;
}

/// Why Triton would not run what is put back, in lines of their own.
static std::string warningsFor(const std::string &text, const fs::path &file,
                               const fs::path &dump, const std::string &name) {
  std::string warnings;
  auto warn = [&](const std::string &what) {
    warnings += "warning: " + what + "\n";
  };
  std::vector<Signature> ours = signaturesOf(text);
  if (llvm::none_of(ours, [&](const Signature &s) { return s.name == name; }))
    warn("no function of the file is named @" + name +
         ", which is what Triton launches");
  std::error_code error;
  for (const char *stage : {".ttir", ".ttgir", ".source", ".glir"}) {
    fs::path other = dump / (name + stage);
    if (!fs::exists(other, error) || fs::equivalent(other, file, error))
      continue;
    for (const Signature &theirs : signaturesOf(readFile(other)))
      for (const Signature &mine : ours)
        if (theirs.name == name && mine.name == name &&
            theirs.types != mine.types)
          warn("the arguments are (" + llvm::join(mine.types, ", ") +
               "); Triton passes those of " + other.filename().string() +
               ": (" + llvm::join(theirs.types, ", ") + ")");
    break;
  }
  return warnings;
}

int cli::override_(int argc, char **argv) {
  CLI::App app("Puts an edited dump back into Triton: writes it, or what it "
               "becomes, to Triton's override folder, and says how to start.",
               "kernelscope override");
  std::string file, emit, hash, dumps, folder, release;
  PreviewRequest request;
  app.add_option("file", file,
                 "A .ttir or .ttgir file, from Triton's dump folder or edited "
                 "elsewhere under the same name.")
      ->required();
  app.add_option("--emit", emit,
                 "What to put back: the IR as it is by default, or ptx, cubin, "
                 "amdgcn, hsaco compiled by Kernelscope")
      ->check(CLI::IsMember({"ptx", "cubin", "amdgcn", "hsaco"}));
  app.add_option("--hash", hash,
                 "Name of the kernel's folder. Default: that of the folder "
                 "the file is in, or the only one with such a kernel in the "
                 "dump folder.");
  app.add_option("--dump-dir", dumps,
                 "Triton's dump folder. Default: TRITON_DUMP_DIR, else "
                 "~/.triton/dump.");
  app.add_option("--override-dir", folder,
                 "Triton's override folder. Default: TRITON_OVERRIDE_DIR, else "
                 "~/.triton/override.");
  app.add_option("--release", release,
                 "The release of Triton that will read it. Default: the file's "
                 "own.")
      ->check([](const std::string &text) {
        return Release::parse(text) ? "" : "not one of " + allReleases();
      });
  app.add_option("--arch", request.arch, "Architecture. Default: the file's.");
  if (std::optional<int> exitCode = parse(app, argc, argv))
    return *exitCode;
  std::optional<std::string> text = readInput(file);
  if (!text)
    return 2;

  fs::path path = fs::absolute(file);
  std::string name = path.stem().string(), stage = path.extension().string();
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

  std::string content = *text;
  if (!emit.empty()) {
    request.path = file;
    request.text = *text;
    request.emit = emit;
    Json result = runJob("preview", std::move(request));
    if (int exitCode = reportJob(result, file, *text))
      return exitCode;
    PreviewAnswer answer;
    from_json(result, answer);
    stage = "." + emit;
    if (answer.text) {
      content = std::move(*answer.text);
    } else {
      std::vector<char> bytes;
      llvm::cantFail(llvm::decodeBase64(*answer.base64, bytes));
      content.assign(bytes.begin(), bytes.end());
    }
  } else {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    context.loadAllAvailableDialects();
    if (std::optional<Release> wanted = Release::parse(release))
      content = withEdits(content, editsFor(Syntax(*text), *wanted, context));
    std::optional<Release> reader = releaseOf(dump, name, path, context);
    if (reader && !editsFor(Syntax(content), *reader, context).empty())
      std::fprintf(stderr,
                   "warning: the file is not written as Triton %s, which made "
                   "the dump, writes it; --release %s rewrites it\n",
                   reader->str().c_str(), reader->str().c_str());
  }

  fs::path target = folderFrom(folder, "TRITON_OVERRIDE_DIR", "override");
  fs::path output = target / dump.filename() / (name + stage);
  std::error_code error;
  fs::create_directories(output.parent_path(), error);
  if (!writeOutput(output.string(), content))
    return 2;
  std::fputs(warningsFor(*text, path, dump, name).c_str(), stderr);
  std::printf("%s\nTriton runs it with:\n  TRITON_KERNEL_OVERRIDE=1 "
              "TRITON_ALWAYS_COMPILE=1 TRITON_OVERRIDE_DIR=%s python ...\n",
              output.c_str(), fs::absolute(target).c_str());
  return 0;
}
