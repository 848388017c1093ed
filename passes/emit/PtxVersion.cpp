//===- PtxVersion.cpp - The PTX that a module needs -----------------------===//

#include "passes/emit/PtxVersion.h"
#include "dialects/target/MatrixInstructions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace kernelscope::emit {

static bool needsPtx87(StringRef assembly) {
  return any_of(nvidiaMatrixInstructions(), [&](const MatrixInstruction &row) {
    return row.unit == MatrixUnit::MmaSm89ToF16 &&
           assembly.starts_with(row.name);
  });
}

std::string requiredFeatures(const Module &module, const Target &target) {
  if (target.isNvidia())
    for (const Function &function : module)
      for (const Instruction &instruction : instructions(function))
        if (auto *call = dyn_cast<CallBase>(&instruction))
          if (auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand());
              assembly && needsPtx87(assembly->getAsmString()))
            // Of several versions LLVM takes the newest.
            return target.features + ",+ptx87";
  return target.features;
}

} // namespace kernelscope::emit
