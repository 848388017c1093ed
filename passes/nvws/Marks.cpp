//===- Marks.cpp - The marks of partitions ----------------------===//

#include "passes/nvws/Marks.h"
#include "dialects/nvws/Owners.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace kernelscope::nvws {

DenseI32ArrayAttr ownersOfResult(Operation *op, size_t number) {
  auto outputs = op->getAttrOfType<ArrayAttr>(partitionOutputsName);
  if (!outputs)
    return partitionOf(op);
  return number < outputs.size() ? dyn_cast<DenseI32ArrayAttr>(outputs[number])
                                 : DenseI32ArrayAttr();
}

Operation *grow(Operation *op, ValueRange operands, TypeRange results,
                ArrayRef<DenseI32ArrayAttr> owners) {
  OpBuilder b(op);
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addOperands(operands);
  state.addTypes(op->getResultTypes());
  state.addTypes(results);
  state.addAttributes(op->getAttrs());
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *made = b.create(state);
  if (DenseI32ArrayAttr own = partitionOf(op)) {
    SmallVector<Attribute> outputs;
    for (size_t i = 0; i < op->getNumResults(); ++i) {
      DenseI32ArrayAttr of = ownersOfResult(op, i);
      outputs.push_back(of ? of : own);
    }
    for (DenseI32ArrayAttr of : owners)
      outputs.push_back(of ? of : own);
    made->setAttr(partitionOutputsName, b.getArrayAttr(outputs));
  }
  op->replaceAllUsesWith(made->getResults().take_front(op->getNumResults()));
  op->erase();
  return made;
}

static constexpr StringLiteral markNames[] = {
    partitionName, warpSpecializeTagName, "loop.stage", "loop.cluster"};

void copyMarks(Operation *from, Operation *to) { MarkedBuilder(from).mark(to); }

MarkedBuilder::MarkedBuilder(Operation *op) : b(op), loc(op->getLoc()) {
  takeMarks(op);
}

void MarkedBuilder::takeMarks(Operation *op) {
  for (StringRef name : markNames)
    if (Attribute value = op ? op->getAttr(name) : Attribute())
      marks.set(name, value);
}

void MarkedBuilder::setPartition(int32_t partition) {
  marks.set(partitionName, b.getDenseI32ArrayAttr({partition}));
}

void eraseMarks(Operation *op) {
  op->removeAttr(partitionName);
  op->removeAttr(partitionOutputsName);
  op->removeAttr(partitionStagesName);
}

} // namespace kernelscope::nvws
