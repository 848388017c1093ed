//===- SinkOperands.cpp - Large operands next to their uses ---------------===//
//
// A conversion goes through shared memory in rounds with barriers, and the code
// between it and its use, such as the loads of a product's sums, would stand
// between the rounds' elements and what takes them. Next to its use, an element
// is taken as soon as it is read.
//
// The left operand of a wgmma may be in registers while the right one is stored
// to shared memory. If both are computed, as from narrower types with scales,
// the right one goes first, since its registers are free after that. A buffer
// that the left one is read from stays where it is if the function would need
// more shared memory otherwise.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/IR/Matchers.h"
#include "passes/Passes.h"
#include "passes/memory/Allocation.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_SINKOPERANDS
#include "passes/Passes.h.inc"

/// Smaller operands stay where they are: for a few registers it is not worth
/// having what they are made of for longer.
static constexpr int64_t manyRegisters = 64;

/// Registers of 32 bits that a thread has for a tensor of `type`; 0 without a
/// layout.
static int64_t registersFor(RankedTensorType type) {
  if (!type.getEncoding() || !type.getElementType().isIntOrFloat())
    return 0;
  return ttg::toLinearLayout(type).getInDimSize(
             ttg::LayoutDims(type.getContext()).reg) *
         type.getElementTypeBitWidth() / 32;
}

/// The first op of the block of `op` that uses it, itself or in its regions;
/// null if there is none.
static Operation *firstUser(Operation *op) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers()) {
    Operation *here = op->getBlock()->findAncestorOpInBlock(*user);
    if (!here)
      return nullptr;
    if (!first || here->isBeforeInBlock(first))
      first = here;
  }
  return first;
}

/// Whether `op` only computes, or reads memory that nothing writes.
static bool onlyReads(Operation *op) {
  return isMemoryEffectFree(op) || isa<tt::LoadOp, ttg::LocalLoadOp>(op);
}

/// Whether `load` reads the same before `place`, later in its block: between
/// them nothing is written but new buffers, and nothing is waited for.
static bool readsTheSameAt(ttg::LocalLoadOp load, Operation *place) {
  return llvm::all_of(
      llvm::make_range(std::next(load->getIterator()), place->getIterator()),
      [](Operation &op) {
        return onlyReads(&op) || isa<ttg::LocalAllocOp>(op);
      });
}

/// The ops before `place` that nothing but `dot` needs, through its left
/// operand, and that can stand at `place`; the last one first. Those that use
/// buffers are among them only `withBuffers`.
static SetVector<Operation *> leftSlice(ttng::WarpGroupDotOp dot,
                                        Operation *place, bool withBuffers) {
  SetVector<Operation *> slice;
  // From the end, so that all users of an op have been seen.
  for (Operation *op = place->getPrevNode(); op; op = op->getPrevNode()) {
    if (op->use_empty() || op->getNumRegions() != 0 ||
        !llvm::all_of(op->getUses(), [&](OpOperand &use) {
          return slice.contains(use.getOwner()) || use == dot.getAMutable();
        }))
      continue;
    // An exchange between warps would take memory beside the right operand's.
    if (auto scratch = dyn_cast<ttg::ScratchOpInterface>(op);
        scratch && scratch.getScratchBytes())
      continue;
    if (!withBuffers && isa<ttg::LocalAllocOp, ttg::LocalLoadOp>(op))
      continue;
    auto load = dyn_cast<ttg::LocalLoadOp>(op);
    if (load ? readsTheSameAt(load, place) : isMemoryEffectFree(op))
      slice.insert(op);
  }
  return slice;
}

/// Registers of what `slice` is made of, which stay live for longer if it moves
/// down.
static int64_t registersForInputs(const SetVector<Operation *> &slice) {
  SmallPtrSet<Value, 8> inputs;
  int64_t registers = 0;
  for (Operation *op : slice)
    for (Value operand : op->getOperands())
      if (auto type = dyn_cast<RankedTensorType>(operand.getType());
          type && !slice.contains(operand.getDefiningOp()) &&
          !matchPattern(operand, m_Constant()) && inputs.insert(operand).second)
        registers += registersFor(type);
  return registers;
}

/// Moves `slice`, the last op first, before `place`, unless the function then
/// needs more shared memory.
static bool moveWithoutGrowth(const SetVector<Operation *> &slice,
                              Operation *place) {
  auto function = place->getParentOfType<FunctionOpInterface>();
  if (!function)
    return false;
  const unsigned before = memory::sharedBytesOf(function);
  SmallVector<Operation *> next;
  for (Operation *op : slice)
    next.push_back(op->getNextNode());
  for (Operation *op : llvm::reverse(slice))
    op->moveBefore(place);
  if (memory::sharedBytesOf(function) <= before)
    return true;
  for (auto [op, followed] : llvm::zip_equal(slice, next))
    op->moveBefore(followed);
  return false;
}

/// Moves what the left operand of `dot`, in registers, is made of behind the
/// store of the right one to shared memory.
static void sinkLeftOperand(ttng::WarpGroupDotOp dot) {
  auto type = dyn_cast<RankedTensorType>(dot.getA().getType());
  if (!type || registersFor(type) < manyRegisters)
    return;
  Operation *place = dot;
  // A barrier follows the fence: loads after the fence might need another one.
  while (isa_and_present<ttng::FenceAsyncSharedOp>(place->getPrevNode()))
    place = place->getPrevNode();
  for (bool withBuffers : {true, false}) {
    SetVector<Operation *> slice = leftSlice(dot, place, withBuffers);
    if (registersForInputs(slice) >= registersFor(type))
      continue;
    if (moveWithoutGrowth(slice, place))
      return;
  }
}

namespace {

struct SinkOperands : kernelscope::impl::SinkOperandsBase<SinkOperands> {
  void runOnOperation() override {
    SmallVector<ttg::ConvertLayoutOp> ops;
    getOperation().walk([&](ttg::ConvertLayoutOp op) {
      if (registersFor(op.getType()) >=
          registersFor(op.getSrc().getType()) + manyRegisters)
        ops.push_back(op);
    });
    // From the end: one may use another.
    for (ttg::ConvertLayoutOp op : llvm::reverse(ops))
      if (Operation *user = firstUser(op))
        op->moveBefore(user);
    getOperation().walk(sinkLeftOperand);
  }
};

} // namespace
} // namespace kernelscope
