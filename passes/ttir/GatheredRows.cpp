//===- GatheredRows.cpp - Row numbers as TMA's gather takes them ----------===//

#include "passes/ttir/GatheredRows.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

Value kernelscope::gatheredRows(OpBuilder &b, Location loc, Value rows,
                                int warps, int lanes) {
  auto type = cast<RankedTensorType>(rows.getType());
  if (!type.getElementType().isInteger(32)) {
    type = type.clone(b.getI32Type());
    rows = arith::ExtSIOp::create(b, loc, type, rows);
  }
  MLIRContext *context = b.getContext();
  auto all = ttg::BlockedEncodingAttr::get(
      context, {1, 4}, {static_cast<unsigned>(lanes), 1},
      {1, static_cast<unsigned>(warps)}, {1, 0},
      ttg::CGAEncodingAttr::get1CTALayout(context, 2));
  auto layout = ttg::SliceEncodingAttr::get(context, 0, all);
  return ttg::ConvertLayoutOp::create(b, loc, type.cloneWithEncoding(layout),
                                      rows);
}
