//===- Dot.h - Matrix products ---------------------------------*- C++ -*-===//
//
// The product that the dot ops of all dialects share.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_OPS_DOT_H
#define KERNELSCOPE_EXECUTOR_OPS_DOT_H

#include "executor/plan/Planner.h"

namespace kernelscope::executor {

/// Batches of rows x depth times depth x columns, all row-major.
struct ProductShape {
  size_t batches = 1, rows = 1, columns = 1, depth = 1;
  /// That of a result of shape [batch..., rows, columns].
  static ProductShape of(llvm::ArrayRef<int64_t> result, size_t depth);
};

/// c += a * b. In double, products of floats of up to 16 bits, of tf32 and of
/// i8 are exact; sums are rounded in the order of k.
void addProduct(const ProductShape &shape, const double *a, const double *b,
                double *c);

/// How the elements of an operand are read.
struct OperandElement {
  Element element;
  bool tf32 = false;       ///< f32 keeps 10 bits of its mantissa
  bool isUnsigned = false; ///< of integers
};
/// `count` elements as double.
std::vector<double> decodeElements(OperandElement of, const char *stored,
                                   size_t count);
/// Rounds each value to `element`; integers wrap.
void encodeElements(Element element, llvm::ArrayRef<double> values,
                    char *stored);

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
