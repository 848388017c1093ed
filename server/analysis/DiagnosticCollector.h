//===- DiagnosticCollector.h - all that is wrong with a text ----*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_DIAGNOSTICCOLLECTOR_H
#define KERNELSCOPE_SERVER_ANALYSIS_DIAGNOSTICCOLLECTOR_H

#include "server/analysis/Document.h"

#include "mlir/IR/MLIRContext.h"

namespace kernelscope {

/// Whether each region has its braces, and each brace its region.
bool hasAllBraces(const Syntax &syntax);

/// `found`, what is wrong with each unit, and missing braces: what an editor
/// with these settings shows of `document`, whose text and units are complete.
/// `evidence`: what all units tell of its release.
std::vector<Diagnostic> collectDiagnostics(const Document &document,
                                           std::vector<Diagnostic> found,
                                           const Evidence &evidence,
                                           const ClientSettings &settings,
                                           mlir::MLIRContext &context);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_DIAGNOSTICCOLLECTOR_H
