//===- WgmmaPlan.h - Operands of wgmma, by their layouts --------*- C++ -*-===//
//
// Which registers go into one wgmma, and how it finds what is in shared memory,
// computed from linear maps alone. No IR is created here. PTX ISA,
// "Asynchronous Warpgroup Level Matrix Instructions".
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_WGMMAPLAN_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_WGMMAPLAN_H

#include "dialects/layout/LinearLayout.h"
#include "dialects/target/MatrixInstructions.h"
#include <map>

namespace kernelscope::lower {

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

/// The parts of a tensor in registers that one instruction takes.
struct WarpGroupTiles {
  /// The registers in the order of the instruction's, by the coordinates of
  /// the part for the first warp group.
  std::map<std::pair<unsigned, unsigned>, llvm::SmallVector<unsigned>> tiles;
  /// For each register the one in `tiles` that holds the same element.
  llvm::SmallVector<unsigned> sources;
};

/// The accumulators of instructions that are `n` wide. `layout` is of the
/// result. Nothing if lanes and warps do not hold what the instruction gives
/// them.
std::optional<WarpGroupTiles> planAccumulators(const LinearLayout &layout,
                                               unsigned n);

/// The registers of A, of elements of `elementBits` that go into words of 32.
std::optional<WarpGroupTiles> planRegistersOfA(const LinearLayout &layout,
                                               unsigned elementBits);

/// The warps of a group.
constexpr unsigned warpsPerGroup = 4;

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_WGMMAPLAN_H
