//===- LldTargets.cpp - LLVM targets that lld names and we do not link ----===//
//
// lld's driver initialises every target that LLVM was configured with. Only
// NVPTX, AMDGPU and X86 are linked in, so the hooks of the others do nothing.
//
//===----------------------------------------------------------------------===//

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
TARGET(Xtensa)
TARGET_WITHOUT_PARSER(SPIRV)
TARGET_WITHOUT_PARSER(XCore)
