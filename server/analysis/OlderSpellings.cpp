//===- OlderSpellings.cpp - what older Tritons wrote otherwise ------------===//

#include "server/analysis/OlderSpellings.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace kernelscope;
using llvm::StringRef;

/// Whether `key` is one that the layout `name` no longer has.
static bool isOldKey(StringRef name, StringRef key) {
  // Clusters were three lists; today they are `CGALayout`.
  if (llvm::is_contained({"CTAsPerCGA", "CTASplitNum", "CTAOrder"}, key))
    return true;
  return (name == "#ttg.amd_wmma" && key == "warpsPerCTA") ||
         (name == "#ttg.amd_mfma" && key == "versionMajor");
}

namespace {

class SpellingScanner {
public:
  SpellingScanner(const Syntax &syntax, mlir::MLIRContext &context)
      : syntax(syntax), tokens(syntax.tokens()), context(context) {}

  std::vector<Diagnostic> run(Span span) {
    for (size_t i = syntax.tokenAfter(span.begin);
         i < tokens.size() && tokens[i].begin < span.end; ++i) {
      if (tokens[i].kind == Token::Hash)
        checkLayout(i);
      else if (tokens[i].kind == Token::Bang &&
               syntax.text(tokens[i]) == "!tt.tensordesc")
        checkDescriptor(i);
    }
    return std::move(hints);
  }

private:
  StringRef text(size_t i) const {
    return i < tokens.size() ? syntax.text(tokens[i]) : StringRef();
  }

  /// The `>` that closes the `<` at `open`, or 0.
  size_t closing(size_t open) const {
    constexpr size_t mostTokens = 1000;
    size_t depth = 0;
    for (size_t i = open; i < std::min(tokens.size(), open + mostTokens); ++i) {
      if (text(i) == "<")
        ++depth;
      else if (text(i) == ">" && --depth == 0)
        return i;
    }
    return 0;
  }

  /// `!tt.tensordesc<tensor<64x32xf16>>` is `!tt.tensordesc<64x32xf16>` today.
  void checkDescriptor(size_t i) {
    if (text(i + 1) != "<" || text(i + 2) != "tensor" || text(i + 3) != "<")
      return;
    size_t end = closing(i + 3);
    if (!end)
      return;
    add(tokens[i].span(), "'!tt.tensordesc<tensor<...>>'",
        {{{tokens[i + 2].begin, tokens[i + 3].end}, ""},
         {tokens[end].span(), ""}});
  }

  void checkLayout(size_t i) {
    if (text(i + 1) != "<" || text(i + 2) != "{")
      return;
    size_t end = closing(i + 1);
    std::string oldKey = findOldKey(i, end);
    if (oldKey.empty())
      return;
    Span whole = {tokens[i].begin, tokens[end].end};
    std::string today = reprint(syntax.text(whole));
    if (!today.empty())
      add(tokens[i].span(), "'" + oldKey + "' in '" + text(i).str() + "'",
          {{whole, today}});
  }

  /// A key of the layout's own dictionary, not of one inside it.
  std::string findOldKey(size_t layout, size_t end) const {
    int depth = 0;
    for (size_t i = layout + 2; i < end; ++i) {
      StringRef word = text(i);
      if (word == "{" || word == "[" || word == "<")
        ++depth;
      else if (word == "}" || word == "]" || word == ">")
        --depth;
      else if (depth == 1 && text(i + 1) == "=" && isOldKey(text(layout), word))
        return word.str();
    }
    return "";
  }

  /// The attribute as today's Triton prints it; empty if it has an error or an
  /// alias in it.
  std::string reprint(StringRef spelling) {
    mlir::ScopedDiagnosticHandler quiet(
        &context, [](mlir::Diagnostic &) { return mlir::success(); });
    mlir::Attribute attribute = mlir::parseAttribute(spelling, &context);
    std::string today;
    if (attribute)
      llvm::raw_string_ostream(today) << attribute;
    return today;
  }

  void add(Span span, const std::string &what, std::vector<TextEdit> edits) {
    Diagnostic hint;
    hint.span = span;
    hint.severity = Severity::Hint;
    hint.code = "older-spelling";
    hint.message = what + " is the spelling of an older Triton; Triton of "
                          "August 2026 does not read it";
    hint.fixes.push_back({"Write it as today's Triton does", std::move(edits)});
    hints.push_back(std::move(hint));
  }

  const Syntax &syntax;
  const std::vector<Token> &tokens;
  mlir::MLIRContext &context;
  std::vector<Diagnostic> hints;
};

} // namespace

std::vector<Diagnostic>
kernelscope::findOlderSpellings(const Syntax &syntax, Span span,
                                mlir::MLIRContext &context) {
  return SpellingScanner(syntax, context).run(span);
}
