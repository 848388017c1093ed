//===- MemdescWindow.cpp - Which part of a buffer a memdesc is ------------===//

#include "executor/ops/MemdescWindow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace kernelscope::executor {

Whole::Whole(ttg::MemDescType type) {
  const auto window =
      ttg::dropPipeliningDim(type.getShape(), type.getEncoding());
  ring = type.getRank() - window.size();
  shape.assign(type.getShape().begin(), type.getShape().begin() + ring);
  const auto allocated =
      ttg::dropPipeliningDim(type.getAllocShape(), type.getEncoding());
  shape.append(allocated.begin(), allocated.end());
}

namespace {

/// The values of which `memory`, the argument of a region or the result of an
/// op with regions, is one; empty when they are not known.
SmallVector<Value> sourcesOf(Value memory) {
  SmallVector<Value> sources;
  auto argument = dyn_cast<BlockArgument>(memory);
  if (argument && !argument.getOwner()->isEntryBlock())
    return sources;
  Operation *op =
      argument ? argument.getOwner()->getParentOp() : memory.getDefiningOp();
  const size_t index = argument ? argument.getArgNumber()
                                : cast<OpResult>(memory).getResultNumber();
  if (auto loop = dyn_cast_or_null<LoopLikeOpInterface>(op)) {
    BlockArgument carried =
        argument ? argument
                 : loop.getTiedLoopRegionIterArg(cast<OpResult>(memory));
    OpOperand *init = carried ? loop.getTiedLoopInit(carried) : nullptr,
              *next = init ? loop.getTiedLoopYieldedValue(carried) : nullptr;
    return next ? SmallVector<Value>{init->get(), next->get()} : sources;
  }
  if (auto partitions = dyn_cast<ttg::WarpSpecializePartitionsOp>(op))
    return {partitions.getExplicitCaptures()[index]};
  if (isa<arith::SelectOp>(op))
    return {op->getOperand(1), op->getOperand(2)};
  if (isa<scf::IfOp>(op))
    for (Region &region : op->getRegions())
      sources.push_back(region.front().getTerminator()->getOperand(index));
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    if (function.isPrivate())
      if (auto uses = SymbolTable::getSymbolUses(
              function, function->getParentOfType<ModuleOp>()))
        for (const SymbolTable::SymbolUse &use : *uses)
          if (auto call = dyn_cast<CallOpInterface>(use.getUser()))
            sources.push_back(call.getArgOperands()[index]);
  return sources;
}

/// Of values that are looked at; none before it is known.
using Starts = DenseMap<Value, std::optional<Place>>;

std::optional<Place> startInMemory(Value memory, Starts &known);

/// The one start of all that `memory` may be.
std::optional<Place> commonStart(Value memory, Starts &known) {
  auto [found, isNew] = known.try_emplace(memory);
  if (!isNew)
    return found->second;
  std::optional<Place> start;
  for (Value source : sourcesOf(memory)) {
    if (source.getType() != memory.getType())
      return std::nullopt;
    auto one = startInMemory(source, known);
    if (!one || (start && *start != *one))
      return std::nullopt;
    // What a loop goes on with may be the argument itself.
    start = known[memory] = *one;
  }
  return start;
}

std::optional<Place> startInMemory(Value memory, Starts &known) {
  auto type = cast<ttg::MemDescType>(memory.getType());
  const size_t rank = type.getRank();
  if (Whole(type).shape == type.getShape())
    return Place(rank, 0);
  Operation *op = memory.getDefiningOp();
  if (auto slice = dyn_cast_or_null<ttg::MemDescSubsliceOp>(op)) {
    auto start = startInMemory(slice.getSrc(), known);
    for (auto [dim, offset] : llvm::enumerate(slice.getOffsets()))
      if (start)
        (*start)[dim] += offset;
    return start;
  }
  if (auto index = dyn_cast_or_null<ttg::MemDescIndexOp>(op)) {
    auto start = startInMemory(index.getSrc(), known);
    if (start)
      start->erase(start->begin());
    return start;
  }
  if (auto trans = dyn_cast_or_null<ttg::MemDescTransOp>(op)) {
    auto start = startInMemory(trans.getSrc(), known);
    if (!start)
      return std::nullopt;
    Place turned;
    for (int32_t dim : trans.getOrder())
      turned.push_back((*start)[dim]);
    return turned;
  }
  return commonStart(memory, known);
}

} // namespace

std::optional<Place> windowStart(Value memory) {
  Starts known;
  return startInMemory(memory, known);
}

} // namespace kernelscope::executor
