//===- CastMode.cpp - What narrow floats make of large values -------------===//
//
// The bit FP16_OVFL of the wave's mode register (AMD's ISA documents, "MODE
// Register"). Triton 3.9 sets it in each kernel that converts to an 8-bit
// float.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/amd/CastMode.h"
#include "dialects/amdg/AMDG.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace kernelscope::lower {
namespace {

constexpr StringLiteral modeName = "amd.casts-saturate";

bool isFloat8(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element && element.getWidth() == 8;
}

/// Whether the result may be an f16 that rounding made infinite.
bool mayOverflowF16(Operation *op) {
  if (isa<tt::ElementwiseInlineAsmOp, ttg::InlineAsmOp>(op))
    return true;
  if (llvm::none_of(op->getResultTypes(), [](Type type) {
        return getElementTypeOrSelf(type).isF16();
      }))
    return false;
  if (isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp, arith::NegFOp,
          arith::MinimumFOp, arith::MaximumFOp, arith::MinNumFOp,
          arith::MaxNumFOp, arith::ExtFOp, math::AbsFOp>(op))
    return false;
  if (isa<tt::FpToFpOp>(op))
    return !isFloat8(op->getOperand(0).getType());
  return isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
         isa<tt::DotOpInterface, tt::ExternElementwiseOp, tt::AtomicRMWOp,
             amdg::BufferAtomicRMWOp, amdg::ScaledUpcastFp4Op,
             amdg::ScaledUpcastFp8Op, amdg::UpcastMXFPOp>(op);
}

} // namespace

void chooseCastMode(ModuleOp module) {
  bool casts = false, mustSaturate = false, overflows = false;
  module.walk([&](Operation *op) {
    mustSaturate |= isa<amdg::ScaledDowncastFp8Op>(op);
    casts |= isa<tt::FpToFpOp, arith::TruncFOp>(op) &&
             isFloat8(op->getResult(0).getType());
    overflows |= mayOverflowF16(op);
  });
  if (mustSaturate || (casts && !overflows))
    module->setAttr(modeName, UnitAttr::get(module.getContext()));
}

void enterCastMode(ModuleOp module) {
  if (!module->removeAttr(modeName))
    return;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.getCConv() != LLVM::CConv::AMDGPU_KERNEL)
      continue;
    OpBuilder start = OpBuilder::atBlockBegin(&function.getBody().front());
    Builder b(function.getLoc(), start, {});
    // Register 1, from bit 23 on, one bit.
    constexpr int32_t overflowBit = 1 | 23 << 6;
    b.intrinsic("llvm.amdgcn.s.setreg", {}, {b.i32(overflowBit), b.i32(1)});
  }
}

bool castsSaturate(Builder &b) {
  return b.getBuilder()
      .getInsertionBlock()
      ->getParentOp()
      ->getParentOfType<ModuleOp>()
      ->hasAttr(modeName);
}

} // namespace kernelscope::lower
