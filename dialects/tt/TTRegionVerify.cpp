//===- TTRegionVerify.cpp - Rules of regions and functions ----------------===//

#include "dialects/layout/Counted.h"
#include "dialects/tt/TT.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope::tt;

//===----------------------------------------------------------------------===//
// Ops with a region
//===----------------------------------------------------------------------===//

template <typename Op> static LogicalResult verifyCombining(Op op) {
  if (op.getNumOperands() == 0)
    return op.emitOpError("needs at least one source");
  if (op.getNumOperands() != op.getNumResults())
    return op.emitOpError()
           << "needs a result for each of its " << op.getNumOperands()
           << " sources, but has " << op.getNumResults();
  int64_t axis = op.getAxisAttr().getInt();
  for (RankedTensorType type : op.getInputTypes())
    if (axis < 0 || axis >= type.getRank())
      return op.emitOpError()
             << "needs " << kernelscope::describeAxes(type.getRank())
             << ", but has " << axis;
  return success();
}

/// The list `found` must be `needed`; `what` names it.
static LogicalResult verifyTypes(Operation *op, StringRef what, TypeRange found,
                                 TypeRange needed) {
  if (llvm::equal(found, needed))
    return success();
  return op->emitOpError() << "needs " << what << " (" << needed
                           << "), but has (" << found << ")";
}

template <typename Return, typename Op>
static LogicalResult verifyCombination(Op op) {
  SmallVector<Type> elements = op.getElementTypes(), accumulators(elements);
  accumulators.append(elements);
  Block &block = op.getCombineOp().front();
  if (failed(verifyTypes(op, "a region whose arguments are two accumulators",
                         block.getArgumentTypes(), accumulators)))
    return failure();
  auto end = dyn_cast<Return>(block.getTerminator());
  if (!end)
    return op.emitOpError()
           << "needs a region that ends in " << Return::getOperationName()
           << ", but it ends in " << block.getTerminator()->getName();
  return verifyTypes(op, "a region that returns one accumulator",
                     end->getOperandTypes(), elements);
}

LogicalResult ReduceOp::verify() { return verifyCombining(*this); }
LogicalResult ReduceOp::verifyRegions() {
  return verifyCombination<ReduceReturnOp>(*this);
}
LogicalResult ScanOp::verify() { return verifyCombining(*this); }
LogicalResult ScanOp::verifyRegions() {
  return verifyCombination<ScanReturnOp>(*this);
}

LogicalResult MapElementwiseOp::verify() {
  int64_t pack = getPackAttr().getInt();
  if (getNumOperands() == 0)
    return emitOpError("needs at least one source");
  if (pack < 1 || pack > maxTensorElements || !llvm::isPowerOf2_64(pack))
    return emitOpError() << "needs a pack that is a power of two, but it is "
                         << pack;
  if (getScalarOp().empty())
    return emitOpError("needs a non-empty region");
  return success();
}

LogicalResult MapElementwiseOp::verifyRegions() {
  auto packed = [&](TypeRange types) {
    SmallVector<Type> scalars;
    for (Type type : types)
      scalars.append(getPackAttr().getInt(), getElementTypeOrSelf(type));
    return scalars;
  };
  if (failed(verifyTypes(*this, "a region that takes the scalars",
                         getScalarOp().front().getArgumentTypes(),
                         packed(getOperandTypes()))))
    return failure();
  SmallVector<Type> results = packed(getResultTypes());
  WalkResult walk = getScalarOp().walk([&](Operation *op) -> WalkResult {
    // A store would run once for each copy of an element.
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (effects && effects.hasEffect<MemoryEffects::Write>())
      return op->emitOpError(
          "writes memory, which the region of tt.map_elementwise must not do");
    if (isa<MapElementwiseReturnOp>(op))
      return verifyTypes(op, "the scalars of the results",
                         op->getOperandTypes(), results);
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult ReturnOp::verify() {
  auto function = cast<FuncOp>((*this)->getParentOp());
  return verifyTypes(*this, "the result types of the function",
                     getOperandTypes(), function.getResultTypes());
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError() << "calls " << getCalleeAttr()
                         << ", but the module has no tt.func of that name";
  if (failed(verifyTypes(*this, "operands of the callee's argument types",
                         getOperandTypes(), callee.getArgumentTypes())))
    return failure();
  return verifyTypes(*this, "results of the callee's result types",
                     getResultTypes(), callee.getResultTypes());
}
