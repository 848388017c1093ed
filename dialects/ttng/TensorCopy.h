//===- TensorCopy.h - Copies from shared to tensor memory -------*- C++ -*-===//
//
// Which tcgen05.cp a ttng.tmem_copy becomes: the verifier and the lowering ask
// here. PTX ISA, "tcgen05.cp".
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TTNG_TENSORCOPY_H
#define KERNELSCOPE_DIALECTS_TTNG_TENSORCOPY_H

#include "dialects/ttg/MatrixDescriptor.h"

namespace kernelscope::ttng {

struct TensorCopy {
  /// ".128x256b", and so on: rows of tensor memory, and bytes of each.
  llvm::StringLiteral shape;
  unsigned rows, bytes;
  /// The layout of the whole allocation in tensor memory.
  LinearLayout memory;
  /// From `row` and `col` of tensor memory to the offset in shared memory, in
  /// elements, and how one instruction walks over it.
  LinearLayout offsets;
  MatrixDescriptor mode;
};

/// The instruction that copies `from` to `to`; nothing if there is none.
std::optional<TensorCopy> planTensorCopy(ttg::MemDescType from,
                                         ttg::MemDescType to);

} // namespace kernelscope::ttng

#endif // KERNELSCOPE_DIALECTS_TTNG_TENSORCOPY_H
