//===- AttributeErrors.h - errors about a module's attributes ---*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_ATTRIBUTEERRORS_H
#define KERNELSCOPE_SERVER_ANALYSIS_ATTRIBUTEERRORS_H

#include "server/analysis/Diagnostic.h"
#include "server/analysis/Syntax.h"

#include "mlir/IR/MLIRContext.h"

namespace kernelscope {

/// Moves an error of a module that names one of its attributes and the value
/// found, `'ttg.num-ctas' = 32 ...`, from the op's name to that attribute.
void tellAtAttribute(Diagnostic &error, const Syntax &syntax,
                     mlir::MLIRContext &context);

/// Moves an error about the value of an attribute, "attribute 'end' failed to
/// satisfy constraint: ...", from the start of the attributes to that value,
/// and says what it is.
void tellAtValue(Diagnostic &error, const Syntax &syntax);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_ATTRIBUTEERRORS_H
