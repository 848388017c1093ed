//===- AttentionProducts.h - Attention in tensor memory ---------*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTGIR_ATTENTIONPRODUCTS_H
#define KERNELSCOPE_PASSES_TTGIR_ATTENTIONPRODUCTS_H

#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/ttgir/BarrierRing.h"
#include <optional>

namespace kernelscope::ttgir {

/// The two products by `tcgen05.mma` of a loop of attention: the scores, whose
/// sum starts from zero, and the weighted sum, which the next iteration scales.
/// The scores of the next iteration are computed during the softmax of this
/// one, and the weighted sum during that of the next one.
class AttentionProducts {
public:
  /// Those of `loop`; `isKept` says of an operand that it is in shared memory
  /// to which threads do not write in the loop.
  static std::optional<AttentionProducts>
  find(mlir::scf::ForOp loop, llvm::function_ref<bool(mlir::Value)> isKept);

  /// What its barriers take of shared memory.
  static uint64_t barrierBytes(mlir::MLIRContext *context);

  /// Allocates, before the loop, what lives as long as it does.
  void allocate(mlir::OpBuilder &b);
  /// Starts the scores of the iteration whose operands are in `slot`, if
  /// `runs`. Those of the loop are in `ownSlot`.
  void startScores(mlir::OpBuilder &b, mlir::Value ownSlot, mlir::Value slot,
                   mlir::Value runs);
  /// Rewrites the body of iteration `iteration`, an i32; `startNext` starts the
  /// scores of the next one.
  void rewriteBody(mlir::OpBuilder &b, mlir::Value iteration,
                   llvm::function_ref<void()> startNext);
  /// Erases what has been replaced, and waits, after `replaced`, for the last
  /// of its `iterations`.
  void finish(mlir::OpBuilder &b, mlir::scf::ForOp replaced,
              mlir::Value iterations);

private:
  explicit AttentionProducts(mlir::scf::ForOp loop) : loop(loop) {}
  bool findScores(ttng::TCGen5MMAOp op, llvm::function_ref<bool(mlir::Value)>);
  bool findSum(ttng::TCGen5MMAOp op, llvm::function_ref<bool(mlir::Value)>);
  void waitForSum(mlir::OpBuilder &b, mlir::Value iteration);
  mlir::Value loadSum(mlir::OpBuilder &b);

  mlir::scf::ForOp loop;
  ttng::TCGen5MMAOp scores, sum;
  ttng::TMEMLoadOp scoresLoad, sumLoad;
  /// The sum of the iteration before, which result of the loop it is, and what
  /// reads it first.
  mlir::BlockArgument carried;
  unsigned carriedNumber = 0;
  mlir::Operation *firstUser = nullptr;
  llvm::SmallVector<mlir::Operation *> otherLayouts;
  /// The weights, which threads write; null if they are not.
  ttg::LocalAllocOp weights;

  mlir::Value scoresMemory, sumMemory, weightsMemory;
  BarrierRing barriers;
};

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_ATTENTIONPRODUCTS_H
