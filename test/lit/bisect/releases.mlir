// RUN: kernelscope bisect %s | FileCheck %s

// Triton 3.6 leaves barriers that no one uses, whose place another buffer may take. Its dumps have no `ttng.two-ctas` until
// shared memory is allocated; the pass that adds it changes nothing.

// CHECK: unused: no pass changes the results
// CHECK: 2 of 2 sections produce the same results as the first

// -----// IR Dump Before TritonNvidiaGPUCheckMatmulTwoCTAPass (triton-nvidia-check-matmul-two-cta) ('builtin.module' operation) //----- //
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 16 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @unused(%out: !tt.ptr<i32>) {
    %zero = arith.constant 0 : i32
    %first = ttg.local_alloc {allocation.offset = 0 : i32} : () -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.init_barrier %first, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    %second = ttg.local_alloc {allocation.offset = 0 : i32} : () -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.init_barrier %second, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    tt.store %out, %zero : !tt.ptr<i32>
    tt.return
  }
}

// -----// IR Dump After TritonNvidiaGPUCheckMatmulTwoCTAPass (triton-nvidia-check-matmul-two-cta) ('builtin.module' operation) //----- //
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 16 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  tt.func public @unused(%out: !tt.ptr<i32>) {
    %zero = arith.constant 0 : i32
    %first = ttg.local_alloc {allocation.offset = 0 : i32} : () -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.init_barrier %first, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    %second = ttg.local_alloc {allocation.offset = 0 : i32} : () -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.init_barrier %second, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    tt.store %out, %zero : !tt.ptr<i32>
    tt.return
  }
}
