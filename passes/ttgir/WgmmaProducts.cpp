//===- WgmmaProducts.cpp - Products of operands in memory -----------------===//

#include "passes/ttgir/WgmmaProducts.h"
#include "dialects/target/DescribedProducts.h"
#include "dialects/ttg/MatrixElements.h"
#include "dialects/ttg/TTG.h"
#include "dialects/ttng/TTNG.h"
#include "passes/ttgir/ClusterProducts.h"
#include "passes/ttgir/OperandMemory.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttgir;

/// Rows that a group of four warps computes at once.
static constexpr int64_t groupRows = 64;
/// The least number of products that 8-bit floats are summed up in the unit.
static constexpr unsigned leastImprecise = 32;

/// Whether an elementwise op makes `value`.
static bool isComputed(Value value) {
  Operation *op = value.getDefiningOp();
  return op && (op->hasTrait<OpTrait::Elementwise>() || isa<tt::FpToFpOp>(op));
}

/// Whether elementwise ops make `value` of another product's result.
static bool comesFromProduct(Value value) {
  llvm::SmallSetVector<Value, 16> behind;
  behind.insert(value);
  for (size_t i = 0; i < behind.size() && i < 64; ++i) {
    Operation *op = behind[i].getDefiningOp();
    if (!op)
      continue;
    if (isa<tt::DotOp>(op))
      return true;
    if (isComputed(behind[i]))
      behind.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

/// Whether rows of an operand may lie along either dimension. PTX ISA,
/// "wgmma.mma_async": operands are transposed only if they have 16 bits.
static bool readsEitherDim(RankedTensorType operand) {
  return operand.getElementTypeBitWidth() == 16;
}

std::optional<ProductLayout>
ttgir::chooseWgmmaLayout(tt::DotOp op, int64_t columnsAfter,
                         ttg::CGAEncodingAttr cluster,
                         const ThreadCounts &threads, const Target &target) {
  RankedTensorType a = op.getA().getType(), b = op.getB().getType(),
                   c = op.getType();
  if (!hasMatrixUnit(target, MatrixUnit::Wgmma) || threads.warps % 4 != 0 ||
      c.getRank() != 2)
    return std::nullopt;
  const DescribedProduct *product =
      ttg::findDescribedProduct(MatrixUnit::Wgmma, a.getElementType(),
                                b.getElementType(), c.getElementType());
  if (!product || (a.getElementType().isF32() &&
                   op.getInputPrecision() != tt::InputPrecision::TF32))
    return std::nullopt;
  const unsigned bits = a.getElementTypeBitWidth();
  if (isa<FloatType>(a.getElementType()) && bits == 8 &&
      op.getMaxNumImpreciseAcc() < leastImprecise)
    return std::nullopt;
  RankedTensorType part = partOf(c, cluster);
  const int64_t rows = part.getDimSize(0), columns = part.getDimSize(1),
                depth = a.getDimSize(1);
  // Groups take rows first, so that the operand in registers is used longest.
  // Those of a small left operand of another product compute the same rows
  // where these are too few, rather than exchange what they compute of it.
  unsigned groups = threads.warps / 4, down = 1, across = 1;
  for (; groups > 1; groups /= 2)
    (rows > groupRows * down || 2 * columns <= columnsAfter ? down : across) *=
        2;
  const int64_t width = std::min<int64_t>(columns / across, 256);
  if (rows < groupRows || width < 8 ||
      !product->hasTile(/*ctas=*/1, groupRows, static_cast<unsigned>(width)) ||
      depth < product->k || columns * bits / 8 < leastRowBytes ||
      !fitMemory(op, readsEitherDim(a)))
    return std::nullopt;
  MLIRContext *context = op.getContext();
  auto mma = ttg::NvidiaMmaEncodingAttr::get(
      context, 3, 0, {4 * down, across}, cluster,
      {16, static_cast<unsigned>(width), product->k});
  Attribute left, right;
  if (threads.ctas != 1) {
    auto inParts = [&](RankedTensorType operand, unsigned index) {
      return blockedLayout(operand, {1, 0}, 128 / bits, threads,
                           splitOperand(cluster, index));
    };
    left = inParts(a, 0);
    right = inParts(b, 1);
  }
  // Threads that compute an f32 operand spare it the way through memory.
  if (bits <= 16 ? comesFromProduct(op.getA()) : isComputed(op.getA()))
    left = ttg::DotOperandEncodingAttr::get(context, 0, mma, 32 / bits);
  return ProductLayout{left, right, mma};
}

/// The fence of a product to whose sums `op` adds, if the operands of `op` can
/// be stored in front of it: one barrier then serves both.
static Operation *fenceToShare(tt::DotOp op) {
  // More of them at once would take the place of loads ahead.
  constexpr int64_t mostBytes = int64_t{48} * 1024;
  int64_t bytes = 0;
  for (RankedTensorType type : {op.getA().getType(), op.getB().getType()})
    bytes += type.getNumElements() * type.getElementTypeBitWidth() / 8;
  if (bytes > mostBytes)
    return nullptr;
  auto sumOf = [&](Value sum) {
    auto product = sum.getDefiningOp<ttng::WarpGroupDotOp>();
    return product && product->getBlock() == op->getBlock()
               ? product
               : ttng::WarpGroupDotOp();
  };
  for (auto before = sumOf(op.getC()); before; before = sumOf(before.getC())) {
    auto fence =
        dyn_cast_or_null<ttng::FenceAsyncSharedOp>(before->getPrevNode());
    if (!fence)
      continue;
    auto isThere = [&](Value operand) {
      Operation *source = operand.getDefiningOp();
      return !source || source->getBlock() != op->getBlock() ||
             source->isBeforeInBlock(fence);
    };
    return isThere(op.getA()) && isThere(op.getB()) ? fence.getOperation()
                                                    : nullptr;
  }
  return nullptr;
}

void ttgir::moveWgmmaOperandsToMemory(Operation *root) {
  SmallVector<tt::DotOp> products;
  root->walk([&](tt::DotOp op) {
    auto mma = dyn_cast_or_null<ttg::NvidiaMmaEncodingAttr>(
        op.getType().getEncoding());
    if (mma && mma.isHopper())
      products.push_back(op);
  });
  for (tt::DotOp op : products) {
    OpBuilder b(op);
    Operation *fence = fenceToShare(op);
    if (fence)
      b.setInsertionPoint(fence);
    Location loc = op.getLoc();
    Value left = op.getA();
    const bool eitherDim = readsEitherDim(op.getA().getType());
    auto store = [&](Value operand, unsigned depthDim) {
      OpBuilder::InsertionGuard guard(b);
      // Its registers are free as soon as it is stored.
      if (Operation *source = operand.getDefiningOp();
          source && source->getBlock() == b.getInsertionBlock())
        b.setInsertionPointAfter(source);
      return moveToMemory(b, loc, operand, depthDim, eitherDim);
    };
    if (!isa<ttg::DotOperandEncodingAttr>(op.getA().getType().getEncoding()))
      left = store(left, 1);
    Value right = store(op.getB(), 0);
    b.setInsertionPoint(op);
    if (!fence)
      ttng::FenceAsyncSharedOp::create(b, loc, /*bCluster=*/false);
    Value result = ttng::WarpGroupDotOp::create(
        b, loc, op.getType(), left, right, op.getC(), /*useC=*/Value(),
        op.getInputPrecision(), op.getMaxNumImpreciseAcc(), /*isAsync=*/false);
    op.replaceAllUsesWith(result);
    op->erase();
  }
}
