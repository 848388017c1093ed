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

/// In how many pieces the CTAs of a cluster split a tensor.
int64_t numPieces(CGAEncodingAttr cluster);

/// Bytes of the elements of `memory` that one CTA has. Nothing for a layout
/// that does not say how CTAs split it.
std::optional<int64_t> bytesInCTA(MemDescType memory);

/// Of a buffer with a partitioned layout: the bytes of each of its parts, and
/// how many bytes lie between their starts. The physical partitions of LDS are
/// 64 KiB apart, as Triton's code for gfx1250 has it.
struct PartitionBytes {
  int64_t each, stride;
};
std::optional<PartitionBytes> partitionBytes(MemDescType type);

/// The gaps of a padded layout, alone or in a partitioned one.
llvm::SmallVector<std::pair<unsigned, unsigned>> gapsOf(mlir::Attribute layout);

/// The same memory without its swizzle. A copy by AMD's gfx9 writes the lanes
/// of a warp one after another: the swizzle is in what each of them loads.
MemDescType withoutSwizzle(MemDescType memory);

/// The banks of shared memory on the target of the module around `op`; those
/// of NVIDIA's chips where it says none.
SharedBanks lookupSharedBanks(mlir::Operation *op);

/// What a load or a store between the registers of `tensor` and `memory` takes;
/// nothing where the layouts do not fit or data goes to another CTA.
std::optional<AccessCost> accessCost(mlir::RankedTensorType tensor,
                                     MemDescType memory,
                                     const SharedBanks &banks, bool isLoad);

/// A load or store between registers and shared memory.
struct SharedAccess {
  mlir::RankedTensorType registers;
  MemDescType memory;
  unsigned banks = 32;
  AccessCost cost;

  /// Of one access by a thread.
  unsigned bits() const;
};

/// The one that `op`, which verifies, is; nothing for other ops, and where
/// `accessCost` has none.
std::optional<SharedAccess> sharedAccessOf(mlir::Operation *op);

/// The map from (register, lane, warp) of `tensor` to the offset in `memory`;
/// nothing where the layouts do not fit.
std::optional<LinearLayout> sharedOffsets(mlir::RankedTensorType tensor,
                                          MemDescType memory);

/// How many elements of a thread, or with `mayPermute` false the first ones in
/// their order, lie side by side in `memory` wherever the thread is: one access
/// can take them. Nothing where the layouts do not fit.
std::optional<int64_t> contiguousElements(mlir::RankedTensorType tensor,
                                          MemDescType memory,
                                          bool mayPermute = true);

} // namespace kernelscope::ttg

#endif // KERNELSCOPE_DIALECTS_TTG_SHAREDCOST_H
