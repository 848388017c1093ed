//===- Backend.h - LLVM IR to assembly and objects --------------*- C++ -*-===//
//
// LLVM's part of the work. Its errors come back as diagnostics of MLIR, at the
// line of the IR where LLVM knows it.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_EMIT_BACKEND_H
#define KERNELSCOPE_PASSES_EMIT_BACKEND_H

#include "passes/Compile.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace kernelscope::emit {

/// One module on its way through LLVM.
class Backend {
public:
  Backend(mlir::ModuleOp module, const Target &target,
          const CompileOptions &options);
  ~Backend();

  /// The LLVM dialect as LLVM IR, with its debug locations, the target's triple
  /// and data layout, and the flags that the target's code generator reads.
  llvm::LogicalResult translate();
  /// Links what `passes/emit/DeviceLibrary.h` finds of functions that are
  /// called and not defined, in the libraries of `named` and the vendor's.
  llvm::LogicalResult linkDeviceLibrary(llvm::ArrayRef<std::string> named);
  /// O3.
  llvm::LogicalResult optimize();
  /// LLVM IR as text.
  std::string printModule() const;
  /// Assembly as text, or an object.
  mlir::FailureOr<std::string> generate(llvm::CodeGenFileType type);

private:
  class Diagnostics;

  /// Code of `module`, which the code generator changes.
  mlir::FailureOr<std::string> generateCode(llvm::Module &module,
                                            llvm::CodeGenFileType type);
  /// Names the stage for `onStage` and for LLVM's diagnostics.
  void enter(llvm::StringRef stage);
  /// Success if LLVM reported no error since `enter`.
  llvm::LogicalResult leave() const;

  mlir::ModuleOp source;
  const Target &target;
  const CompileOptions &options;
  std::string stage;
  bool hadError = false;
  /// Of the code generated last, on AMD.
  struct {
    unsigned instructions = 0, spilledRegisters = 0;
  } generated;
  /// Whether blocks have been ordered and spilled for their registers.
  bool hasLimitedRegisters = false;
  /// LLVM builds its remarks only then.
  bool readsRemarks = false;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  llvm::TargetMachine *machine = nullptr;
};

} // namespace kernelscope::emit

#endif // KERNELSCOPE_PASSES_EMIT_BACKEND_H
