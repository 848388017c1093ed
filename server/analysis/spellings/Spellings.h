//===- Spellings.h - what other releases write otherwise --------*- C++ -*-===//
//
// Finds, by the table of Table.cpp, what Triton 3.4 to 3.8 wrote otherwise,
// what 3.9 and MLIR 23 do, and what MLIR prints and does not read;
// docs/spellings.md shows them.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_SPELLINGS_H
#define KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_SPELLINGS_H

#include "server/analysis/Diagnostic.h"
#include "server/analysis/Syntax.h"
#include "server/analysis/spellings/Release.h"

#include "mlir/IR/MLIRContext.h"

#include <optional>
#include <string>
#include <vector>

namespace kernelscope {

/// One place that is not spelt as our printer has it.
struct Respelling {
  Span span; ///< What is spelt otherwise.
  /// What changed, and in which release. Empty for what is no older than we
  /// are: there is nothing to fix in it.
  std::string message;
  /// The first and last release that wrote it; an end that is empty is open.
  std::optional<Release> first, last;
  /// Whether our parser and verifier take it as it stands, for what it meant.
  bool isRead = true;
  /// How we write it; none where text alone cannot say it.
  std::vector<TextEdit> edits;
};

/// All in `span`, in the order of the text. `context` is for parsing the
/// attributes among them. What tells the release that wrote the text is added
/// to `evidence`.
std::vector<Respelling> findRespellings(const Syntax &syntax, Span span,
                                        mlir::MLIRContext &context,
                                        Evidence *evidence = nullptr);

/// The hints `newer-spelling` for what we write, and `release` otherwise, each
/// with a fix where there is one.
std::vector<Diagnostic> findNewer(const Syntax &syntax, Release release,
                                  mlir::MLIRContext &context);

/// The release that wrote a text, as far as its words tell.
std::optional<Release> workOutRelease(const Syntax &syntax,
                                      mlir::MLIRContext &context);

/// What makes of a text of any release one of `release`, in the order of the
/// text; no two overlap.
std::vector<TextEdit> editsFor(const Syntax &syntax, Release release,
                               mlir::MLIRContext &context);

/// `text` with `edits`, which do not overlap.
std::string withEdits(llvm::StringRef text, std::vector<TextEdit> edits);

/// What is said of an op that older Tritons had, with nothing in its place
/// today; none of any other op.
std::optional<std::string> describeGoneOp(llvm::StringRef name);

/// The hint `older-spelling`, with a fix where there is one.
Diagnostic toHint(const Respelling &spelling);

/// The edits in the order of the text; of two at one place, the one that
/// replaces more comes first.
std::vector<TextEdit> inOrder(std::vector<TextEdit> edits);

/// The edits without those that lie inside or across an earlier one, in the
/// order of the text.
std::vector<TextEdit> withoutOverlaps(std::vector<TextEdit> edits);

/// A part of the text in our spelling.
std::string inOurSpelling(const Syntax &syntax, Span span,
                          mlir::MLIRContext &context);

struct OurSpelling {
  /// As far as edits can say it; lines stay the lines that they were.
  std::string text;
  /// Something in the text that was given is not read, or would be read as
  /// something else.
  bool isNeeded = false;
};

/// The whole of `text`, with what is not read in our spelling.
OurSpelling inOurSpelling(llvm::StringRef text, mlir::MLIRContext &context);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_SPELLINGS_H
