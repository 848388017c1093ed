//===- ScaledProductLayout.cpp - Layouts of microscaled products ----------===//

#include "passes/ttgir/ScaledProductLayout.h"
#include "dialects/amdg/AMDG.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/MatrixElements.h"
#include "passes/analysis/DotPlan.h"
#include "passes/analysis/ScaledOperands.h"
#include "passes/ttgir/AccumulatorLayout.h"
#include "passes/ttgir/TensorCoreProducts.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttgir;

/// Bytes along K that a lane holds one after another.
static constexpr unsigned bytesTogether = 16;

/// The type of operand `index` if its pairs of e2m1 were packed along K.
static RankedTensorType packedAlongK(tt::DotScaledOp op, unsigned index) {
  auto type = cast<RankedTensorType>(op->getOperand(index).getType());
  const tt::Packing packing = op.getPacking(index);
  if (packing.alongK || packing.factor == 1)
    return type;
  SmallVector<int64_t> shape(type.getShape());
  const size_t k = shape.size() - (index == 0 ? 1 : 2),
               other = shape.size() - (index == 0 ? 2 : 1);
  shape[k] /= 2;
  shape[other] *= 2;
  return type.clone(shape);
}

/// The layout of operand `index` of a product whose result is laid out as `sum`
/// says. Where two elements share a byte WMMA counts bytes.
static Attribute layoutOfOperand(Attribute sum, MatrixElement element,
                                 unsigned index) {
  if (auto wmma = dyn_cast<ttg::AMDWmmaEncodingAttr>(sum);
      wmma && bitsOf(element) == 4) {
    SmallVector<unsigned> shape(wmma.getInstrShape());
    shape.back() /= 2;
    sum = ttg::AMDWmmaEncodingAttr::get(
        sum.getContext(), wmma.getVersion(), wmma.getCtaLayout(),
        wmma.getIsTransposed(), wmma.getCGALayout(), shape);
  }
  return ttg::DotOperandEncodingAttr::get(sum.getContext(), index, sum,
                                          bytesTogether);
}

/// The layouts in which one of the target's matrix instructions on registers
/// computes `op`.
static std::optional<ProductLayout>
chooseRegisterLayout(tt::DotScaledOp op, const ThreadCounts &threads,
                     const Target &target) {
  auto instructions = scaledInstructions(target);
  auto ofA = ttg::matrixElement(op.getAElemType()),
       ofB = ttg::matrixElement(op.getBElemType());
  auto isScaled = [](MatrixElement element) {
    return llvm::is_contained(scaledFormats, element);
  };
  auto result = op.getType();
  if (instructions.empty() || threads.ctas != 1 || !ofA || !ofB ||
      !isScaled(*ofA) || !isScaled(*ofB) || !result.getElementType().isF32())
    return std::nullopt;
  const bool isMfma = hasMatrixUnit(target, MatrixUnit::MfmaCdna4);
  const auto perScale =
      static_cast<int32_t>(op.getElementsPerScale().value_or(0));
  if (perScale != int32_t(elementsPerScale) && (isMfma || perScale != 16))
    return std::nullopt;
  for (Value scale : {op.getAScale(), op.getBScale()})
    if (scale && !getElementTypeOrSelf(scale).isInteger(8) &&
        (isMfma || !isa<Float8E4M3FNType>(getElementTypeOrSelf(scale))))
      return std::nullopt;
  MLIRContext *context = op.getContext();
  const auto rank = static_cast<unsigned>(result.getRank());
  for (const MatrixInstruction *instruction :
       fewestCopiesFirst(instructions, result, std::nullopt, threads.warps)) {
    Attribute sum = accumulatorLayout(
        *instruction, result, std::nullopt, threads.warps,
        ttg::CGAEncodingAttr::get1CTALayout(context, rank), target);
    ProductLayout layout{layoutOfOperand(sum, *ofA, 0),
                         layoutOfOperand(sum, *ofB, 1), sum};
    const ScaledOperand a = ScaledOperand::of(
                            packedAlongK(op, 0).cloneWithEncoding(layout.a),
                            *ofA, rank - 1),
                        b = ScaledOperand::of(
                            packedAlongK(op, 1).cloneWithEncoding(layout.b),
                            *ofB, rank - 2);
    // Both layouts are transposed: rows are along the lanes' N.
    MatrixFragments fragments = scaledFragments(*instruction, *ofB, *ofA);
    auto plan =
        planDot(fragments, a.layout, b.layout,
                ttg::toLinearLayout(result.cloneWithEncoding(sum)), true);
    if (!plan || !plan->isTransposed)
      continue;
    std::swap(fragments.a, fragments.b);
    bool fits = true;
    for (auto [scale, operand, fragment, registers] :
         {std::tuple(op.getAScale(), &a, fragments.a, &DotStep::a),
          std::tuple(op.getBScale(), &b, fragments.b, &DotStep::b)}) {
      if (!scale)
        continue;
      ArrayRef<int64_t> shape =
          cast<RankedTensorType>(scale.getType()).getShape();
      auto map =
          scaleLayout(*operand, fragment, instruction->unit, shape, perScale);
      fits &=
          map && llvm::all_of(plan->steps, [&](const DotStep &step) {
            return keepsBlocks(*operand, fragment, step.*registers, perScale);
          });
      if (fits)
        layout.scales.push_back(ttg::LinearEncodingAttr::get(context, *map));
    }
    if (!fits)
      continue;
    if (!op.getPacking(0).alongK)
      layout.a = {};
    if (!op.getPacking(1).alongK)
      layout.b = {};
    return layout;
  }
  return std::nullopt;
}

std::optional<ProductLayout>
ttgir::chooseScaledLayout(tt::DotScaledOp op, const ThreadCounts &threads,
                          const Target &target, int64_t &columns) {
  if (auto layout = chooseTensorCoreLayout(op, threads, target, columns))
    return layout;
  return chooseRegisterLayout(op, threads, target);
}

/// `layout` of scales, but each lane has all those of its rows, from which it
/// then selects.
static Attribute wholeRows(RankedTensorType type, Attribute layout) {
  MLIRContext *context = type.getContext();
  ttg::LayoutDims names(context);
  std::string error;
  const auto map = ttg::toLinearLayout(type.getShape(), layout, error);
  if (!map)
    return {};
  const auto rank = static_cast<unsigned>(type.getRank());
  std::vector<std::vector<int32_t>> registers;
  for (int32_t block = 1; block < type.getShape().back(); block *= 2) {
    registers.emplace_back(rank);
    registers.back().back() = block;
  }
  for (std::vector<int32_t> &basis : map->getBases(names.reg))
    if (basis.back() == 0)
      registers.push_back(std::move(basis));
  auto lanes = map->getBases(names.lane);
  for (std::vector<int32_t> &basis : lanes)
    basis.back() = 0;
  const auto rows =
      LinearLayout::create({{names.reg, registers},
                            {names.lane, lanes},
                            {names.warp, map->getBases(names.warp)},
                            {names.block, map->getBases(names.block)}},
                           map->getOutDimSizes(), error);
  return rows ? ttg::LinearEncodingAttr::get(context, *rows) : Attribute();
}

void ttgir::loadScalesByRows(
    llvm::MapVector<Operation *, Attribute> &accessLayouts,
    const llvm::MapVector<Operation *, ProductLayout> &productLayouts,
    const AxisInfoAnalysis &axes) {
  for (auto &[op, layout] : accessLayouts) {
    auto load = dyn_cast<tt::LoadOp>(op);
    if (!load || !load->hasOneUse())
      continue;
    OpOperand &use = *load->use_begin();
    auto product = productLayouts.find(use.getOwner());
    if (product == productLayouts.end() || use.getOperandNumber() < 3)
      continue;
    Attribute scales = product->second.ofOperand(use.getOperandNumber());
    if (!scales)
      continue;
    auto type = cast<RankedTensorType>(load.getType());
    // Of a row that one access reads, the lane needs no second access.
    const bool isOneAccess =
        axes.accessElements(load.getPtr(), type.getRank() - 1,
                            type.getElementTypeBitWidth()) >=
        type.getShape().back();
    if (Attribute rows = isOneAccess ? wholeRows(type, scales) : scales)
      layout = rows;
  }
}

/// The operand `index` of `op` packed along K, through shared memory.
static Value loadPackedAlongK(OpBuilder &b, tt::DotScaledOp op,
                              unsigned index) {
  Value operand = op->getOperand(index);
  MLIRContext *context = op.getContext();
  auto type = cast<RankedTensorType>(operand.getType());
  const auto rank = static_cast<unsigned>(type.getRank());
  // Pairs, which transposing loads read, lie along M or N.
  SmallVector<unsigned> order(llvm::reverse(llvm::seq(0u, rank)));
  if (index == 0)
    std::swap(order[0], order[1]);
  auto memory = ttg::MemDescType::get(
      type.getShape(), type.getElementType(),
      ttg::SwizzledSharedEncodingAttr::get(
          context, 1, 1, 1, order,
          ttg::CGAEncodingAttr::get1CTALayout(context, rank)),
      ttg::SharedMemorySpaceAttr::get(context), /*mutableMemory=*/false);
  Value stored = ttg::LocalAllocOp::create(b, op.getLoc(), memory, operand);
  return amdg::LocalLoadPackedTransposedOp::create(
      b, op.getLoc(),
      packedAlongK(op, index).cloneWithEncoding(layoutOfOperand(
          op.getType().getEncoding(), MatrixElement::E2M1, index)),
      stored, /*token=*/Value());
}

void ttgir::packAlongK(Operation *root) {
  root->walk([](tt::DotScaledOp op) {
    OpBuilder b(op);
    if (!isa<ttg::AMDMfmaEncodingAttr, ttg::AMDWmmaEncodingAttr>(
            op.getType().getEncoding()))
      return;
    if (!op.getLhsKPack()) {
      op.getAMutable().assign(loadPackedAlongK(b, op, 0));
      op.setLhsKPack(true);
    }
    if (!op.getRhsKPack()) {
      op.getBMutable().assign(loadPackedAlongK(b, op, 1));
      op.setRhsKPack(true);
    }
  });
}
