//===- SharedMatrix.h - Operands of matrix units in shared memory *- C++ -*-==//
//
// The 64-bit descriptors by which wgmma, tcgen05.mma and tcgen05.cp find a
// matrix. PTX ISA, "Shared Memory Descriptor" of the 5th generation, and
// "Canonical Layouts".
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_SHAREDMATRIX_H
#define KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_SHAREDMATRIX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <functional>
#include <vector>

namespace kernelscope::wave::nvidia {

/// A matrix in shared memory: lines along K, or along M or N, of chunks that
/// are swizzled among some lines.
struct SharedMatrix {
  /// How addresses are swizzled: `chunk` bytes of each line, of which pieces of
  /// `atom` bytes change places. Without a swizzle both are 16.
  struct Swizzle {
    unsigned chunk = 16, atom = 16;
  };
  Swizzle swizzle;
  uint32_t address = 0;
  /// Between parts of the matrix, in bytes; which parts depends on the mode.
  uint32_t leadingBytes = 0, strideBytes = 0;
  /// The line at which the pattern begins, of those at multiples of 128 bytes.
  uint32_t baseOffset = 0;

  /// Decodes a descriptor of tcgen05. An error names the field.
  static llvm::Expected<SharedMatrix> ofTensorCore(uint64_t descriptor);
  /// Decodes a descriptor of wgmma. PTX ISA, "Matrix Descriptor Format".
  static llvm::Expected<SharedMatrix> ofWgmma(uint64_t descriptor);

  /// The address of byte `byte` of line `line`. With `isKMajor` lines are the
  /// rows of M or N and bytes go along K; else lines are places along K.
  uint32_t at(bool isKMajor, uint32_t line, uint32_t byte) const;
};

/// The shared memory of a CTA, as its matrix units read it.
struct SharedView {
  SharedView(const std::vector<char> &bytes,
             std::function<void(uint32_t, uint32_t)> onRead = nullptr)
      : bytes(bytes), onRead(std::move(onRead)) {}

  /// The 16 bytes at `address`. An error if they are not all in the memory.
  llvm::Expected<llvm::ArrayRef<uint8_t>> piece(uint32_t address) const;

  llvm::ArrayRef<char> bytes;
  /// Called with the address and the number of the bytes that are read.
  std::function<void(uint32_t, uint32_t)> onRead;
};

} // namespace kernelscope::wave::nvidia

#endif // KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_SHAREDMATRIX_H
