//===- Compile.cpp - From a module of IR to a program for the GPU ---------===//
//
// The order of the stages, and what the launcher must know.
//
//===----------------------------------------------------------------------===//

#include "passes/Compile.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Passes.h"
#include "passes/emit/Backend.h"
#include "passes/emit/LineLinks.h"
#include "passes/emit/Objects.h"
#include "passes/lower/ConvertToLlvm.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace kernelscope {

static constexpr std::pair<Emit, llvm::StringLiteral> emitNames[] = {
    {Emit::Ttgir, "ttgir"},   {Emit::Llvm, "llvm"},   {Emit::Ptx, "ptx"},
    {Emit::Amdgcn, "amdgcn"}, {Emit::Hsaco, "hsaco"}, {Emit::Sass, "sass"},
    {Emit::Cubin, "cubin"}};

std::optional<Emit> parseEmit(StringRef name) {
  for (auto [emit, emitName] : emitNames)
    if (emitName == name)
      return emit;
  return std::nullopt;
}

StringRef emitName(Emit emit) {
  return llvm::find_if(emitNames,
                       [&](auto &pair) { return pair.first == emit; })
      ->second;
}

/// An error if only the other vendor's chips have this output.
static LogicalResult checkEmit(ModuleOp module, const Target &target,
                               Emit emit) {
  bool isNvidias =
      emit == Emit::Ptx || emit == Emit::Sass || emit == Emit::Cubin;
  bool isAmds = emit == Emit::Amdgcn || emit == Emit::Hsaco;
  if ((isNvidias && target.isAmd()) || (isAmds && target.isNvidia()))
    return module.emitError()
           << "'" << emitName(emit) << "' is not for " << target.arch
           << ": it has " << (isNvidias ? "amdgcn and hsaco" : "ptx and sass");
  return success();
}

/// Drops all kernels but the one that is asked for.
static LogicalResult selectKernel(ModuleOp module, StringRef name) {
  SmallVector<tt::FuncOp> kernels;
  for (auto function : module.getOps<tt::FuncOp>())
    if (function.isPublic())
      kernels.push_back(function);
  if (kernels.empty())
    return module.emitError()
           << "the module has no kernel: a kernel is a `tt.func public`";
  if (name.empty())
    return success();
  if (llvm::none_of(kernels, [&](tt::FuncOp f) { return f.getName() == name; }))
    return module.emitError()
           << "the module has no kernel '" << name << "'; it has "
           << llvm::join(llvm::map_range(kernels,
                                         [](tt::FuncOp kernel) {
                                           return kernel.getName().str();
                                         }),
                         ", ");
  for (tt::FuncOp kernel : kernels)
    if (kernel.getName() != name)
      kernel.erase();
  return success();
}

static KernelArgument describe(BlockArgument argument) {
  KernelArgument described;
  Type type = argument.getType();
  if (auto pointer = dyn_cast<tt::PointerType>(type)) {
    described.kind = KernelArgument::Kind::Pointer;
    described.bytes = 8;
    type = pointer.getPointeeType();
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
  for (auto function : module.getOps<tt::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    KernelInfo &info = kernels.emplace_back();
    info.name = function.getName().str();
    info.warps =
        static_cast<unsigned>(ttg::lookupTotalNumWarps(function).value_or(4));
    info.threadsPerWarp = target.warpSize;
    info.ctas = static_cast<unsigned>(ttg::lookupNumCTAs(function).value_or(1));
    for (BlockArgument argument : function.getArguments())
      info.arguments.push_back(describe(argument));
  }
  return kernels;
}

/// The dynamic shared memory that the lowering counted on the module.
static unsigned sharedBytesOf(ModuleOp module) {
  auto bytes = module->getAttrOfType<IntegerAttr>(ttg::sharedBytesName);
  return bytes ? static_cast<unsigned>(bytes.getInt()) : 0;
}

/// Gives each function the scope that line tables hang on.
static LogicalResult addDebugScopes(ModuleOp module) {
  PassManager passes(module.getContext());
  LLVM::DIScopeForLLVMFuncOpPassOptions options;
  options.emissionKind = LLVM::DIEmissionKind::DebugDirectivesOnly;
  passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass(options));
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
    output = emit::assembleCubin(*output, target, module);
  if (output && what == Emit::Sass)
    output = emit::disassembleCubin(*output, module);
  if (!output)
    return failure();
  artifact.output = std::move(*output);
  if (what == Emit::Ptx || what == Emit::Amdgcn)
    artifact.lines = emit::linksFromAssembly(artifact.output);
  if (what == Emit::Sass)
    artifact.lines = emit::linksFromSass(artifact.output);
  return success();
}

FailureOr<Artifact> compile(ModuleOp module, const Target &target, Emit what,
                            const CompileOptions &options) {
  auto enter = [&](StringRef stage) {
    if (options.onStage)
      options.onStage(stage);
  };
  if (failed(checkEmit(module, target, what)) ||
      failed(selectKernel(module, options.kernel)))
    return failure();

  if (!hasLayouts(module)) {
    enter("choosing layouts");
    PassManager passes(module.getContext());
    passes.addPass(createConvertTtirToTtgir(
        {target.arch, options.warps, target.warpSize, options.ctas}));
    if (failed(passes.run(module)))
      return failure();
  }

  Artifact artifact;
  artifact.kernels = describeKernels(module, target);
  if (what == Emit::Ttgir) {
    artifact.output = emit::printWithLinks(module, artifact.lines);
    return artifact;
  }

  enter("lowering to LLVM");
  if (failed(convertToLlvm(module, target)))
    return failure();
  unsigned sharedBytes = sharedBytesOf(module);
  for (KernelInfo &kernel : artifact.kernels)
    kernel.sharedBytes = sharedBytes;
  if (sharedBytes > target.maxSharedBytes)
    return module.emitError()
           << "the module needs " << sharedBytes
           << " bytes of shared memory; a block on " << target.arch
           << " has at most " << target.maxSharedBytes;
  if (failed(addDebugScopes(module)))
    return failure();

  emit::Backend backend(module, target, options);
  if (failed(backend.translate()) || failed(backend.linkDeviceLibrary()) ||
      (options.optimize && failed(backend.optimize())) ||
      failed(emitOutput(backend, module, target, what, artifact)))
    return failure();
  return artifact;
}

} // namespace kernelscope
