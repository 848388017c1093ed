//===- NewerSpellings.h - what newer Tritons write otherwise ----*- C++ -*-===//
//
// Triton 3.9 and MLIR 23 came after the dialects that this program has. What
// they only write otherwise is read all the same; docs/spellings.md shows it.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_NEWERSPELLINGS_H
#define KERNELSCOPE_SERVER_ANALYSIS_NEWERSPELLINGS_H

#include "server/analysis/Diagnostic.h"
#include "server/analysis/Syntax.h"

#include "mlir/IR/MLIRContext.h"

#include <vector>

namespace kernelscope {

/// The edits of `span` that write in our spelling what is newer in it. They are
/// for the parser alone: there is nothing to fix in such a text.
std::vector<TextEdit> respellNewer(const Syntax &syntax, Span span,
                                   mlir::MLIRContext &context);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_NEWERSPELLINGS_H
