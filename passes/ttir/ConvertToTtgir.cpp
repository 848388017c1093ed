//===- ConvertToTtgir.cpp - From tt alone to tt with layouts --------------===//
//
// `convert-ttir-to-ttgir`: gives tensors layouts, and the module the thread
// counts that they are for.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes/Passes.h"
#include "passes/Target.h"
#include "passes/ttir/Coalesce.h"
#include "passes/ttir/LayoutAssignment.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttir;

namespace {
class ConvertToTtgir
    : public PassWrapper<ConvertToTtgir, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ConvertToTtgir)

  ConvertToTtgir() = default;
  ConvertToTtgir(const ConvertToTtgir &other) : PassWrapper(other) {}
  explicit ConvertToTtgir(const TtgirOptions &options) {
    arch = options.arch;
    numWarps = options.warps;
    threadsPerWarp = options.threadsPerWarp;
    numCtas = options.ctas;
  }

  StringRef getArgument() const override { return "convert-ttir-to-ttgir"; }
  StringRef getDescription() const override {
    return "Give every tensor of a TTIR module a layout for a target";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<ttg::TTGDialect>();
  }

  void runOnOperation() override;

private:
  LogicalResult readOptions(ThreadCounts &threads, std::string &moduleTarget);

  Option<std::string> arch{*this, "arch",
                           llvm::cl::desc("architecture, such as sm_90a"),
                           llvm::cl::init("sm_80")};
  Option<unsigned> numWarps{*this, "num-warps", llvm::cl::desc("warps per CTA"),
                            llvm::cl::init(4)};
  Option<unsigned> threadsPerWarp{
      *this, "threads-per-warp",
      llvm::cl::desc("lanes of a warp; 0 for the architecture's"),
      llvm::cl::init(0)};
  Option<unsigned> numCtas{
      *this, "num-ctas", llvm::cl::desc("CTAs per cluster"), llvm::cl::init(1)};
};
} // namespace

LogicalResult ConvertToTtgir::readOptions(ThreadCounts &threads,
                                          std::string &moduleTarget) {
  llvm::Expected<Target> target = Target::parse(arch);
  if (!target)
    return getOperation().emitError(llvm::toString(target.takeError()));
  moduleTarget = target->moduleTarget();
  threads = {numWarps, threadsPerWarp ? threadsPerWarp : target->warpSize,
             numCtas};
  auto check = [&](StringRef name, unsigned value,
                   unsigned limit) -> LogicalResult {
    if (llvm::isPowerOf2_32(value) && value <= limit)
      return success();
    return getOperation().emitError(name)
           << " is " << value << ", and must be a power of two of at most "
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

bool kernelscope::hasLayouts(ModuleOp module) {
  return module->hasAttr(ttg::numWarpsName) ||
         findTensor(module, hasLayout).first;
}

/// Reports a tensor that no layout could be given.
static LogicalResult checkTensors(ModuleOp module) {
  if (auto [op, type] = findTensor(module, hasLayout); op)
    return op->emitError("a tensor has the layout ")
           << type.getEncoding()
           << ", but TTIR has none yet: this module is TTGIR, in part";
  auto isOdd = [](RankedTensorType type) {
    return type.getRank() == 0 || !type.hasStaticShape() ||
           !llvm::all_of(type.getShape(), llvm::isPowerOf2_64);
  };
  if (auto [op, type] = findTensor(module, isOdd); op)
    return op->emitError("no layout for ")
           << type
           << ": each size must be a power of two, and there must be one";
  return success();
}

void ConvertToTtgir::runOnOperation() {
  ModuleOp module = getOperation();
  ThreadCounts threads;
  std::string moduleTarget;
  if (failed(readOptions(threads, moduleTarget)) ||
      failed(checkTensors(module)))
    return signalPassFailure();

  auto accessLayouts = chooseAccessLayouts(module, threads);
  IRRewriter rewriter(&getContext());
  for (auto function : module.getOps<tt::FuncOp>()) {
    if (function.isExternal())
      continue;
    (void)eraseUnreachableBlocks(rewriter, function->getRegions());
    if (failed(LayoutAssignment(function, threads, accessLayouts).apply()))
      return signalPassFailure();
  }

  Builder builder(&getContext());
  auto set = [&](StringRef name, unsigned value) {
    module->setAttr(name,
                    builder.getI32IntegerAttr(static_cast<int32_t>(value)));
  };
  set(ttg::numCTAsName, threads.ctas);
  set(ttg::numWarpsName, threads.warps);
  set(ttg::threadsPerWarpName, threads.threadsPerWarp);
  module->setAttr(ttg::targetName, builder.getStringAttr(moduleTarget));
}

std::unique_ptr<Pass>
kernelscope::createConvertTtirToTtgir(const TtgirOptions &options) {
  return std::make_unique<ConvertToTtgir>(options);
}
