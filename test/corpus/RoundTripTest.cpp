//===- RoundTripTest.cpp - Triton's own dumps go through our dialects -----===//
//
// Every file of a stage parses, verifies, prints, and prints the same again
// after it was parsed once more. KS_CORPUS is the folder of the unpacked
// corpus.
//
//===----------------------------------------------------------------------===//

#include "dialects/Dialects.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace fs = std::filesystem;
using namespace mlir;

namespace {

/// The files of a stage, in order.
std::vector<fs::path> getFiles(const std::string &extension) {
  std::vector<fs::path> files;
  for (const auto &entry : fs::recursive_directory_iterator(KS_CORPUS))
    if (entry.path().extension() == extension)
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out, OpPrintingFlags().enableDebugInfo());
  return text;
}

/// Empty when the text round-trips, else what went wrong.
std::string roundTrip(llvm::StringRef text, MLIRContext &context) {
  std::string error;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (error.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      error = diagnostic.str();
  });
  auto first = parseSourceString<ModuleOp>(text, &context);
  if (!first)
    return error.empty() ? "does not parse" : error;
  std::string printed = print(*first);
  auto second = parseSourceString<ModuleOp>(printed, &context);
  if (!second)
    return "what was printed does not parse: " + error;
  return print(*second) == printed ? "" : "prints differently a second time";
}

class RoundTrip : public testing::TestWithParam<const char *> {};

TEST_P(RoundTrip, EveryFile) {
  if (!fs::exists(KS_CORPUS))
    GTEST_SKIP() << "the corpus of Triton dumps is not here: " << KS_CORPUS;
  DialectRegistry registry;
  kernelscope::registerDialects(registry);

  std::vector<fs::path> files = getFiles(GetParam());
  ASSERT_FALSE(files.empty());
  size_t good = 0;
  for (const fs::path &path : files) {
    auto buffer = llvm::MemoryBuffer::getFile(path.string());
    ASSERT_TRUE(buffer) << path;
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    std::string error = roundTrip((*buffer)->getBuffer(), context);
    if (error.empty())
      ++good;
    else
      ADD_FAILURE() << fs::relative(path, KS_CORPUS).string() << ": " << error;
  }
  std::printf("%s: %zu of %zu files round-trip\n", GetParam(), good,
              files.size());
}

INSTANTIATE_TEST_SUITE_P(Corpus, RoundTrip, testing::Values(".ttir"),
                         [](const auto &info) { return info.param + 1; });

} // namespace
