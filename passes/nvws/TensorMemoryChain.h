//===- TensorMemoryChain.h - Accesses in the order of tokens ----*- C++ -*-===//
//
// Tokens order the accesses to a buffer of tensor memory: each access takes
// that of the one before and gives one to the next, through loops and branches.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_NVWS_TENSORMEMORYCHAIN_H
#define KERNELSCOPE_PASSES_NVWS_TENSORMEMORYCHAIN_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include <optional>

namespace kernelscope::nvws {

/// The token that an access of tensor memory comes after; null for other ops,
/// and for one that comes after none.
mlir::OpOperand *dependenceOf(mlir::Operation *access);
/// The buffer that the tokens of `access` order accesses to.
mlir::Value orderedMemoryOf(mlir::Operation *access);
/// Removes the token that `access` comes after.
void clearDependence(mlir::Operation *access);
/// The token of the access itself, if it gives one.
mlir::Value tokenOf(mlir::Operation *access);

/// Whether `flag`, an i1, is a constant and `wanted`.
bool isConstantFlag(mlir::Value flag, bool wanted);
/// The flag by which `access` adds to its accumulator instead of overwriting
/// it; null unless it is a product that is always computed.
mlir::Value accumulateFlagOf(mlir::Operation *access);

/// The op of `block` that takes `token`, or has what takes it inside; null if
/// none does, or different ops do.
mlir::Operation *nextOf(mlir::Value token, mlir::Block *block);

/// The operand by which `op` passes `token` to its region or parent.
std::optional<unsigned> operandWith(mlir::Operation *op, mlir::Value token);

/// How a loop carries a token.
struct CarriedToken {
  mlir::OpOperand *init;
  mlir::BlockArgument inside; ///< of the body
  mlir::OpOperand *next;      ///< what the body yields
  mlir::OpResult after;
};
/// How `op`, an scf.for or an scf.while that passes on its arguments, carries
/// `token`. Nothing if it does not, or if the condition accesses the memory.
std::optional<CarriedToken> carriedBy(mlir::Operation *op, mlir::Value token);

/// The first access in `block` after `token`; null if there is none.
mlir::Operation *firstAccess(mlir::Value token, mlir::Block *block);

} // namespace kernelscope::nvws

#endif // KERNELSCOPE_PASSES_NVWS_TENSORMEMORYCHAIN_H
