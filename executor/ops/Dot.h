//===- Dot.h - Matrix products ---------------------------------*- C++ -*-===//
//
// The product that the dot ops of all dialects share.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_OPS_DOT_H
#define KERNELSCOPE_EXECUTOR_OPS_DOT_H

#include "executor/plan/Planner.h"

namespace kernelscope::executor {

/// d = a * b + c on dense tensors of [batch, ...] rows and columns; `d` may be
/// `c`.
using Multiply =
    std::function<void(const char *a, const char *b, const char *c, char *d)>;

/// The product of operands stored as `a` and `b` into accumulators stored as
/// `out`. With `tf32`, f32 inputs keep 10 bits of their mantissa. Null, with an
/// error on `op`, when these types have no product.
Multiply planMultiply(mlir::Operation *op, const Storage &a, const Storage &b,
                      const Storage &out, bool tf32);

/// result = a * b + c, all in registers.
struct Product {
  mlir::Operation *op;
  mlir::Value a, b, c, result;
  bool tf32 = false;
};
Step planProduct(Planner &planner, const Product &product);

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_OPS_DOT_H
