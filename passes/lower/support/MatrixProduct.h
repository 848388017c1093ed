//===- MatrixProduct.h - tt.dot by the instructions of a chip ---*- C++ -*-===//
//
// What the matrix units of both vendors have in common: the choice of the
// instruction, and which elements go into each.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_MATRIXPRODUCT_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_MATRIXPRODUCT_H

#include "passes/analysis/MatrixChoice.h"
#include "passes/lower/support/Lowering.h"
#include <map>
#include <vector>

namespace kernelscope::lower {

/// Emits one instruction: D = A * B + C, each as the elements of its fragment.
using EmitProduct = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    llvm::ArrayRef<mlir::Value> a, llvm::ArrayRef<mlir::Value> b,
    llvm::ArrayRef<mlir::Value> c)>;

/// Carries out `plan` on the elements of A, B and C; returns those of D.
llvm::SmallVector<mlir::Value> emitProducts(const DotPlan &plan,
                                            llvm::ArrayRef<mlir::Value> a,
                                            llvm::ArrayRef<mlir::Value> b,
                                            llvm::ArrayRef<mlir::Value> c,
                                            EmitProduct emit);

/// The same for tensors, of which lanes and registers beyond the end of K are
/// zeros (`DotPlan::idleLanes`).
llvm::SmallVector<mlir::Value>
emitProducts(Builder &b, const TargetHooks &hooks, const DotPlan &plan,
             mlir::Value x, mlir::Value y, mlir::Value sum, EmitProduct emit);

/// Makes `elements` zero in lanes in which a bit of `idleLanes` is set
/// (`DotPlan::idleLanes`).
void clearIdleLanes(Builder &b, const TargetHooks &hooks, uint32_t idleLanes,
                    llvm::MutableArrayRef<mlir::Value> elements);

/// A builder of the instructions of one product. Each of an operand's registers
/// goes to many of them.
class ProductBuilder : public Builder {
public:
  using Builder::Builder;

  /// The same as `joinBits`, once for the same elements.
  mlir::Value join(llvm::ArrayRef<mlir::Value> elements, mlir::Type type);

private:
  std::map<std::pair<std::vector<void *>, const void *>, mlir::Value> joined;
};

/// Emits one `instruction`: D = X * Y + sum, each as the elements of its
/// fragment.
using EmitInstruction = llvm::SmallVector<mlir::Value> (*)(
    ProductBuilder &b, const MatrixInstruction &instruction,
    llvm::ArrayRef<mlir::Value> x, llvm::ArrayRef<mlir::Value> y,
    llvm::ArrayRef<mlir::Value> sum);

/// What an attribute of a product says of the registers of its sums.
struct SumPlacement {
  /// An error if it says what cannot be.
  llvm::LogicalResult (*check)(mlir::Operation *op);
  /// Places the elements of a fragment before the first instruction that adds
  /// to it, and after the last.
  llvm::SmallVector<mlir::Value> (*place)(Builder &b, mlir::Operation *op,
                                          llvm::ArrayRef<mlir::Value> sum);
};

/// Adds the pattern that lowers tt.dot to the chip's instructions where one
/// fits, and leaves the others to FMA units.
void populateMatrixProductPattern(const TypeConverter &converter,
                                  Patterns &patterns, const TargetHooks &hooks,
                                  EmitInstruction emit,
                                  const SumPlacement *placement = nullptr);

/// Whether no step of `plan` before the `index`th adds to the same sums, or
/// none after it.
bool isFirstOfSums(const DotPlan &plan, size_t index);
bool isLastOfSums(const DotPlan &plan, size_t index);

/// `elements` as the bits of one value of `type`, the first lowest.
mlir::Value joinBits(Builder &b, llvm::ArrayRef<mlir::Value> elements,
                     mlir::Type type);

/// The inverse: `count` values of type `element` each from `value`.
llvm::SmallVector<mlir::Value> splitBits(Builder &b, mlir::Value value,
                                         mlir::Type element, unsigned count);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_MATRIXPRODUCT_H
