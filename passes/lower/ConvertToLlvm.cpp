//===- ConvertToLlvm.cpp - TTGIR to the LLVM dialect ----------------------===//
//
// Structured control flow first, then all patterns of this folder at once. What
// is left over is reported op by op.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/ConvertToLlvm.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/lower/GlobalAccess.h"
#include "passes/lower/Lowering.h"
#include "passes/lower/SharedBuffers.h"

using namespace mlir;

namespace kernelscope {

LogicalResult checkLaunch(ModuleOp module, const Target &target) {
  if (!module->hasAttr(ttg::numWarpsName))
    return module.emitError()
           << "the module has no '" << ttg::numWarpsName
           << "': add it to its attributes, as in "
              "`module attributes {\"ttg.num-warps\" = 4 : i32}`";
  int lanes = ttg::lookupThreadsPerWarp(module).value_or(32);
  if (static_cast<unsigned>(lanes) != target.warpSize)
    return module.emitError()
           << "layouts for '" << ttg::threadsPerWarpName << "' = " << lanes
           << " cannot run on " << target.arch << ", whose warps have "
           << target.warpSize << " lanes: choose an architecture with warps of "
           << lanes << ", or compile the .ttir instead";
  return success();
}

/// Lowers scf to branches; block arguments keep their types.
static LogicalResult lowerStructuredControlFlow(ModuleOp module) {
  module.getContext()->loadDialect<cf::ControlFlowDialect>();
  RewritePatternSet patterns(module.getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget legality(*module.getContext());
  legality.addIllegalDialect<scf::SCFDialect>();
  legality.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(module, legality, std::move(patterns));
}

/// The kernel's dynamic shared memory, as Triton names it.
static void declareSharedMemory(ModuleOp module) {
  OpBuilder builder(module.getBodyRegion());
  auto bytes =
      LLVM::LLVMArrayType::get(IntegerType::get(module.getContext(), 8), 0);
  LLVM::GlobalOp::create(builder, module.getLoc(), bytes, /*isConstant=*/false,
                         LLVM::Linkage::External, lower::sharedMemoryName,
                         /*value=*/Attribute(), /*alignment=*/16,
                         lower::Shared);
}

/// An error for each op that no pattern took, save those that have one already.
static LogicalResult reportLeftovers(ModuleOp module, const Target &target,
                                     const DenseSet<Location> &reported) {
  bool anyLeft = false;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<ModuleOp>(op) || isa<LLVM::LLVMDialect>(op->getDialect()))
      return WalkResult::advance();
    anyLeft = true;
    if (!isa<UnrealizedConversionCastOp>(op) &&
        !reported.contains(op->getLoc()))
      op->emitError() << "no lowering for '" << op->getName() << "' on "
                      << target.arch << " yet";
    // What is inside belongs to it.
    return WalkResult::skip();
  });
  return failure(anyLeft);
}

LogicalResult convertToLlvm(ModuleOp module, const Target &target) {
  if (failed(checkLaunch(module, target)))
    return failure();
  auto hooks = lower::createHooks(
      target, static_cast<unsigned>(ttg::lookupNumCTAs(module).value_or(1)));
  // Loops tell of their indices what branches no longer do.
  lower::noteAccessRuns(module, hooks->maxGlobalBits());
  if (failed(lower::allocateSharedMemory(module, target.maxSharedBytes)))
    return failure();
  lower::insertBarriers(module);
  if (failed(lowerStructuredControlFlow(module)))
    return failure();

  MLIRContext *context = module.getContext();
  context->loadDialect<LLVM::LLVMDialect>();
  LowerToLLVMOptions options(context);
  lower::TypeConverter converter(context, options);

  RewritePatternSet patterns(context);
  for (auto populate :
       {lower::populateFunctionPatterns, lower::populateProgramPatterns,
        lower::populateViewPatterns, lower::populateElementwisePatterns,
        lower::populateFloatCastPatterns, lower::populateMathPatterns,
        lower::populateConvertLayoutPatterns, lower::populateReducePatterns,
        lower::populateScanPatterns, lower::populateLocalMemoryPatterns,
        lower::populateAsyncCopyPatterns, lower::populateBarrierPatterns,
        lower::populateInlineCodePatterns, lower::populateDebugPatterns,
        lower::populateLoadStorePatterns, lower::populateBufferPatterns,
        lower::populateAtomicPatterns})
    populate(converter, patterns, *hooks);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);

  declareSharedMemory(module);
  ConversionTarget legality(*context);
  legality.addLegalDialect<LLVM::LLVMDialect>();
  legality.addLegalOp<ModuleOp>();
  // All else has no legality: an op that no pattern takes stays, and is
  // reported below with a message of our own.
  DenseSet<Location> reported;
  LogicalResult converted = failure();
  {
    ScopedDiagnosticHandler collect(context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        reported.insert(diagnostic.getLocation());
      return failure(); // Pass it on.
    });
    converted = applyPartialConversion(module, legality, std::move(patterns));
  }
  SmallVector<UnrealizedConversionCastOp> casts;
  module.walk([&](UnrealizedConversionCastOp op) { casts.push_back(op); });
  reconcileUnrealizedCasts(casts);
  if (failed(reportLeftovers(module, target, reported)))
    return failure();
  return converted;
}

namespace {

struct ConvertTtgirToLlvm
    : PassWrapper<ConvertTtgirToLlvm, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ConvertTtgirToLlvm)

  ConvertTtgirToLlvm() = default;
  ConvertTtgirToLlvm(const ConvertTtgirToLlvm &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "convert-ttgir-to-llvm"; }
  StringRef getDescription() const override {
    return "Lowers TTGIR as it stands to the LLVM dialect";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect, cf::ControlFlowDialect>();
  }

  void runOnOperation() override {
    std::string name = arch;
    if (name.empty())
      if (StringAttr target = ttg::lookupTarget(getOperation()))
        name = target.str();
    llvm::Expected<Target> target = Target::parse(name);
    if (!target) {
      getOperation().emitError() << llvm::toString(target.takeError());
      return signalPassFailure();
    }
    if (failed(convertToLlvm(getOperation(), *target)))
      signalPassFailure();
  }

  Option<std::string> arch{
      *this, "arch",
      llvm::cl::desc("Architecture; the module's ttg.target by default")};
};

} // namespace

std::unique_ptr<Pass> createConvertTtgirToLlvm() {
  return std::make_unique<ConvertTtgirToLlvm>();
}

} // namespace kernelscope
