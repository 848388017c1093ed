//===- LldTargets.cpp - what lld names of LLVM and we do not link ---------===//
//
// lld's driver initialises every target that LLVM was configured with, and its
// LTO registers Polly. Only NVPTX and AMDGPU are linked in: each library's
// constructors cost time at every start of the program. The hooks of the others
// do nothing.
//
//===----------------------------------------------------------------------===//

#include "llvm/Plugins/PassPlugin.h"

#define TARGET_WITHOUT_PARSER(T)                                               \
  extern "C" void LLVMInitialize##T##TargetInfo() {}                           \
  extern "C" void LLVMInitialize##T##Target() {}                               \
  extern "C" void LLVMInitialize##T##TargetMC() {}                             \
  extern "C" void LLVMInitialize##T##AsmPrinter() {}
#define TARGET(T)                                                              \
  TARGET_WITHOUT_PARSER(T)                                                     \
  extern "C" void LLVMInitialize##T##AsmParser() {}

TARGET(AArch64)
TARGET(ARM)
TARGET(AVR)
TARGET(BPF)
TARGET(Hexagon)
TARGET(Lanai)
TARGET(LoongArch)
TARGET(M68k)
TARGET(MSP430)
TARGET(Mips)
TARGET(PowerPC)
TARGET(RISCV)
TARGET(Sparc)
TARGET(SystemZ)
TARGET(VE)
TARGET(WebAssembly)
TARGET(X86)
TARGET(Xtensa)
TARGET_WITHOUT_PARSER(SPIRV)
TARGET_WITHOUT_PARSER(XCore)

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", LLVM_VERSION_STRING,
          [](llvm::PassBuilder &) {}};
}
