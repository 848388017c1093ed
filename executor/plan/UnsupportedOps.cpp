//===- UnsupportedOps.cpp - Ops that the executor does not run, and why ---===//
//
// Only ops of our dialects. docs/run.md has the same list in words.
//
//===----------------------------------------------------------------------===//

#include "executor/plan/Registry.h"
#include "llvm/ADT/StringSwitch.h"

namespace kernelscope::executor {

llvm::StringRef whyUnsupported(llvm::StringRef op) {
  return llvm::StringSwitch<llvm::StringRef>(op)
      .Cases({"nvg.wgmma", "nvg.wgmma_wait_group"},
             "its registers are those of one thread, and the executor runs "
             "whole tensors")
      .Default("");
}

} // namespace kernelscope::executor
