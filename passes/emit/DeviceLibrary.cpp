//===- DeviceLibrary.cpp - Math functions on the device -------------------===//
//
// Finds, links and internalises bitcode; reports what is still undefined.
//
//===----------------------------------------------------------------------===//

#include "passes/emit/DeviceLibrary.h"
#include "dialects/tt/TT.h"
#include "passes/emit/TritonWheel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace kernelscope::emit {

static const unsigned char nvptxLibrary[] = {
#include "passes/emit/device/nvptx64.bc.inc"
};
static const unsigned char amdgcnLibrary[] = {
#include "passes/emit/device/amdgcn.bc.inc"
};

/// `relative` below the first of `roots` that has it.
static std::optional<std::string> findBelow(ArrayRef<std::string> roots,
                                            StringRef relative) {
  for (const std::string &root : roots) {
    SmallString<128> path(root);
    llvm::sys::path::append(path, relative);
    if (llvm::sys::fs::exists(path))
      return path.str().str();
  }
  return std::nullopt;
}

/// The values of environment variables, and `fallback`.
static std::vector<std::string> fromEnvironment(ArrayRef<StringRef> variables,
                                                StringRef fallback) {
  std::vector<std::string> roots;
  for (StringRef variable : variables)
    if (auto value = llvm::sys::Process::GetEnv(variable))
      roots.push_back(*value);
  roots.push_back(fallback.str());
  return roots;
}

static std::vector<std::string> findLibdevice() {
  if (auto file = llvm::sys::Process::GetEnv("KERNELSCOPE_LIBDEVICE");
      file && llvm::sys::fs::exists(*file))
    return {*file};
  auto roots = fromEnvironment({"CUDA_HOME", "CUDA_PATH"}, "/usr/local/cuda");
  for (const std::string &backends : tritonBackends())
    roots.push_back(backends + "/nvidia/lib");
  for (StringRef relative :
       {"libdevice.10.bc", "nvvm/libdevice/libdevice.10.bc"})
    if (auto file = findBelow(roots, relative))
      return {*file};
  return {};
}

static std::vector<std::string> findRocm() {
  auto roots = fromEnvironment(
      {"KERNELSCOPE_ROCM_BITCODE", "ROCM_PATH", "HIP_PATH"}, "/opt/rocm");
  for (const std::string &backends : tritonBackends())
    roots.push_back(backends + "/amd/lib");
  std::vector<std::string> files = {"ocml.bc", "ockl.bc"};
  for (std::string &file : files) {
    auto found = findBelow(roots, file);
    if (!found)
      found = findBelow(roots, "amdgcn/bitcode/" + file);
    if (!found)
      return {};
    file = *found;
  }
  return files;
}

/// Gives ocml the constants by which it chooses code for a chip.
static void defineControls(llvm::Module &module, const Target &target) {
  for (auto [name, value] :
       std::initializer_list<std::pair<StringRef, unsigned>>{
           {"__oclc_ISA_version", target.isaVersion},
           {"__oclc_ABI_version", 500},
           {"__oclc_wavefrontsize64", target.warpSize == 64},
           {"__oclc_finite_only_opt", 0},
           {"__oclc_unsafe_math_opt", 0},
           {"__oclc_daz_opt", 0},
           {"__oclc_correctly_rounded_sqrt32", 1}})
    if (llvm::GlobalVariable *control = module.getNamedGlobal(name)) {
      control->setInitializer(
          llvm::ConstantInt::get(control->getValueType(), value));
      control->setLinkage(llvm::GlobalValue::InternalLinkage);
      control->setConstant(true);
    }
}

std::vector<std::string> findDeviceLibraries(Vendor vendor) {
  return vendor == Vendor::Nvidia ? findLibdevice() : findRocm();
}

std::vector<std::string> namedLibraries(ModuleOp module) {
  std::vector<std::string> paths;
  module.walk([&](tt::ExternElementwiseOp op) {
    if (!op.getLibpath().empty() && !llvm::is_contained(paths, op.getLibpath()))
      paths.push_back(op.getLibpath().str());
  });
  return paths;
}

/// Whether the driver defines a function, or code generation replaces it.
static bool isProvided(StringRef name) {
  return name == "__nvvm_reflect" || name == "vprintf" ||
         name == "__assertfail";
}

/// The functions that are called and not defined.
static SmallVector<llvm::Function *> undefinedFunctions(llvm::Module &module) {
  SmallVector<llvm::Function *> functions;
  for (llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() &&
        !function.use_empty() && !isProvided(function.getName()))
      functions.push_back(&function);
  return functions;
}

/// Links what `module` needs of `library`, as functions of its own.
static LogicalResult link(llvm::Module &module,
                          std::unique_ptr<llvm::Module> library) {
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  // Built for another chip: what it was built for would stop inlining.
  for (llvm::Function &function : *library) {
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
  }
  llvm::StringSet<> defined;
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      defined.insert(function.getName());
  return failure(llvm::Linker::linkModules(
      module, std::move(library), llvm::Linker::LinkOnlyNeeded,
      [&](llvm::Module &merged, const llvm::StringSet<> &names) {
        for (const auto &name : names)
          if (llvm::GlobalValue *value = merged.getNamedValue(name.first());
              value && !value->isDeclaration() &&
              !defined.contains(name.first()))
            value->setLinkage(llvm::GlobalValue::InternalLinkage);
      }));
}

/// An error at the call of a function that nothing defines.
static void reportUndefined(llvm::Function &function, const Target &target,
                            ArrayRef<std::string> named, ModuleOp source) {
  Location loc = source.getLoc();
  for (llvm::User *user : function.users())
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(user))
      if (const llvm::DILocation *line = call->getDebugLoc()) {
        loc = FileLineColLoc::get(source.getContext(), line->getFilename(),
                                  line->getLine(), line->getColumn());
        break;
      }
  if (!target.isNvidia() && function.getName().starts_with("__nv_")) {
    emitError(loc) << "the device function '" << function.getName()
                   << "' belongs to NVIDIA's libdevice, but " << target.arch
                   << " is an AMD GPU; choose an NVIDIA architecture";
    return;
  }
  const bool ofVendor = function.getName().starts_with("__");
  if (!named.empty() && !ofVendor) {
    auto error = emitError(loc) << "the device function '" << function.getName()
                                << "' was not found in ";
    llvm::interleave(
        named,
        [&](const std::string &path) {
          error << "'" << path << "'";
          if (!llvm::sys::fs::exists(path))
            error << ", which does not exist on this machine";
        },
        [&] { error << " or "; });
    return;
  }
  emitError(loc) << "the device function '" << function.getName()
                 << "' was not found; it needs "
                 << (target.isNvidia()
                         ? "NVIDIA's libdevice (set CUDA_HOME, or "
                           "KERNELSCOPE_LIBDEVICE to libdevice.10.bc)"
                         : "ROCm's device libraries (set ROCM_PATH, or "
                           "KERNELSCOPE_ROCM_BITCODE to their folder)");
}

LogicalResult linkDeviceLibrary(llvm::Module &module, const Target &target,
                                ArrayRef<std::string> named, ModuleOp source) {
  if (undefinedFunctions(module).empty())
    return success();
  std::vector<std::string> files = findDeviceLibraries(target.vendor);
  llvm::copy_if(
      named, std::inserter(files, files.begin()),
      [](const std::string &path) { return llvm::sys::fs::exists(path); });
  for (const std::string &file : files) {
    llvm::SMDiagnostic error;
    // Lazily: of a thousand functions, few are needed.
    auto library = llvm::getLazyIRFileModule(file, error, module.getContext());
    if (!library || failed(link(module, std::move(library))))
      return source.emitError()
             << "cannot link '" << file << "': " << error.getMessage();
  }
  if (!undefinedFunctions(module).empty()) {
    ArrayRef<unsigned char> bytes =
        target.isNvidia() ? ArrayRef(nvptxLibrary) : ArrayRef(amdgcnLibrary);
    auto library = llvm::getLazyBitcodeModule(
        llvm::MemoryBufferRef(
            StringRef(reinterpret_cast<const char *>(bytes.data()),
                      bytes.size()),
            "device library"),
        module.getContext());
    if (!library)
      return source.emitError() << "cannot read the device library: "
                                << llvm::toString(library.takeError());
    if (failed(link(module, std::move(*library))))
      return failure();
  }
  if (target.isAmd())
    defineControls(module, target);
  auto undefined = undefinedFunctions(module);
  for (llvm::Function *function : undefined)
    reportUndefined(*function, target, named, source);
  return failure(!undefined.empty());
}

} // namespace kernelscope::emit
