//===- OlderSpellings.h - what older Tritons wrote otherwise ----*- C++ -*-===//
//
// The table of what Triton 3.4 to 3.8 wrote and today's Triton does not. Each
// row says where it applies, until which release, and how to write it today;
// docs/spellings.md shows them.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_OLDERSPELLINGS_H
#define KERNELSCOPE_SERVER_ANALYSIS_OLDERSPELLINGS_H

#include "server/analysis/Diagnostic.h"
#include "server/analysis/Syntax.h"

#include "mlir/IR/MLIRContext.h"

#include <optional>
#include <string>
#include <vector>

namespace kernelscope {

/// One place that is spelt as an older Triton spelt it.
struct OlderSpelling {
  Span span;           ///< What is old.
  std::string message; ///< What changed, and in which release.
  /// Whether our parser and verifier take it as it stands.
  bool isRead = true;
  /// How to write it today; none where text alone cannot say it.
  std::vector<TextEdit> edits;
};

/// All in `span`, in the order of the text. `context` is for parsing the
/// attributes among them.
std::vector<OlderSpelling> findOlderSpellings(const Syntax &syntax, Span span,
                                              mlir::MLIRContext &context);

/// What is said of an op that older Tritons had, with nothing in its place
/// today; none of any other op.
std::optional<std::string> describeGoneOp(llvm::StringRef name);

/// The hint `older-spelling`, with a fix where there is one.
Diagnostic toHint(const OlderSpelling &spelling);

/// The edits without those that lie inside or across an earlier one, in the
/// order of the text.
std::vector<TextEdit> withoutOverlaps(std::vector<TextEdit> edits);

/// A part of the text in today's spelling.
std::string inTodaysSpelling(const Syntax &syntax, Span span,
                             mlir::MLIRContext &context);

/// `text` in today's spelling, as far as edits can say it; lines stay the lines
/// that they were.
std::string inTodaysSpelling(llvm::StringRef text, mlir::MLIRContext &context);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_OLDERSPELLINGS_H
