//===- PrintFormat.h - Formats of C's printf --------------------*- C++ -*-===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_PRINTFORMAT_H
#define KERNELSCOPE_EXECUTOR_WAVE_PRINTFORMAT_H

#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace kernelscope::wave {

/// A piece of a format: text, and a conversion after it, if there is one.
struct FormatPiece {
  std::string text;
  std::string conversion;
  /// Of its argument: 4 or 8; 0 without a conversion.
  unsigned bytes = 0;

  bool isText() const {
    return !conversion.empty() && conversion.back() == 's';
  }
  /// Prints the text and the argument with these bits, a double for a float;
  /// "(text)" for an argument that is text.
  void print(llvm::raw_ostream &out, uint64_t bits) const;
};

/// What is not a conversion of one argument stays as it is.
std::vector<FormatPiece> splitFormat(llvm::StringRef format);

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_PRINTFORMAT_H
