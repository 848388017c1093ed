//===- EnsureTtgir.cpp - TTGIR out of TTIR or TTGIR -----------------------===//

#include "dialects/nvws/Owners.h"
#include "passes/LaunchTarget.h"
#include "passes/Passes.h"
#include "passes/Pipelines.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_ENSURETTGIR
#include "passes/Passes.h.inc"

namespace {

struct EnsureTtgir : impl::EnsureTtgirBase<EnsureTtgir> {
  using EnsureTtgirBase::EnsureTtgirBase;

  // MLIR loads dialects before the first pass runs, so the dialects of the
  // inner pipeline are declared here.
  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager all(ModuleOp::getOperationName());
    addLayouts(all, arch);
    addLowering(all, /*references=*/true, /*blocks=*/true, arch);
    all.getDependentDialects(registry);
  }

  void runOnOperation() override {
    OpPassManager pipeline(ModuleOp::getOperationName());
    if (hasLayouts(getOperation())) {
      const bool blocks = contains(isOfBlocks);
      addLowering(pipeline, contains(isOfReferences), blocks,
                  blocks ? findArch() : arch);
    } else {
      addLayouts(pipeline, findArch());
    }
    if (pipeline.empty())
      return markAllAnalysesPreserved();
    if (failed(runPipeline(pipeline, getOperation())))
      signalPassFailure();
  }

  /// `arch`, or what the module names, or the default, which is reported.
  std::string findArch() {
    if (!arch.empty())
      return arch;
    ModuleOp module = getOperation();
    if (auto named = module->getAttrOfType<StringAttr>(ttg::targetName))
      return named.str();
    std::string usual = Target::usual(Vendor::Nvidia, 32).arch;
    emitRemark(module.getLoc())
        << "compiled for " << usual
        << ", the default, because the module names no chip; pass arch=, as in "
           "--to-llvm=arch=gfx950, for another";
    return usual;
  }

  bool contains(llvm::function_ref<bool(Operation *)> fn) {
    return getOperation()
        .walk([&](Operation *op) {
          return fn(op) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Whether partitions are only marked, or hand each other references.
  static bool isOfReferences(Operation *op) {
    return isa_and_nonnull<nvws::NVWSDialect>(op->getDialect()) ||
           op->hasAttr(nvws::partitionStagesName);
  }

  /// Whether `op` moves blocks of described tensors without saying how.
  static bool isOfBlocks(Operation *op) {
    return isa<tt::DescriptorLoadOp, tt::DescriptorStoreOp,
               tt::DescriptorReduceOp, tt::DescriptorGatherOp,
               tt::DescriptorScatterOp, tt::MakeTensorDescOp>(op);
  }

  void addLowering(OpPassManager &pipeline, bool references, bool blocks,
                   const std::string &chip) const {
    if (references)
      buildNvwsToTtgir(pipeline);
    if (blocks)
      pipeline.addPass(createLowerDescriptorsToTma({.arch = chip}));
  }

  void addLayouts(OpPassManager &pipeline, const std::string &chip) const {
    TtirToTtgirOptions options;
    options.arch = chip;
    options.numWarps = numWarps;
    options.numCtas = numCtas;
    options.numStages = numStages;
    buildTtirToTtgir(pipeline, options);
  }
};

} // namespace
} // namespace kernelscope
