//===- ConvertTtirToTtgir.cpp - From tt alone to tt with layouts ----------===//
//
// `convert-ttir-to-ttgir`: gives tensors layouts, and the module the thread
// counts that they are for.
//
//===----------------------------------------------------------------------===//

#include "dialects/target/Target.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes/LaunchTarget.h"
#include "passes/Passes.h"
#include "passes/ttgir/ClusterProducts.h"
#include "passes/ttgir/Coalesce.h"
#include "passes/ttgir/CopyRows.h"
#include "passes/ttgir/LayoutAssignment.h"
#include "passes/ttgir/OperandLoads.h"
#include "passes/ttgir/ScaledProductLayout.h"
#include "passes/ttgir/SplitProducts.h"
#include "passes/ttgir/TensorCoreProducts.h"
#include "passes/ttgir/WarpCount.h"
#include "passes/ttgir/WgmmaProducts.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttgir;

namespace kernelscope {
#define GEN_PASS_DEF_CONVERTTTIRTOTTGIR
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace {
class ConvertTtirToTtgir
    : public kernelscope::impl::ConvertTtirToTtgirBase<ConvertTtirToTtgir> {
public:
  using ConvertTtirToTtgirBase::ConvertTtirToTtgirBase;
  void runOnOperation() override;

private:
  LogicalResult readOptions(ThreadCounts &threads, Target &chosen);
};
} // namespace

LogicalResult ConvertTtirToTtgir::readOptions(ThreadCounts &threads,
                                              Target &chosen) {
  FailureOr<Target> target = parseTarget(getOperation(), arch);
  if (failed(target))
    return failure();
  chosen = *target;
  threads = {numWarps ? numWarps
                      : chooseWarpCount(getOperation(), *target,
                                        std::max<unsigned>(numCtas, 1)),
             threadsPerWarp ? threadsPerWarp : target->warpSize, numCtas};
  auto check = [&](StringRef name, unsigned value,
                   unsigned limit) -> LogicalResult {
    if (llvm::isPowerOf2_32(value) && value <= limit)
      return success();
    return getOperation().emitError(name)
           << " is " << value << "; it must be a power of two of at most "
           << limit;
  };
  return success(
      succeeded(check("num-warps", threads.warps, 64)) &&
      succeeded(check("threads-per-warp", threads.threadsPerWarp, 64)) &&
      succeeded(check("num-ctas", threads.ctas, 16)));
}

/// The first tensor under `module` of which `isBad` holds, with its op.
static std::pair<Operation *, RankedTensorType>
findTensor(ModuleOp module, llvm::function_ref<bool(RankedTensorType)> isBad) {
  std::pair<Operation *, RankedTensorType> found;
  auto check = [&](Operation *op, TypeRange types) {
    for (Type type : types)
      if (auto tensor = dyn_cast<RankedTensorType>(type);
          tensor && isBad(tensor))
        found = {op, tensor};
  };
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    check(op, op->getResultTypes());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        check(op, block.getArgumentTypes());
    return found.first ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

static bool hasLayout(RankedTensorType type) {
  return bool(type.getEncoding());
}

/// Reports a tensor that no layout could be given.
static LogicalResult checkTensors(ModuleOp module) {
  if (auto [op, type] = findTensor(module, hasLayout); op)
    return op->emitError("a tensor has the layout ")
           << type.getEncoding()
           << ", but TTIR has no layouts; this module is already partly TTGIR";
  auto isOdd = [](RankedTensorType type) {
    return type.getRank() == 0 || !type.hasStaticShape() ||
           !llvm::all_of(type.getShape(), llvm::isPowerOf2_64);
  };
  if (auto [op, type] = findTensor(module, isOdd); op)
    return op->emitError("no layout for ")
           << type
           << ": it must have at least one dimension, and each size must be a "
              "power of two";
  return success();
}

void ConvertTtirToTtgir::runOnOperation() {
  ModuleOp module = getOperation();
  ThreadCounts threads;
  Target target;
  if (failed(readOptions(threads, target)) || failed(checkTensors(module)))
    return signalPassFailure();

  // The CTAs of AMD's clusters share products by fused multiply-adds.
  if (threads.ctas == 1 || target.isNvidia())
    splitProducts(module, target);
  widenProducts(module, target);
  const AxisInfoAnalysis axes(module);
  auto accessLayouts = chooseAccessLayouts(module, axes, threads);
  auto productLayouts = chooseProductLayouts(module, threads, target);
  if (target.copiesLaneAfterLane() && target.hasWideAsyncCopies())
    spreadRowsOverWarps(axes, threads, target, accessLayouts);
  loadScalesByRows(accessLayouts, productLayouts, axes);
  if (threads.ctas == 1)
    loadOperandsByWarps(axes, target, productLayouts, accessLayouts);
  if (threads.ctas != 1)
    loadPartsOfOperands(accessLayouts, productLayouts, threads);
  IRRewriter rewriter(&getContext());
  for (auto function : module.getOps<tt::FuncOp>()) {
    if (function.isExternal())
      continue;
    (void)eraseUnreachableBlocks(rewriter, function->getRegions());
    if (failed(LayoutAssignment(function, threads, accessLayouts,
                                productLayouts, target)
                   .apply()))
      return signalPassFailure();
    packAlongK(function);
    moveWgmmaOperandsToMemory(function);
    moveProductsToTensorMemory(function, threads.warps);
  }

  mlir::Builder builder(&getContext());
  auto set = [&](StringRef name, unsigned value) {
    module->setAttr(name,
                    builder.getI32IntegerAttr(static_cast<int32_t>(value)));
  };
  set(ttg::numCTAsName, threads.ctas);
  set(ttg::numWarpsName, threads.warps);
  set(ttg::threadsPerWarpName, threads.threadsPerWarp);
  declareTarget(module, target);
  module->setAttr(ownLayoutsName, UnitAttr::get(module.getContext()));
}
