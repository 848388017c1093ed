//===- FragmentReports.h - the diagnostics of one fragment ------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_FRAGMENTREPORTS_H
#define KERNELSCOPE_SERVER_ANALYSIS_FRAGMENTREPORTS_H

#include "server/analysis/Culprit.h"
#include "server/analysis/ParseMessages.h"

namespace kernelscope {

/// Collects what is wrong, in offsets of the document.
class FragmentReports {
public:
  FragmentReports(const Syntax &syntax, const FragmentRequest &request)
      : syntax(syntax), request(request), context(request.workspace->context) {}

  /// The reference is good until the next call.
  Diagnostic &add(Diagnostic diagnostic);
  /// An error of a failed parse whose place is known.
  void addParseError(const ParseError &error, Span span,
                     const PatchedText &patched);
  /// The same, put at the nearest token of the statement that is wrong.
  void addParseError(const ParseError &error, size_t offset,
                     const Culprit &culprit, const PatchedText &patched);
  /// A warning or remark of a parse that succeeded.
  void addRemark(const ParseError &error, const PatchedText &patched);
  /// A use of a value that nothing defines, or only `elsewhere`.
  void addUndeclared(const Token &use, std::optional<Span> elsewhere);
  /// `index` as the element of an `array<...>`.
  void addIndexArray(Span element);
  /// A bracket inside too many others.
  void addTooDeep(const Token &bracket);
  /// A name that is defined again where its first definition is visible.
  void addRedefinition(Span name, Span first);
  void addTooManyResults(const Token &number);
  /// Types and attributes of a dialect that nobody knows, which are opaque to
  /// the parser, and misspelt attributes, which no pass reads.
  void addUnknownNames();
  /// Hints for what an older Triton spelt otherwise. Gives the edits that the
  /// parser needs to take what any release spelt otherwise.
  /// What they tell of the release that wrote them is added to `evidence`.
  const std::vector<TextEdit> &addSpellings(Evidence &evidence);

  /// The word at `offset`, or nothing there.
  Span wordAt(size_t offset) const;
  /// The name of the parameter that a message such as "order is [1]; ..." of
  /// the layout at `span` begins with; `span` if there is none.
  Span parameterIn(llvm::StringRef message, Span span) const;

  std::vector<Diagnostic> take() { return std::move(reports); }

private:
  void addUnknownMarks();
  void addUnknownMark(size_t index);
  const Syntax &syntax;
  const FragmentRequest &request;
  mlir::MLIRContext &context;
  std::vector<Diagnostic> reports;
  std::vector<TextEdit> respelt;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_FRAGMENTREPORTS_H
