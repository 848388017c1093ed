//===- WarpCount.cpp - How many warps a kernel needs ----------------------===//

#include "passes/ttgir/WarpCount.h"
#include "dialects/tt/TT.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace kernelscope;

static constexpr unsigned fewestWarps = 4;
/// 65,536 registers (CUDA C++ Programming Guide, "Technical Specifications per
/// Compute Capability") are 255 for each thread of at most 8 warps.
static constexpr unsigned mostWarps = 8;
/// Registers of a thread for values of products; addresses, masks and what is
/// computed of the values need the others.
static constexpr int64_t registersForValues = 192;

/// Whether a product finds `operand` in memory: it was loaded as it is.
static bool isLoaded(Value operand) {
  Operation *op = operand.getDefiningOp();
  while (isa_and_nonnull<tt::TransOp, tt::ReshapeOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return isa_and_nonnull<tt::LoadOp, tt::DescriptorLoadOp,
                         tt::DescriptorGatherOp>(op);
}

/// Whether another product of the same block adds to `result`, in the same
/// registers.
static bool goesOnInItsBlock(tt::DotOp result) {
  return llvm::any_of(result->getUsers(), [&](Operation *user) {
    auto next = dyn_cast<tt::DotOp>(user);
    return next && next.getC() == result &&
           next->getBlock() == result->getBlock();
  });
}

unsigned ttgir::chooseWarpCount(Operation *root, const Target &target,
                                unsigned ctas) {
  if (!target.isNvidia())
    return fewestWarps;
  llvm::MapVector<Block *, llvm::SmallSetVector<Value, 8>> values;
  root->walk([&](tt::DotOp op) {
    auto &inBlock = values[op->getBlock()];
    if (!goesOnInItsBlock(op))
      inBlock.insert(op);
    for (Value operand : {op.getA(), op.getB()})
      if (!isLoaded(operand))
        inBlock.insert(operand);
  });
  // Operands of these go to memory.
  root->walk([&](tt::DotScaledOp op) { values[op->getBlock()].insert(op); });
  int64_t mostBits = 0;
  for (const auto &[block, held] : values) {
    int64_t bits = 0;
    for (Value value : held) {
      auto type = cast<RankedTensorType>(value.getType());
      bits += type.getNumElements() * type.getElementTypeBitWidth();
    }
    mostBits = std::max(mostBits, bits);
  }
  unsigned warps = fewestWarps;
  while (warps < mostWarps &&
         mostBits > registersForValues * 32 * warps * target.warpSize * ctas)
    warps *= 2;
  return warps;
}
