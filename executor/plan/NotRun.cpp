//===- NotRun.cpp - Ops without execution, and why ------------------------===//
//
// Of our dialects. docs/run.md has the same list in words.
//
//===----------------------------------------------------------------------===//

#include "executor/plan/Registry.h"
#include "llvm/ADT/StringSwitch.h"

namespace kernelscope::executor {

llvm::StringRef whyNotRun(llvm::StringRef op) {
  constexpr llvm::StringLiteral amongLlvm =
      "it stands among ops of the LLVM dialect, on the pointers and registers "
      "of one thread, and the executor runs whole tensors";
  return llvm::StringSwitch<llvm::StringRef>(op)
      .Cases({"amdg.masked_load", "amdg.masked_store", "nvg.ld_acquire",
              "nvg.tensor_memory_base", "nvg.warp_group_barrier_id",
              "nvg.wgmma", "nvg.wgmma_wait_group"},
             amongLlvm)
      .Default("");
}

} // namespace kernelscope::executor
