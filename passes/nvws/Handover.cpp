//===- Handover.cpp - One value from partition to partition ---------------===//

#include "passes/nvws/Handover.h"
#include "dialects/ttg/LayoutParts.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/nvws/Handing.h"
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
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument.getArgNumber() == 0)
    return {};
  return listOf(nvws::ownersOfResult(loop, argument.getArgNumber() - 1));
}

/// One stage of shared memory for a tensor that threads store and load.
ttg::MemDescType memoryFor(RankedTensorType type) {
  MLIRContext *context = type.getContext();
  SmallVector<unsigned> order(
      llvm::reverse(llvm::seq(0u, static_cast<unsigned>(type.getRank()))));
  auto cga = cast<ttg::LayoutEncodingTrait>(type.getEncoding()).getCGALayout();
  return ttg::MemDescType::get(
      type.getShape(), type.getElementType(),
      ttg::SwizzledSharedEncodingAttr::get(context, 1, 1, 1, order, cga),
      ttg::SharedMemorySpaceAttr::get(context), /*mutableMemory=*/true);
}

int32_t bytesPerCTA(ttg::MemDescType memory) {
  auto cga =
      cast<ttg::LayoutEncodingTrait>(memory.getEncoding()).getCGALayout();
  int64_t bytes = tt::bytesInMemory(memory.getElementType());
  for (int64_t size : ttg::parts::shapePerCTA(cga, memory.getShape()))
    bytes *= size;
  return static_cast<int32_t>(bytes);
}

/// A scalar as a tensor of one element, to go through memory.
RankedTensorType tensorOf(Type scalar, Operation *at) {
  MLIRContext *context = at->getContext();
  auto warps = static_cast<unsigned>(ttg::lookupNumWarps(at).value_or(4));
  auto ctas = static_cast<unsigned>(ttg::lookupNumCTAs(at).value_or(1));
  auto layout = ttg::BlockedEncodingAttr::get(
      context, {1}, {32}, {warps}, {0},
      ttg::CGAEncodingAttr::fromSplitParams(context, {ctas}, {1}, {0}));
  return RankedTensorType::get({1}, scalar, layout);
}

/// Hands one value over, from the partition that computes it.
class Handover {
public:
  Handover(scf::ForOp loop, Value value) : loop(loop), value(value) {}

  LogicalResult run() {
    owners = ownersOf(value);
    if (owners.empty() || isa<ttg::AsyncTokenType>(value.getType()))
      return success();
    for (OpOperand &use : value.getUses())
      for (int32_t partition : listOf(nvws::partitionsOfUse(use)))
        if (!llvm::is_contained(owners, partition))
          isNeeded = true;
    if (!isNeeded)
      return success();
    filler = value.getDefiningOp();
    if (sourceOf(filler)) {
      memory = cast<ttg::MemDescType>(value.getType());
      memory = ttg::MemDescType::get(memory.getShape(), memory.getElementType(),
                                     memory.getEncoding(),
                                     memory.getMemorySpace(), true);
    } else if (isa<RankedTensorType>(value.getType())) {
      tensor = cast<RankedTensorType>(value.getType());
      memory = memoryForLoad();
    } else if (value.getType().isIntOrFloat()) {
      tensor = tensorOf(value.getType(), loop);
      memory = memoryFor(tensor);
    } else {
      InFlightDiagnostic error =
          loop.emitOpError()
          << "has partitions that hand each other a " << value.getType()
          << "; only tensors, numbers and buffers of shared "
             "memory that are filled once can go between "
             "partitions";
      error.attachNote(value.getLoc()) << "computed here";
      return error;
    }
    // Its own partition reads what TMA has written like the others.
    bool byMemory = isa<ttg::MemDescType>(value.getType()) || isLoad(filler);
    collectUses(/*ofOwners=*/byMemory);
    aref = nvws::createReference(loop, memory, /*depth=*/1);
    put();
    for (auto &[partition, operands] : uses)
      get(partition, operands);
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

  /// Where TMA writes a loaded tensor, or threads store one.
  ttg::MemDescType memoryForLoad() const {
    Attribute layout;
    if (isLoad(filler))
      layout = cast<tt::TensorDescInterface>(filler->getOperand(0).getType())
                   .getSharedLayout();
    if (!layout)
      return memoryFor(tensor);
    return ttg::MemDescType::get(
        tensor.getShape(), tensor.getElementType(), layout,
        ttg::SharedMemorySpaceAttr::get(tensor.getContext()), true);
  }

  void collectUses(bool ofOwners) {
    for (OpOperand &use : value.getUses())
      for (int32_t partition : listOf(nvws::partitionsOfUse(use)))
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

  /// The load whose result the value, a buffer, is filled with, if that is all
  /// that uses it.
  Operation *loadOfAlloc() const {
    auto alloc = dyn_cast_or_null<ttg::LocalAllocOp>(filler);
    Operation *source =
        alloc && alloc.getSrc() ? alloc.getSrc().getDefiningOp() : nullptr;
    return isLoad(source) && source->hasOneUse() ? source : nullptr;
  }

  void put() {
    MarkedBuilder at = afterValue();
    nvws::Handed region = nvws::enterPut(at, aref);
    Operation *load = isLoad(filler) ? filler : loadOfAlloc();
    if (auto block = dyn_cast_or_null<tt::DescriptorLoadOp>(load)) {
      at.make<nvws::DescriptorLoadOp>(block.getDesc(), block.getIndices(),
                                      bytesPerCTA(memory), region.buffer,
                                      block.getCache(), block.getEvict());
    } else if (auto rows = dyn_cast_or_null<tt::DescriptorGatherOp>(load)) {
      at.make<nvws::DescriptorGatherOp>(rows.getDesc(), rows.getXOffsets(),
                                        rows.getYOffset(), bytesPerCTA(memory),
                                        region.buffer);
    } else {
      Value stored = sourceOf(filler) ? sourceOf(filler) : value;
      if (tensor && tensor != value.getType())
        stored = at.make<tt::SplatOp>(tensor, value);
      if (isa_and_nonnull<ttng::TMEMAllocOp>(filler))
        at.make<ttng::TMEMStoreOp>(
            Type(), region.buffer, Value(), stored,
            at.make<arith::ConstantOp>(at.b.getBoolAttr(true)));
      else
        at.make<ttg::LocalStoreOp>(stored, region.buffer);
    }
    nvws::exitPut(at, region, {load ? AsyncOp::TMALoad : AsyncOp::NONE});
  }

  void get(int32_t partition, ArrayRef<OpOperand *> operands) {
    Block *block = value.getParentBlock();
    Operation *first = nullptr, *last = nullptr;
    SmallVector<AsyncOp> kinds;
    auto cover = [&](Operation *op) {
      Operation *at = nvws::ancestorIn(block, op);
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
    MarkedBuilder at(first);
    at.setPartition(partition);
    nvws::Handed region = nvws::enterGet(at, aref);
    if (tensor) {
      Value got = at.make<ttg::LocalLoadOp>(tensor, region.buffer);
      nvws::exitGet(at, region, {AsyncOp::NONE});
      if (tensor != value.getType())
        got = at.make<tt::UnsplatOp>(got);
      given[partition] = got;
      return;
    }
    given[partition] = region.buffer;
    if (kinds.empty())
      kinds.push_back(AsyncOp::NONE);
    MarkedBuilder end(last);
    end.setPartition(partition);
    if (!last->hasTrait<OpTrait::IsTerminator>())
      end.b.setInsertionPointAfter(last);
    nvws::exitGet(end, region, kinds);
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
      if (partitions.size() != listOf(nvws::partitionsOfUse(*operand)).size()) {
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
        chosen.getDefiningOp()->setAttr("ttg.partition",
                                        b.getDenseI32ArrayAttr(have));
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

  scf::ForOp loop;
  Value value, aref;
  Operation *filler = nullptr;
  Partitions owners;
  bool isNeeded = false;
  ttg::MemDescType memory;
  RankedTensorType tensor; ///< what threads load; null for buffers
  llvm::MapVector<int32_t, SmallVector<OpOperand *>> uses;
  DenseMap<int32_t, Value> given;
};

} // namespace

LogicalResult nvws::handOver(scf::ForOp loop, Value value) {
  return Handover(loop, value).run();
}

void nvws::handResultOver(scf::ForOp loop, OpResult result) {
  Partitions owners = ownersOf(result);
  if (owners.empty() || llvm::is_contained(owners, 0))
    return;
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type && !result.getType().isIntOrFloat())
    return;
  SmallVector<OpOperand *> uses;
  Operation *first = nullptr;
  for (OpOperand &use : result.getUses()) {
    Operation *at = nvws::ancestorIn(loop->getBlock(), use.getOwner());
    if (!at || nvws::partitionOf(use.getOwner()))
      continue;
    uses.push_back(&use);
    if (!first || at->isBeforeInBlock(first))
      first = at;
  }
  if (uses.empty())
    return;
  RankedTensorType tensor = type ? type : tensorOf(result.getType(), loop);
  Value aref = nvws::createReference(loop, memoryFor(tensor), /*depth=*/1);
  OpBuilder b(loop);
  b.setInsertionPointAfter(loop);
  MarkedBuilder put(b, result.getLoc(), loop);
  put.setPartition(owners.front());
  nvws::Handed region = nvws::enterPut(put, aref);
  Value stored = result;
  if (!type)
    stored = put.make<tt::SplatOp>(tensor, result);
  put.make<ttg::LocalStoreOp>(stored, region.buffer);
  nvws::exitPut(put, region, {AsyncOp::NONE});
  MarkedBuilder get(OpBuilder(first), result.getLoc(), nullptr);
  region = nvws::enterGet(get, aref);
  Value got = get.make<ttg::LocalLoadOp>(tensor, region.buffer);
  nvws::exitGet(get, region, {AsyncOp::NONE});
  if (!type)
    got = get.make<tt::UnsplatOp>(got);
  for (OpOperand *use : uses)
    use->set(got);
}
