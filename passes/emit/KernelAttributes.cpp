//===- KernelAttributes.cpp - Options of AMD's kernels --------------------===//

#include "passes/emit/KernelAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace kernelscope::emit {

void setAttributes(Module &module, const Target &target,
                   const AmdKernelOptions &options) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (options.flushDenormals)
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign");
    if (function.getCallingConv() != CallingConv::AMDGPU_KERNEL)
      continue;
    if (unsigned waves = options.wavesPerEu) {
      // The same minimum and maximum: one budget of registers.
      const Twine number(waves);
      function.addFnAttr("amdgpu-waves-per-eu", (number + "," + number).str());
    }
    for (const auto &[name, value] : options.attributes)
      function.addFnAttr(name, value);
    // These replace those that all code for the chip is generated with.
    if (options.cuMode)
      function.addFnAttr("target-features", target.features.empty()
                                                ? "+cumode"
                                                : target.features + ",+cumode");
  }
}

void loadToWholeRegisters(Module &module, const Target &target) {
  constexpr StringLiteral halves = "+real-true16",
                          attribute = "target-features";
  auto isMaskedHalf = [](const Instruction &instruction) {
    const auto *load = dyn_cast<IntrinsicInst>(&instruction);
    return load && load->getIntrinsicID() == Intrinsic::masked_load &&
           load->getType()->getPrimitiveSizeInBits() == 16;
  };
  for (Function &function : module) {
    if (count_if(instructions(function), isMaskedHalf) < 2)
      continue;
    StringRef given = target.features;
    if (function.hasFnAttribute(attribute))
      given = function.getFnAttribute(attribute).getValueAsString();
    SmallVector<StringRef> features;
    given.split(features, ',', -1, /*KeepEmpty=*/false);
    if (!is_contained(features, halves))
      continue;
    erase(features, halves);
    function.addFnAttr(attribute, join(features, ","));
  }
}

void keepWorkgroupIds(Module &module) {
  for (Function &function : module)
    for (StringRef id : {"amdgpu-no-workgroup-id-x", "amdgpu-no-workgroup-id-y",
                         "amdgpu-no-workgroup-id-z"})
      function.removeFnAttr(id);
}

} // namespace kernelscope::emit
