//===- Summands.h - Indices and addresses as sums of values -----*- C++ -*-===//
//
// Takes sums apart without asking how large their summands are, so that two
// indices can be recognised as the same.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_SUMMANDS_H
#define KERNELSCOPE_SERVER_RUN_SUMMANDS_H

#include "dialects/tt/TT.h"
#include "mlir/IR/Value.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace kernelscope::run {

/// An index: values, each without the ops that only move or extend its
/// elements, and a constant. Summands that are constants are not among them.
struct Sum {
  llvm::SmallVector<mlir::Value> summands;
  int64_t constant = 0;

  /// Whether the values are the same, or are computed alike, in any order.
  bool hasSameSummands(const Sum &other) const;
  /// What is left when all of `part`'s summands are taken away; none when one
  /// of them is not there.
  std::optional<Sum> without(const Sum &part) const;
};

/// The summands of an index.
Sum sumOf(mlir::Value index);

/// An address as an argument of the kernel and what is added to it.
struct Address {
  mlir::BlockArgument buffer;
  Sum index;
};

/// The address that `access` uses; none when it is in no argument's buffer.
std::optional<Address> addressOf(const tt::GlobalAccess &access,
                                 mlir::FunctionOpInterface kernel);

/// The loads that `values`, which may be null, are made from.
llvm::SmallVector<tt::GlobalAccessOpInterface>
sourceLoads(llvm::ArrayRef<mlir::Value> values);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_SUMMANDS_H
