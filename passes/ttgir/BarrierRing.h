//===- BarrierRing.h - mbarriers that take turns ----------------*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTGIR_BARRIERRING_H
#define KERNELSCOPE_PASSES_TTGIR_BARRIERRING_H

#include "dialects/ttg/TTG.h"
#include "mlir/IR/Builders.h"

namespace kernelscope::ttgir {

/// mbarriers in shared memory, each for one arrival.
class BarrierRing {
public:
  BarrierRing() = default;
  /// Allocates and initialises `count` of them.
  BarrierRing(mlir::OpBuilder &b, mlir::Location loc, unsigned count);

  static ttg::MemDescType typeOf(mlir::MLIRContext *context, unsigned count);
  /// The one with the number `index`, an i32.
  mlir::Value at(mlir::OpBuilder &b, mlir::Location loc,
                 mlir::Value index) const;
  /// Invalidates them all, and frees their memory.
  void release(mlir::OpBuilder &b, mlir::Location loc) const;

private:
  mlir::Value at(mlir::OpBuilder &b, mlir::Location loc, unsigned index) const;

  mlir::Value memory;
};

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_BARRIERRING_H
