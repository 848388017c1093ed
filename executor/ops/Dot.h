//===- Dot.h - Matrix products ---------------------------------*- C++ -*-===//
//
// The product that the dot ops of all dialects share.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_OPS_DOT_H
#define KERNELSCOPE_EXECUTOR_OPS_DOT_H

#include "executor/plan/Planner.h"

namespace kernelscope::executor {

/// result = a * b + c, tensors of [batch, ...] rows and columns.
struct Product {
  mlir::Operation *op;
  mlir::Value a, b, c, result;
  bool tf32 = false; ///< f32 inputs keep 10 bits of their mantissa
};
Step planProduct(Planner &planner, const Product &product);

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_OPS_DOT_H
