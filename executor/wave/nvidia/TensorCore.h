//===- TensorCore.h - Products into tensor memory ---------------*- C++ -*-===//
//
// tcgen05.mma, by its descriptors: which cells of shared and tensor memory are
// multiplied into which cells of tensor memory. PTX ISA, "TensorCore 5th
// Generation Matrix Multiply and accumulate Operations".
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_TENSORCORE_H
#define KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_TENSORCORE_H

#include "executor/wave/nvidia/ProductDescriptor.h"
#include "executor/wave/nvidia/TensorMemory.h"

namespace kernelscope::wave::nvidia {

/// What the tensor core reaches of a CTA.
struct CtaMemories {
  SharedView shared;
  TensorMemory *tensor = nullptr;
};

/// One tcgen05.mma.
struct TensorCoreProduct {
  ProductModifiers modifiers;
  uint32_t descriptor = 0;
  /// Addresses in tensor memory.
  uint32_t d = 0;
  std::optional<uint32_t> tensorA;
  uint32_t scalesOfA = 0, scalesOfB = 0;
  /// Descriptors of shared memory; that of A without `tensorA`.
  uint64_t sharedA = 0, sharedB = 0;
  bool accumulates = true;
  /// D is divided by two to this power before.
  unsigned scaleOfD = 0;
  /// A bit for each lane of D that is not written, of both CTAs.
  std::array<uint32_t, 8> disabledLanes{};
};

/// An error, known before any number is, if a descriptor or a place in tensor
/// memory is wrong.
llvm::Error check(const TensorCoreProduct &product,
                  llvm::ArrayRef<CtaMemories> ctas);

/// D = A * B + D, in the memory of a CTA, or of the even and the odd one of a
/// pair. Sums are in double and rounded once.
llvm::Error multiply(const TensorCoreProduct &product,
                     llvm::ArrayRef<CtaMemories> ctas);

} // namespace kernelscope::wave::nvidia

#endif // KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_TENSORCORE_H
