//===- Program.cpp - Where a program is in the grid -----------------------===//
//
// tt.get_program_id, tt.get_num_programs, ttg.warp_id, nvg.cluster_id.
//
//===----------------------------------------------------------------------===//

#include "dialects/nvg/NVG.h"
#include "dialects/ttg/TTG.h"
#include "dialects/tti/TTI.h"
#include "passes/lower/support/Lowering.h"

using namespace mlir;

namespace kernelscope::lower {

namespace {

/// Replaces an op without operands by what `Emit` makes of it.
template <typename Op, Value (*emit)(Builder &, Op, const TargetHooks &)>
class IdPattern : public Pattern<Op> {
public:
  using Pattern<Op>::Pattern;

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    rewriter.replaceOp(op, emit(b, op, this->hooks));
    return success();
  }
};

Value emitProgramId(Builder &b, tt::GetProgramIdOp op,
                    const TargetHooks &hooks) {
  return hooks.programId(b, static_cast<unsigned>(op.getAxis()));
}

Value emitNumPrograms(Builder &b, tt::GetNumProgramsOp op,
                      const TargetHooks &hooks) {
  return hooks.numPrograms(b, static_cast<unsigned>(op.getAxis()));
}

Value emitWarpId(Builder &b, ttg::WarpIdOp, const TargetHooks &hooks) {
  return hooks.uniformWarpId(b);
}

template <typename Op>
Value emitCtaId(Builder &b, Op, const TargetHooks &hooks) {
  return hooks.ctaId(b);
}

} // namespace

void populateProgramPatterns(const TypeConverter &converter, Patterns &patterns,
                             const TargetHooks &hooks) {
  patterns.add<IdPattern<tt::GetProgramIdOp, emitProgramId>,
               IdPattern<tt::GetNumProgramsOp, emitNumPrograms>,
               IdPattern<ttg::WarpIdOp, emitWarpId>,
               IdPattern<nvg::ClusterCTAIdOp, emitCtaId>,
               IdPattern<tti::ExperimentalClusterCTAIdOp, emitCtaId>>(converter,
                                                                      hooks);
}

} // namespace kernelscope::lower
