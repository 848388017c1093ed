//===- Marks.h - The marks of partitions ------------------------*- C++ -*-===//
//
// Loops and branches that carry more values than before, and the marks of
// partitions on them.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_NVWS_MARKS_H
#define KERNELSCOPE_PASSES_NVWS_MARKS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

namespace kernelscope::nvws {

/// Replaces `op`, an scf.for, scf.if or scf.while, by one with more operands
/// and results, and its regions. `owners` are the partitions of each new
/// result, null for all that own the op. Block arguments and terminators are
/// left as they are.
mlir::Operation *grow(mlir::Operation *op, mlir::ValueRange operands,
                      mlir::TypeRange results,
                      llvm::ArrayRef<mlir::DenseI32ArrayAttr> owners);

/// The partitions that own result `number` of `op`; null if nothing says it.
mlir::DenseI32ArrayAttr ownersOfResult(mlir::Operation *op, size_t number);

/// Gives `to` the marks of `from` that say which partition it is in, and where
/// in a schedule.
void copyMarks(mlir::Operation *from, mlir::Operation *to);

/// Builds ops with the same marks at one place.
struct MarkedBuilder {
  /// Before `op`, with its marks.
  explicit MarkedBuilder(mlir::Operation *op);
  /// At the place of `b`, with the marks of `op`, or no marks of partitions.
  MarkedBuilder(mlir::OpBuilder b, mlir::Location loc, mlir::Operation *op)
      : b(b), loc(loc) {
    takeMarks(op);
  }

  template <typename Made, typename... Args> Made make(Args &&...args) {
    auto made = Made::create(b, loc, std::forward<Args>(args)...);
    mark(made);
    return made;
  }
  void mark(mlir::Operation *op) const {
    for (mlir::NamedAttribute each : marks)
      op->setAttr(each.getName(), each.getValue());
  }
  /// From here on ops are of this partition.
  void setPartition(int32_t partition);

  mlir::OpBuilder b;
  mlir::Location loc;

private:
  void takeMarks(mlir::Operation *op);
  mlir::NamedAttrList marks;
};

/// Removes all marks of partitions from `op`.
void eraseMarks(mlir::Operation *op);

} // namespace kernelscope::nvws

#endif // KERNELSCOPE_PASSES_NVWS_MARKS_H
