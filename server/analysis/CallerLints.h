//===- CallerLints.h - lints of functions that call others ------*- C++ -*-===//
//
// A unit has only the headers of what its function calls. So functions that
// call others are looked at when all units are there, as copies in which the
// calls are replaced. What was found is kept while none of the units changes.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_CALLERLINTS_H
#define KERNELSCOPE_SERVER_ANALYSIS_CALLERLINTS_H

#include "passes/analysis/FlatFunction.h"
#include "server/analysis/LintReport.h"

#include "llvm/ADT/DenseMap.h"

#include <functional>
#include <memory>
#include <vector>

namespace kernelscope {

struct CallerLints {
  struct Finding {
    LintFinding finding;
    /// The call in the caller by which `finding.op` is reached; null for none.
    mlir::Operation *call;
  };
  /// The caller's first, then those that it reaches.
  std::vector<std::shared_ptr<const UnitFacts>> functions;
  /// On ops of the functions.
  std::vector<Finding> findings;
};

/// The function of the first unit with what the others do in place of
/// calls; nothing if it has errors.
std::optional<FlatFunction>
flatten(llvm::ArrayRef<std::shared_ptr<const UnitFacts>> functions);

/// By a function, the top-level ops that it names, if it names any.
using NamedOps = llvm::DenseMap<SyntaxId, std::vector<SyntaxId>>;

/// Lints of those `units` that name others, or those of `known` that still
/// hold. What an editor shows of them is added to `diagnostics`. `progress`
/// gets the offset of each caller before its lints run.
std::vector<CallerLints>
lintCallers(const std::vector<Unit> &units, const NamedOps &named,
            const std::vector<CallerLints> &known, const Syntax &syntax,
            const std::function<void(size_t)> &progress,
            std::vector<Diagnostic> &diagnostics);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_CALLERLINTS_H
