//===- Misprints.h - what MLIR prints and does not read ---------*- C++ -*-===//
//
// A few ops that MLIR prints as its own parser does not take them. The dumps of
// the last stages, where Triton's IR has become LLVM's, are full of them.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_MISPRINTS_H
#define KERNELSCOPE_SERVER_ANALYSIS_MISPRINTS_H

#include "server/analysis/Diagnostic.h"
#include "server/analysis/Syntax.h"

#include "mlir/IR/MLIRContext.h"

#include <vector>

namespace kernelscope {

/// The edits of `span` with which the parser takes its misprints for the ops
/// that they are.
std::vector<TextEdit> mendMisprints(const Syntax &syntax, Span span,
                                    mlir::MLIRContext &context);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_MISPRINTS_H
