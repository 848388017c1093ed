//===- Npy.h - NumPy's .npy files -------------------------------*- C++ -*-===//
//
// Version 1 of the format, C order, little-endian numbers.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_NPY_H
#define KERNELSCOPE_SERVER_RUN_NPY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace kernelscope::run {

/// An array of a .npy file.
struct NpyArray {
  /// NumPy's type code without its byte order: "f4", "i8", "b1", "V2".
  std::string type;
  std::vector<int64_t> shape;
  std::vector<char> bytes;
};

/// Reads `path`. The error names the file and what is wrong with it.
llvm::Expected<NpyArray> readNpy(llvm::StringRef path);

/// Writes an array to `path`.
llvm::Error writeNpy(llvm::StringRef path, const NpyArray &array);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_NPY_H
