//===- ConvertTtgirToLlvm.cpp - TTGIR to the LLVM dialect -----------------===//
//
// All patterns of this folder at once. What is left over is reported op by op.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/TTG.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Iterators.h"
#include "passes/LaunchTarget.h"
#include "passes/Passes.h"
#include "passes/lower/Coverage.h"
#include "passes/lower/amd/CastMode.h"
#include "passes/lower/support/Lowering.h"
#include "passes/lower/support/RelaxedLoads.h"
#include "passes/lower/support/Scratch.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_CONVERTTTGIRTOLLVM
#include "passes/Passes.h.inc"

/// Whether only some warps of a block execute a barrier of the cluster.
static bool isOfSomeWarps(Operation *barrier) {
  return !lower::ExecutionScope::of(barrier).isWholeBlock;
}

/// An error for each op that no pattern took, save those that have one already.
static LogicalResult reportLeftovers(ModuleOp module, const Target &target,
                                     const DenseSet<Location> &reported) {
  bool anyLeft = false;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<ModuleOp>(op) || isa<LLVM::LLVMDialect>(op->getDialect()) ||
        (isa<ttng::ClusterBarrierOp>(op) && isOfSomeWarps(op)))
      return WalkResult::advance();
    anyLeft = true;
    if (!isa<UnrealizedConversionCastOp>(op) &&
        !reported.contains(op->getLoc()))
      op->emitError() << lower::describeGap(op->getName().getStringRef(),
                                            target);
    // What is inside belongs to it.
    return WalkResult::skip();
  });
  return failure(anyLeft);
}

/// Erases what packs tensors into structs that the patterns have looked
/// through. LLVM would get rid of it as well, but some of its passes keep a
/// value for each field of each struct: the square of a thread's elements.
static void eraseDeadStructs(ModuleOp module) {
  module.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isa<LLVM::InsertValueOp, LLVM::UndefOp>(op) && op->use_empty())
      op->erase();
  });
}

/// Ops that were inlined from no known place are where they were inlined to:
/// MLIR's debug information for LLVM takes it that there is a file. A call from
/// no known place is where its function is: LLVM requires a place for it.
static void fillInUnknownPlaces(ModuleOp module) {
  DenseMap<Attribute, LocationAttr> known;
  module.walk([&](Operation *op) {
    auto [entry, isNew] = known.try_emplace(LocationAttr(op->getLoc()));
    if (isNew) {
      Location loc = op->getLoc();
      while (auto call = loc->findInstanceOf<CallSiteLoc>()) {
        if (call.getCallee()->findInstanceOf<FileLineColLoc>())
          break;
        loc = call.getCaller();
      }
      entry->second = loc;
    }
    op->setLoc(entry->second);
    if (isa<LLVM::CallOp>(op) && isa<UnknownLoc>(op->getLoc()))
      op->setLoc(op->getParentOfType<LLVM::LLVMFuncOp>()->getLoc());
  });
}

/// Whether the text says where copies to LDS must be done.
static bool waitsForCopies(ModuleOp module) {
  return module
      .walk([](ttg::AsyncWaitOpInterface wait) {
        return wait.getAwaited() == ttg::Completion::CommitGroup
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Loads of LDS are behind the waits of the text: LLVM need not add any.
static void relaxLoads(ModuleOp module) {
  module.walk([](Operation *op) {
    if (op->hasTrait<ttg::LocalLoadTrait>())
      op->setAttr(lower::relaxedLoadName, UnitAttr::get(op->getContext()));
  });
}

/// Says that relaxed loads and stores do not access what the copies of one
/// scope write. A call of an intrinsic cannot say so here: its pointer is
/// `noalias` until `passes/emit/Backend.cpp` sees it.
static void separateRelaxedLoads(ModuleOp module) {
  MLIRContext *context = module.getContext();
  auto domain =
      LLVM::AliasScopeDomainAttr::get(context, StringAttr::get(context, "lds"));
  auto scopes = ArrayAttr::get(
      context, {LLVM::AliasScopeAttr::get(
                   domain, StringAttr::get(context, "copies to LDS"))});
  auto noAlias = DictionaryAttr::get(
      context,
      NamedAttribute(
          StringAttr::get(context, LLVM::LLVMDialect::getNoAliasAttrName()),
          UnitAttr::get(context)));
  module.walk([&](Operation *access) {
    if (!access->removeAttr(lower::relaxedLoadName))
      return;
    if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(access))
      call.setArgAttrsAttr(ArrayAttr::get(context, {noAlias}));
    else
      cast<LLVM::AliasAnalysisOpInterface>(access).setNoAliasScopes(scopes);
  });
}

static LogicalResult convert(ModuleOp module, const Target &target) {
  if (!module->hasAttr(ttg::sharedBytesName))
    return module.emitError()
           << "the module has no '" << ttg::sharedBytesName
           << "': run allocate-shared-memory before convert-ttgir-to-llvm, or "
              "the pipeline ttgir-to-llvm";
  auto hooks = lower::createHooks(
      target, static_cast<unsigned>(ttg::lookupNumCTAs(module).value_or(1)));
  MLIRContext *context = module.getContext();
  LowerToLLVMOptions options(context);
  lower::TypeConverter converter(context, options, target);

  RewritePatternSet patterns(context);
  lower::populatePatterns(converter, patterns, *hooks);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);

  if (target.isAmd() && waitsForCopies(module)) {
    module->setAttr(lower::ownWaitsName, UnitAttr::get(context));
    relaxLoads(module);
  }
  if (target.isAmd())
    lower::chooseCastMode(module);
  lower::declareSharedMemory(module);
  ConversionTarget legality(*context);
  legality.addLegalDialect<LLVM::LLVMDialect>();
  // Regions of 8-bit floats, which are integers in LLVM, are copied with casts.
  legality.addLegalOp<ModuleOp, UnrealizedConversionCastOp>();
  // Elsewhere `lower-cluster-barriers` decides how warps reach other CTAs.
  legality.addDynamicallyLegalOp<ttng::ClusterBarrierOp>(
      [](Operation *op) -> std::optional<bool> {
        return isOfSomeWarps(op) ? std::optional(true) : std::nullopt;
      });
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
  eraseDeadStructs(module);
  separateRelaxedLoads(module);
  module->removeAttr(lower::ownWaitsName);
  lower::enterCastMode(module);
  fillInUnknownPlaces(module);
  return converted;
}

namespace {

struct ConvertTtgirToLlvm : impl::ConvertTtgirToLlvmBase<ConvertTtgirToLlvm> {
  using ConvertTtgirToLlvmBase::ConvertTtgirToLlvmBase;

  // All passes of a pipeline are asked before the first one runs.
  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertTtgirToLlvmBase::getDependentDialects(registry);
    lower::attachScratch(registry);
  }

  void runOnOperation() override {
    FailureOr<Target> target = findLaunchTarget(getOperation(), arch);
    if (failed(target) || failed(convert(getOperation(), *target)))
      signalPassFailure();
  }
};

} // namespace
} // namespace kernelscope
