//===- TT.h - the tt dialect: Triton's block programs -----------*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_TT_TT_H
#define KERNELSCOPE_DIALECTS_TT_TT_H

#include "dialects/tt/GlobalAccess.h"
#include "dialects/tt/LayoutInterface.h"
#include "dialects/tt/TTTraits.h"
#include "dialects/tt/TTTypes.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/tt/TTDialect.h.inc"
#include "dialects/tt/TTEnums.h.inc"
#include "dialects/tt/TTOpInterfaces.h.inc"

// After the enums, which its methods return.
#include "dialects/tt/TTAttrInterfaces.h.inc"

namespace kernelscope::tt {

/// Global memory, as a resource that ops read and write.
struct GlobalMemory : mlir::SideEffects::Resource::Base<GlobalMemory> {
  llvm::StringRef getName() final { return "<GlobalMemory>"; }
};

} // namespace kernelscope::tt

#define GET_OP_CLASSES
#include "dialects/tt/TTOps.h.inc"

namespace kernelscope::tt {

/// The value of an integer constant, or of a tensor of one such value. Nothing
/// for null, for other values, and for more than 64 bits.
std::optional<int64_t> constantOf(mlir::Value value);

/// The operator of caches of an op: that of its `policy`, its `cachePolicy`
/// that may be null, else the one that its `keyword` names.
CacheModifier cacheModifierOf(mlir::Attribute policy, CacheModifier keyword);

/// Verifies that a gather or scatter of rows fits the descriptor's block:
/// `block` is 1xN, `indices` of rank 1, `tensor` has a row for each index.
llvm::LogicalResult verifyGatherScatter(mlir::Operation *op,
                                        mlir::RankedTensorType block,
                                        mlir::RankedTensorType tensor,
                                        mlir::RankedTensorType indices);

/// Verifies that `tensor` holds a block of the descriptor `desc`.
llvm::LogicalResult verifyBlockAccess(mlir::Operation *op,
                                      TensorDescInterface desc,
                                      mlir::ShapedType tensor);

/// How many adjacent elements along K share a scale (16 or 32), from the shape
/// of the scales and the size `k` of the operand along K; 0 when there is one
/// scale for all. Fails without a diagnostic if no such number fits.
mlir::FailureOr<int64_t> getScaleFactor(llvm::ArrayRef<int64_t> scaleShape,
                                        int64_t k);

} // namespace kernelscope::tt

#endif
