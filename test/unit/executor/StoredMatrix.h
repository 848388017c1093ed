//===- StoredMatrix.h - Matrices as Blackwell takes them --------*- C++ -*-===//
//
// Matrices in shared memory as the PTX ISA draws them, with the descriptors
// that lead there: what tests of the simulator's tcgen05 share.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_TEST_UNIT_EXECUTOR_STOREDMATRIX_H
#define KERNELSCOPE_TEST_UNIT_EXECUTOR_STOREDMATRIX_H

#include "executor/wave/nvidia/TensorCore.h"
#include <bit>
#include <cstring>

namespace kernelscope::wave::nvidia {

template <typename T> std::string errorOf(llvm::Expected<T> result) {
  return result ? "" : toString(result.takeError());
}
inline std::string errorOf(llvm::Error error) {
  return error ? toString(std::move(error)) : "";
}

/// With all columns allocated.
inline TensorMemory wholeMemory() {
  TensorMemory memory;
  (void)llvm::cantFail(memory.allocate(512));
  return memory;
}

constexpr unsigned sharedBytes = 64 * 1024;

/// How a matrix lies: the swizzle's number, and which of M/N and K is
/// contiguous.
struct Mode {
  unsigned swizzle;
  bool isKMajor = true;
};

inline unsigned chunkOf(unsigned swizzle) {
  return swizzle == 0 ? 16 : swizzle == 6 ? 32 : swizzle == 4 ? 64 : 128;
}

/// A matrix of `outer` rows of M or N by `depth` bytes or elements of K, in
/// atoms of eight lines that follow each other, first along the lines.
class Stored {
public:
  Stored(Mode mode, unsigned outer, unsigned depth, unsigned elementBytes,
         unsigned start = 1024)
      : mode(mode), elementBytes(elementBytes), start(start),
        lines(mode.isKMajor ? outer : depth) {}

  unsigned chunk() const { return chunkOf(mode.swizzle); }
  unsigned linesOfAtom() const { return mode.swizzle == 1 ? 4 : 8; }
  unsigned atomBytes() const { return chunk() * linesOfAtom(); }
  /// From one atom to the next across lines and along them.
  unsigned nextLines() const { return atomBytes(); }
  unsigned nextAlong() const {
    return atomBytes() * std::max(1u, lines / linesOfAtom());
  }

  unsigned addressOf(unsigned outer, unsigned k) const {
    const unsigned line = mode.isKMajor ? outer : k;
    const unsigned byte = (mode.isKMajor ? k : outer) * elementBytes;
    unsigned inAtom = line % linesOfAtom() * chunk() + byte % chunk();
    const unsigned pattern = inAtom / 128;
    if (mode.swizzle == 1)
      inAtom ^= pattern % 4 * 32;
    else if (mode.swizzle)
      inAtom ^= pattern % (chunk() / 16) * 16;
    return start + line / linesOfAtom() * nextLines() +
           byte / chunk() * nextAlong() + inAtom;
  }
  template <typename T>
  void put(std::vector<char> &shared, unsigned outer, unsigned k,
           T bits) const {
    std::memcpy(shared.data() + addressOf(outer, k), &bits, sizeof bits);
  }
  uint64_t descriptor() const {
    const bool areExchanged = !mode.swizzle && !mode.isKMajor;
    const uint64_t leading = areExchanged ? nextLines() : nextAlong(),
                   stride = areExchanged ? nextAlong() : nextLines();
    return start / 16 | leading / 16 << 16 | stride / 16 << 32 |
           uint64_t{1} << 46 | uint64_t{mode.swizzle} << 61;
  }

private:
  Mode mode;
  unsigned elementBytes, start, lines;
};

inline uint32_t bitsOfFloat(double value) {
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}
inline double floatAt(TensorMemory &memory, uint32_t lane, uint32_t column) {
  return std::bit_cast<float>(memory.at(lane, column));
}

/// Small integers, which every type has.
inline int elementA(unsigned m, unsigned k) {
  return int((m * 7 + k * 3) % 5) - 2;
}
inline int elementB(unsigned n, unsigned k) {
  return int((n * 5 + k * 11) % 7) - 3;
}
inline double dotOf(unsigned m, unsigned n, unsigned depth) {
  double sum = 0;
  for (unsigned k = 0; k < depth; ++k)
    sum += elementA(m, k) * elementB(n, k);
  return sum;
}

inline ProductModifiers modifiersOf(const char *text) {
  return llvm::cantFail(ProductModifiers::parse(text));
}

inline TensorCoreProduct productOf(const char *modifiers) {
  TensorCoreProduct product;
  product.modifiers = modifiersOf(modifiers);
  return product;
}

constexpr uint32_t f16ToF32 = 1 << 4;
inline uint32_t sizeBits(unsigned m, unsigned n) {
  return n / 8 << 17 | m / 16 << 24;
}
inline uint32_t scaledSizeBits(unsigned m, unsigned n) {
  return n / 8 << 17 | m / 128 << 27 | 1u << 23;
}

} // namespace kernelscope::wave::nvidia

#endif // KERNELSCOPE_TEST_UNIT_EXECUTOR_STOREDMATRIX_H
