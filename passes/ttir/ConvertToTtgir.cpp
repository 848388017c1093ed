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
  FailureOr<ThreadCounts> readOptions(std::string &moduleTarget);

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

FailureOr<ThreadCounts> ConvertToTtgir::readOptions(std::string &moduleTarget) {
  llvm::Expected<Target> target = Target::parse(arch);
  if (!target)
    return getOperation().emitError(llvm::toString(target.takeError()));
  moduleTarget = target->moduleTarget();
  ThreadCounts threads{
      numWarps, threadsPerWarp ? threadsPerWarp : target->warpSize, numCtas};
  auto check = [&](StringRef name, unsigned value,
                   unsigned limit) -> LogicalResult {
    if (llvm::isPowerOf2_32(value) && value <= limit)
      return success();
    return getOperation().emitError(name)
           << " is " << value << ", and must be a power of two of at most "
           << limit;
  };
  if (failed(check("num-warps", threads.warps, 64)) ||
      failed(check("threads-per-warp", threads.threadsPerWarp, 64)) ||
      failed(check("num-ctas", threads.ctas, 16)))
    return failure();
  return threads;
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
  std::string moduleTarget;
  FailureOr<ThreadCounts> threads = readOptions(moduleTarget);
  if (failed(threads) || failed(checkTensors(module)))
    return signalPassFailure();

  auto accessLayouts = chooseAccessLayouts(module, *threads);
  IRRewriter rewriter(&getContext());
  for (auto function : module.getOps<tt::FuncOp>()) {
    if (function.isExternal())
      continue;
    (void)eraseUnreachableBlocks(rewriter, function->getRegions());
    if (failed(LayoutAssignment(function, *threads, accessLayouts).apply()))
      return signalPassFailure();
  }

  Builder builder(&getContext());
  module->setAttr("ttg.num-ctas", builder.getI32IntegerAttr(threads->ctas));
  module->setAttr("ttg.num-warps", builder.getI32IntegerAttr(threads->warps));
  module->setAttr("ttg.target", builder.getStringAttr(moduleTarget));
  module->setAttr("ttg.threads-per-warp",
                  builder.getI32IntegerAttr(threads->threadsPerWarp));
}

std::unique_ptr<Pass>
kernelscope::createConvertTtirToTtgir(const TtgirOptions &options) {
  return std::make_unique<ConvertToTtgir>(options);
}
