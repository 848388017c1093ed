//===- RoundTripTest.cpp - Triton's own dumps go through our dialects -----===//
//
// Every file of a stage parses, verifies, and prints as Triton printed it; what
// was printed parses again to the same. KS_CORPUS is the unpacked corpus.
//
//===----------------------------------------------------------------------===//

#include "dialects/Dialects.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace fs = std::filesystem;
using namespace mlir;
using llvm::StringRef;

namespace {

/// The files of a stage, in order.
std::vector<fs::path> getFiles(StringRef suffix) {
  std::vector<fs::path> files;
  for (const auto &entry : fs::recursive_directory_iterator(KS_CORPUS))
    if (StringRef(entry.path().native()).ends_with(suffix))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

struct Section {
  StringRef text;
  /// Whether Triton printed it as it prints a stage. What a pass printed
  /// halfway has neither aliases nor locations.
  bool isStage = true;
};

/// The modules of a file: a `.passes.mlir` holds one for each pass that changed
/// something. Those that are LLVM's already are left out.
std::vector<Section> getModules(StringRef text) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, "// -----// ");
  if (parts.size() == 1)
    return {{text}};
  std::vector<Section> sections;
  for (StringRef part : parts) {
    auto [title, body] = part.split('\n');
    if (body.contains("tt.func"))
      sections.push_back({body, title.starts_with("IR Dump")});
  }
  return sections;
}

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out, OpPrintingFlags().enableDebugInfo());
  return text;
}

/// The lines of a dump without what a dump may name at will: values, and the
/// numbers and definitions of locations.
llvm::SmallVector<std::string> getLines(StringRef text) {
  llvm::SmallVector<std::string> lines;
  for (StringRef line : llvm::split(text, '\n')) {
    if (line.trim().empty() || line.starts_with("#loc"))
      continue;
    std::string &kept = lines.emplace_back();
    for (size_t i = 0; i < line.size(); ++i) {
      kept += line[i];
      bool name = line[i] == '%' || line.substr(0, i + 1).ends_with("#loc");
      while (name && i + 1 < line.size() &&
             (llvm::isAlnum(line[i + 1]) || line[i + 1] == '_' ||
              line[i + 1] == '-'))
        ++i;
    }
  }
  return lines;
}

/// Spellings of Triton 3.6 that are printed as today's.
bool isOlderSpelling(StringRef line) {
  return line.contains("tensordesc") || line.contains("tensor_descriptor") ||
         line.contains("#ttg.amd_wmma") || line.contains("CTASplit") ||
         line.contains("ttng.tmem_subslice");
}

/// Empty when `section` prints as it is written, and again the same, else what
/// went wrong.
std::string roundTrip(const Section &section, MLIRContext &context) {
  std::string error;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (error.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      error = diagnostic.str();
  });
  auto first = parseSourceString<ModuleOp>(section.text, &context);
  if (!first)
    return error.empty() ? "does not parse" : error;
  std::string printed = print(*first);
  auto second = parseSourceString<ModuleOp>(printed, &context);
  if (!second)
    return "what was printed does not parse: " + error;
  if (print(*second) != printed)
    return "prints differently a second time";
  if (!section.isStage)
    return "";

  auto written = getLines(section.text), ours = getLines(printed);
  for (size_t i = 0; i < std::min(written.size(), ours.size()); ++i)
    if (written[i] != ours[i] && !isOlderSpelling(written[i]))
      return "prints\n  " + ours[i] + "\nwhere Triton printed\n  " + written[i];
  return written.size() == ours.size() ? "" : "prints more or fewer lines";
}

class RoundTrip : public testing::TestWithParam<const char *> {};

TEST_P(RoundTrip, EveryFile) {
  if (!fs::exists(KS_CORPUS))
    GTEST_SKIP() << "the corpus of Triton dumps is not here: " << KS_CORPUS;
  DialectRegistry registry;
  kernelscope::registerDialects(registry);

  std::vector<fs::path> files = getFiles(GetParam());
  ASSERT_FALSE(files.empty());
  size_t good = 0, total = 0;
  for (const fs::path &path : files) {
    auto buffer = llvm::MemoryBuffer::getFile(path.string());
    ASSERT_TRUE(buffer) << path;
    for (const Section &section : getModules((*buffer)->getBuffer())) {
      MLIRContext context(registry, MLIRContext::Threading::DISABLED);
      std::string error = roundTrip(section, context);
      ++total;
      if (error.empty())
        ++good;
      else
        ADD_FAILURE() << fs::relative(path, KS_CORPUS).string() << ": "
                      << error;
    }
  }
  std::printf("%s: %zu of %zu modules in %zu files round-trip\n", GetParam(),
              good, total, files.size());
}

INSTANTIATE_TEST_SUITE_P(
    Corpus, RoundTrip,
    testing::Values(".source", ".ttir", ".ttgir", ".passes.mlir"),
    [](const auto &info) {
      return StringRef(info.param + 1).split('.').first.str();
    });

} // namespace
