//===- ConvertCombinedOperands.cpp - Layouts to reduce and scan in --------===//
//
// `convert-combined-operands`: a reduction or scan whose layout has no lowering
// works in a blocked one.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"
#include "passes/LaunchTarget.h"
#include "passes/Passes.h"
#include "passes/lower/support/ScanPlan.h"
#include "passes/ttgir/OpLayouts.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_CONVERTCOMBINEDOPERANDS
#include "passes/Passes.h.inc"

/// The layout for `type` in which threads come first across the axis, so that
/// they exchange as little as possible.
static Attribute combinedLayout(RankedTensorType type, unsigned axis) {
  LinearLayout layout = ttg::toLinearLayout(type);
  ttg::LayoutDims names(type.getContext());
  SmallVector<unsigned> order;
  for (auto dim : llvm::reverse(llvm::seq<unsigned>(0, type.getRank())))
    if (dim != axis)
      order.push_back(dim);
  order.push_back(axis);
  return ttgir::blockedLayout(
      type, order, /*perThread=*/1,
      {static_cast<unsigned>(layout.getInDimSize(names.warp)),
       static_cast<unsigned>(layout.getInDimSize(names.lane)),
       static_cast<unsigned>(layout.getInDimSize(names.block))});
}

/// Lets `op` work in `layout`, and gives its results the types they had.
template <typename Op>
static void workIn(Op op, Attribute layout, Attribute resultLayout) {
  OpBuilder b(op);
  for (OpOperand &operand : op->getOpOperands())
    operand.set(ttg::ConvertLayoutOp::create(
        b, op.getLoc(),
        cast<RankedTensorType>(operand.get().getType())
            .cloneWithEncoding(layout),
        operand.get()));
  b.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type)
      continue;
    result.setType(type.cloneWithEncoding(resultLayout));
    auto back = ttg::ConvertLayoutOp::create(b, op.getLoc(), type, result);
    result.replaceAllUsesExcept(back, back);
  }
}

namespace {

struct ConvertCombinedOperands
    : impl::ConvertCombinedOperandsBase<ConvertCombinedOperands> {
  void runOnOperation() override {
    if (failed(checkLayouts(getOperation())))
      return signalPassFailure();
    getOperation()->walk([this](Operation *op) {
      if (auto scan = dyn_cast<tt::ScanOp>(op)) {
        RankedTensorType type = scan.getInputTypes().front();
        if (lower::planScan(scan).isRegular)
          return;
        Attribute layout = combinedLayout(type, scan.getAxis());
        workIn(scan, layout, layout);
      } else if (auto reduce = dyn_cast<tt::ReduceOp>(op)) {
        RankedTensorType type = reduce.getInputTypes().front();
        unsigned axis = reduce.getAxis();
        LinearLayout given = ttg::toLinearLayout(type);
        if (lower::splitAlong(given, given.getOutDims()[axis].name).isSeparable)
          return;
        Attribute layout = combinedLayout(type, axis);
        workIn(reduce, layout,
               ttg::SliceEncodingAttr::get(
                   &getContext(), axis,
                   cast<ttg::DistributedEncodingTrait>(layout)));
      }
    });
  }
};

} // namespace

} // namespace kernelscope
