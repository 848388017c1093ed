// Partitions find a tensor map in scratch memory themselves: they are handed nothing, and 4 bytes say which op is next.
// RUN: kernelscope opt %s --assign-warps=arch=sm_90a --allocate-shared-memory=arch=sm_90a | FileCheck %s

// CHECK: ttg.shared = 4 : i32
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
!desc = !tt.tensordesc<16x64xf16, #shared>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel() {
    %map = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    %desc = ttng.reinterpret_tensor_descriptor %map : !tt.ptr<i8> to !desc
    ttg.warp_specialize(%desc)
    default {
      ttg.warp_yield
    }
    partition0(%d: !desc) num_warps(1) {
      ttg.warp_return
    } : (!desc) -> ()
    tt.return
  }
}
