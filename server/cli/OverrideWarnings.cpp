//===- OverrideWarnings.cpp - what Triton would not run -------------------===//

#include "server/cli/OverrideWarnings.h"

#include "server/analysis/Syntax.h"
#include "server/analysis/spellings/Spellings.h"
#include "server/jobs/CheckFiles.h"
#include "server/text/Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

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

static std::string readFile(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
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

void cli::warnOfRelease(const std::string &text, const fs::path &file,
                        const fs::path &dump, const std::string &name,
                        std::optional<Release> writtenFor,
                        mlir::MLIRContext &context) {
  std::optional<Release> reader =
      writtenFor ? writtenFor : releaseOf(dump, name, file, context);
  if (!reader)
    return;
  Syntax syntax(text);
  if (!writtenFor && !editsFor(syntax, *reader, context).empty())
    warn("the file is not in the spelling of Triton " + reader->str() +
         ", which wrote the dump; --release " + reader->str() + " rewrites it");
  OurSpelling ours = inOurSpelling(text, context);
  Text lines(ours.text);
  for (const Diagnostic &hint : findNewer(Syntax(ours.text), *reader, context))
    if (hint.fixes.empty())
      warn("line " + std::to_string(lines.lineAt(hint.span.begin) + 1) + ": " +
           hint.message);
}

void cli::warn(const std::string &what) {
  std::fprintf(stderr, "warning: %s\n", what.c_str());
}

void cli::warnOfIR(const std::string &text, const fs::path &file,
                   const fs::path &dump, const std::string &name) {
  std::vector<Diagnostic> found =
      checkFiles({{file.string(), text}}, std::chrono::seconds(10)).front();
  auto first = llvm::find_if(found, [](const Diagnostic &diagnostic) {
    return diagnostic.severity == Severity::Error;
  });
  if (first != found.end())
    warn("the file has errors that Triton will not accept either: line " +
         std::to_string(Text(text).lineAt(first->span.begin) + 1) + ": " +
         first->message);
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
}

void cli::warnOfAssembly(llvm::StringRef text, llvm::StringRef entry,
                         const std::string &name) {
  std::string wanted = (entry + name).str();
  for (size_t at = text.find(wanted); at != llvm::StringRef::npos;
       at = text.find(wanted, at + 1)) {
    char next = (text.substr(at + wanted.size()) + "\n").str().front();
    if (!llvm::isAlnum(next) && next != '_' && next != '$' && next != '.')
      return;
  }
  warn("no kernel of the file is named " + name +
       ", which is what Triton launches");
}
