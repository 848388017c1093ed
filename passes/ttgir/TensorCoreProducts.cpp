//===- TensorCoreProducts.cpp - Products in tensor memory -----------------===//

#include "passes/ttgir/TensorCoreProducts.h"
#include "dialects/target/DescribedProducts.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/MatrixElements.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/ttgir/OperandMemory.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttgir;

/// Tensor memory for an accumulator of `type`.
static ttg::MemDescType accumulatorMemory(RankedTensorType type) {
  MLIRContext *context = type.getContext();
  const int64_t rows = type.getDimSize(0) < 128 ? 64 : 128,
                columns = std::min<int64_t>(type.getDimSize(1), 256);
  auto layout = ttng::TensorMemoryEncodingAttr::get(
      context, static_cast<unsigned>(rows), static_cast<unsigned>(columns),
      /*colStride=*/1, ttg::CGAEncodingAttr::get1CTALayout(context, 2),
      /*twoCTAs=*/false, /*fp4Padded=*/false);
  return ttg::MemDescType::get(type.getShape(), type.getElementType(), layout,
                               ttng::TensorMemorySpaceAttr::get(context),
                               /*mutableMemory=*/true);
}

/// The registers that `tcgen05.ld` fills from all of `memory`: each warp of a
/// group of four has its own 32 rows, and further groups have further columns.
static Attribute registersFor(ttg::MemDescType memory, unsigned warps) {
  MLIRContext *context = memory.getContext();
  std::string error;
  auto places =
      ttg::toLinearLayout(memory.getShape(), memory.getEncoding(), error);
  if (!places)
    return {};
  using Vectors = std::vector<std::vector<int32_t>>;
  auto isZero = [](const std::vector<int32_t> &basis) {
    return llvm::all_of(basis, [](int32_t value) { return value == 0; });
  };
  Vectors rows = places->getBases(StringAttr::get(context, "row")),
          columns = places->getBases(StringAttr::get(context, "col"));
  llvm::erase_if(columns, isZero);
  auto takeColumn = [&]() -> std::vector<int32_t> {
    if (columns.empty())
      return {0, 0};
    auto last = std::move(columns.back());
    columns.pop_back();
    return last;
  };
  Vectors lanes(rows.begin(), rows.begin() + 5),
      groups(rows.begin() + 5, rows.end());
  // With 64 rows the upper half of a warp has no row of its own.
  if (isZero(lanes.back()))
    lanes.back() = takeColumn();
  while (1u << groups.size() < warps)
    groups.push_back(takeColumn());
  ttg::LayoutDims dims(context);
  LinearLayout::Bases bases[] = {{dims.reg, columns},
                                 {dims.lane, lanes},
                                 {dims.warp, groups},
                                 {dims.block, {}}};
  SmallVector<LinearLayout::NamedValue> outs;
  for (auto [name, size] :
       llvm::zip_equal(ttg::tensorDims(context, 2), memory.getShape()))
    outs.emplace_back(name, static_cast<int32_t>(size));
  auto layout = LinearLayout::create(bases, outs, error);
  return layout ? ttg::LinearEncodingAttr::get(context, *layout) : Attribute();
}

/// Whether rows of an operand may lie along either dimension; those of tf32
/// would need a swizzle of their own (PTX ISA, "tcgen05: Canonical layouts").
static bool readsRowsOfEitherDim(RankedTensorType operand) {
  return operand.getElementTypeBitWidth() < 32;
}

std::optional<ProductLayout>
ttgir::chooseTensorCoreLayout(tt::DotOp op, const ThreadCounts &threads,
                              const Target &target, int64_t &columns) {
  RankedTensorType a = op.getA().getType(), c = op.getType();
  if (!hasMatrixUnit(target, MatrixUnit::Tcgen05) || threads.ctas != 1 ||
      threads.warps % 4 != 0 || c.getRank() != 2 || c.getDimSize(0) < 64 ||
      c.getDimSize(1) < 8 || c.getElementTypeBitWidth() != 32)
    return std::nullopt;
  const DescribedProduct *product = ttg::findDescribedProduct(
      MatrixUnit::Tcgen05, a.getElementType(),
      op.getB().getType().getElementType(), c.getElementType());
  if (!product || !hasProduct(target, *product) ||
      (a.getElementType().isF32() &&
       op.getInputPrecision() != tt::InputPrecision::TF32))
    return std::nullopt;
  ttg::MemDescType memory = accumulatorMemory(c);
  auto tile = cast<ttng::TensorMemoryEncodingAttr>(memory.getEncoding());
  if (a.getDimSize(1) < product->k ||
      !product->hasTile(/*ctas=*/1, tile.getBlockM(), tile.getBlockN()) ||
      !fitMemory(op, readsRowsOfEitherDim(a)))
    return std::nullopt;
  const int64_t needed = ttng::getTensorMemorySize(memory).columns;
  Attribute registers = registersFor(memory, threads.warps);
  if (needed > columns || !registers)
    return std::nullopt;
  columns -= needed;
  return ProductLayout{{}, {}, registers};
}

/// The loop that hands `op`'s accumulator from round to round, if nothing else
/// reads it there.
static scf::ForOp accumulatingLoop(tt::DotOp op) {
  auto sum = dyn_cast<BlockArgument>(op.getC());
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!loop || !sum || sum.getOwner() != loop.getBody() || !sum.hasOneUse() ||
      !op->hasOneUse())
    return {};
  OpOperand *yielded = loop.getTiedLoopYieldedValue(sum);
  return yielded && yielded->get() == op.getResult() ? loop : scf::ForOp();
}

void ttgir::moveProductsToTensorMemory(Operation *root) {
  SmallVector<tt::DotOp> products;
  root->walk([&](tt::DotOp op) {
    if (isa_and_nonnull<ttg::LinearEncodingAttr>(op.getType().getEncoding()))
      products.push_back(op);
  });
  for (tt::DotOp op : products) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    const bool eitherDim = readsRowsOfEitherDim(op.getA().getType());
    Value left = moveToMemory(b, loc, op.getA(), 1, eitherDim),
          right = moveToMemory(b, loc, op.getB(), 0, eitherDim);
    ttng::FenceAsyncSharedOp::create(b, loc, /*bCluster=*/false);
    Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    auto loop = accumulatingLoop(op);
    Value start = op.getC();
    if (loop) {
      start = loop.getTiedLoopInit(cast<BlockArgument>(start))->get();
      b.setInsertionPoint(loop);
    }
    Value sum = ttng::TMEMAllocOp::create(
                    b, loc, accumulatorMemory(op.getType()), Type(), start)
                    .getResult();
    b.setInsertionPoint(op);
    ttng::TCGen5MMAOp::create(
        b, loc, /*token=*/Type(), left, right, sum, /*acc_dep=*/Value(),
        /*useD=*/yes, /*pred=*/yes, /*barriers=*/ValueRange(),
        /*barrier_preds=*/ValueRange(), /*is_async=*/false,
        /*two_ctas=*/false, /*multicast=*/false,
        /*is_unsigned=*/false);
    auto load = [&] {
      return ttng::TMEMLoadOp::create(b, loc, op.getType(), Type(), Type(), sum,
                                      Value(), nullptr, nullptr, nullptr)
          .getResult();
    };
    if (loop) {
      auto carried = cast<BlockArgument>(op.getC());
      b.setInsertionPointAfter(loop);
      loop.getTiedLoopResult(carried).replaceAllUsesWith(load());
      op.replaceAllUsesWith(Value(carried));
    } else {
      op.replaceAllUsesWith(load());
    }
    op->erase();
  }
}
