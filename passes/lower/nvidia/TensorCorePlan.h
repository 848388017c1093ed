//===- TensorCorePlan.h - Instructions of the tensor core -------*- C++ -*-===//
//
// The descriptors and other numbers of tcgen05.mma and tcgen05.cp, computed
// without IR. PTX ISA, "TensorCore 5th Generation Family Instructions".
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_TENSORCOREPLAN_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_TENSORCOREPLAN_H

#include "dialects/target/MatrixInstructions.h"
#include "passes/lower/nvidia/TensorMemoryPlan.h"

namespace kernelscope::lower {

/// One shape and type of tcgen05.mma.
struct TensorCoreProduct {
  /// "f16", "mxf4", and so on.
  llvm::StringRef kind;
  MatrixElement a, b, d;
  /// Of the instruction: with pairs of CTAs, `m` rows in both.
  unsigned m = 0, n = 0, k = 0;
  /// Rows of A, or columns of B, follow each other in memory, not those of K.
  bool isMMajor = false, isNMajor = false;
  /// 8-bit integers have no sign.
  bool isUnsigned = false;
  /// Elements of K that have a scale in common; 0 without scales.
  unsigned blockSize = 0;
  /// Scales are ue8m0, else ue4m3.
  bool hasExponentScales = true;

  bool isScaled() const { return blockSize != 0; }
  unsigned scalesPerRow() const { return isScaled() ? k / blockSize : 0; }
  /// The instruction descriptor; the scales of A and B begin at these of the
  /// four in a column. PTX ISA, "Instruction Descriptor".
  uint32_t descriptor(unsigned scaleOfA = 0, unsigned scaleOfB = 0) const;
};

/// Whether `memory` has scales as an instruction takes those of `rows` rows, in
/// columns that follow each other. PTX ISA, "Layout of the Scale Factor
/// Matrix".
bool hasScalesOf(const TensorMemoryMap &memory, unsigned rows,
                 unsigned scalesPerRow);

/// The CTAs of a cluster of `ctas` that a completion of CTA `cta` is signalled
/// to: a bit for each of those that share one of the operands with it. `shared`
/// has for each operand the bits of the CTA id along which all CTAs have the
/// same of it.
uint32_t receiversOf(unsigned cta, unsigned ctas,
                     llvm::ArrayRef<uint32_t> shared);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_TENSORCOREPLAN_H
