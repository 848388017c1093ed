//===- TensorCoreProducts.cpp - Products in tensor memory -----------------===//

#include "passes/ttgir/TensorCoreProducts.h"
#include "dialects/target/DescribedProducts.h"
#include "dialects/target/TensorMemoryShapes.h"
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
  // Four warps store all scales, in whole words; further groups have copies.
  const bool areScales =
      isa<ttng::TensorMemoryScalesEncodingAttr>(memory.getEncoding());
  while (1u << groups.size() < warps)
    groups.push_back(areScales ? std::vector<int32_t>{0, 0} : takeColumn());
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

/// Tensor memory for the scales of an operand.
static ttg::MemDescType scalesMemory(RankedTensorType type) {
  MLIRContext *context = type.getContext();
  auto layout = ttng::TensorMemoryScalesEncodingAttr::get(
      context, ttg::CGAEncodingAttr::get1CTALayout(context, 2),
      ttng::TensorMemoryScalesBlockRepOrder::MN_THEN_K);
  return ttg::MemDescType::get(type.getShape(), type.getElementType(), layout,
                               ttng::TensorMemorySpaceAttr::get(context),
                               /*mutableMemory=*/false);
}

static bool isFp8(tt::ScaleDotElemType format) {
  return format == tt::ScaleDotElemType::E4M3 ||
         format == tt::ScaleDotElemType::E5M2;
}

/// Whether block-scaled instructions take an operand of this format.
static bool takesScaled(RankedTensorType operand, tt::ScaleDotElemType format) {
  Type element = operand.getElementType();
  if (format == tt::ScaleDotElemType::E2M1)
    return element.isInteger(8);
  return format == tt::ScaleDotElemType::E4M3 ? isa<Float8E4M3FNType>(element)
                                              : isa<Float8E5M2Type>(element);
}

/// Whether these are one scale for each 32 elements of K, or of e2m1 in e4m3
/// for each 16, and fill words of tensor memory.
static bool takesScales(Value scales, int64_t rows, int64_t depth, bool isFp4) {
  constexpr int64_t scalesOfWord = 4;
  if (!scales)
    return false;
  auto type = cast<RankedTensorType>(scales.getType());
  const bool isFloat = isa<Float8E4M3FNType>(type.getElementType());
  if (!(type.getElementType().isInteger(8) || (isFloat && isFp4)) ||
      type.getRank() != 2 || type.getDimSize(0) != rows)
    return false;
  return type.getDimSize(1) >= scalesOfWord &&
         type.getDimSize(1) * (isFloat ? 16 : 32) == depth;
}

std::optional<ProductLayout>
ttgir::chooseTensorCoreLayout(tt::DotScaledOp op, const ThreadCounts &threads,
                              const Target &target, int64_t &columns) {
  RankedTensorType a = op.getA().getType(), c = op.getType();
  if (!hasMatrixUnit(target, MatrixUnit::Tcgen05) || threads.ctas != 1 ||
      threads.warps % 4 != 0 || c.getRank() != 2 ||
      c.getDimSize(0) % 128 != 0 || c.getDimSize(1) < 32 ||
      !c.getElementType().isF32())
    return std::nullopt;
  const tt::ScaleDotElemType left = op.getAElemType(),
                             right = op.getBElemType();
  const bool isFp4 = left == tt::ScaleDotElemType::E2M1;
  const int64_t depth = a.getDimSize(1) * (isFp4 ? 2 : 1);
  if (!(isFp4 ? right == left && op.getLhsKPack() && op.getRhsKPack()
              : isFp8(left) && isFp8(right)) ||
      !takesScaled(a, left) || !takesScaled(op.getB().getType(), right) ||
      !takesScales(op.getAScale(), c.getDimSize(0), depth, isFp4) ||
      !takesScales(op.getBScale(), c.getDimSize(1), depth, isFp4) ||
      getElementTypeOrSelf(op.getAScale()) !=
          getElementTypeOrSelf(op.getBScale()))
    return std::nullopt;
  // Scales are stored for chips that read them all along M or N first.
  if (target.ordersLeftScalesAlongK &&
      isa<FloatType>(getElementTypeOrSelf(op.getAScale())))
    return std::nullopt;
  int64_t needed = 0;
  Attribute registers;
  for (ttg::MemDescType memory :
       {scalesMemory(op.getAScale().getType()),
        scalesMemory(op.getBScale().getType()), accumulatorMemory(c)}) {
    registers = registersFor(memory, threads.warps);
    if (!registers)
      return std::nullopt;
    needed += ttng::getTensorMemorySize(memory).columns;
  }
  if (needed > columns)
    return std::nullopt;
  columns -= needed;
  return ProductLayout{{}, {}, registers};
}

int64_t ttgir::tensorColumnsOf(tt::FuncOp function) {
  return function.isPublic() ? tensorMemoryColumns : 0;
}

/// The loop that hands `op`'s accumulator from round to round, if nothing else
/// reads it there.
template <typename Product> static scf::ForOp accumulatingLoop(Product op) {
  auto sum = dyn_cast<BlockArgument>(op.getC());
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!loop || !sum || sum.getOwner() != loop.getBody() || !sum.hasOneUse() ||
      !op->hasOneUse())
    return {};
  OpOperand *yielded = loop.getTiedLoopYieldedValue(sum);
  return yielded && yielded->get() == op.getResult() ? loop : scf::ForOp();
}

/// Operands in shared memory, of which a fence says to the unit that they are
/// there.
static std::pair<Value, Value> moveOperands(OpBuilder &b, Location loc, Value x,
                                            Value y, bool eitherDim) {
  Value left = moveToMemory(b, loc, x, 1, eitherDim),
        right = moveToMemory(b, loc, y, 0, eitherDim);
  ttng::FenceAsyncSharedOp::create(b, loc, /*bCluster=*/false);
  return {left, right};
}

static void multiply(OpBuilder &b, tt::DotOp op, Value sum, Value yes,
                     unsigned) {
  auto [left, right] = moveOperands(b, op.getLoc(), op.getA(), op.getB(),
                                    readsRowsOfEitherDim(op.getA().getType()));
  ttng::TCGen5MMAOp::create(b, op.getLoc(), /*token=*/Type(), left, right, sum,
                            /*acc_dep=*/Value(), /*useD=*/yes, /*pred=*/yes,
                            /*barriers=*/ValueRange(),
                            /*barrier_preds=*/ValueRange(), /*is_async=*/false,
                            /*two_ctas=*/false, /*multicast=*/false,
                            /*is_unsigned=*/false);
}

static void multiply(OpBuilder &b, tt::DotScaledOp op, Value sum, Value yes,
                     unsigned warps) {
  Location loc = op.getLoc();
  auto store = [&](Value scales) -> Value {
    auto type = cast<RankedTensorType>(scales.getType());
    ttg::MemDescType memory = scalesMemory(type);
    Value laidOut = ttg::ConvertLayoutOp::create(
        b, loc, type.cloneWithEncoding(registersFor(memory, warps)), scales);
    return ttng::TMEMAllocOp::create(b, loc, memory, Type(), laidOut)
        .getResult();
  };
  // PTX ISA, "tcgen05.mma": rows of 4-bit elements lie along K.
  auto [left, right] =
      moveOperands(b, loc, op.getA(), op.getB(), isFp8(op.getAElemType()));
  Value ofLeft = store(op.getAScale()), ofRight = store(op.getBScale());
  ttng::TCGen5MMAScaledOp::create(
      b, loc, /*token=*/Type(), left, right, sum, /*acc_dep=*/Value(), ofLeft,
      ofRight, op.getAElemType(), op.getBElemType(), /*useD=*/yes, /*pred=*/yes,
      /*barriers=*/ValueRange(), /*barrier_preds=*/ValueRange(),
      /*two_ctas=*/false, /*multicast=*/false, /*is_async=*/false);
}

template <typename Product>
static void moveToTensorMemory(Product op, unsigned warps) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  auto loop = accumulatingLoop(op);
  Value start = op.getC();
  if (loop) {
    start = loop.getTiedLoopInit(cast<BlockArgument>(start))->get();
    b.setInsertionPoint(loop);
  }
  Value sum = ttng::TMEMAllocOp::create(b, loc, accumulatorMemory(op.getType()),
                                        Type(), start)
                  .getResult();
  b.setInsertionPoint(op);
  multiply(b, op, sum, yes, warps);
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

void ttgir::moveProductsToTensorMemory(Operation *root, unsigned warps) {
  SmallVector<Operation *> products;
  root->walk([&](tt::DotOpInterface op) {
    if (isa<tt::DotOp, tt::DotScaledOp>(op) &&
        isa_and_nonnull<ttg::LinearEncodingAttr>(
            cast<RankedTensorType>(op->getResult(0).getType()).getEncoding()))
      products.push_back(op);
  });
  for (Operation *op : products)
    if (auto scaled = dyn_cast<tt::DotScaledOp>(op))
      moveToTensorMemory(scaled, warps);
    else
      moveToTensorMemory(cast<tt::DotOp>(op), warps);
}
