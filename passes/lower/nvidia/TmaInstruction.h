//===- TmaInstruction.h - What instructions of TMA share --------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_TMAINSTRUCTION_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_TMAINSTRUCTION_H

#include "passes/lower/nvidia/Ptx.h"
#include "passes/lower/support/MemDesc.h"

namespace kernelscope::lower {

/// True in one lane of the warp.
mlir::Value isElected(Builder &b);

/// "[$1, {$2, $3}]": a tensor map and coordinates, the fastest first.
std::string addTensor(Ptx &ptx, mlir::Value descriptor,
                      llvm::ArrayRef<mlir::Value> coordinates);

/// An error on `op` if one CTA has the whole window that it copies to, as
/// `ttng::TmaPlan::inOneCTA` says, and the chip cannot copy to it from the
/// other CTA.
mlir::LogicalResult checkReachesCTA(mlir::Operation *op,
                                    const TargetHooks &hooks, int32_t inOneCTA);

/// The id of the CTA whose memory has the window `memory` that this CTA copies
/// to.
mlir::Value ctaOfWindow(Builder &b, const TargetHooks &hooks,
                        const MemDesc &memory, ttg::MemDescType type,
                        int32_t inOneCTA);

/// How one CTA copies for all that have the same data, the `bits` of whose ids
/// differ. `target` is the id of one that gets it.
struct Multicast {
  mlir::Value isFirst; ///< whether this CTA copies
  mlir::Value mask;    ///< an i16, a bit per CTA that gets the data
};
Multicast multicast(Builder &b, const TargetHooks &hooks, int32_t bits,
                    mlir::Value target);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_TMAINSTRUCTION_H
