//===- TTNG.h - The Triton NVIDIA GPU dialect -------------------*- C++ -*-===//
//
// Barriers, TMA, wgmma, tcgen05 and tensor memory.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELSCOPE_DIALECTS_TTNG_TTNG_H
#define KERNELSCOPE_DIALECTS_TTNG_TTNG_H

#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"

#include "dialects/ttng/TTNGDialect.h.inc"
#include "dialects/ttng/TTNGEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/ttng/TTNGAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/ttng/TTNGTypes.h.inc"

namespace kernelscope::ttng {

using ttg::twoCTAsName;

/// Blackwell's tensor memory, as a resource that ops read and write.
struct TensorMemory : mlir::SideEffects::Resource::Base<TensorMemory> {
  llvm::StringRef getName() final { return "<tensor memory>"; }
};

/// The size of a buffer in tensor memory: rows (lanes) and 32-bit columns, over
/// its whole ring.
struct TensorMemorySize {
  int64_t rows, columns;
};
/// Of a verified descriptor of tensor memory.
TensorMemorySize getTensorMemorySize(ttg::MemDescType memory);

/// `ttng.two-ctas` of the module around `op`; nothing when it does not say.
std::optional<bool> lookupTwoCTAs(mlir::Operation *op);

using ttg::isOlderDump;

/// Checks that every CTA has its own barrier: what completion of tcgen05 work
/// and cluster launch control needs.
llvm::LogicalResult verifyOwnBarrier(mlir::Operation *op, mlir::Value barrier,
                                     llvm::StringRef what);
/// Checks the barrier of a copy by TMA: with `ttng.two-ctas` false every CTA
/// has its own; with true a pair may share that of its even CTA. A module that
/// does not say may do either.
llvm::LogicalResult verifyCopyBarrier(mlir::Operation *op, mlir::Value barrier);

} // namespace kernelscope::ttng

#define GET_OP_CLASSES
#include "dialects/ttng/TTNGOps.h.inc"

#endif // KERNELSCOPE_DIALECTS_TTNG_TTNG_H
