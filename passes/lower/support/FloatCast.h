//===- FloatCast.h - Conversions between float types ------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_FLOATCAST_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_FLOATCAST_H

#include "passes/lower/support/Builder.h"

namespace kernelscope::lower {

/// `x`, as a value of type `from` stands in LLVM, as one of type `to`. Both are
/// types of the IR: 8-bit floats are integers in LLVM. Rounds to nearest even
/// or to zero.
mlir::Value convertFloat(Builder &b, mlir::Value x, mlir::Type from,
                         mlir::Type to, bool toZero = false);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_FLOATCAST_H
