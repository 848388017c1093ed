//===- LayoutAssignment.h - A layout for every tensor -----------*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTGIR_LAYOUTASSIGNMENT_H
#define KERNELSCOPE_PASSES_TTGIR_LAYOUTASSIGNMENT_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "passes/ttgir/ProductLayout.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace kernelscope::ttgir {

/// Gives each tensor of a function a layout, with as few conversions as it can.
///
/// Accesses to memory and products work in the layouts they are given. From
/// them layouts flow forward: a value computed from a loaded one keeps its
/// layout, through reductions, views and loops. Values that nothing pins down
/// (indices, masks, constants) are recomputed in every layout that is asked of
/// them. Where a pinned value is wanted in another layout, a conversion moves
/// it, above the ops that make it larger.
class LayoutAssignment {
public:
  LayoutAssignment(
      mlir::FunctionOpInterface function, const ThreadCounts &threads,
      const llvm::MapVector<mlir::Operation *, mlir::Attribute> &accessLayouts,
      const llvm::MapVector<mlir::Operation *, ProductLayout> &productLayouts,
      const Target &target);

  /// Rewrites the function. Fails, with a diagnostic, at an op for which no
  /// layout exists.
  llvm::LogicalResult apply();

private:
  using Wanted =
      llvm::MapVector<mlir::Value, llvm::SmallSetVector<mlir::Attribute, 2>>;

  void collectOps(mlir::Region &region);
  void collectFlows();
  void pin(mlir::Value value, mlir::Attribute layout);
  mlir::Attribute pinned(mlir::Value value) const;
  mlir::Attribute pinnedOrPlain(mlir::Value value) const;
  mlir::Attribute wantedBy(mlir::OpOperand &operand,
                           mlir::Attribute working) const;

  void decide();
  bool flowForward();
  bool isFree(mlir::Value value) const;
  bool takeWanted();
  bool decideOne();
  void storeWhereComputed();
  Wanted collectWanted() const;

  /// An op with a conversion of its operands in place of one of its result.
  struct Hoisted {
    mlir::Operation *op;
    mlir::Attribute working, result;
  };
  bool hoistConversions();
  bool hoistAboveParts();
  std::optional<llvm::SetVector<mlir::Operation *>>
  findParts(mlir::Value value, mlir::Attribute layout) const;
  uint64_t bytesMoved(mlir::Value value, mlir::Attribute layout,
                      const mlir::Operation *user, unsigned depth,
                      llvm::SmallVectorImpl<Hoisted> &above) const;

  llvm::LogicalResult place(mlir::Value value, mlir::OpBuilder &builder);
  llvm::LogicalResult placeOp(mlir::Operation *op);
  llvm::LogicalResult recompute(mlir::Operation *op);
  llvm::LogicalResult setOperands(mlir::Operation *op, mlir::Operation *from,
                                  mlir::Attribute working);

  mlir::FunctionOpInterface function;
  const ThreadCounts threads;
  const llvm::MapVector<mlir::Operation *, ProductLayout> &productLayouts;
  const Target &target;
  /// All ops on tensors, each after the definitions of its operands.
  std::vector<mlir::Operation *> ops;
  /// Decided layouts: of what ops work in, and of values.
  llvm::DenseMap<mlir::Operation *, mlir::Attribute> working;
  llvm::DenseMap<mlir::Value, mlir::Attribute> layouts;

  /// Operands that control flow hands on, and the block arguments or results
  /// that take them; all those that share an operand share a layout.
  llvm::MapVector<mlir::OpOperand *, llvm::SmallVector<mlir::Value>> flows;
  llvm::EquivalenceClasses<void *> groups;

  Wanted wanted;
  /// A value in a layout, where it is at hand.
  llvm::DenseMap<std::pair<mlir::Value, mlir::Attribute>, mlir::Value> placed;
};

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_LAYOUTASSIGNMENT_H
