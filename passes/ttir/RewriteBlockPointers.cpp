//===- RewriteBlockPointers.cpp - Block pointers as plain ones ------------===//
//
// `rewrite-block-pointers`: a pointer to a block of a tensor becomes what it is
// made of, wherever control flow carries it, and accesses by it become accesses
// by plain pointers.
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/Counted.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes/Passes.h"
#include "passes/ttir/BlockAccess.h"

using namespace mlir;
using namespace kernelscope;
using kernelscope::ttir::BlockAccess;

namespace kernelscope {
#define GEN_PASS_DEF_REWRITEBLOCKPOINTERS
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace {

/// What a block pointer is made of: the base, then for each dimension its size,
/// its stride and the offset of the block, all i64.
using Parts = SmallVector<Value>;

bool hasBlockPointer(TypeRange types) {
  return llvm::any_of(types, tt::isBlockPointer);
}

RankedTensorType blockOf(Value pointer) {
  return cast<RankedTensorType>(tt::getPointeeType(pointer.getType()));
}

/// Appends the types of the parts of `type`, a block pointer, or `type` itself.
void appendParts(Type type, SmallVectorImpl<Type> &types) {
  if (!tt::isBlockPointer(type)) {
    types.push_back(type);
    return;
  }
  types.push_back(tt::getBlockBaseType(type));
  int64_t rank = cast<RankedTensorType>(tt::getPointeeType(type)).getRank();
  types.append(static_cast<size_t>(3 * rank),
               IntegerType::get(type.getContext(), 64));
}

SmallVector<Type> typesInParts(TypeRange types) {
  SmallVector<Type> result;
  for (Type type : types)
    appendParts(type, result);
  return result;
}

class RewriteBlockPointers
    : public kernelscope::impl::RewriteBlockPointersBase<RewriteBlockPointers> {
public:
  void runOnOperation() override {
    if (!hasBlockPointers())
      return markAllAnalysesPreserved();
    parts.clear();
    dead.clear();
    blocks.clear();
    IRRewriter rewriter(&getContext());
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      (void)eraseUnreachableBlocks(rewriter, function->getRegions());
    SmallVector<Operation *> ops;
    // Definitions come before their uses, as far as they dominate them.
    getOperation()->walk<WalkOrder::PreOrder, ForwardDominanceIterator<>>(
        [&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      for (Region &region : op->getRegions())
        for (Block &block : region)
          splitArguments(op, block);
    for (Operation *op : ops)
      if (failed(rewrite(op)))
        return signalPassFailure();
    for (Operation *op : llvm::reverse(dead))
      op->erase();
    for (Block *block : blocks)
      eraseBlockPointers(*block);
  }

private:
  bool hasBlockPointers() {
    return getOperation()
        ->walk([](Operation *op) {
          bool found = hasBlockPointer(op->getOperandTypes()) ||
                       hasBlockPointer(op->getResultTypes());
          for (Region &region : op->getRegions())
            for (Block &block : region)
              found |= hasBlockPointer(block.getArgumentTypes());
          return found ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  void splitArguments(Operation *op, Block &block) {
    if (!hasBlockPointer(block.getArgumentTypes()))
      return;
    blocks.push_back(&block);
    // Parts come after what they are the parts of, which goes in the end.
    auto function = dyn_cast<FunctionOpInterface>(op);
    for (unsigned i = 0; i < block.getNumArguments(); ++i) {
      BlockArgument argument = block.getArgument(i);
      if (!tt::isBlockPointer(argument.getType()))
        continue;
      for (Type type : typesInParts(argument.getType())) {
        ++i;
        if (function && block.isEntryBlock())
          (void)function.insertArgument(i, type, {}, argument.getLoc());
        else
          block.insertArgument(i, type, argument.getLoc());
        parts[argument].push_back(block.getArgument(i));
      }
    }
  }

  static void eraseBlockPointers(Block &block) {
    llvm::BitVector gone(block.getNumArguments());
    for (BlockArgument argument : block.getArguments())
      if (tt::isBlockPointer(argument.getType()))
        gone.set(argument.getArgNumber());
    if (auto function = dyn_cast<FunctionOpInterface>(block.getParentOp());
        function && block.isEntryBlock())
      (void)function.eraseArguments(gone);
    else
      block.eraseArguments(gone);
  }

  /// The parts of `value`; itself if it is not a block pointer.
  Parts partsOf(Value value) const {
    auto found = parts.find(value);
    return found == parts.end() ? Parts{value} : found->second;
  }

  Parts partsOf(ValueRange values) const {
    Parts result;
    for (Value value : values)
      llvm::append_range(result, partsOf(value));
    return result;
  }

  LogicalResult rewrite(Operation *op) {
    if (auto make = dyn_cast<tt::MakeTensorPtrOp>(op)) {
      Parts made{make.getBase()};
      llvm::append_range(made, make.getShape());
      llvm::append_range(made, make.getStrides());
      llvm::append_range(made, widened(op, make.getOffsets()));
      replace(op, made);
    } else if (auto advance = dyn_cast<tt::AdvanceOp>(op)) {
      Parts moved = partsOf(advance.getPtr());
      Parts steps = widened(op, advance.getOffsets());
      if (moved.size() != 1 + 3 * steps.size())
        return advance.emitOpError("advances a block of ")
               << counted((moved.size() - 1) / 3, "dimension")
               << " with offsets for " << steps.size();
      OpBuilder b(op);
      auto offsets = MutableArrayRef(moved).take_back(steps.size());
      for (auto [offset, step] : llvm::zip(offsets, steps))
        offset = arith::AddIOp::create(b, op->getLoc(), offset, step);
      replace(op, moved);
    } else if (auto choice = dyn_cast<arith::SelectOp>(op);
               choice && tt::isBlockPointer(choice.getType())) {
      OpBuilder b(op);
      Parts chosen;
      for (auto [yes, no] : llvm::zip(partsOf(choice.getTrueValue()),
                                      partsOf(choice.getFalseValue())))
        chosen.push_back(arith::SelectOp::create(
            b, op->getLoc(), choice.getCondition(), yes, no));
      replace(op, chosen);
    } else if (auto load = dyn_cast<tt::LoadOp>(op);
               load && tt::isBlockPointer(load.getPtr().getType())) {
      if (load.getMask())
        return load.emitOpError("has both a mask and a block pointer; "
                                "'boundaryCheck' selects what is loaded");
      std::optional<tt::PaddingOption> padding;
      if (auto number = op->getAttrOfType<IntegerAttr>("padding"))
        padding =
            tt::symbolizePaddingOption(static_cast<uint32_t>(number.getInt()));
      load.replaceAllUsesWith(access(op, load.getPtr())
                                  .load(blockOf(load.getPtr()), padding,
                                        load.getCache(), load.getEvict(),
                                        load.getIsVolatile()));
      dead.push_back(op);
    } else if (auto store = dyn_cast<tt::StoreOp>(op);
               store && tt::isBlockPointer(store.getPtr().getType())) {
      if (store.getMask())
        return store.emitOpError("has both a mask and a block pointer; "
                                 "'boundaryCheck' selects what is stored");
      access(op, store.getPtr())
          .store(store.getValue(), store.getCache(), store.getEvict());
      dead.push_back(op);
    } else {
      carry(op);
    }
    return success();
  }

  static Parts widened(Operation *op, ValueRange offsets) {
    OpBuilder b(op);
    Parts result;
    for (Value offset : offsets)
      result.push_back(
          arith::ExtSIOp::create(b, op->getLoc(), b.getI64Type(), offset));
    return result;
  }

  void replace(Operation *op, const Parts &values) {
    parts[op->getResult(0)] = values;
    dead.push_back(op);
  }

  BlockAccess access(Operation *op, Value pointer) const {
    RankedTensorType block = blockOf(pointer);
    Parts values = partsOf(pointer);
    auto rank = static_cast<size_t>(block.getRank());
    auto parts = ArrayRef(values).drop_front();
    BlockAccess access(op,
                       {values.front(), llvm::to_vector(parts.take_front(rank)),
                        llvm::to_vector(parts.slice(rank, rank))},
                       block);
    ArrayRef<int32_t> checked;
    if (auto dims = op->getAttrOfType<DenseI32ArrayAttr>("boundaryCheck"))
      checked = dims;
    for (auto [dim, offset] : llvm::enumerate(parts.take_back(rank)))
      access.addRange(static_cast<unsigned>(dim), offset,
                      llvm::is_contained(checked, static_cast<int32_t>(dim)));
    return access;
  }

  /// Passes on parts wherever `op`, which knows nothing of them, passes on a
  /// block pointer.
  void carry(Operation *op) {
    if (auto function = dyn_cast<FunctionOpInterface>(op)) {
      if (hasBlockPointer(function.getResultTypes()))
        function.setType(cast<FunctionType>(function.getFunctionType())
                             .clone(function.getArgumentTypes(),
                                    typesInParts(function.getResultTypes())));
      return;
    }
    if (auto branch = dyn_cast<BranchOpInterface>(op)) {
      for (unsigned i = 0; i < op->getNumSuccessors(); ++i) {
        MutableOperandRange passed =
            branch.getSuccessorOperands(i).getMutableForwardedOperands();
        if (hasBlockPointer(OperandRange(passed).getTypes()))
          passed.assign(partsOf(OperandRange(passed)));
      }
      return;
    }
    if (hasBlockPointer(op->getOperandTypes()))
      op->setOperands(partsOf(op->getOperands()));
    if (!hasBlockPointer(op->getResultTypes()))
      return;
    OpBuilder b(op);
    Operation *wide = b.insert(Operation::create(
        op->getLoc(), op->getName(), typesInParts(op->getResultTypes()),
        op->getOperands(), op->getDiscardableAttrDictionary(),
        op->getPropertiesStorage(), op->getSuccessors(), op->getNumRegions()));
    for (auto [to, from] : llvm::zip(wide->getRegions(), op->getRegions()))
      to.takeBody(from);
    ResultRange rest = wide->getResults();
    for (Value result : op->getResults()) {
      size_t count = typesInParts(result.getType()).size();
      if (tt::isBlockPointer(result.getType()))
        parts[result] = Parts(rest.take_front(count));
      else
        result.replaceAllUsesWith(rest.front());
      rest = rest.drop_front(count);
    }
    dead.push_back(op);
  }

  llvm::DenseMap<Value, Parts> parts;
  /// What has been replaced, in order, and the blocks that had block pointers.
  SmallVector<Operation *> dead;
  SmallVector<Block *> blocks;
};

} // namespace
