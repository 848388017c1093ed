//===- LibraryFunctions.h - What libdevice and ocml compute ----*- C++ -*-===//
//
// The functions of both vendors' libraries on floats, in double.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_OPS_LIBRARYFUNCTIONS_H
#define KERNELSCOPE_EXECUTOR_OPS_LIBRARYFUNCTIONS_H

#include "llvm/ADT/StringMap.h"

namespace kernelscope::executor {

/// A function of `sources` numbers of any type.
struct LibraryFunction {
  unsigned sources;
  double (*compute)(const double *x);
};

/// Adds those that depend on the type in their name: "fadd_rz", "pred_f16".
void addTypedFunctions(llvm::StringMap<LibraryFunction> &table);

/// By name, without what says the library, the type and the accuracy: "erfinv".
const llvm::StringMap<LibraryFunction> &libraryFunctions();

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_OPS_LIBRARYFUNCTIONS_H
