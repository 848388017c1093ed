//===- OpLayouts.cpp - How the layouts around one op hang together --------===//

#include "passes/ttir/OpLayouts.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;

Attribute ttir::blockedLayout(RankedTensorType type, ArrayRef<unsigned> order,
                              unsigned perThread, const ThreadCounts &threads) {
  MLIRContext *context = type.getContext();
  SmallVector<unsigned> sizePerThread(type.getRank(), 1);
  sizePerThread[order[0]] = perThread;
  if (threads.ctas == 1)
    return ttg::BlockedEncodingAttr::getFor(
        context, type.getShape(), sizePerThread, order, threads.warps,
        threads.threadsPerWarp,
        ttg::CGAEncodingAttr::get1CTALayout(context, type.getRank()));

  // The CTAs split the tensor along the fastest dimensions that have room; what
  // is left over has copies along the slowest.
  SmallVector<unsigned> split(type.getRank(), 1), perCga(type.getRank(), 1);
  SmallVector<int64_t> shape(type.getShape());
  unsigned left = threads.ctas;
  for (unsigned dim : order) {
    split[dim] = std::min<int64_t>(
        left, std::max<int64_t>(1, shape[dim] / sizePerThread[dim]));
    perCga[dim] = split[dim];
    shape[dim] /= split[dim];
    left /= split[dim];
  }
  perCga[order.back()] *= left;
  return ttg::BlockedEncodingAttr::getFor(
      context, shape, sizePerThread, order, threads.warps,
      threads.threadsPerWarp,
      ttg::CGAEncodingAttr::fromSplitParams(context, perCga, split, order));
}

static SmallVector<unsigned> lastDimensionFastest(unsigned rank) {
  return llvm::to_vector(llvm::reverse(llvm::seq(0u, rank)));
}

Attribute ttir::plainLayout(RankedTensorType type,
                            const ThreadCounts &threads) {
  return blockedLayout(type, lastDimensionFastest(type.getRank()), 1, threads);
}

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// Ops whose operands and results all have the working layout.
static bool sharesOneLayout(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() ||
         op->hasTrait<tt::SameOperandsAndResultEncoding>() ||
         op->hasTrait<tt::SameOperandsEncoding>() ||
         op->hasTrait<OpTrait::ConstantLike>() ||
         isa<tt::MakeRangeOp, tt::BroadcastOp>(op);
}

bool ttir::hasWorkingLayout(Operation *op) {
  return sharesOneLayout(op) ||
         isa<tt::CatOp, tt::ExpandDimsOp, tt::TransOp, tt::ReduceOp,
             tt::ReshapeOp, tt::JoinOp, tt::SplitOp, tt::GatherOp,
             tt::HistogramOp, tt::DotOp, tt::DotScaledOp>(op);
}

bool ttir::isRecomputable(Operation *op) {
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         (isa<tt::ExpandDimsOp, tt::TransOp>(op) ||
          (sharesOneLayout(op) && !isa<tt::ReduceOp>(op)));
}

static Attribute orNull(FailureOr<Attribute> layout) {
  return layout.value_or(Attribute());
}

Attribute ttir::operandLayout(Operation *op, unsigned index,
                              Attribute working) {
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    auto parent = dyn_cast<ttg::DistributedEncodingTrait>(working);
    return parent ? ttg::SliceEncodingAttr::get(op->getContext(),
                                                expand.getAxis(), parent)
                  : Attribute();
  }
  if (isa<tt::GatherOp>(op))
    return index == 0 ? Attribute() : working;
  if (isa<tt::DotOp, tt::DotScaledOp>(op)) {
    if (index < 2)
      return ttg::DotOperandEncodingAttr::get(op->getContext(), index, working,
                                              /*kWidth=*/0);
    return index == 2 ? working : Attribute();
  }
  return working;
}

/// A thread puts its elements of the two operands together. If the working
/// layout has no room for that, since threads hold copies, it gets more.
static Attribute catLayout(tt::CatOp cat, Attribute working,
                           const tt::LayoutInterface &layouts) {
  auto operand = cast<RankedTensorType>(cat.getLhs().getType());
  auto result = cast<RankedTensorType>(cat.getType());
  auto elements = [&](RankedTensorType type, Attribute layout) {
    return layouts.elementsPerThread(
        RankedTensorType::get(type.getShape(), type.getElementType(), layout));
  };
  std::optional<int64_t> each = elements(operand, working);
  auto blocked = dyn_cast<ttg::BlockedEncodingAttr>(working);
  if (!each || !blocked || elements(result, working) == 2 * *each)
    return working;
  SmallVector<unsigned> sizePerThread(blocked.getSizePerThread());
  sizePerThread[blocked.getOrder()[0]] = 2 * *each;
  return ttg::BlockedEncodingAttr::get(
      cat.getContext(), sizePerThread, blocked.getThreadsPerWarp(),
      blocked.getWarpsPerCTA(), blocked.getOrder(), blocked.getCGALayout());
}

Attribute ttir::resultLayout(Operation *op, Attribute working) {
  const tt::LayoutInterface *layouts = tt::getLayoutInterface(working);
  if (!layouts)
    return {};
  if (auto trans = dyn_cast<tt::TransOp>(op))
    return orNull(layouts->inferTrans(working, shapeOf(trans.getSrc()),
                                      trans.getOrder(), std::nullopt));
  if (auto reduce = dyn_cast<tt::ReduceOp>(op))
    return orNull(
        layouts->inferReduce(working, reduce.getAxis(), std::nullopt));
  if (auto reshape = dyn_cast<tt::ReshapeOp>(op))
    return orNull(layouts->inferReshape(
        working, shapeOf(reshape.getSrc()), shapeOf(reshape.getResult()),
        /*hint=*/{}, /*allowReorder=*/false, std::nullopt));
  if (auto join = dyn_cast<tt::JoinOp>(op))
    return orNull(
        layouts->inferJoin(working, shapeOf(join.getLhs()), std::nullopt));
  if (auto split = dyn_cast<tt::SplitOp>(op))
    return orNull(
        layouts->inferSplit(working, shapeOf(split.getSrc()), std::nullopt));
  if (auto cat = dyn_cast<tt::CatOp>(op))
    return catLayout(cat, working, *layouts);
  if (isa<tt::HistogramOp>(op))
    return {};
  return working;
}

Attribute ttir::workingLayoutForOperand(Operation *op, unsigned index,
                                        Attribute layout) {
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    auto slice = dyn_cast<ttg::SliceEncodingAttr>(layout);
    return slice && slice.getDim() == expand.getAxis()
               ? Attribute(slice.getParent())
               : Attribute();
  }
  if (isa<tt::GatherOp>(op))
    return index == 1 ? layout : Attribute();
  if (isa<tt::DotOp, tt::DotScaledOp>(op))
    return index == 2 ? layout : Attribute();
  // A source whose halves lie in different threads cannot be split in place.
  if (isa<tt::SplitOp>(op) && !resultLayout(op, layout))
    return {};
  return layout;
}

Attribute ttir::workingLayoutForResult(Operation *op, Attribute layout) {
  auto trans = dyn_cast<tt::TransOp>(op);
  if (!trans)
    return layout;
  SmallVector<int32_t> inverse(trans.getOrder().size());
  for (auto [to, from] : llvm::enumerate(trans.getOrder()))
    inverse[from] = static_cast<int32_t>(to);
  const tt::LayoutInterface *layouts = tt::getLayoutInterface(layout);
  return layouts
             ? orNull(layouts->inferTrans(layout, shapeOf(trans.getResult()),
                                          inverse, std::nullopt))
             : Attribute();
}

Attribute ttir::plainWorkingLayout(Operation *op, const ThreadCounts &threads) {
  if (auto split = dyn_cast<tt::SplitOp>(op)) {
    auto type = cast<RankedTensorType>(split.getSrc().getType());
    return blockedLayout(type, lastDimensionFastest(type.getRank()), 2,
                         threads);
  }
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  // These work in the layout of what they give, the others of what they take.
  bool byResult =
      isa<tt::DotOp, tt::DotScaledOp, tt::GatherOp, tt::ExpandDimsOp>(op) ||
      llvm::none_of(op->getOperandTypes(), isTensor);
  auto types = byResult ? SmallVector<Type>(op->getResultTypes())
                        : SmallVector<Type>(op->getOperandTypes());
  auto found = llvm::find_if(types, isTensor);
  return found == types.end()
             ? Attribute()
             : plainLayout(cast<RankedTensorType>(*found), threads);
}
