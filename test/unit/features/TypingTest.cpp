//===- TypingTest.cpp - each op as completion types it --------------------===//
//
// The name of each op of each dialect is typed in a function, its snippet taken
// as it is: the op is there then, and nothing but its operands is missing.
//
//===----------------------------------------------------------------------===//

#include "dialects/Dialects.h"
#include "server/analysis/Document.h"
#include "server/analysis/Unit.h"
#include "server/features/Completion.h"
#include "server/features/Name.h"
#include "server/features/OpSnippet.h"
#include "server/features/SignatureHelp.h"

#include <gtest/gtest.h>

using namespace kernelscope;

namespace {

/// A function with `before` in its body, up to the place where one types.
std::string functionUpTo(const std::string &before) {
  return "module {\n  tt.func @typed() {\n    " + before;
}
constexpr const char *functionEnd =
    "\n    tt.return\n  ^bb1:\n    tt.return\n  }\n}\n";

/// The document of `text`, in the context of the last one: to make one takes
/// longer than all else.
std::shared_ptr<const Document> analyzeNext(std::string text,
                                            const std::string &release = {}) {
  static std::shared_ptr<const Document> last;
  AnalyzeOptions options;
  options.previous = last;
  options.settings.release = release;
  last = analyze(Text(std::move(text)), "t.mlir", options);
  return last;
}

/// What completion types for the op, when `before` it is typed its name.
std::string typeOp(const Doc &doc, const std::string &start,
                   const std::string &release = {}) {
  std::string before = functionUpTo(start);
  auto document = analyzeNext(before + doc.name.str() + functionEnd, release);
  CompletionList list = completion(*document, before.size() + doc.name.size());
  for (const CompletionItem &item : list.items)
    if (item.label == doc.name)
      return before.substr(0, list.span.begin) + textOfSnippet(item.newText) +
             functionEnd;
  return "";
}

/// What is wrong with the text, but for values that nothing defines and rules
/// that the op breaks with them.
std::string problemsOf(const Document &document) {
  std::string text;
  for (const Diagnostic &diagnostic : document.diagnostics()) {
    llvm::StringRef code = diagnostic.code;
    if (diagnostic.severity == Severity::Error && code != "undeclared-value" &&
        code != "terminator" && code != "dominance" &&
        !code.starts_with("verify."))
      text += diagnostic.code + ": " + diagnostic.message + "\n";
  }
  return text;
}

bool hasOp(const Document &document, llvm::StringRef name) {
  return llvm::any_of(
      document.syntax().statements(), [&](const Statement &statement) {
        mlir::Operation *op = statement.kind == Statement::Operation
                                  ? findOperation(document, statement)
                                  : nullptr;
        return op && op->getName().getStringRef() == name;
      });
}

TEST(Typing, EachOpParses) {
  size_t ops = 0;
  for (const Doc &doc : getDocs()) {
    if (doc.kind != DocKind::Op)
      continue;
    ++ops;
    std::string text = typeOp(doc, "");
    ASSERT_FALSE(text.empty()) << doc.name.str() << " is not offered";
    auto document = analyzeNext(text);
    EXPECT_EQ(problemsOf(*document), "") << text;
    // These are `ttg.warp_id` and `ttng.tmem_wait` in 3.9.
    EXPECT_TRUE(doc.name == "nvg.warp_id" || doc.name == "nvvm.tcgen05.wait" ||
                hasOp(*document, doc.name))
        << text;
  }
  EXPECT_GT(ops, 900u);
}

TEST(Typing, AnOpInQuotesParses) {
  for (const Doc &doc : getDocs()) {
    if (doc.kind != DocKind::Op ||
        !llvm::StringRef(doc.name).starts_with("tt."))
      continue;
    std::string text = typeOp(doc, "\"");
    ASSERT_FALSE(text.empty()) << doc.name.str() << " is not offered";
    auto document = analyzeNext(text);
    EXPECT_EQ(problemsOf(*document), "") << text;
  }
}

TEST(Typing, EachOpParsesInAnOlderRelease) {
  for (const Doc &doc : getDocs()) {
    llvm::StringRef name = doc.name;
    if (doc.kind != DocKind::Op || !name.starts_with("tt"))
      continue;
    std::string text = typeOp(doc, "", "3.6");
    auto document = analyzeNext(text, "3.6");
    EXPECT_EQ(problemsOf(*document), "") << text;
    for (const Diagnostic &diagnostic : document->diagnostics())
      EXPECT_FALSE(diagnostic.code == "newer-spelling" &&
                   !diagnostic.fixes.empty())
          << diagnostic.message << "\n"
          << text;
  }
}

TEST(Typing, EachLayoutParses) {
  std::string before =
      "#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, "
      "32], warpsPerCTA = [4, 1], order = [1, 0]}>\n#shared = "
      "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, "
      "0]}>\n#typed = ";
  std::string after = "\nmodule {\n}\n";
  auto document = analyzeNext(before + after);
  CompletionList list = completion(*document, before.size());
  EXPECT_GT(list.items.size(), 10u);
  for (const CompletionItem &item : list.items) {
    std::string text = before + textOfSnippet(item.newText) + after;
    for (const Diagnostic &diagnostic : analyzeNext(text)->diagnostics())
      ADD_FAILURE() << diagnostic.message << "\n" << text;
  }
}

TEST(Typing, EachOpHasASignature) {
  for (const Doc &doc : getDocs()) {
    if (doc.kind != DocKind::Op || doc.syntax.contains('\n'))
      continue;
    std::string before = functionUpTo(doc.name.str() + " ");
    auto document = analyzeNext(before + functionEnd);
    std::optional<SignatureHelp> help = signatureHelp(*document, before.size());
    ASSERT_TRUE(help) << doc.name.str();
    bool hasStop = doc.syntax.contains('`');
    EXPECT_EQ(hasStop, !help->parameters.empty()) << help->label;
  }
}

} // namespace
