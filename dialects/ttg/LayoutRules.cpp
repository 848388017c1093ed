//===- LayoutRules.cpp - Layouts of products, and rules of a layout -------===//

#include "dialects/layout/Counted.h"
#include "dialects/ttg/ChipRules.h"
#include "dialects/ttg/InferLayout.h"
#include "dialects/ttg/LayoutCache.h"
#include "dialects/ttg/Layouts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttg;

Attribute InferLayout::inferDotOperand(Attribute result, unsigned index) const {
  return DotOperandEncodingAttr::get(result.getContext(), index, result,
                                     /*kWidth=*/0);
}

Attribute InferLayout::inferCat(RankedTensorType operand,
                                RankedTensorType result) const {
  Attribute layout = operand.getEncoding();
  std::optional<int64_t> each = elementsPerThread(operand);
  auto blocked = dyn_cast<BlockedEncodingAttr>(layout);
  if (!each || !blocked)
    return layout;
  const unsigned fastest = blocked.getOrder()[0];
  auto withRun = [&](unsigned elements) {
    SmallVector<unsigned> sizePerThread(blocked.getSizePerThread());
    sizePerThread[fastest] = elements;
    return BlockedEncodingAttr::get(
        layout.getContext(), sizePerThread, blocked.getThreadsPerWarp(),
        blocked.getWarpsPerCTA(), blocked.getOrder(), blocked.getCGALayout());
  };
  auto hasRoom = [&](Attribute chosen) {
    return elementsPerThread(result.cloneWithEncoding(chosen)) == 2 * *each;
  };
  // Elements may come in any order. Those of a thread are neighbours as far as
  // one access reaches, as stores want them; the most distant ones are then in
  // different warps, which a sort brings together last.
  constexpr unsigned accessBits = 128;
  const unsigned run = 2 * blocked.getSizePerThread()[fastest];
  Type element = result.getElementType();
  const unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth()
                                               : 64; // a pointer
  if (Attribute wider = withRun(run);
      run * bits <= accessBits && hasRoom(wider))
    return wider;
  // Where threads hold copies, there is no room for twice as many.
  return hasRoom(layout) ? layout : withRun(2 * *each);
}

LogicalResult InferLayout::verifyDotOperand(Attribute operand, unsigned index,
                                            Attribute result,
                                            OptionalLoc loc) const {
  auto dot = dyn_cast<DotOperandEncodingAttr>(operand);
  auto mma = dyn_cast<NvidiaMmaEncodingAttr>(result);
  if (mma && mma.isHopper()) {
    if (isa<NVMMASharedEncodingAttr, SharedLinearEncodingAttr>(operand))
      return success();
    if (index == 0 && dot && dot.getOpIdx() == 0 &&
        isa<NvidiaMmaEncodingAttr>(dot.getParent()))
      return success();
    return emitOptionalError(loc, "operand ", index, " has the layout ",
                             operand,
                             "; wgmma takes shared memory or, as operand 0, a "
                             "#ttg.dot_op with opIdx = 0");
  }
  if (!dot)
    return emitOptionalError(
        loc, "operand ", index, " has the layout ", operand,
        "; it must be a #ttg.dot_op with the result's layout as its parent");
  if (dot.getOpIdx() != index)
    return emitOptionalError(loc, "operand ", index,
                             " has opIdx = ", dot.getOpIdx(), "; it must be ",
                             index);
  if (dot.getParent() == result)
    return success();
  // In a cluster the operands of a WMMA are spread otherwise than its result.
  auto parent = dyn_cast<AMDWmmaEncodingAttr>(dot.getParent());
  auto wmma = dyn_cast<AMDWmmaEncodingAttr>(result);
  if (parent && wmma && parent.getVersion() == wmma.getVersion() &&
      parent.getCtaLayout() == wmma.getCtaLayout() &&
      parent.getIsTransposed() == wmma.getIsTransposed() &&
      parent.getInstrShape() == wmma.getInstrShape())
    return success();
  return emitOptionalError(loc, "operand ", index, " has the parent layout ",
                           dot.getParent(), "; it must be the result's, ",
                           result);
}

/// In a cluster each CTA has its own part of the result; the left operand is
/// shared along N, the right one along M.
static LogicalResult verifyClusterOfWmma(Operation *op,
                                         DotOperandEncodingAttr left,
                                         DotOperandEncodingAttr right,
                                         AMDWmmaEncodingAttr result) {
  const LinearLayout &cluster = result.getCGALayout().getLinearLayout();
  if (!cluster.isInvertible())
    return op->emitOpError()
           << "has a result that CTAs replicate: " << cluster.toString()
           << "; each CTA must have its own part";
  SmallVector<StringAttr> dims = cluster.getOutDimNames();
  for (auto [operand, side, shared] :
       {std::tuple(left, "left", dims.size() - 1),
        std::tuple(right, "right", dims.size() - 2)}) {
    LinearLayout needed = cluster.resizeOut(dims[shared], 1);
    const LinearLayout &found = operand.getCGALayout().getLinearLayout();
    if (found != needed)
      return op->emitOpError()
             << "has a " << side << " operand with the CGALayout "
             << found.toString() << "; that of the result needs "
             << needed.toString();
  }
  return success();
}

LogicalResult InferLayout::verifyDotOperands(Operation *op, Attribute a,
                                             Attribute b) const {
  std::optional<Target> target = lookupExactTarget(op);
  if (auto scaled = dyn_cast<tt::DotScaledOp>(op))
    return target ? verifyScaledProduct(scaled, *target) : success();
  auto left = dyn_cast<DotOperandEncodingAttr>(a);
  auto right = dyn_cast<DotOperandEncodingAttr>(b);
  if (!left && !right)
    return success();
  if (!left || !right)
    return op->emitOpError()
           << "has a #ttg.dot_op layout on only one operand: " << a << " and "
           << b;
  if (left.getKWidth() != right.getKWidth())
    return op->emitOpError()
           << "has kWidth = " << left.getKWidth() << " on its left operand and "
           << right.getKWidth() << " on its right; both must be equal";
  auto leftMma = dyn_cast<NvidiaMmaEncodingAttr>(left.getParent());
  auto rightMma = dyn_cast<NvidiaMmaEncodingAttr>(right.getParent());
  if (bool(leftMma) != bool(rightMma) ||
      (leftMma && leftMma.getVersionMajor() != rightMma.getVersionMajor()))
    return op->emitOpError()
           << "has operands for different matrix instructions: "
           << left.getParent() << " and " << right.getParent();
  // Its tensor cores take f32 as tf32 only.
  auto dot = dyn_cast<tt::DotOp>(op);
  if (leftMma && dot && dot.getA().getType().getElementType().isF32() &&
      dot.getB().getType().getElementType().isF32() &&
      dot.getInputPrecision() != tt::InputPrecision::TF32)
    return op->emitOpError()
           << "multiplies f32 with inputPrecision = "
           << tt::stringifyInputPrecision(dot.getInputPrecision())
           << "; operands of " << left.getParent() << " need tf32";
  auto result = dyn_cast_if_present<AMDWmmaEncodingAttr>(
      getEncoding(op->getResult(0).getType()));
  if (result && isa<AMDWmmaEncodingAttr>(left.getParent()) &&
      isa<AMDWmmaEncodingAttr>(right.getParent()) &&
      failed(verifyClusterOfWmma(op, left, right, result)))
    return failure();
  if (!target || !isa_and_present<MmaEncodingTrait>(
                     getEncoding(op->getResult(0).getType())))
    return success();
  return dot ? verifyProductTypes(dot, *target) : success();
}

std::optional<int64_t>
InferLayout::elementsPerThread(RankedTensorType type) const {
  std::string error;
  auto layout = toLinearLayout(type.getShape(), type.getEncoding(), error);
  if (!layout)
    return std::nullopt;
  StringAttr reg = LayoutDims(type.getContext()).reg;
  return layout->removeZeroBases(reg).getInDimSize(reg);
}

bool InferLayout::areEquivalent(Shape shape, Attribute a, Attribute b,
                                bool ignoreRegisterBroadcast) const {
  if (a == b)
    return true;
  if (!a || !b)
    return false;
  std::string error;
  auto left = toLinearLayout(shape, a, error);
  auto right = toLinearLayout(shape, b, error);
  if (!left || !right)
    return false;
  if (ignoreRegisterBroadcast) {
    auto reg = StringAttr::get(a.getContext(), "register");
    left = left->removeZeroBases(reg);
    right = right->removeZeroBases(reg);
  }
  return *left == *right;
}

LogicalResult InferLayout::verifyTensor(Attribute encoding,
                                        RankedTensorType type, Operation *op,
                                        EmitError emitError) const {
  auto trait = dyn_cast<LayoutEncodingTrait>(encoding);
  if (!trait || !isa<DistributedEncodingTrait>(encoding))
    return emitError() << encoding << " is not a layout of tensors";
  std::optional<int> numCTAs = lookupNumCTAs(op);
  std::optional<int> numWarps = lookupNumWarps(op);
  std::optional<int> threadsPerWarp = lookupThreadsPerWarp(op);
  auto *cache = encoding.getDialect().getRegisteredInterface<LayoutCache>();
  LayoutCache::Placed placed(type, numCTAs, numWarps, threadsPerWarp);
  if (cache && cache->isFitting(placed))
    return success();
  if (trait.getRank() != unsigned(type.getRank()))
    return emitError() << "layout has " << counted(trait.getRank(), "dimension")
                       << "; the tensor has " << type.getRank();

  unsigned foundCTAs = trait.getCGALayout().getNumCTAs();
  if (numCTAs && foundCTAs != unsigned(*numCTAs))
    return emitError() << "layout is for " << counted(foundCTAs, "CTA")
                       << "; the module's ttg.num-ctas is " << *numCTAs;

  std::string error;
  auto layout = toLinearLayout(type.getShape(), encoding, error);
  if (!layout)
    return emitError() << error;
  MLIRContext *context = encoding.getContext();
  // That a module says nothing is an error of the module, not of each op.
  if (!numWarps)
    return success();
  int lanes = layout->getInDimSize(StringAttr::get(context, "lane"));
  if (threadsPerWarp && lanes != *threadsPerWarp)
    return emitError() << "layout has " << counted(lanes, "thread")
                       << " per warp; the module's "
                          "ttg.threads-per-warp is "
                       << *threadsPerWarp;
  int warps = layout->getInDimSize(StringAttr::get(context, "warp"));
  if (warps != *numWarps)
    return emitError() << "layout has " << counted(warps, "warp")
                       << "; the op runs on " << *numWarps;
  if (cache)
    cache->addFitting(placed);
  return success();
}
