//===- NotRun.cpp - Ops without execution, and why ------------------------===//
//
// Of our dialects. docs/run.md has the same list in words.
//
//===----------------------------------------------------------------------===//

#include "executor/plan/Registry.h"
#include "llvm/ADT/StringSwitch.h"

namespace kernelscope::executor {

llvm::StringRef whyNotRun(llvm::StringRef op) {
  constexpr llvm::StringLiteral
      ofAThread = "it is about what one thread or warp holds, and the executor "
                  "runs whole tensors",
      blockPointer = "it makes a block pointer, which a pass of Triton 3.6 and "
                     "older takes apart: run what that pass gives",
      sanitizer = "one of Triton's sanitizers puts it into a kernel, with a "
                  "table of its own: run the kernel without it",
      betweenPasses = "it only stands between two passes that take references "
                      "apart";
  return llvm::StringSwitch<llvm::StringRef>(op)
      .Cases({"amdg.masked_load", "amdg.masked_store", "nvg.ld_acquire",
              "nvg.tensor_memory_base", "nvg.warp_group_barrier_id",
              "nvg.warp_id", "nvg.wgmma", "nvg.wgmma_wait_group",
              "ttg.warp_id"},
             ofAThread)
      .Cases({"tt.advance", "tt.make_tensor_ptr"}, blockPointer)
      .Cases({"tti.experimental_buffer_descriptors",
              "tti.experimental_fpsan_embed", "tti.experimental_fpsan_unembed",
              "tti.experimental_lock_acquire", "tti.experimental_lock_release",
              "tti.experimental_memdesc_to_i32",
              "tti.experimental_memory_offset_to_i32"},
             sanitizer)
      .Case("nvws.aref.phi", betweenPasses)
      .Default("");
}

} // namespace kernelscope::executor
