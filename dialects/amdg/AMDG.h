//===- AMDG.h - the amdg dialect: what only AMD GPUs do ---------*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_AMDG_AMDG_H
#define KERNELSCOPE_DIALECTS_AMDG_AMDG_H

#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"

#include "dialects/amdg/AMDGDialect.h.inc"

namespace kernelscope::amdg {

// Types that an op's declaration derives from others.
using tt::getI1SameShape;
using tt::getI32SameShape;
using tt::getPointerTypeToElement;

/// The L2 cache, as a resource that prefetches write.
struct L2Cache : mlir::SideEffects::Resource::Base<L2Cache> {
  llvm::StringRef getName() final { return "<L2Cache>"; }
};

/// `, %pred` (older Tritons) and `, barrier = %barrier`, both optional.
mlir::ParseResult parsePredAndBarrier(
    mlir::OpAsmParser &parser,
    std::optional<mlir::OpAsmParser::UnresolvedOperand> &pred,
    std::optional<mlir::OpAsmParser::UnresolvedOperand> &barrier);
void printPredAndBarrier(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                         mlir::Value pred, mlir::Value barrier);

/// `!tt.ptr<f32> -> tensor<64xf32>`, or the tensor's type alone, from which the
/// pointer's follows (before Triton 3.9).
mlir::ParseResult parsePointerAndValue(mlir::OpAsmParser &parser,
                                       mlir::Type &pointer, mlir::Type &value);
void printPointerAndValue(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                          mlir::Type pointer, mlir::Type value);

} // namespace kernelscope::amdg

#define GET_OP_CLASSES
#include "dialects/amdg/AMDGOps.h.inc"

#endif
