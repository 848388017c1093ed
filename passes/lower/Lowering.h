//===- Lowering.h - What the lowering patterns share ------------*- C++ -*-===//
//
// TTGIR to the LLVM dialect: one file of patterns per concept, each with a
// `populate` function below. Patterns emit through `Builder`, ask the target
// through `TargetHooks`, and treat a tensor as the list of elements that this
// thread holds, in the order of the `register` dimension of its linear layout.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_LOWERING_H
#define KERNELSCOPE_PASSES_LOWER_LOWERING_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Transforms/DialectConversion.h"
#include "passes/lower/Builder.h"
#include "passes/lower/TargetHooks.h"

namespace kernelscope::lower {

/// How types of the IR stand in LLVM:
/// - `tensor<..xT, #layout>`: a struct of this thread's elements;
/// - `!tt.ptr<T, n>`: `ptr addrspace(n)`;
/// - `!ttg.memdesc<..>`: struct { ptr addrspace(3) base, i32 offset per dim };
/// - `!ttg.async.token`: i32; fp8 and narrower floats: integers of their width.
class TypeConverter : public mlir::LLVMTypeConverter {
public:
  TypeConverter(mlir::MLIRContext *context,
                const mlir::LowerToLLVMOptions &options);

  /// The LLVM type of one element of a tensor or memdesc, or of a scalar.
  mlir::Type convertElement(mlir::Type type) const;
};

/// The elements of a converted tensor; a scalar is a list of one.
llvm::SmallVector<mlir::Value> unpackElements(Builder &b, mlir::Value packed);

/// Packs this thread's elements of a value of (unconverted) type `type`.
mlir::Value packElements(Builder &b, const TypeConverter &converter,
                         llvm::ArrayRef<mlir::Value> elements, mlir::Type type);

/// Warps in the block at `op`: of the partition it is in, or of the module.
unsigned numWarps(mlir::Operation *op);

/// A pointer (address space 3) into the kernel's dynamic shared memory, at the
/// `allocation.offset` that the allocation pass gave to `op`.
mlir::Value sharedMemoryOf(Builder &b, mlir::Operation *op);
/// A pointer to `offset` bytes into the kernel's dynamic shared memory.
mlir::Value sharedMemoryAt(Builder &b, mlir::Operation *op, unsigned offset);

/// The base of all patterns here: the converter and the hooks beside the op.
template <typename Op> class Pattern : public mlir::OpConversionPattern<Op> {
public:
  Pattern(const TypeConverter &converter, const TargetHooks &hooks,
          mlir::PatternBenefit benefit = 1)
      : mlir::OpConversionPattern<Op>(converter, &converter.getContext(),
                                      benefit),
        converter(converter), hooks(hooks) {}

protected:
  const TypeConverter &converter;
  const TargetHooks &hooks;
};

// One per concept, in the file of that name.
using Patterns = mlir::RewritePatternSet;
void populateFunctionPatterns(const TypeConverter &, Patterns &,
                              const TargetHooks &);
void populateProgramPatterns(const TypeConverter &, Patterns &,
                             const TargetHooks &);
void populateViewPatterns(const TypeConverter &, Patterns &,
                          const TargetHooks &);
void populateElementwisePatterns(const TypeConverter &, Patterns &,
                                 const TargetHooks &);
void populateFloatCastPatterns(const TypeConverter &, Patterns &,
                               const TargetHooks &);
void populateMathPatterns(const TypeConverter &, Patterns &,
                          const TargetHooks &);
void populateDebugPatterns(const TypeConverter &, Patterns &,
                           const TargetHooks &);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_LOWERING_H
