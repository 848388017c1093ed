//===- IntegerArithmetic.h - Integers of `arith` ----------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_COMMON_INTEGERARITHMETIC_H
#define KERNELSCOPE_PASSES_LOWER_COMMON_INTEGERARITHMETIC_H

#include "passes/lower/support/Lowering.h"

namespace kernelscope::lower {

/// The part of the elementwise patterns that is about integers.
void populateIntegerPatterns(const TypeConverter &, Patterns &,
                             const TargetHooks &);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_COMMON_INTEGERARITHMETIC_H
