//===- SharedCost.h - what tensors cost in shared memory --------*- C++ -*-===//
//
// Bytes of buffers, and the accesses that move a tensor in and out of one.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TTG_SHAREDCOST_H
#define KERNELSCOPE_DIALECTS_TTG_SHAREDCOST_H

#include "dialects/layout/SharedBanks.h"
#include "dialects/ttg/TTG.h"

namespace kernelscope::ttg {

/// Bytes of shared memory that an allocation of `type` takes in one CTA: all
/// buffers of a ring, with their gaps (none after the last element). Nothing
/// for a type whose layout does not fit it.
std::optional<int64_t> allocationBytes(MemDescType type);

/// Bytes that an element of `type` takes in memory; a pointer takes 8.
unsigned elementBytes(mlir::Type type);

/// The gaps of a padded layout, alone or in a partitioned one.
llvm::SmallVector<std::pair<unsigned, unsigned>> gapsOf(mlir::Attribute layout);

/// The shared memory of the target that `ttg.target` names, "cuda:90" or
/// "hip:gfx950"; that of NVIDIA for an empty name. Banks: CUDA C++ Programming
/// Guide, "Shared Memory"; AMD ISA documents, "Local Data Share": 32 banks, 64
/// on gfx950 and gfx1250.
SharedBanks sharedBanksOf(llvm::StringRef target);

/// What a load or a store between the registers of `tensor` and `memory` takes;
/// nothing where the layouts do not fit or data goes to another CTA.
std::optional<AccessCost> accessCost(mlir::RankedTensorType tensor,
                                     MemDescType memory,
                                     const SharedBanks &banks, bool isLoad);

} // namespace kernelscope::ttg

#endif // KERNELSCOPE_DIALECTS_TTG_SHAREDCOST_H
