//===- VerifierWords.h - MLIR's own messages, said plainly ------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_VERIFIERWORDS_H
#define KERNELSCOPE_SERVER_ANALYSIS_VERIFIERWORDS_H

#include "mlir/IR/Operation.h"

#include <string>

namespace kernelscope {

/// The message of a rule of MLIR that many ops share ("requires the same
/// element type for all operands and results") with what was found where; any
/// other message as it is.
std::string inPlainWords(mlir::Operation *op, llvm::StringRef message);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_VERIFIERWORDS_H
