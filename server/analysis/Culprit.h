//===- Culprit.h - the statement that a parse error is due to ---*- C++ -*-===//
//
// MLIR puts an error where it noticed it, which may be behind the statement
// that is wrong.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_CULPRIT_H
#define KERNELSCOPE_SERVER_ANALYSIS_CULPRIT_H

#include "server/analysis/FragmentRequest.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace kernelscope {

struct Culprit {
  SyntaxId statement = noSyntax;
  std::optional<Span> tail; ///< Only this part of it.
};

/// Goes by what the parser read to its end before it failed.
class CulpritFinder {
public:
  /// `takenOut`: the statements that the parser no longer sees.
  CulpritFinder(const Syntax &syntax, const FragmentRequest &request,
                const llvm::DenseSet<SyntaxId> &takenOut)
      : syntax(syntax), request(request), takenOut(takenOut) {}

  /// Notes how far a failed parse came.
  void noteCompleted(const Fragment &fragment);
  /// Whose fault an error at `offset` of the document is.
  Culprit find(size_t offset) const;

private:
  std::optional<size_t> completedEnd(SyntaxId id) const;
  std::optional<Span> tailOf(SyntaxId id) const;
  SyntaxId previousInUnit(SyntaxId id) const;

  const Syntax &syntax;
  const FragmentRequest &request;
  const llvm::DenseSet<SyntaxId> &takenOut;
  llvm::DenseMap<size_t, size_t> completed; ///< From an op's name to its end.
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_CULPRIT_H
