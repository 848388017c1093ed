//===- Pipelines.cpp - The passes in the order of a compilation -----------===//

#include "passes/Pipelines.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "passes/Passes.h"
#include "passes/lower/support/Scratch.h"

using namespace mlir;

namespace kernelscope {

void buildTtirToTtgir(OpPassManager &passes,
                      const TtirToTtgirOptions &options) {
  passes.addPass(createRewriteBlockPointers());
  passes.addPass(createRewriteDescriptorsToPointers(
      {.arch = options.arch, .numCtas = options.numCtas}));
  passes.addPass(createDecomposeScaledProducts({.arch = options.arch,
                                                .numWarps = options.numWarps,
                                                .numCtas = options.numCtas}));
  passes.addPass(createConvertTtirToTtgir({.arch = options.arch,
                                           .numWarps = options.numWarps,
                                           .numCtas = options.numCtas}));
  passes.addPass(createCombineAfterLoops());
  passes.addPass(createPipelineLoops(
      {.arch = options.arch, .numStages = options.numStages}));
  passes.addPass(createUseBufferAccesses({.arch = options.arch}));
  passes.addPass(createLowerDescriptorsToTma({.arch = options.arch}));
  passes.addPass(createRemoveProxyFences());
}

void buildNvwsToTtgir(OpPassManager &passes) {
  passes.addPass(createNvwsHoistTmemStore());
  passes.addPass(createNvwsInsertAref());
  passes.addPass(createNvwsInsertTmemAref());
  passes.addPass(createNvwsBufferAref());
  passes.addPass(createNvwsAssignStagePhase());
  passes.addPass(createNvwsLowerAref());
  passes.addPass(createNvwsLowerToken());
  passes.addPass(createPartitionLoops());
  passes.addPass(createNvwsLowerWarpGroup());
}

void buildTtgirToLlvm(OpPassManager &passes,
                      const TtgirToLlvmOptions &options) {
  passes.addPass(createLowerMasks());
  passes.addPass(createInlineIntoKernels());
  passes.addPass(createBranchOverSums());
  passes.addPass(createPlaceScales());
  passes.addPass(createConvertCombinedOperands());
  passes.addPass(createSinkOperands());
  passes.addPass(createStoreOperandsTogether({.arch = options.arch}));
  passes.addPass(createAssignWarps({.arch = options.arch}));
  passes.addPass(createAnnotateAccessRuns({.arch = options.arch}));
  passes.addPass(createCountAsyncWaits({.arch = options.arch}));
  passes.addPass(createRelaxStoreWaits());
  passes.addPass(createAllocateGlobalScratch());
  passes.addPass(createAllocateTensorMemory());
  passes.addPass(createAllocateSharedMemory({.arch = options.arch}));
  passes.addPass(createLowerWarpPipelines({.arch = options.arch}));
  passes.addPass(createInsertProxyFences({.arch = options.arch}));
  passes.addPass(createInsertBarriers());
  passes.addPass(createClaimTensorMemory({.arch = options.arch}));
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createLowerWarpSpecialization({.arch = options.arch}));
  passes.addPass(createConvertTtgirToLlvm({.arch = options.arch}));
  passes.addPass(createLowerClusterBarriers({.arch = options.arch}));
  passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass(
      {.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly}));
}

void buildToTtgir(OpPassManager &passes, const FromAnyOptions &options) {
  passes.addPass(createSelectKernel({.kernel = options.kernel}));
  passes.addPass(createEnsureTtgir({.arch = options.arch,
                                    .numWarps = options.numWarps,
                                    .numCtas = options.numCtas,
                                    .numStages = options.numStages}));
}

void buildToLlvm(OpPassManager &passes, const FromAnyOptions &options) {
  buildToTtgir(passes, options);
  TtgirToLlvmOptions lowering;
  lowering.arch = options.arch;
  buildTtgirToLlvm(passes, lowering);
}

void registerPipelines(DialectRegistry &registry) {
  lower::attachScratch(registry);
  registerKernelscopePasses();
  registerPass([] { return createSCFToControlFlowPass(); });
  LLVM::registerDIScopeForLLVMFuncOpPassPass();
  PassPipelineRegistration<TtirToTtgirOptions>(
      "ttir-to-ttgir", "Assign layouts to TTIR", buildTtirToTtgir);
  PassPipelineRegistration<>(
      "nvws-to-ttgir",
      "Lower references and partitions to mbarriers and ttg.warp_specialize",
      buildNvwsToTtgir);
  PassPipelineRegistration<TtgirToLlvmOptions>(
      "ttgir-to-llvm", "Lower TTGIR as it is to the LLVM dialect",
      buildTtgirToLlvm);
  PassPipelineRegistration<FromAnyOptions>(
      "to-ttgir", "Select a kernel of TTIR or TTGIR and assign its layouts",
      buildToTtgir);
  PassPipelineRegistration<FromAnyOptions>(
      "to-llvm", "Compile TTIR or TTGIR to the LLVM dialect", buildToLlvm);
}

} // namespace kernelscope
