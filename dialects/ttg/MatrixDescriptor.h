//===- MatrixDescriptor.h - Operands that matrix units find -----*- C++ -*-===//
//
// How wgmma and tcgen05 find an operand in shared memory, computed from linear
// maps alone: verifiers and the lowering ask here.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TTG_MATRIXDESCRIPTOR_H
#define KERNELSCOPE_DIALECTS_TTG_MATRIXDESCRIPTOR_H

#include "dialects/target/MatrixInstructions.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"

namespace kernelscope {

/// How one instruction walks over an operand in shared memory: rows of a chunk
/// each, eight of them one after the other. PTX ISA, "Matrix Descriptor
/// Format".
struct MatrixDescriptor {
  /// Rows go along K, else along M or N.
  bool isKMajor;
  /// The chunk of a row, whose 16-byte pieces are swizzled among eight rows;
  /// 0 for chunks of 16 bytes without a swizzle.
  unsigned swizzleBytes;
  /// From one piece to the next that the eight rows do not hold, in bytes:
  /// along the rows and across them, or the other way round, as the mode has
  /// it.
  unsigned leadingBytes, strideBytes;

  /// The 64 bits, with an address of zero, as wgmma has them.
  uint64_t bits() const;
  /// The same for tcgen05. PTX ISA, "Shared Memory Descriptor".
  uint64_t tensorCoreBits() const;
};

/// The descriptor of an operand of `outerSize` (of M or N) by `kSize` elements
/// for a buffer that has its elements at `offsetOf` (in-dims `outer` and `k`,
/// out-dim the offset in elements). Nothing if no mode of `unit`, wgmma or
/// tcgen05, describes it.
std::optional<MatrixDescriptor>
describeOperand(const LinearLayout &offsetOf, mlir::StringAttr outer,
                mlir::StringAttr k, unsigned elementBytes, unsigned outerSize,
                unsigned kSize, MatrixUnit unit = MatrixUnit::Wgmma);

namespace ttg {

/// Where the elements of `type`, in shared memory, are: from indices to the
/// offset, in elements.
LinearLayout offsetsOf(MemDescType type);

/// The same as a matrix unit counts the elements, which has K along `k`: e2m1
/// values with gaps as if each had a byte.
LinearLayout operandOffsetsOf(MemDescType type, mlir::StringAttr k);

} // namespace ttg

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_TTG_MATRIXDESCRIPTOR_H
