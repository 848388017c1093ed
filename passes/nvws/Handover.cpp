//===- Handover.cpp - One value from partition to partition ---------------===//

#include "passes/nvws/Handover.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/SharedCost.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/nvws/Handing.h"
#include "passes/nvws/MemoryForm.h"
#include "passes/nvws/Rings.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace kernelscope;
using nvws::AsyncOp;
using nvws::MarkedBuilder;

namespace {

using Partitions = SmallVector<int32_t, 4>;

Partitions listOf(DenseI32ArrayAttr owners) {
  return owners ? Partitions(owners.asArrayRef()) : Partitions();
}

/// The partitions that compute `value` of the loop; none if all can.
Partitions ownersOf(Value value) {
  if (auto result = dyn_cast<OpResult>(value))
    return listOf(
        nvws::ownersOfResult(result.getOwner(), result.getResultNumber()));
  auto argument = cast<BlockArgument>(value);
  std::optional<unsigned> number = nvws::resultOfArgument(argument);
  return number ? listOf(nvws::ownersOfResult(
                      argument.getOwner()->getParentOp(), *number))
                : Partitions();
}

/// The partitions that need the value of `use`. Of an `aref.phi` they are those
/// that have it already.
Partitions usersOf(OpOperand &use) {
  return isa<nvws::ArefPhiOp>(use.getOwner())
             ? Partitions()
             : listOf(nvws::partitionsOfUse(use));
}

/// Hands one value over, from the partition that computes it.
class Handover {
public:
  Handover(LoopLikeOpInterface loop, Value value) : loop(loop), value(value) {}

  LogicalResult run() {
    owners = ownersOf(value);
    if (owners.empty() || isa<ttg::AsyncTokenType>(value.getType()))
      return success();
    for (OpOperand &use : value.getUses())
      for (int32_t partition : usersOf(use))
        if (!llvm::is_contained(owners, partition))
          isNeeded = true;
    if (!isNeeded)
      return success();
    filler = value.getDefiningOp();
    if (sourceOf(filler)) {
      memory = cast<ttg::MemDescType>(value.getType());
      Operation *load = loadOfAlloc();
      memory = ttg::MemDescType::get(
          memory.getShape(), memory.getElementType(),
          isLoad(load) ? layoutOfLoad(load, memory.getEncoding())
                       : memory.getEncoding(),
          memory.getMemorySpace(), true);
    } else if ((form = nvws::MemoryForm::of(value.getType(), loop))) {
      memory = memoryOfLoad();
      if (!memory)
        memory = form->memory();
    } else {
      InFlightDiagnostic error =
          loop->emitOpError()
          << "has partitions that pass each other a " << value.getType()
          << "; only tensors with layouts, numbers, pointers and shared "
             "memory that is written once can be passed between partitions";
      error.attachNote(value.getLoc()) << "computed here";
      return error;
    }
    // Its own partition reads what TMA has written like the others.
    bool byMemory = isa<ttg::MemDescType>(value.getType()) || isLoad(filler);
    collectUses(/*ofOwners=*/byMemory);
    // A request for the next turn's work need not wait until all partitions
    // have read the response of this one.
    const bool isRequested =
        isa_and_nonnull<ttng::CLCTryCancelSyncOp>(loadOfAlloc());
    aref = nvws::createReference(loop, memory, /*depth=*/isRequested ? 2 : 1);
    put();
    for (auto &[partition, operands] : uses)
      if (failed(get(partition, operands)))
        return failure();
    replaceUses();
    if (byMemory)
      eraseFiller();
    return success();
  }

private:
  /// The tensor that an allocation is filled with; null for other ops.
  static Value sourceOf(Operation *op) {
    if (auto alloc = dyn_cast_or_null<ttg::LocalAllocOp>(op))
      return alloc.getSrc();
    if (auto alloc = dyn_cast_or_null<ttng::TMEMAllocOp>(op))
      return alloc.getSrc();
    return {};
  }
  static bool isLoad(Operation *op) {
    return isa_and_nonnull<tt::DescriptorLoadOp, tt::DescriptorGatherOp>(op);
  }

  /// The layout in which TMA writes what `load` gets; `other` if its descriptor
  /// has none.
  static Attribute layoutOfLoad(Operation *load, Attribute other) {
    Attribute layout =
        cast<tt::TensorDescInterface>(load->getOperand(0).getType())
            .getSharedLayout();
    return layout ? layout : other;
  }

  /// Where TMA writes the value if it is loaded by a descriptor with a layout;
  /// null if not.
  ttg::MemDescType memoryOfLoad() const {
    Attribute layout = isLoad(filler) ? layoutOfLoad(filler, {}) : Attribute();
    if (!layout)
      return {};
    auto tensor = cast<RankedTensorType>(value.getType());
    return ttg::MemDescType::get(
        tensor.getShape(), tensor.getElementType(), layout,
        ttg::SharedMemorySpaceAttr::get(tensor.getContext()), true);
  }

  void collectUses(bool ofOwners) {
    for (OpOperand &use : value.getUses())
      for (int32_t partition : usersOf(use))
        if (ofOwners || !llvm::is_contained(owners, partition))
          uses[partition].push_back(&use);
  }

  /// Right after the value, in the first partition that computes it.
  MarkedBuilder afterValue() {
    OpBuilder b(loop);
    Operation *marked = filler;
    if (filler)
      b.setInsertionPointAfter(filler);
    else
      b.setInsertionPointToStart(value.getParentBlock());
    // TMA starts with its load, not with the buffer.
    if (Operation *load = loadOfAlloc())
      marked = load;
    MarkedBuilder at(b, value.getLoc(), marked);
    at.setPartition(owners.front());
    return at;
  }

  /// Whether TMA puts each element of `load` where the buffer has it.
  static bool isFilledBy(ttg::LocalAllocOp alloc, Operation *load) {
    Attribute own = alloc.getType().getEncoding(),
              layout = layoutOfLoad(load, own);
    if (layout == own)
      return true;
    auto shape = alloc.getType().getShape();
    std::string error;
    auto places = ttg::toLinearLayout(shape, layout, error);
    return places && places == ttg::toLinearLayout(shape, own, error);
  }

  /// What fills the buffer that is the value, and completes on its barrier: a
  /// load, or a request for another cluster's work, whose result nothing else
  /// uses.
  Operation *loadOfAlloc() const {
    auto alloc = dyn_cast_or_null<ttg::LocalAllocOp>(filler);
    Operation *source =
        alloc && alloc.getSrc() ? alloc.getSrc().getDefiningOp() : nullptr;
    const bool isAsync =
        isLoad(source) ? isFilledBy(alloc, source)
                       : isa_and_nonnull<ttng::CLCTryCancelSyncOp>(source);
    return isAsync && source->hasOneUse() ? source : nullptr;
  }

  void put() {
    MarkedBuilder at = afterValue();
    nvws::Handed region = nvws::enterPut(at, aref);
    Operation *load = isLoad(filler) ? filler : loadOfAlloc();
    auto bytes = static_cast<int32_t>(ttg::bytesInCTA(memory).value_or(0));
    if (auto block = dyn_cast_or_null<tt::DescriptorLoadOp>(load)) {
      at.make<nvws::DescriptorLoadOp>(block.getDesc(), block.getIndices(),
                                      bytes, region.buffer, block.getCache(),
                                      block.getEvict());
    } else if (auto rows = dyn_cast_or_null<tt::DescriptorGatherOp>(load)) {
      at.make<nvws::DescriptorGatherOp>(rows.getDesc(), rows.getXOffsets(),
                                        rows.getYOffset(), bytes,
                                        region.buffer);
    } else if (isa_and_nonnull<ttng::CLCTryCancelSyncOp>(load)) {
      at.make<nvws::CLCTryCancelOp>(region.buffer);
      nvws::exitPut(at, region, {AsyncOp::CLC});
      return;
    } else {
      if (form)
        form->store(at, value, region.buffer);
      else if (isa<ttng::TMEMAllocOp>(filler))
        at.make<ttng::TMEMStoreOp>(
            Type(), region.buffer, Value(), sourceOf(filler),
            at.make<arith::ConstantOp>(at.b.getBoolAttr(true)));
      else
        at.make<ttg::LocalStoreOp>(sourceOf(filler), region.buffer);
    }
    nvws::exitPut(at, region, {load ? AsyncOp::TMALoad : AsyncOp::NONE});
  }

  LogicalResult get(int32_t partition, ArrayRef<OpOperand *> operands) {
    Block *block = value.getParentBlock();
    Operation *first = nullptr, *last = nullptr, *outside = nullptr;
    SmallVector<AsyncOp> kinds;
    auto cover = [&](Operation *op) {
      Operation *at = block->findAncestorOpInBlock(*op);
      if (!at) {
        outside = op;
        return;
      }
      if (!first || at->isBeforeInBlock(first))
        first = at;
      if (!last || last->isBeforeInBlock(at))
        last = at;
    };
    auto use = [&](Operation *op) {
      cover(op);
      if (AsyncOp kind = nvws::kindOf(op); !llvm::is_contained(kinds, kind))
        kinds.push_back(kind);
    };
    for (OpOperand *operand : operands) {
      Operation *user = operand->getOwner();
      cover(user);
      if (!isa<ttg::MemDescType>(value.getType()))
        continue;
      if (user->hasTrait<ttg::MemDescView>())
        nvws::forEachAccess(user->getResult(0), use);
      else
        use(user);
    }
    if (outside) {
      InFlightDiagnostic error = outside->emitOpError(
          "uses a value of another block in a loop of partitions, which must "
          "have structured control flow");
      error.attachNote(value.getLoc()) << "computed here";
      return error;
    }
    MarkedBuilder at(first);
    at.setPartition(partition);
    nvws::Handed region = nvws::enterGet(at, aref);
    if (form) {
      given[partition] = form->load(at, region.buffer);
      nvws::exitGet(at, region, {AsyncOp::NONE});
      return success();
    }
    given[partition] = region.buffer;
    if (kinds.empty())
      kinds.push_back(AsyncOp::NONE);
    MarkedBuilder end(last);
    end.setPartition(partition);
    if (!last->hasTrait<OpTrait::IsTerminator>())
      end.b.setInsertionPointAfter(last);
    nvws::exitGet(end, region, kinds);
    return success();
  }

  /// Ops of several partitions take in each what that has.
  void replaceUses() {
    llvm::MapVector<OpOperand *, Partitions> users;
    for (auto &[partition, operands] : uses)
      for (OpOperand *operand : operands)
        users[operand].push_back(partition);
    for (auto &[operand, partitions] : users) {
      Partitions have;
      Value chosen;
      if (partitions.size() != usersOf(*operand).size()) {
        have = owners;
        chosen = value;
      }
      for (int32_t partition : partitions) {
        have.push_back(partition);
        Value own = given.lookup(partition);
        if (!chosen) {
          chosen = own;
          continue;
        }
        OpBuilder b(operand->getOwner());
        chosen = nvws::ArefPhiOp::create(b, value.getLoc(), chosen, own);
        nvws::setPartitions(chosen.getDefiningOp(), have);
      }
      operand->set(chosen);
      if (isa<ttg::MemDescType>(value.getType()))
        nvws::retype(chosen, chosen.getType());
    }
  }

  void eraseFiller() {
    Operation *source = loadOfAlloc();
    if (!filler->use_empty())
      return;
    filler->erase();
    if (source)
      source->erase();
  }

  LoopLikeOpInterface loop;
  Value value, aref;
  Operation *filler = nullptr;
  Partitions owners;
  bool isNeeded = false;
  ttg::MemDescType memory;
  std::optional<nvws::MemoryForm> form; ///< of tensors and scalars
  llvm::MapVector<int32_t, SmallVector<OpOperand *>> uses;
  DenseMap<int32_t, Value> given;
};

} // namespace

LogicalResult nvws::handOver(LoopLikeOpInterface loop, Value value) {
  return Handover(loop, value).run();
}

void nvws::handResultOver(LoopLikeOpInterface loop, OpResult result) {
  Partitions owners = ownersOf(result);
  if (owners.empty() || llvm::is_contained(owners, 0))
    return;
  std::optional<MemoryForm> form = MemoryForm::of(result.getType(), loop);
  if (!form)
    return;
  SmallVector<OpOperand *> uses;
  Operation *first = nullptr;
  for (OpOperand &use : result.getUses()) {
    Operation *at = loop->getBlock()->findAncestorOpInBlock(*use.getOwner());
    if (!at || nvws::partitionOf(use.getOwner()))
      continue;
    uses.push_back(&use);
    if (!first || at->isBeforeInBlock(first))
      first = at;
  }
  if (uses.empty())
    return;
  Value aref = nvws::createReference(loop, form->memory(), /*depth=*/1);
  OpBuilder b(loop);
  b.setInsertionPointAfter(loop);
  MarkedBuilder put(b, result.getLoc(), loop);
  put.setPartition(owners.front());
  nvws::Handed region = nvws::enterPut(put, aref);
  form->store(put, result, region.buffer);
  nvws::exitPut(put, region, {AsyncOp::NONE});
  MarkedBuilder get(OpBuilder(first), result.getLoc(), nullptr);
  region = nvws::enterGet(get, aref);
  Value got = form->load(get, region.buffer);
  nvws::exitGet(get, region, {AsyncOp::NONE});
  for (OpOperand *use : uses)
    use->set(got);
}
