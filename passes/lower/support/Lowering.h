//===- Lowering.h - What the lowering patterns share ------------*- C++ -*-===//
//
// TTGIR to the LLVM dialect: one file of patterns per concept, each with a
// `populate` function below. Patterns emit through `Builder`, ask the target
// through `TargetHooks`, and treat a tensor as the list of elements that this
// thread holds, in the order of the `register` dimension of its linear layout.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_LOWERING_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_LOWERING_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Transforms/DialectConversion.h"
#include "passes/lower/support/Builder.h"
#include "passes/lower/support/TargetHooks.h"

namespace kernelscope::lower {

/// How types of the IR stand in LLVM:
/// - `tensor<..xT, #layout>`: a struct of this thread's elements;
/// - `!tt.ptr<T, n>`: `ptr addrspace(n)`;
/// - `!ttg.memdesc<..>`: struct { ptr addrspace(3) base, i32 offset per dim };
/// - `!tt.tensordesc<..>` on NVIDIA: a generic pointer to a tensor map; on AMD:
///   a struct of the words that the tensor data mover takes (TensorWords.h);
/// - `!ttg.async.token`: i32; fp8 and narrower floats: integers of their width.
class TypeConverter : public mlir::LLVMTypeConverter {
public:
  TypeConverter(mlir::MLIRContext *context,
                const mlir::LowerToLLVMOptions &options, const Target &target);

  /// The LLVM type of one element of a tensor or memdesc, or of a scalar.
  mlir::Type convertElement(mlir::Type type) const;
};

/// The elements of a converted tensor; a scalar is a list of one.
llvm::SmallVector<mlir::Value> unpackElements(Builder &b, mlir::Value packed);

/// Packs this thread's elements of a value of (unconverted) type `type`.
mlir::Value packElements(Builder &b, const TypeConverter &converter,
                         llvm::ArrayRef<mlir::Value> elements, mlir::Type type);

/// The name of the kernel's dynamic shared memory, a global of the module.
constexpr llvm::StringLiteral sharedMemoryName = "global_smem";
/// Declares it, once, under the name that Triton gives it.
void declareSharedMemory(mlir::ModuleOp module);

/// The attribute of a `tt.func` that is to be inlined wherever it is called.
constexpr llvm::StringLiteral alwaysInlineName = "always_inline";

/// A pointer (address space 3) into the kernel's dynamic shared memory, at the
/// `allocation.offset` that the allocation pass gave to `op`.
mlir::Value sharedMemoryOf(Builder &b, mlir::Operation *op);

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

/// On an elementwise op, an i32: the bits of the register index that never
/// change its result.
constexpr llvm::StringLiteral equalRegistersName = "registers.equal";

/// Lowers an op that acts on each element alone: `Emit` is called as `emit(b,
/// op, x)` with the operands' elements at one place, and returns the result's.
/// A null result is a failure that `emit` has reported.
template <typename Op, typename Emit>
class ElementwisePattern : public Pattern<Op> {
public:
  ElementwisePattern(const TypeConverter &converter, const TargetHooks &hooks,
                     Emit emit)
      : Pattern<Op>(converter, hooks), emit(std::move(emit)) {}

  mlir::LogicalResult
  matchAndRewrite(Op op, Op::Adaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    llvm::SmallVector<llvm::SmallVector<mlir::Value>> operands;
    for (mlir::Value operand : adaptor.getOperands())
      operands.push_back(unpackElements(b, operand));
    size_t count = 0;
    for (auto &elements : operands)
      count = std::max(count, elements.size());
    size_t equal = 0;
    if (auto bits =
            op->template getAttrOfType<mlir::IntegerAttr>(equalRegistersName))
      equal = bits.getInt();
    llvm::SmallVector<mlir::Value> results;
    for (size_t i = 0; i < count; ++i) {
      if (i & equal) {
        results.push_back(results[i & ~equal]);
        continue;
      }
      // A scalar among tensors (the condition of a select) serves them all.
      llvm::SmallVector<mlir::Value> x;
      for (auto &elements : operands)
        x.push_back(elements[elements.size() == 1 ? 0 : i]);
      results.push_back(emit(b, op, x));
      if (!results.back())
        return mlir::failure();
    }
    rewriter.replaceOp(op, packElements(b, this->converter, results,
                                        op->getResult(0).getType()));
    return mlir::success();
  }

private:
  Emit emit;
};

/// Adds elementwise patterns: `add<arith::AddIOp>([](auto &b, auto op, auto x)
/// { return b.add(x[0], x[1]); })`.
class ElementwisePatterns {
public:
  ElementwisePatterns(const TypeConverter &converter,
                      mlir::RewritePatternSet &patterns,
                      const TargetHooks &hooks)
      : converter(converter), patterns(patterns), hooks(hooks) {}

  template <typename Op, typename Emit> void add(Emit emit) {
    patterns.add(std::make_unique<ElementwisePattern<Op, Emit>>(
        converter, hooks, std::move(emit)));
  }

private:
  const TypeConverter &converter;
  mlir::RewritePatternSet &patterns;
  const TargetHooks &hooks;
};

using Patterns = mlir::RewritePatternSet;

/// Adds the patterns of every family that the chip of `hooks` has.
void populatePatterns(const TypeConverter &converter, Patterns &patterns,
                      const TargetHooks &hooks);

// The families: one per concept, in the file of that name.
// common/
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
void populateFloatSanitizerPatterns(const TypeConverter &, Patterns &,
                                    const TargetHooks &);
void populateMathPatterns(const TypeConverter &, Patterns &,
                          const TargetHooks &);
void populateInlineCodePatterns(const TypeConverter &, Patterns &,
                                const TargetHooks &);
void populateConvertLayoutPatterns(const TypeConverter &, Patterns &,
                                   const TargetHooks &);
void populateReducePatterns(const TypeConverter &, Patterns &,
                            const TargetHooks &);
void populateScanPatterns(const TypeConverter &, Patterns &,
                          const TargetHooks &);
void populateMapElementwisePatterns(const TypeConverter &, Patterns &,
                                    const TargetHooks &);
void populateHistogramPatterns(const TypeConverter &, Patterns &,
                               const TargetHooks &);
void populateIndexedPatterns(const TypeConverter &, Patterns &,
                             const TargetHooks &);
void populateLocalMemoryPatterns(const TypeConverter &, Patterns &,
                                 const TargetHooks &);
void populateBarrierPatterns(const TypeConverter &, Patterns &,
                             const TargetHooks &);
void populateDebugPatterns(const TypeConverter &, Patterns &,
                           const TargetHooks &);
void populateGlobalScratchPatterns(const TypeConverter &, Patterns &,
                                   const TargetHooks &);
void populateLoadStorePatterns(const TypeConverter &, Patterns &,
                               const TargetHooks &);
void populateAtomicPatterns(const TypeConverter &, Patterns &,
                            const TargetHooks &);
void populateAtomicPollPatterns(const TypeConverter &, Patterns &,
                                const TargetHooks &);
void populateDotFmaPatterns(const TypeConverter &, Patterns &,
                            const TargetHooks &);
// nvidia/
void populateAsyncCopyPatterns(const TypeConverter &, Patterns &,
                               const TargetHooks &);
void populateLoadMatrixPatterns(const TypeConverter &, Patterns &,
                                const TargetHooks &);
void populateMBarrierPatterns(const TypeConverter &, Patterns &,
                              const TargetHooks &);
void populateMmaPatterns(const TypeConverter &, Patterns &,
                         const TargetHooks &);
void populateAsyncSharedStorePatterns(const TypeConverter &, Patterns &,
                                      const TargetHooks &);
void populateGridDependencyPatterns(const TypeConverter &, Patterns &,
                                    const TargetHooks &);
void populateScaledMmaPatterns(const TypeConverter &, Patterns &,
                               const TargetHooks &);
void populateStoreMatrixPatterns(const TypeConverter &, Patterns &,
                                 const TargetHooks &);
void populateTensormapPatterns(const TypeConverter &, Patterns &,
                               const TargetHooks &);
void populateTmaPatterns(const TypeConverter &, Patterns &,
                         const TargetHooks &);
void populateTmaGatherPatterns(const TypeConverter &, Patterns &,
                               const TargetHooks &);
void populateWgmmaPatterns(const TypeConverter &, Patterns &,
                           const TargetHooks &);
// amd/
void populateBufferPatterns(const TypeConverter &, Patterns &,
                            const TargetHooks &);
void populateBufferToLdsPatterns(const TypeConverter &, Patterns &,
                                 const TargetHooks &);
void populateCopyToLdsPatterns(const TypeConverter &, Patterns &,
                               const TargetHooks &);
void populateBufferAtomicPatterns(const TypeConverter &, Patterns &,
                                  const TargetHooks &);
void populateRegisterMovePatterns(const TypeConverter &, Patterns &,
                                  const TargetHooks &);
void populateMfmaPatterns(const TypeConverter &, Patterns &,
                          const TargetHooks &);
void populateWmmaPatterns(const TypeConverter &, Patterns &,
                          const TargetHooks &);
void populateScaledDotPatterns(const TypeConverter &, Patterns &,
                               const TargetHooks &);
void populateScaledDowncastPatterns(const TypeConverter &, Patterns &,
                                    const TargetHooks &);
void populateScaledUpcastPatterns(const TypeConverter &, Patterns &,
                                  const TargetHooks &);
void populateThreadIdPatterns(const TypeConverter &, Patterns &,
                              const TargetHooks &);
void populateSchedulingPatterns(const TypeConverter &, Patterns &,
                                const TargetHooks &);
void populateTensorDataMoverPatterns(const TypeConverter &, Patterns &,
                                     const TargetHooks &);
void populateLdsBarrierPatterns(const TypeConverter &, Patterns &,
                                const TargetHooks &);
void populateTransposingReadPatterns(const TypeConverter &, Patterns &,
                                     const TargetHooks &);
void populateTensorDescriptorPatterns(const TypeConverter &, Patterns &,
                                      const TargetHooks &);
void populateLaneOpPatterns(const TypeConverter &, Patterns &,
                            const TargetHooks &);
void populatePackedTransposedPatterns(const TypeConverter &, Patterns &,
                                      const TargetHooks &);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_LOWERING_H
