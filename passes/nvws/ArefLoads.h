//===- ArefLoads.h - Loads into the buffers of puts -------------*- C++ -*-===//
//
// A load by TMA, or a request for another cluster's work, completes on the
// "full" barrier of the put whose buffer it fills.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_NVWS_AREFLOADS_H
#define KERNELSCOPE_PASSES_NVWS_AREFLOADS_H

#include "dialects/nvws/NVWS.h"

namespace kernelscope::nvws {

/// An error unless the loads of `put` are in its block: it announces their
/// bytes.
llvm::LogicalResult checkLoads(ArefPutEnterOp put);

/// Announces the bytes of the loads of `put` on its barrier in the ring `full`,
/// and makes them asynchronous copies.
void lowerLoads(ArefPutEnterOp put, mlir::Value full);

} // namespace kernelscope::nvws

#endif // KERNELSCOPE_PASSES_NVWS_AREFLOADS_H
