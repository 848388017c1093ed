//===- SharedBuffers.cpp - Who uses which shared memory, and when ---------===//

#include "passes/lower/SharedBuffers.h"
#include "dialects/ttg/SharedCost.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "passes/lower/MemDesc.h"
#include "passes/lower/Scratch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

unsigned lower::scratchBytes(Operation *op) {
  if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(op))
    return scratchBytes(convert);
  if (auto reduce = dyn_cast<tt::ReduceOp>(op))
    return scratchBytes(reduce);
  if (auto scan = dyn_cast<tt::ScanOp>(op))
    return scratchBytes(scan);
  return atomicScratchBytes(op);
}

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

SharedBuffers::SharedBuffers(FunctionOpInterface function) {
  collect(function);
  findLifetimes();
}

void SharedBuffers::collect(FunctionOpInterface function) {
  unsigned clock = 0;
  auto add = [&](Operation *op, unsigned bytes, unsigned alignment) {
    bufferOfOwner[op] = buffers.size();
    buffers.push_back({op, bytes, alignment, {}, {}});
  };
  // Every op has a time that its regions lie within.
  std::function<void(Operation *)> visit = [&](Operation *op) {
    unsigned begin = clock++;
    if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op)) {
      if (alloc.isSharedMemoryAlloc())
        add(op, *ttg::allocationBytes(alloc.getType()),
            alloc.getAlignmentOrDefault());
    } else if (unsigned bytes = scratchBytes(op)) {
      // The alignment of the widest access.
      add(op, bytes, 16);
    }
    joinAliases(op);
    for (Region &region : op->getRegions()) {
      isStructured &= region.empty() || region.hasOneBlock();
      for (Block &block : region)
        for (Operation &nested : block)
          visit(&nested);
    }
    times[op] = {begin, clock++};
  };
  visit(function);
}

/// Joins descriptors that may point to the same memory.
void SharedBuffers::joinAliases(Operation *op) {
  auto isMemory = [](Value value) {
    return isa<ttg::MemDescType>(value.getType());
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
  // Views, selects and the like: a result may be any of the operands.
  for (Value result : op->getResults())
    for (Value operand : op->getOperands())
      join(result, operand);
}

SmallVector<const SharedBuffers::Buffer *>
SharedBuffers::buffersOf(Value memory) const {
  SmallVector<const Buffer *> result;
  for (Value alias : aliases.members(memory))
    if (Operation *owner = alias.getDefiningOp())
      if (auto found = bufferOfOwner.find(owner); found != bufferOfOwner.end())
        result.push_back(&buffers[found->second]);
  return result;
}

const SharedBuffers::Buffer *SharedBuffers::scratchOf(Operation *op) const {
  auto found = bufferOfOwner.find(op);
  if (found == bufferOfOwner.end() || isa<ttg::LocalAllocOp>(op))
    return nullptr;
  return &buffers[found->second];
}

//===----------------------------------------------------------------------===//
// When it matters
//===----------------------------------------------------------------------===//

/// The time of `use`, widened to what it may happen together with or after,
/// out of order: loops that `owner` is not in, and specialised warps.
Range SharedBuffers::timeOf(Operation *use, Operation *owner) const {
  Range time = times.lookup(use);
  for (Operation *around = use->getParentOp(); around;
       around = around->getParentOp()) {
    bool isRepeated =
        isa<LoopLikeOpInterface>(around) && !around->isAncestor(owner);
    if (isRepeated || isa<ttg::WarpSpecializePartitionsOp>(around))
      time = times.lookup(isRepeated ? around : around->getParentOp());
  }
  return time;
}

void SharedBuffers::findLifetimes() {
  auto extend = [](Range &range, Range by) {
    range = {std::min(range.begin, by.begin), std::max(range.end, by.end)};
  };
  for (Buffer &buffer : buffers) {
    // Branches could go back: then all of it lives all the time.
    if (!isStructured) {
      buffer.lifetime = {0, ~0u};
      continue;
    }
    buffer.lifetime = timeOf(buffer.owner, buffer.owner);
    if (!isa<ttg::LocalAllocOp>(buffer.owner))
      continue;
    for (Value alias : aliases.members(buffer.owner->getResult(0)))
      for (Operation *user : alias.getUsers())
        extend(buffer.lifetime, timeOf(user, buffer.owner));
  }
}

//===----------------------------------------------------------------------===//
// Where it is
//===----------------------------------------------------------------------===//

unsigned SharedBuffers::assignPlaces(unsigned begin) {
  // Large ones first: small ones fit into what they leave.
  SmallVector<Buffer *> order;
  for (Buffer &buffer : buffers)
    order.push_back(&buffer);
  llvm::sort(order, [](const Buffer *a, const Buffer *b) {
    return std::pair(b->bytes, a) < std::pair(a->bytes, b);
  });
  unsigned end = begin;
  SmallVector<Buffer *> placed;
  for (Buffer *buffer : order) {
    SmallVector<Range> taken;
    for (Buffer *other : placed)
      if (other->lifetime.overlaps(buffer->lifetime))
        taken.push_back(other->place);
    llvm::sort(taken, [](const Range &a, const Range &b) {
      return a.begin < b.begin;
    });
    unsigned at = llvm::alignTo(begin, buffer->alignment);
    for (const Range &range : taken)
      if (range.overlaps({at, at + buffer->bytes}))
        at = llvm::alignTo(range.end, buffer->alignment);
    buffer->place = {at, at + buffer->bytes};
    placed.push_back(buffer);
    end = std::max(end, buffer->place.end);
  }
  return end;
}

void SharedBuffers::readPlaces() {
  for (Buffer &buffer : buffers)
    if (auto offset =
            buffer.owner->getAttrOfType<IntegerAttr>(allocationOffsetName)) {
      auto begin = static_cast<unsigned>(offset.getInt());
      buffer.place = {begin, begin + buffer.bytes};
    }
}

LogicalResult lower::allocateSharedMemory(ModuleOp module, unsigned maxBytes) {
  // Functions that are called may run while their callers' buffers live: each
  // has its own memory. Kernels do not run at once.
  unsigned called = 0, total = 0;
  SmallVector<std::unique_ptr<SharedBuffers>> all;
  for (bool isKernel : {false, true})
    for (auto function : module.getOps<FunctionOpInterface>()) {
      if (function.isExternal() || function.isPublic() != isKernel)
        continue;
      auto &buffers =
          all.emplace_back(std::make_unique<SharedBuffers>(function));
      unsigned end = buffers->assignPlaces(called);
      total = std::max(total, end);
      if (!isKernel)
        called = llvm::alignTo(end, 16);
    }
  auto i32 = IntegerType::get(module.getContext(), 32);
  const SharedBuffers::Buffer *largest = nullptr;
  for (auto &buffers : all)
    for (const SharedBuffers::Buffer &buffer : buffers->getBuffers()) {
      buffer.owner->setAttr(allocationOffsetName,
                            IntegerAttr::get(i32, buffer.place.begin));
      if (!largest || buffer.bytes > largest->bytes)
        largest = &buffer;
    }
  module->setAttr(ttg::sharedBytesName, IntegerAttr::get(i32, total));
  if (maxBytes && total > maxBytes)
    return largest->owner->emitError()
           << "the kernel needs " << total << " bytes of shared memory, of "
           << "which a block can have " << maxBytes << "; this op takes "
           << largest->bytes;
  return success();
}
