//===- MemDesc.h - Descriptors of shared memory in LLVM ---------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_MEMDESC_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_MEMDESC_H

#include "dialects/ttg/TTG.h"
#include "passes/lower/support/SharedAccess.h"

namespace kernelscope::lower {

/// A converted `!ttg.memdesc`: where the buffer begins, and where in it the
/// window of this descriptor does, an i32 coordinate per dimension.
struct MemDesc {
  mlir::Value base;
  llvm::SmallVector<mlir::Value> offsets;

  static MemDesc unpack(Builder &b, mlir::Value packed);
  mlir::Value pack(Builder &b) const;
};

/// Where the window `memory` of a buffer of type `type` begins, in elements
/// from the base; an i32.
mlir::Value windowStart(Builder &b, const MemDesc &memory,
                        ttg::MemDescType type);

/// What the place of a window adds to that of what is in it: i32s that are
/// xored, null if nothing.
struct WindowPlace {
  mlir::Value offset; ///< in elements, without gaps
  int32_t mask;       ///< the bits that may be set in `offset`
  mlir::Value owner;  ///< to the id of the CTA that has the buffer's start
};
WindowPlace placeOfWindow(Builder &b, const MemDesc &memory,
                          ttg::MemDescType type);

/// Where the registers of a tensor of type `tensor` lie in the buffer `memory`
/// of type `type`. Failure, with an error on `op`, when data would have to go
/// to another CTA or when the layouts do not fit.
mlir::FailureOr<SharedPlaces> placesIn(Builder &b, mlir::Operation *op,
                                       mlir::RankedTensorType tensor,
                                       const MemDesc &memory,
                                       ttg::MemDescType type);
/// The same without IR, for a buffer or a view of one; nothing where the
/// layouts do not fit.
std::optional<SharedPlaces> placesWithoutCode(mlir::RankedTensorType registers,
                                              mlir::Value memory);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_MEMDESC_H
