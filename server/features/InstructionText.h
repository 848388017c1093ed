//===- InstructionText.h - what an op becomes, in words ---------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_INSTRUCTIONTEXT_H
#define KERNELSCOPE_SERVER_FEATURES_INSTRUCTIONTEXT_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace kernelscope {

/// The instructions of the op called `name` on the target of the module around
/// `op`, or on all chips if `op` is null or has no target; that it has no
/// lowering there yet. Markdown; empty if nothing is known. `ptxSuffix` is the
/// width of its loads and stores, if it is known (`AccessDescription`).
std::string describeInstructions(llvm::StringRef name, mlir::Operation *op,
                                 llvm::StringRef ptxSuffix = "");

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_INSTRUCTIONTEXT_H
