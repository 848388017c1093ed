//===- MMAOps.cpp - Matrix products ---------------------------------------===//

#include "dialects/layout/Counted.h"
#include "dialects/ttg/MatrixElements.h"
#include "dialects/ttg/Notes.h"
#include "dialects/ttng/MMARules.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttng;
using ttg::MemDescType;

//===----------------------------------------------------------------------===//
// Hopper
//===----------------------------------------------------------------------===//

void WarpGroupDotOp::getEffects(rules::Effects &effects) {
  rules::addRead(effects, getAMutable());
  rules::addRead(effects, getBMutable());
}

LogicalResult WarpGroupDotOp::verify() {
  auto result = cast<RankedTensorType>(getD().getType());
  auto mma = dyn_cast_or_null<ttg::NvidiaMmaEncodingAttr>(result.getEncoding());
  if (!mma || !mma.isHopper())
    return emitOpError() << "returns the layout " << result.getEncoding()
                         << "; it must be #ttg.nvidia_mma of version 3";
  Type a = getA().getType();
  auto operand =
      dyn_cast_or_null<ttg::DotOperandEncodingAttr>(ttg::getEncoding(a));
  if (!rules::isMatrixInShared(a) && !operand)
    return emitOpError()
           << "has the left operand " << a
           << "; it must be in #ttg.nvmma_shared or a #ttg.dot_op";
  if (!rules::isMatrixInShared(getB().getType()))
    return emitOpError() << "has the right operand " << getB().getType()
                         << "; it must be in #ttg.nvmma_shared";
  std::optional<int> numWarps = ttg::lookupNumWarps(getOperation());
  if (numWarps && *numWarps % 4 != 0)
    return emitOpError() << "runs on " << counted(*numWarps, "warp")
                         << "; wgmma needs a multiple of 4";
  if (result.getRank() != 2)
    return emitOpError() << "has a result of "
                         << counted(result.getRank(), "dimension")
                         << "; wgmma needs 2";
  SmallVector<unsigned> split = mma.getCGALayout().getCTASplitNum();
  int64_t m = result.getDimSize(0) / split[0],
          n = result.getDimSize(1) / split[1];
  if (m % 64 != 0 || n % 8 != 0 || m == 0 || n == 0)
    return emitOpError() << "computes " << m << "x" << n
                         << " in a CTA; wgmma needs multiples of 64x8";
  if (mma.getWarpsPerCTA()[0] % 4 != 0)
    return emitOpError() << "has warpsPerCTA = [" << mma.getWarpsPerCTA()
                         << "]; the four warps of a wgmma hold 16 rows each, "
                            "so the first must be a multiple of 4";
  const unsigned columns = mma.getInstrShape()[1];
  if (columns == 0 || n % columns != 0)
    return emitOpError() << "computes " << n << " columns in a CTA, " << columns
                         << " at once; that must divide them";
  Type element = cast<ShapedType>(a).getElementType();
  MemDescType b = getB().getType();
  if (failed(rules::verifyElements(*this, MatrixUnit::Wgmma, element,
                                   b.getElementType(),
                                   result.getElementType())))
    return failure();
  const DescribedProduct &product = *ttg::findDescribedProduct(
      MatrixUnit::Wgmma, element, b.getElementType(), result.getElementType());
  if (failed(rules::verifyTile(*this, product, /*ctas=*/1, /*rows=*/64,
                               columns)) ||
      failed(
          rules::verifyDepth(*this, product.name, b.getDimSize(0), product.k)))
    return failure();
  if (auto memory = dyn_cast<MemDescType>(a);
      (memory &&
       failed(rules::verifyDescriptor(*this, MatrixUnit::Wgmma, "left", memory,
                                      1, 64, product.k))) ||
      failed(rules::verifyDescriptor(*this, MatrixUnit::Wgmma, "right", b, 0,
                                     columns, product.k)))
    return failure();
  if (isa<Float8E5M2Type, Float8E4M3FNType>(element) &&
      result.getElementType().isF32() && getMaxNumImpreciseAcc() < 32)
    return emitOpError()
           << "accumulates products of fp8 in f32 with maxNumImpreciseAcc = "
           << int32_t(getMaxNumImpreciseAcc()) << "; it must be 32 or more";
  if (operand && element.isIntOrFloat()) {
    unsigned bits = element.getIntOrFloatBitWidth();
    unsigned needed = bits <= 32 ? 32 / bits : 0;
    if (operand.getKWidth() != needed)
      return emitOpError() << "has a left operand with kWidth = "
                           << operand.getKWidth() << "; elements of " << bits
                           << " bits need " << needed;
  }
  const tt::LayoutInterface *layouts = tt::getLayoutInterface(mma);
  if (layouts && (failed(layouts->verifyDotOperand(ttg::getEncoding(a), 0, mma,
                                                   getLoc())) ||
                  failed(layouts->verifyDotOperand(
                      getB().getType().getEncoding(), 1, mma, getLoc()))))
    return failure();
  return success();
}

LogicalResult WarpGroupDotWaitOp::verify() {
  if (getInputs().empty())
    return emitOpError()
           << "has no inputs; it needs the result of at least one product";
  return success();
}

//===----------------------------------------------------------------------===//
// Blackwell
//===----------------------------------------------------------------------===//

void TCGen5MMAOp::getEffects(rules::Effects &effects) {
  rules::addAccumulate(effects, getDMutable(), getUseD());
  rules::addRead(effects, getAMutable());
  rules::addRead(effects, getBMutable());
  rules::addArrive(effects, getBarriersMutable());
}

/// The parts that CTAs hold fit together: rows of `d` go with `a`, columns with
/// `b`, and no CTA has only part of K.
static LogicalResult verifyClusterOfMMA(TCGen5MMAOp op) {
  auto bases = [&](MemDescType memory) {
    return cast<ttg::LayoutEncodingTrait>(memory.getEncoding())
        .getCGALayout()
        .getLinearLayout()
        .getBases(ttg::LayoutDims(op.getContext()).block);
  };
  auto ofA = bases(op.getA().getType()), ofB = bases(op.getB().getType()),
       ofD = bases(op.getD().getType());
  bool pairs = op.getTwoCtas();
  if (pairs && (ofB.empty() || ofB[0] != std::vector<int32_t>{0, 1}))
    return op.emitOpError()
           << "has two_ctas, but CTA pairs do not split its right operand by "
              "columns; the first basis of its CGALayout must be [0, 1]";
  for (auto [bit, a, b, d] : llvm::enumerate(ofA, ofB, ofD)) {
    if (a[1] != 0 || b[0] != 0)
      return op.emitOpError() << "has operands that CTAs split along K";
    int32_t columns = pairs && bit == 0 ? 0 : b[1];
    if ((a[0] != 0) != (d[0] != 0) || (columns != 0) != (d[1] != 0))
      return op.emitOpError() << "has a result that CTAs split differently "
                                 "from its operands, at bit "
                              << bit << " of the CTA id";
  }
  return success();
}

LogicalResult TCGen5MMAOp::verify() {
  if (failed(rules::verifyChip(*this)) ||
      failed(rules::verifyPairs(*this, getTwoCtas())) ||
      failed(rules::verifyCompletion(*this, getIsAsync(), getBarriers(),
                                     getBarrierPreds())))
    return failure();
  MemDescType a = getA().getType(), b = getB().getType(), d = getD().getType();
  if (failed(rules::verifyElements(*this, MatrixUnit::Tcgen05,
                                   a.getElementType(), b.getElementType(),
                                   d.getElementType())))
    return failure();
  if (a.getRank() != 2 || b.getRank() != 2 || d.getRank() != 2)
    return emitOpError() << "has operands of " << a.getRank() << ", "
                         << b.getRank() << " and " << d.getRank()
                         << " dimensions; all need 2";
  auto left = dyn_cast<TensorMemoryEncodingAttr>(a.getEncoding());
  if (failed(rules::verifyOperandMemory(*this, a, b)) ||
      failed(rules::verifyAccumulator(*this, d)))
    return failure();
  auto result = cast<TensorMemoryEncodingAttr>(d.getEncoding());
  if (left && left.getColStride() != 1)
    return emitOpError() << "has a left operand with colStride = "
                         << left.getColStride() << "; it must be 1";
  if (left && left.getFp4Padded())
    return emitOpError() << "has an fp4Padded left operand; only "
                            "ttng.tc_gen5_mma_scaled takes one";
  unsigned bits = d.getElementTypeBitWidth();
  if (result.getColStride() != 32 / bits)
    return emitOpError() << "accumulates " << bits
                         << " bits with colStride = " << result.getColStride()
                         << "; it must be " << 32 / bits;
  int64_t perCTA = d.getDimSize(1) / result.getCGALayout().getCTASplitNum()[1];
  int64_t n = std::min<int64_t>(result.getBlockN(), perCTA);
  unsigned ctas = getTwoCtas() ? 2 : 1;
  const DescribedProduct &product =
      *ttg::findDescribedProduct(MatrixUnit::Tcgen05, a.getElementType(),
                                 b.getElementType(), d.getElementType());
  if (failed(rules::verifyTile(*this, product, ctas, ctas * result.getBlockM(),
                               n)) ||
      failed(
          rules::verifyDepth(*this, product.name, a.getDimSize(1), product.k)))
    return failure();
  if ((!left &&
       failed(rules::verifyDescriptor(*this, MatrixUnit::Tcgen05, "left", a, 1,
                                      result.getBlockM(), product.k))) ||
      failed(rules::verifyDescriptor(*this, MatrixUnit::Tcgen05, "right", b, 0,
                                     n / ctas, product.k)))
    return failure();
  if (getTwoCtas() && perCTA > 256)
    return emitOpError() << "has two_ctas with " << perCTA
                         << " columns in a CTA; at most 256 are possible";
  if (failed(verifyClusterOfMMA(*this)))
    return failure();
  // Triton 3.6 and older do not write twoCTAs on the layouts.
  if (!isOlderDump(getOperation()))
    for (TensorMemoryEncodingAttr layout : {left, result})
      if (layout && layout.getTwoCTAs() != getTwoCtas())
        return emitOpError()
               << "has tensor memory with twoCTAs = " << layout.getTwoCTAs()
               << "; the op " << (getTwoCtas() ? "has" : "does not have")
               << " two_ctas";
  return success();
}

LogicalResult TCGen5CommitOp::verify() {
  // Dumps of Triton 3.6 and older say two_ctas here, too.
  if (failed(ttg::verifyBarrierType(*this, getBarrier().getType())) ||
      failed(rules::verifyChip(*this)) ||
      failed(rules::verifyPairs(*this, getOperation()->hasAttr("two_ctas"))))
    return failure();
  // What a commit is for has no more: two matrices and their scales.
  if (getDescs().size() > 4)
    return emitOpError() << "has " << getDescs().size()
                         << " operand descriptors; it takes at most 4";
  return verifyOwnBarrier(*this, getBarrier(), "a completion barrier");
}
