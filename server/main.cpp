#include "lld/Common/Driver.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/TargetSelect.h"
LLD_HAS_DRIVER(elf)
int main(int argc, char **argv) {
  LLVMInitializeNVPTXTarget();
  LLVMInitializeAMDGPUTarget();
  LLVMInitializeX86Target();
  if (argc > 9)
    lld::lldMain({}, llvm::outs(), llvm::errs(), {{lld::Gnu, &lld::elf::link}});
  mlir::DialectRegistry registry;
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "opt\n", registry));
}
