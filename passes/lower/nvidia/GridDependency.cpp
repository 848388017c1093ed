//===- GridDependency.cpp - Programmatic dependent launch -----------------===//
//
// tt.grid_dependency_wait and grid_dependency_launch_dependents. PTX ISA,
// "griddepcontrol".
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "passes/lower/nvidia/Ptx.h"
#include "passes/lower/support/Lowering.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

template <typename Op> class ControlPattern : public lower::Pattern<Op> {
public:
  ControlPattern(const lower::TypeConverter &converter,
                 const TargetHooks &hooks, StringRef instruction)
      : lower::Pattern<Op>(converter, hooks), instruction(instruction) {}

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    Ptx(b).emit(instruction);
    rewriter.eraseOp(op);
    return success();
  }

private:
  StringRef instruction;
};

} // namespace

void lower::populateGridDependencyPatterns(const TypeConverter &converter,
                                           Patterns &patterns,
                                           const TargetHooks &hooks) {
  patterns.add<ControlPattern<tt::GridDependencyWaitOp>>(
      converter, hooks, "griddepcontrol.wait;");
  patterns.add<ControlPattern<tt::GridDependencyLaunchDependentsOp>>(
      converter, hooks, "griddepcontrol.launch_dependents;");
}
