//===- Compile.cpp - From a module of IR to a program for the GPU ---------===//
//
// The pipelines, what LLVM makes of their result, and what a launcher must
// know.
//
//===----------------------------------------------------------------------===//

#include "passes/Compile.h"
#include "dialects/target/TensorWords.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/SharedCost.h"
#include "dialects/ttng/TTNG.h"
#include "dialects/ttng/TmaPlan.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "passes/LaunchTarget.h"
#include "passes/Pipelines.h"
#include "passes/emit/Backend.h"
#include "passes/emit/DeviceLibrary.h"
#include "passes/emit/LineLinks.h"
#include "passes/emit/Objects.h"
#include "passes/emit/ResourceUse.h"
#include "passes/memory/GlobalScratch.h"

using namespace mlir;

namespace kernelscope {

/// An error if only the other vendor's chips have this output.
static LogicalResult checkEmit(ModuleOp module, const Target &target,
                               Emit emit) {
  const EmitInfo &info = infoOf(emit);
  if (!info.isFor(target.vendor))
    return module.emitError() << describeWrongVendor(emit, target.arch);
  return success();
}

/// What the type of a descriptor says of its tensor map: the layout of its
/// blocks decides which messages they are moved by.
static std::optional<TensorMapInfo> describeMap(tt::TensorDescInterface desc) {
  std::optional<ttng::TmaPlan> plan = ttng::planMap(desc);
  if (!plan)
    return std::nullopt;
  auto layout = cast<ttg::NVMMASharedEncodingAttr>(desc.getSharedLayout());
  TensorMapInfo info;
  info.box.assign(plan->box.begin(), plan->box.end());
  info.swizzleBytes = layout.getSwizzlingByteWidth();
  info.isIm2Col = isa<ttng::TensorDescIm2ColType>(Type(desc));
  info.isFp4Padded = layout.getFp4Padded();
  return info;
}

/// The same for AMD's tensor data mover.
static TensorMapInfo describeGaps(tt::TensorDescInterface desc) {
  TensorMapInfo info;
  auto gaps = ttg::gapsOf(desc.getSharedLayout());
  const auto bytes =
      static_cast<unsigned>(tt::bytesInMemory(desc.getElementType()));
  if (gaps.size() == 1) {
    info.gapInterval = gaps.front().first * bytes;
    info.gapBytes = gaps.front().second * bytes;
  }
  return info;
}

static KernelArgument describe(BlockArgument argument, const Target &target) {
  KernelArgument described;
  Type type = argument.getType();
  if (auto pointer = dyn_cast<tt::PointerType>(type)) {
    described.kind = KernelArgument::Kind::Pointer;
    described.bytes = 8;
    type = pointer.getPointeeType();
  } else if (auto desc = dyn_cast<tt::TensorDescInterface>(type);
             desc && (target.hasTma || target.hasTensorDataMover)) {
    described.kind = KernelArgument::Kind::TensorMap;
    described.bytes = 128;
    if (target.hasTma) {
      described.tensorMap = describeMap(desc);
    } else {
      described.bytes =
          4 * numTensorWords(static_cast<unsigned>(desc.getShape().size()));
      described.tensorMap = describeGaps(desc);
    }
    type = desc.getElementType();
  } else if (type.isIntOrFloat()) {
    described.kind = isa<FloatType>(type) ? KernelArgument::Kind::Float
                                          : KernelArgument::Kind::Integer;
    described.bytes = (type.getIntOrFloatBitWidth() + 7) / 8;
  }
  llvm::raw_string_ostream(described.type) << type;
  if (auto name = argument.getLoc()->findInstanceOf<NameLoc>())
    described.name = name.getName().str();
  return described;
}

/// What the launcher must know of each kernel. `module` is TTGIR.
static std::vector<KernelInfo> describeKernels(ModuleOp module,
                                               const Target &target) {
  std::vector<KernelInfo> kernels;
  const bool isDependent =
      module
          .walk([](Operation *op) {
            return isa<tt::GridDependencyWaitOp,
                       tt::GridDependencyLaunchDependentsOp>(op)
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
  for (auto function : module.getOps<tt::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    KernelInfo &info = kernels.emplace_back();
    info.name = function.getName().str();
    info.warps =
        static_cast<unsigned>(ttg::lookupTotalNumWarps(function).value_or(4));
    info.threadsPerWarp = target.warpSize;
    info.isDependent = isDependent;
    info.ctas = static_cast<unsigned>(ttg::lookupNumCTAs(function).value_or(1));
    for (BlockArgument argument : function.getArguments())
      info.arguments.push_back(describe(argument, target));
  }
  return kernels;
}

/// A number that the lowering recorded on the module, or `none`.
static unsigned notedOn(ModuleOp module, StringRef name, unsigned none = 0) {
  auto value = module->getAttrOfType<IntegerAttr>(name);
  return value ? static_cast<unsigned>(value.getInt()) : none;
}

namespace {
/// Reports each pass before it runs.
struct StageReporter : PassInstrumentation {
  explicit StageReporter(std::function<void(StringRef)> onStage)
      : onStage(std::move(onStage)) {}
  void runBeforePass(Pass *pass, Operation *) override {
    onStage(pass->getArgument());
  }
  std::function<void(StringRef)> onStage;
};
} // namespace

/// Runs the pipeline that `build` makes of `pipelineOptions`. The caller
/// verifies the result: verifying after each pass would add half to the time.
template <typename PipelineOptions>
static LogicalResult runPipeline(ModuleOp module, const CompileOptions &options,
                                 void (*build)(OpPassManager &,
                                               const PipelineOptions &),
                                 const PipelineOptions &pipelineOptions) {
  auto passes = PassManager::on<ModuleOp>(module.getContext());
  if (options.onStage)
    passes.addInstrumentation(std::make_unique<StageReporter>(options.onStage));
  build(passes, pipelineOptions);
  passes.enableVerifier(false);
  return passes.run(module);
}

/// Fills in what is made of the LLVM module.
static LogicalResult emitOutput(emit::Backend &backend, ModuleOp module,
                                const Target &target, Emit what,
                                Artifact &artifact) {
  if (what == Emit::Llvm) {
    artifact.output = backend.printModule();
    artifact.lines = emit::linksFromLlvm(artifact.output);
    return success();
  }
  auto type = what == Emit::Hsaco ? llvm::CodeGenFileType::ObjectFile
                                  : llvm::CodeGenFileType::AssemblyFile;
  std::optional<std::string> output = backend.generate(type);
  if (output && what == Emit::Hsaco)
    output = emit::linkHsaco(*output, module);
  if (output && (what == Emit::Cubin || what == Emit::Sass))
    output = emit::assembleCubin(*output, target, module, artifact.kernels);
  if (output && what == Emit::Sass) {
    output = emit::disassembleCubin(*output, module);
    if (output)
      output->insert(0, emit::describeUse(artifact.kernels, target));
  }
  if (!output)
    return failure();
  artifact.output = std::move(*output);
  if (what == assemblyOf(target.vendor))
    artifact.lines = emit::linksFromAssembly(artifact.output);
  if (what == Emit::Sass)
    artifact.lines = emit::linksFromSass(artifact.output);
  return success();
}

FailureOr<Artifact> compile(ModuleOp module, const Target &target, Emit what,
                            const CompileOptions &options) {
  FromAnyOptions toTtgir;
  toTtgir.arch = target.arch;
  toTtgir.kernel = options.kernel;
  toTtgir.numWarps = options.warps;
  toTtgir.numCtas = options.ctas;
  toTtgir.numStages = options.stages;
  const bool isTtir = !hasLayouts(module);
  if (failed(checkEmit(module, target, what)) ||
      failed(runPipeline(module, options, buildToTtgir, toTtgir)) ||
      (isTtir && failed(verify(module))))
    return failure();

  Artifact artifact;
  artifact.kernels = describeKernels(module, target);
  if (what == Emit::Ttgir) {
    artifact.output = emit::printWithLinks(module, artifact.lines);
    return artifact;
  }

  if (options.onTtgir)
    options.onTtgir(module);
  const std::vector<std::string> libraries = emit::namedLibraries(module);
  TtgirToLlvmOptions toLlvm;
  toLlvm.arch = target.arch;
  if (failed(runPipeline(module, options, buildTtgirToLlvm, toLlvm)) ||
      failed(verify(module)))
    return failure();
  for (KernelInfo &kernel : artifact.kernels) {
    kernel.sharedBytes = notedOn(module, ttg::sharedBytesName);
    kernel.scratchBytes = notedOn(module, memory::scratchBytesName);
    kernel.scratchAlignment = notedOn(module, memory::scratchAlignmentName, 1);
    kernel.profileScratchBytes =
        notedOn(module, memory::profileScratchBytesName);
    kernel.profileScratchAlignment =
        notedOn(module, memory::profileScratchAlignmentName, 1);
    // The lowering gave partitions their warps.
    kernel.warps = static_cast<unsigned>(
        ttg::lookupTotalNumWarps(module).value_or(kernel.warps));
  }

  emit::Backend backend(module, target, options);
  if (failed(backend.translate()) ||
      failed(backend.linkDeviceLibrary(libraries)) ||
      (options.optimize && failed(backend.optimize())) ||
      failed(emitOutput(backend, module, target, what, artifact)))
    return failure();
  return artifact;
}

} // namespace kernelscope
