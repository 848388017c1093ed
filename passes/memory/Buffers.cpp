//===- Buffers.cpp - Who uses which memory, and when ----------------------===//

#include "passes/memory/Buffers.h"
#include "dialects/nvws/NVWS.h"
#include "dialects/target/TensorMemoryShapes.h"
#include "dialects/ttg/TTG.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "passes/memory/TensorCoreWaits.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::memory;

StringRef memory::placeNameOf(MemorySpace space) {
  return space == MemorySpace::Shared ? ttg::allocationOffsetName
                                      : ttg::tensorMemoryColumnName;
}

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

Buffers::Buffers(FunctionOpInterface function) {
  collect(function);
  findHalves(function);
  findLifetimes(function);
}

void Buffers::addBufferOf(Operation *op) {
  Buffer buffer{op, MemorySpace::Shared, false, 0, 0, {}, nullptr, {}, {}};
  if (auto alloc = dyn_cast<ttg::AllocOpInterface>(op)) {
    buffer.space = alloc.getAllocSpace();
    buffer.size = alloc.getAllocSize().value_or(0);
    buffer.alignment = alloc.getAllocAlignment();
  } else if (auto scratch = dyn_cast<ttg::ScratchOpInterface>(op)) {
    buffer.isScratch = true;
    buffer.size = scratch.getScratchBytes();
    // That of the widest access, or of a tensor map as a whole.
    buffer.alignment =
        buffer.size % 128 ? std::min(16u, llvm::bit_floor(buffer.size)) : 128;
  }
  if (!buffer.size)
    return;
  bufferOfOwner[op] = buffers.size();
  buffers.push_back(buffer);
}

void Buffers::collect(FunctionOpInterface function) {
  unsigned clock = 0;
  // Every op has a time that its regions lie within.
  std::function<void(Operation *)> visit = [&](Operation *op) {
    unsigned begin = clock++;
    addBufferOf(op);
    joinAliases(op);
    for (Region &region : op->getRegions()) {
      llvm::SmallPtrSet<Block *, 8> begun;
      for (Block &block : region) {
        begun.insert(&block);
        for (Block *next : block.getSuccessors())
          goesForward &= !begun.contains(next);
        for (Operation &nested : block)
          visit(&nested);
      }
    }
    times[op] = {begin, clock++};
  };
  visit(function);
  for (Value argument : function.getArguments())
    if (isa<ttg::MemDescType>(argument.getType()))
      aliases.insert(argument);
}

/// Joins descriptors that may point to the same memory.
void Buffers::joinAliases(Operation *op) {
  // A reference stands for its buffers: its regions are views of them.
  auto isMemory = [](Value value) {
    return isa<ttg::MemDescType, nvws::ArefType>(value.getType());
  };
  auto join = [&](Value a, Value b) {
    if (isMemory(a) && isMemory(b))
      aliases.unionSets(a, b);
  };
  for (Value result : op->getResults())
    if (isMemory(result))
      aliases.insert(result);
  if (auto branches = dyn_cast<RegionBranchOpInterface>(op)) {
    RegionBranchSuccessorMapping mapping;
    branches.getSuccessorOperandInputMapping(mapping);
    for (auto &[operand, inputs] : mapping)
      for (Value input : inputs)
        join(operand->get(), input);
    return;
  }
  if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    for (auto [index, successor] : llvm::enumerate(op->getSuccessors()))
      for (auto [operand, argument] :
           llvm::zip(branch.getSuccessorOperands(index).getForwardedOperands(),
                     successor->getArguments()))
        join(operand, argument);
    return;
  }
  if (isa<ttng::WarpGroupDotWaitOp>(op)) {
    for (auto [operand, result] :
         llvm::zip_equal(op->getOperands(), op->getResults()))
      join(operand, result);
    return;
  }
  // Views, selects and the like: a result may be any of the operands.
  for (Value result : op->getResults())
    for (Value operand : op->getOperands())
      join(result, operand);
}

SmallVector<const Buffers::Buffer *> Buffers::buffersOf(Value memory) const {
  SmallVector<const Buffer *> result;
  for (Value alias : aliases.members(memory)) {
    if (Operation *owner = alias.getDefiningOp())
      if (auto found = bufferOfOwner.find(owner); found != bufferOfOwner.end())
        result.push_back(&buffers[found->second]);
    if (auto found = received.find(alias); found != received.end())
      for (const Buffer *buffer : found->second)
        if (!llvm::is_contained(result, buffer))
          result.push_back(buffer);
  }
  return result;
}

bool Buffers::receive(Value memory, const Buffer *buffer) {
  SmallVector<const Buffer *> &known = received[memory];
  if (llvm::is_contained(known, buffer))
    return false;
  known.push_back(buffer);
  return true;
}

const Buffers::Buffer *Buffers::scratchOf(Operation *op) const {
  auto found = bufferOfOwner.find(op);
  if (found == bufferOfOwner.end() || !buffers[found->second].isScratch)
    return nullptr;
  return &buffers[found->second];
}

/// Whether blocks of 64 rows leave half of the lanes free.
static bool isHalf(Operation *op) {
  auto alloc = dyn_cast<ttng::TMEMAllocOp>(op);
  return alloc &&
         isa<ttng::TensorMemoryEncodingAttr>(alloc.getType().getEncoding()) &&
         ttng::getTensorMemorySize(alloc.getType()).rows ==
             tensorMemoryRows / 2;
}

/// A product has a left operand in tensor memory in the lanes of its result.
void Buffers::findHalves(FunctionOpInterface function) {
  for (auto [i, buffer] : llvm::enumerate(buffers)) {
    buffer.isHalf = isHalf(buffer.owner);
    sameLanes.insert(i);
  }
  auto join = [&](Value left, Value result) {
    for (const Buffer *a : buffersOf(left))
      for (const Buffer *d : buffersOf(result))
        if (a->isHalf && d->isHalf)
          sameLanes.unionSets(a - buffers.data(), d - buffers.data());
  };
  function->walk([&](Operation *op) {
    if (auto product = dyn_cast<ttng::TCGen5MMAOp>(op))
      join(product.getA(), product.getD());
    else if (auto scaled = dyn_cast<ttng::TCGen5MMAScaledOp>(op))
      join(scaled.getA(), scaled.getD());
  });
}

//===----------------------------------------------------------------------===//
// When it matters
//===----------------------------------------------------------------------===//

/// The partition of specialised warps that `op` is in, or null.
static Region *partitionOf(Operation *op) {
  Region *region = op->getParentRegion();
  while (region && !isa<ttg::WarpSpecializePartitionsOp>(region->getParentOp()))
    region = region->getParentRegion();
  return region;
}

/// The time of `use`, widened to what it may happen together with or after,
/// out of order: loops that `owner` is not in, and specialised warps. Within
/// `partition`, if it is not null.
Interval Buffers::timeOf(Operation *use, Operation *owner,
                         Region *partition) const {
  Interval time = times.lookup(use);
  for (Operation *around = use->getParentOp(); around;
       around = around->getParentOp()) {
    if (partition && around == partition->getParentOp())
      break;
    bool isRepeated =
        isa<LoopLikeOpInterface>(around) && !around->isAncestor(owner);
    if (isRepeated || isa<nvws::WarpGroupOp>(around))
      time = times.lookup(around);
    else if (isa<ttg::WarpSpecializePartitionsOp>(around))
      time = times.lookup(around->getParentOp());
  }
  return time;
}

/// How long the work that `use` starts on the tensor core for a buffer of
/// `owner` lasts; the op's own time for another op.
Interval Buffers::workOf(Operation *use, Operation *owner,
                         const TensorCoreWaits &waits) const {
  Interval time = timeOf(use, owner);
  if (!TensorCoreWaits::isIssuedBy(use))
    return time;
  auto end = waits.findEnd(use, owner);
  if (!end)
    return {0, ~0u};
  for (Operation *op : *end)
    time.extend(timeOf(op, owner));
  return time;
}

void Buffers::findLifetimes(FunctionOpInterface function) {
  // Where a branch goes back, all of it lives all the time.
  if (!goesForward) {
    for (Buffer &buffer : buffers)
      buffer.lifetime = {0, ~0u};
    return;
  }
  std::optional<TensorCoreWaits> waits;
  for (Buffer &buffer : buffers) {
    buffer.lifetime = timeOf(buffer.owner, buffer.owner);
    if (buffer.space == MemorySpace::Shared)
      buffer.partition = partitionOf(buffer.owner);
    buffer.lifetimeThere = timeOf(buffer.owner, buffer.owner, buffer.partition);
    if (buffer.isScratch)
      continue;
    const bool isWorkedOn = buffer.space == MemorySpace::Tensor;
    if (isWorkedOn && !waits)
      waits.emplace(function, [&](Value barrier) {
        auto leader = aliases.findLeader(barrier);
        return leader == aliases.member_end() ? barrier : *leader;
      });
    for (Value alias : aliases.members(buffer.owner->getResult(0)))
      for (Operation *user : alias.getUsers()) {
        buffer.lifetime.extend(isWorkedOn ? workOf(user, buffer.owner, *waits)
                                          : timeOf(user, buffer.owner));
        buffer.lifetimeThere.extend(
            timeOf(user, buffer.owner, buffer.partition));
      }
  }
}

void Buffers::readPlaces() {
  for (Buffer &buffer : buffers)
    if (auto place = buffer.owner->getAttrOfType<IntegerAttr>(
            placeNameOf(buffer.space))) {
      auto begin = static_cast<unsigned>(place.getInt());
      buffer.place = {begin, begin + buffer.size};
    }
}
