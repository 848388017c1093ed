//===- OlderSpellings.h - what older Tritons wrote otherwise ----*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_OLDERSPELLINGS_H
#define KERNELSCOPE_SERVER_ANALYSIS_OLDERSPELLINGS_H

#include "server/analysis/Diagnostic.h"
#include "server/analysis/Syntax.h"

#include "mlir/IR/MLIRContext.h"

#include <vector>

namespace kernelscope {

/// A hint, with a fix that rewrites it, for each type and attribute in `span`
/// that is spelt as Triton 3.4 to 3.6 spelt it and today's Triton no longer
/// reads.
std::vector<Diagnostic> findOlderSpellings(const Syntax &syntax, Span span,
                                           mlir::MLIRContext &context);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_OLDERSPELLINGS_H
