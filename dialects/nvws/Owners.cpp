//===- Owners.cpp - Which warps use a reference ---------------------------===//

#include "dialects/nvws/Owners.h"
#include "dialects/ttg/TTG.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;

namespace kernelscope::nvws {

DenseI32ArrayAttr partitionOf(Operation *op) {
  return op->getAttrOfType<DenseI32ArrayAttr>(partitionName);
}

ArrayRef<int32_t> partitionsOf(Operation *op) {
  DenseI32ArrayAttr partitions = partitionOf(op);
  return partitions ? partitions.asArrayRef() : ArrayRef<int32_t>();
}

void setPartitions(Operation *op, ArrayRef<int32_t> partitions) {
  op->setAttr(partitionName,
              DenseI32ArrayAttr::get(op->getContext(), partitions));
}

Value originOf(Value value) {
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    auto partitions = dyn_cast_or_null<ttg::WarpSpecializePartitionsOp>(
        argument.getOwner()->getParentOp());
    if (!partitions || argument.getArgNumber() >= partitions->getNumOperands())
      break;
    value = partitions->getOperand(argument.getArgNumber());
  }
  return value;
}

bool isFilledByCopies(Value tokens) {
  auto made = originOf(tokens).getDefiningOp<CreateTokenOp>();
  return made && made.getLoadType() == TokenLoadType::AsyncLoadOp;
}

void forEachUser(Value value, function_ref<void(Operation *)> fn) {
  // The newest use is the first of the list.
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : value.getUses())
    uses.push_back(&use);
  for (OpOperand *use : llvm::reverse(uses)) {
    unsigned number = use->getOperandNumber();
    auto partitions =
        dyn_cast<ttg::WarpSpecializePartitionsOp>(use->getOwner());
    if (!partitions) {
      fn(use->getOwner());
      continue;
    }
    for (Region &region : partitions->getRegions())
      if (number < region.getNumArguments())
        forEachUser(region.getArgument(number), fn);
  }
}

static Owner ownerOf(Operation *op) {
  auto startsWarps = [](Operation *op) {
    return isa<WarpGroupOp, ttg::WarpSpecializeOp,
               ttg::WarpSpecializePartitionsOp>(op);
  };
  Region *region = op->getParentRegion();
  while (region->getParentOp() && !startsWarps(region->getParentOp()) &&
         region->getParentOp()->getParentRegion())
    region = region->getParentOp()->getParentRegion();
  return {region, partitionOf(op)};
}

Owners::Owners(ArrayRef<Operation *> ops) {
  for (bool isMarked : {true, false})
    for (Operation *op : ops)
      if (bool(partitionOf(op)) == isMarked && indexOf(op) == owners.size())
        owners.push_back(ownerOf(op));
}

size_t Owners::indexOf(Operation *op) const {
  const Owner owner = ownerOf(op);
  return llvm::find_if(owners,
                       [&](const Owner &other) {
                         return other == owner ||
                                (!owner.partition &&
                                 other.region == owner.region);
                       }) -
         owners.begin();
}

size_t Owners::countOf(ArrayRef<Operation *> ops) const {
  llvm::SmallSet<size_t, 4> found;
  for (Operation *op : ops)
    found.insert(indexOf(op));
  return found.size();
}

} // namespace kernelscope::nvws
