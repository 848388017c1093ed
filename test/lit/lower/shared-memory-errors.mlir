// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_80 --split-input-file --verify-diagnostics

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @narrow(%p: tensor<128x!tt.ptr<f16>, #blocked>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<128xf16, #shared, #smem, mutable>
    // expected-error @+1 {{has only 16 contiguous bits in the pointers and the shared layout; sm_80 copies 32, 64 or 128 bits at once}}
    %t = ttg.async_copy_global_to_local %p, %m : tensor<128x!tt.ptr<f16>, #blocked> -> !ttg.memdesc<128xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @too_much(%x: tensor<65536xf32, #blocked>) {
    // expected-error @+1 {{the kernel needs 262144 bytes of shared memory, but a block on sm_80 has at most 166912; this op takes 262144}}
    %m = ttg.local_alloc %x : (tensor<65536xf32, #blocked>) -> !ttg.memdesc<65536xf32, #shared, #smem>
    tt.return
  }
}
