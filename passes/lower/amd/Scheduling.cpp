//===- Scheduling.cpp - What tells AMD's backend how to order -------------===//
//
// Ops of ROCDL that stand for an intrinsic with constants: priorities, barriers
// for the instruction scheduler, and one of warps that orders no memory. They
// are named, not included: ROCDL's header costs seconds.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/support/Lowering.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// The intrinsic has the op's name; its arguments are these attributes.
struct Hint {
  StringLiteral op;
  std::array<StringLiteral, 3> attributes;
};
constexpr Hint hints[] = {
    {"rocdl.s.barrier", {"", "", ""}},
    {"rocdl.s.setprio", {"priority", "", ""}},
    {"rocdl.sched.barrier", {"mask", "", ""}},
    {"rocdl.sched.group.barrier", {"mask", "size", "groupId"}},
    {"rocdl.iglp.opt", {"variant", "", ""}},
};

class HintPattern : public ConversionPattern {
public:
  HintPattern(const lower::TypeConverter &converter, const Hint &hint)
      : ConversionPattern(converter, hint.op, /*benefit=*/1,
                          &converter.getContext()),
        hint(hint) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value>,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    SmallVector<Value> arguments;
    for (StringRef name : hint.attributes) {
      if (name.empty())
        continue;
      auto value = op->getAttrOfType<IntegerAttr>(name);
      if (!value)
        return op->emitOpError("needs the integer attribute '") << name << "'";
      arguments.push_back(b.intConstant(value.getType(), value.getInt()));
    }
    b.intrinsic(("llvm.amdgcn." + hint.op.drop_front(6)).str(), {}, arguments);
    rewriter.eraseOp(op);
    return success();
  }

private:
  const Hint &hint;
};

} // namespace

void lower::populateSchedulingPatterns(const TypeConverter &converter,
                                       Patterns &patterns,
                                       const TargetHooks &hooks) {
  for (const Hint &hint : hints)
    patterns.add<HintPattern>(converter, hint);
}
