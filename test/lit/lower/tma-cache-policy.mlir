// How L2 keeps what a TMA load reads, as Triton 3.9 writes it, and as 3.8 does.
// RUN: kernelscope preview %s --emit ptx --arch sm_100a | FileCheck %s
// RUN: kernelscope opt %s --release=3.9 | FileCheck %s --check-prefix=NEW
// RUN: kernelscope opt %s --release=3.8 | FileCheck %s --check-prefix=OLD
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#one = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!desc = !tt.tensordesc<64x64xf16, #shared>
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!barrier = !ttg.memdesc<1xi64, #one, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  tt.func public @load(%d: !desc) {
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    %tile = ttg.local_alloc : () -> !tile
    %done = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %done, 1 : !barrier
    ttng.barrier_expect %done, 8192, %true : !barrier
    // CHECK: createpolicy.fractional.L2::evict_last.b64 [[POLICY:%rd[0-9]+]], 1.0;
    // CHECK: cp.async.bulk.tensor.2d.{{.*}}.L2::cache_hint [{{.*}}], [{{.*}}], [{{.*}}], [[POLICY]];
    // NEW: ttng.async_tma_copy_global_to_local {{.*}} {cachePolicy = #ttng.cache_policy<l2_primary = evict_last, l2_secondary = evict_unchanged, l2_fraction = 1.000000e+00 : f32>}
    // OLD: ttng.async_tma_copy_global_to_local {{.*}} evictionPolicy = evict_last :
    ttng.async_tma_copy_global_to_local %d[%zero, %zero] %tile, %done, %true {cachePolicy = #ttng.cache_policy<l2_primary = evict_last, l2_secondary = evict_unchanged, l2_fraction = 1.000000e+00 : f32>} : !desc, !barrier -> !tile
    ttng.wait_barrier %done, %zero : !barrier
    tt.return
  }
}
