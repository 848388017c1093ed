//===- AccessWords.h - the width of PTX's loads and stores ------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_ACCESSWORDS_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_ACCESSWORDS_H

#include <string>

namespace kernelscope::lower {

/// The registers that an access moves: `count` of `bits` each.
struct AccessWords {
  unsigned bits, count;
};

/// An access of `totalBits` as PTX needs it: as few registers as possible.
inline AccessWords wordsFor(unsigned totalBits, unsigned elementBits) {
  if (totalBits <= 32)
    return {totalBits, 1};
  unsigned bits = elementBits == 64 || totalBits > 128 ? 64 : 32;
  return {bits, totalBits / bits};
}

/// ".v4.b32" for four words of 32 bits.
inline std::string typeSuffix(AccessWords words) {
  std::string suffix =
      words.count > 1 ? ".v" + std::to_string(words.count) : "";
  return suffix + ".b" + std::to_string(words.bits);
}

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_ACCESSWORDS_H
