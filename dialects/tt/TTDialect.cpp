//===- TTDialect.cpp - the tt dialect -------------------------------------===//
//
// Registration, and how functions are inlined.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace kernelscope::tt;

#include "dialects/tt/TTDialect.cpp.inc"

namespace {

/// Everything may be inlined but functions marked `noinline`.
struct TTInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Operation *callable, bool) const final {
    auto noinline_ = callable->getAttrOfType<BoolAttr>("noinline");
    return !noinline_ || !noinline_.getValue();
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }

  void handleTerminator(Operation *op, Block *next) const final {
    if (!isa<ReturnOp>(op))
      return;
    OpBuilder builder(op);
    cf::BranchOp::create(builder, op->getLoc(), next, op->getOperands());
    op->erase();
  }
  void handleTerminator(Operation *op, ValueRange replaced) const final {
    for (auto [old, value] : llvm::zip(replaced, op->getOperands()))
      old.replaceAllUsesWith(value);
  }
};

} // namespace

void TTDialect::initialize() {
  registerTypes();
  registerOps();
  addInterfaces<TTInliner>();
}

Operation *TTDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                          Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
