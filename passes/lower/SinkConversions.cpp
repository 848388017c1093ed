//===- SinkConversions.cpp - Conversions next to their uses ---------------===//
//
// A conversion goes through shared memory in rounds with barriers, and the code
// between it and its use, such as the loads of a product's sums, would stand
// between the rounds' elements and what takes them. Next to its use, an element
// is taken as soon as it is read.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"
#include "passes/Passes.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_SINKCONVERSIONS
#include "passes/Passes.h.inc"

/// Smaller conversions stay where they are: for a few registers it is not worth
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

namespace {

struct SinkConversions
    : kernelscope::impl::SinkConversionsBase<SinkConversions> {
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
  }
};

} // namespace
} // namespace kernelscope
