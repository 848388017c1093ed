//===- Culprit.h - the statement that a parse error is due to ---*- C++ -*-===//
//
// MLIR puts an error where it noticed it, which may be behind the statement
// that is wrong.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_CULPRIT_H
#define KERNELSCOPE_SERVER_ANALYSIS_CULPRIT_H

#include "server/analysis/FragmentRequest.h"
#include "server/analysis/ParseMessages.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace kernelscope {

struct Culprit {
  SyntaxId statement = noSyntax;
  std::optional<Span> tail; ///< Only this part of it.
  /// It is complete, but took the first words of the next statement for
  /// operands that it may have.
  bool runsOn = false;
};

/// The ops and aliases that the parser read to their ends before it failed:
/// from the place of each's name to its end, in the document.
using CompletedStatements = llvm::DenseMap<size_t, size_t>;

/// What the parser read to its end before it failed, and what it said.
struct FailedParse {
  std::vector<ParseError> errors;
  CompletedStatements completed;
};

/// What a failed parse of `fragment` read to its end.
CompletedStatements completedIn(const Fragment &fragment, const Syntax &syntax,
                                const FragmentRequest &request);

/// Goes by what the parser read to its end before it failed.
class CulpritFinder {
public:
  /// `takenOut`: the statements that the parser no longer sees.
  CulpritFinder(const Syntax &syntax, const FragmentRequest &request,
                const llvm::DenseSet<SyntaxId> &takenOut)
      : syntax(syntax), request(request), takenOut(takenOut) {}

  /// Before the first repair after a failed parse.
  void setCompleted(CompletedStatements found) {
    completed = std::move(found);
    unseen = takenOut;
  }
  /// Whose fault an error at `offset` of the document is.
  Culprit find(size_t offset) const;

private:
  std::optional<size_t> completedEnd(SyntaxId id) const;
  std::optional<Span> tailOf(SyntaxId id) const;
  bool staysOpen(const Statement &statement) const;
  SyntaxId previousInUnit(SyntaxId id) const;

  const Syntax &syntax;
  const FragmentRequest &request;
  const llvm::DenseSet<SyntaxId> &takenOut;
  CompletedStatements completed;
  /// `takenOut` when the parse failed: a later error of the same parse may be
  /// due to what the first has taken out since.
  llvm::DenseSet<SyntaxId> unseen;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_CULPRIT_H
