//===- GlobalScratch.cpp - Scratch in global memory -----------------------===//
//
// ttg.global_scratch_alloc: each block has a piece of what one of the kernel's
// hidden parameters points to (`KernelInfo`).
//
//===----------------------------------------------------------------------===//

#include "passes/memory/GlobalScratch.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "passes/lower/support/Lowering.h"

using namespace mlir;

namespace kernelscope::lower {

namespace {

/// The number of this block in the grid, those of a cluster one after another.
Value blockNumber(Builder &b, const TargetHooks &hooks) {
  Value program = b.i32(0);
  for (unsigned axis : {2, 1, 0})
    program = b.add(b.mul(program, hooks.numPrograms(b, axis)),
                    hooks.programId(b, axis));
  return b.add(b.mul(program, b.i32(static_cast<int32_t>(hooks.getCtas()))),
               hooks.ctaId(b));
}

class GlobalScratchAllocPattern : public Pattern<ttg::GlobalScratchAllocOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::GlobalScratchAllocOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto offset = op->getAttrOfType<IntegerAttr>(memory::scratchOffsetName);
    const bool isPlugins = op.getThirdPartyAllocation();
    auto bytes = op->getParentOfType<ModuleOp>()->getAttrOfType<IntegerAttr>(
        isPlugins ? memory::profileScratchBytesName : memory::scratchBytesName);
    if (!offset || !bytes)
      return op.emitOpError("has no '")
             << memory::scratchOffsetName
             << "': run allocate-global-scratch before convert-ttgir-to-llvm, "
                "or the pipeline ttgir-to-llvm";
    Builder b(op, rewriter);
    // The last two parameters are hidden: scratch, and the profiler's, which is
    // also for plug-ins.
    auto parameters = op->getParentOfType<FunctionOpInterface>()
                          .getFunctionBody()
                          .front()
                          .getArguments();
    Value start = b.mul(b.zext(b.intType(64), blockNumber(b, hooks)),
                        b.i64(bytes.getInt()));
    rewriter.replaceOp(
        op, b.gep(b.intType(8), parameters.take_back(isPlugins ? 1 : 2).front(),
                  b.add(start, b.i64(offset.getInt()))));
    return success();
  }
};

} // namespace

void populateGlobalScratchPatterns(const TypeConverter &converter,
                                   Patterns &patterns,
                                   const TargetHooks &hooks) {
  patterns.add<GlobalScratchAllocPattern>(converter, hooks);
}

} // namespace kernelscope::lower
