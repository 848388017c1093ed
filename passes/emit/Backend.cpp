//===- Backend.cpp - LLVM IR to assembly and objects ----------------------===//
//
// Translation, O3 and code generation, with LLVM's diagnostics turned into
// MLIR's.
//
//===----------------------------------------------------------------------===//

#include "passes/emit/Backend.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "passes/emit/BytePermutes.h"
#include "passes/emit/DeviceLibrary.h"
#include "passes/emit/ElementOrder.h"
#include "passes/emit/KernelAttributes.h"
#include "passes/emit/LongBlocks.h"
#include "passes/emit/PassChoice.h"
#include "passes/emit/PtxVersion.h"
#include "passes/emit/RecordPhis.h"
#include "passes/emit/SchedulingRegions.h"
#include "passes/emit/SharedArithmetic.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>

using namespace mlir;

namespace kernelscope::emit {

/// Addresses of shared memory in 32 bits. LLVM's only way to ask for them is
/// its command line, where someone may have said otherwise.
static void useShortPointers() {
  constexpr StringLiteral name = "nvptx-short-ptr";
  llvm::cl::Option *option = llvm::cl::getRegisteredOptions().lookup(name);
  if (option && option->getNumOccurrences() == 0)
    option->addOccurrence(0, name, "true");
}

/// Registers LLVM's NVPTX and AMDGPU once.
static void initializeTargets() {
  static bool done = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmParser();
    LLVMInitializeAMDGPUAsmPrinter();
    useShortPointers();
    leaveOutVariables();
    return true;
  }();
  (void)done;
}

/// LLVM's code generator for `target` and its `features`. A thread keeps it:
/// what AMD's computes about the registers of a chip takes longer than a small
/// kernel, and a preview's process finds it done in the one that it is forked
/// from.
static llvm::TargetMachine &machineFor(const llvm::Target &llvmTarget,
                                       const Target &target,
                                       const std::string &features,
                                       bool fuseFloatOps) {
  thread_local std::map<std::tuple<std::string, std::string, bool>,
                        std::unique_ptr<llvm::TargetMachine>>
      machines;
  auto &machine = machines[{target.arch, features, fuseFloatOps}];
  if (!machine) {
    llvm::TargetOptions options;
    options.AllowFPOpFusion =
        fuseFloatOps ? llvm::FPOpFusion::Fast : llvm::FPOpFusion::Strict;
    options.MCOptions.AsmVerbose = true;
    options.MCOptions.PreserveAsmComments = true;
    machine.reset(llvmTarget.createTargetMachine(
        llvm::Triple(target.triple), target.arch, features, options,
        llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  }
  return *machine;
}

/// The line of the IR that a diagnostic of LLVM is about, or the module.
static Location locationOf(const llvm::DiagnosticInfo &info, ModuleOp module) {
  const llvm::DiagnosticInfoWithLocationBase *located = nullptr;
  if (auto *unsupported =
          llvm::dyn_cast<llvm::DiagnosticInfoUnsupported>(&info))
    located = unsupported;
  if (auto *limit = llvm::dyn_cast<llvm::DiagnosticInfoResourceLimit>(&info))
    located = limit;
  if (!located || !located->isLocationAvailable())
    return module.getLoc();
  StringRef path;
  unsigned line = 0, column = 0;
  located->getLocation(path, line, column);
  return FileLineColLoc::get(module.getContext(), path, line, column);
}

/// Reports LLVM's errors, and reads from the remarks of AMD's code generator
/// what it made of the functions.
class Backend::Diagnostics : public llvm::DiagnosticHandler {
public:
  explicit Diagnostics(Backend &backend) : backend(backend) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (const auto *remark =
            dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info)) {
      add(*remark, "NumInstructions", backend.generated.instructions);
      add(*remark, "VGPRSpill", backend.generated.spilledRegisters);
      return true;
    }
    if (info.getSeverity() != llvm::DS_Error)
      return true;
    backend.hadError = true;
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    emitError(locationOf(info, backend.source))
        << backend.stage << ": " << text;
    return true;
  }

  bool isAnalysisRemarkEnabled(StringRef pass) const override {
    return pass == "kernel-resource-usage";
  }
  bool isMissedOptRemarkEnabled(StringRef) const override { return false; }
  bool isPassedOptRemarkEnabled(StringRef) const override { return false; }
  bool isAnyRemarkEnabled() const override { return backend.readsRemarks; }

private:
  static void add(const llvm::DiagnosticInfoOptimizationBase &remark,
                  StringRef key, unsigned &sum) {
    for (const auto &argument : remark.getArgs()) {
      unsigned count = 0;
      if (argument.Key == key &&
          !StringRef(argument.Val).getAsInteger(10, count))
        sum += count;
    }
  }

  Backend &backend;
};

Backend::Backend(ModuleOp source, const Target &target,
                 const CompileOptions &options)
    : source(source), target(target), options(options) {
  context.setDiagnosticHandler(std::make_unique<Diagnostics>(*this));
}

Backend::~Backend() = default;

/// Puts AMD's copies to LDS into the scope of aliases that relaxed loads are
/// not in, if there are such loads (RelaxedLoads.h). Transposing ones have a
/// pointer without aliases, for which LLVM's alias analysis has no use.
static void separateLdsCopies(llvm::Module &module) {
  constexpr unsigned noAlias = llvm::LLVMContext::MD_noalias;
  llvm::MDNode *scope = nullptr;
  SmallVector<llvm::CallBase *> copies, reads;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction) && !scope)
        scope = instruction.getMetadata(noAlias);
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee)
        continue;
      if (callee->getName().contains(".load.lds") ||
          callee->getName().contains(".load.async.to.lds"))
        copies.push_back(call);
      if (callee->isIntrinsic() && call->arg_size() == 1 &&
          call->paramHasAttr(0, llvm::Attribute::NoAlias))
        reads.push_back(call);
    }
  if (!scope && !reads.empty()) {
    llvm::MDBuilder builder(module.getContext());
    scope = llvm::MDNode::get(module.getContext(),
                              builder.createAnonymousAliasScope(
                                  builder.createAnonymousAliasScopeDomain()));
  }
  for (llvm::CallBase *read : reads) {
    read->removeParamAttr(0, llvm::Attribute::NoAlias);
    read->setMetadata(noAlias, scope);
  }
  if (scope)
    for (llvm::CallBase *copy : copies)
      copy->setMetadata(llvm::LLVMContext::MD_alias_scope, scope);
}

void Backend::enter(StringRef name) {
  stage = name.str();
  hadError = false;
  if (options.onStage)
    options.onStage(name);
}

LogicalResult Backend::leave() const { return failure(hadError); }

/// What is passed by value to a kernel is read where the launch put it, not
/// copied: TMA finds a tensor map only there. CUDA calls such parameters
/// `__grid_constant__`.
static void keepParametersInPlace(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel)
      for (llvm::Argument &argument : function.args())
        if (argument.hasByValAttr())
          argument.addAttr(llvm::Attribute::get(function.getContext(),
                                                "nvvm.grid_constant"));
}

/// An error on each kernel that returns something. LLVM's AMD back end rejects
/// it without saying where; NVIDIA's writes PTX of it, to be read.
static LogicalResult checkKernels(ModuleOp module) {
  bool isValid = true;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.getCConv() == LLVM::CConv::AMDGPU_KERNEL &&
        !isa<LLVM::LLVMVoidType>(function.getFunctionType().getReturnType())) {
      function.emitError("a kernel returns nothing, but '")
          << function.getSymName()
          << "' returns a value; store it to global memory, or make the "
             "function private";
      isValid = false;
    }
  }
  return success(isValid);
}

LogicalResult Backend::translate() {
  enter("translation to LLVM IR");
  if (failed(checkKernels(source)))
    return failure();
  initializeTargets();
  llvm::Triple triple(target.triple);
  std::string error;
  const llvm::Target *llvmTarget =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!llvmTarget)
    return source.emitError() << stage << ": " << error;

  registerBuiltinDialectTranslation(*source.getContext());
  registerLLVMDialectTranslation(*source.getContext());
  // The chip decides both; the translation asserts that they are strings.
  source->removeAttr(LLVM::LLVMDialect::getTargetTripleAttrName());
  source->removeAttr(LLVM::LLVMDialect::getDataLayoutAttrName());
  module = translateModuleToLLVMIR(source, context, "kernelscope");
  if (!module)
    return failure();
  machine = &machineFor(*llvmTarget, target, requiredFeatures(*module, target),
                        options.fuseFloatOps);
  module->setTargetTriple(triple);
  module->setDataLayout(machine->createDataLayout());
  if (target.isNvidia()) {
    module->addModuleFlag(llvm::Module::Override, "nvvm-reflect-ftz", 1);
    keepParametersInPlace(*module);
  } else {
    module->addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version",
                          500);
    separateLdsCopies(*module);
  }
  return leave();
}

LogicalResult Backend::linkDeviceLibrary(ArrayRef<std::string> named) {
  enter("linking device libraries");
  if (failed(emit::linkDeviceLibrary(*module, target, named, source)))
    return failure();
  if (target.isAmd())
    setAttributes(*module, target, options.amd);
  return leave();
}

/// Removes inline PTX of one instruction whose guard has turned out to be
/// false: a product of a loop that does not run that often, say.
static void removeDisabledAssembly(llvm::Module &module) {
  auto isDisabled = [](const llvm::CallInst &call) {
    auto *assembly = dyn_cast<llvm::InlineAsm>(call.getCalledOperand());
    if (!assembly || !call.getType()->isVoidTy())
      return false;
    StringRef text = assembly->getAsmString();
    unsigned guard = 0;
    if (!text.consume_front("@$") || text.consumeInteger(10, guard) ||
        text.find(';') + 1 != text.size() || guard >= call.arg_size())
      return false;
    auto *value = dyn_cast<llvm::ConstantInt>(call.getArgOperand(guard));
    return value && value->isZero();
  };
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : llvm::make_early_inc_range(block))
        if (auto *call = dyn_cast<llvm::CallInst>(&instruction);
            call && isDisabled(*call))
          call->eraseFromParent();
}

LogicalResult Backend::optimize() {
  enter("optimisation");
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  // ptxas pairs halves itself, and what is paired for it costs registers; but
  // two floats at once are for the vectorizer to find.
  tuning.SLPVectorization = target.isAmd() || target.hasTensorMemory();
  llvm::PassInstrumentationCallbacks callbacks;
  chooseOptimizations(*module, callbacks, /*forPairs=*/target.isNvidia());
  llvm::PassBuilder builder(machine, tuning, std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  for (llvm::Function &function : *module)
    if (!function.isDeclaration())
      keepLoopsWithBarriersWhole(function, functions);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(*module, modules);
  if (target.isNvidia()) {
    removeDisabledAssembly(*module);
    for (llvm::Function &function : *module)
      shareArithmetic(function, functions);
    orderByElement(*module);
    for (llvm::Function &function : *module)
      splitRecordPhis(function);
  } else {
    // Where memory has ECC no load fills half of a register.
    const bool loadsWholeRegisters =
        machine->getMCSubtargetInfo()->checkFeatures("+sramecc-support");
    for (llvm::Function &function : *module) {
      permuteBytes(function, loadsWholeRegisters);
      hasLimitedRegisters |= limitRegisters(function, target, functions);
      endRegionsAtBarriers(function);
    }
    loadToWholeRegisters(*module, target);
    if (target.hasWaveId)
      keepWorkgroupIds(*module);
  }
  return leave();
}

std::string Backend::printModule() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, nullptr);
  return text;
}

FailureOr<std::string> Backend::generateCode(llvm::Module &module,
                                             llvm::CodeGenFileType type) {
  SmallString<0> output;
  llvm::raw_svector_ostream stream(output);
  generated = {};
  readsRemarks = target.isAmd();
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, type))
    return source.emitError()
           << stage << ": LLVM cannot write this kind of file for "
           << target.arch;
  passes.run(module);
  readsRemarks = false;
  if (failed(leave()))
    return failure();
  return output.str().str();
}

FailureOr<std::string> Backend::generate(llvm::CodeGenFileType type) {
  enter(target.isNvidia() ? "PTX generation" : "AMDGCN generation");
  // On AMD a kernel at the edge of its registers can lose a wave by what is
  // left out on NVIDIA.
  if (target.isNvidia()) {
    chooseCodeGeneration(*module);
    return generateCode(*module, type);
  }
  // CDNA, whose waves have 64 lanes, has AGPRs.
  chooseAmdCodeGeneration(*module, /*hasAccumulators=*/target.warpSize == 64);
  // Whether code spills is known only once it is generated, which leaves
  // nothing of the module. Larger ones can take half of a preview's time limit.
  // So can blocks with more values than all registers hold.
  constexpr unsigned mostInstructions = 12000, mostInBlock = 8000;
  const bool mayRepeat = !hasLimitedRegisters &&
                         module->getInstructionCount() <= mostInstructions &&
                         longestBlockOf(*module) <= mostInBlock;
  for (llvm::Function &function : *module)
    splitLongBlocks(function, target, hasLimitedRegisters);
  std::unique_ptr<llvm::Module> again;
  if (mayRepeat)
    again = llvm::CloneModule(*module);
  FailureOr<std::string> code = generateCode(*module, type);
  const auto first = generated;
  if (failed(code) || first.spilledRegisters == 0 || !again ||
      !scheduleForFewRegisters(*again))
    return code;
  FailureOr<std::string> withFewer = generateCode(*again, type);
  if (failed(withFewer))
    return failure();
  // More instructions are waits: fewer registers leave fewer loads in flight.
  return generated.spilledRegisters < first.spilledRegisters &&
                 generated.instructions <= first.instructions
             ? withFewer
             : code;
}

} // namespace kernelscope::emit
