//===- CombineRegion.h - The region of a reduction or scan ------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_COMBINEREGION_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_COMBINEREGION_H

#include "passes/lower/support/Lowering.h"

namespace kernelscope::lower {

/// One element of each operand of a reduction or scan, as LLVM values.
using Tuple = llvm::SmallVector<mlir::Value>;

/// Emits a copy of the one-block `region` that combines `first` with `second`,
/// which comes after it in order.
Tuple emitCombination(mlir::ConversionPatternRewriter &rewriter,
                      const TypeConverter &converter, mlir::Region &region,
                      const Tuple &first, const Tuple &second);

/// The elements of all operands by register: one tuple each.
std::vector<Tuple> unpackTuples(Builder &b, mlir::ValueRange operands);

/// The inverse: one converted value of each of `types`.
llvm::SmallVector<mlir::Value> packTuples(Builder &b,
                                          const TypeConverter &converter,
                                          llvm::ArrayRef<Tuple> tuples,
                                          mlir::TypeRange types);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_COMBINEREGION_H
