// What Triton 3.9's #ttng.cache_policy says of L1 and L2 stands in PTX. As for all names of 3.9, a hint is no error.
// RUN: kernelscope preview %s --emit ptx | FileCheck %s
// RUN: kernelscope opt %s | FileCheck %s --check-prefix=IR
// RUN: kernelscope opt %s --release=3.8 2>&1 | FileCheck %s --check-prefix=OLD
#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!memory = !ttg.memdesc<512xf32, #flat, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  // CHECK-LABEL: .entry accesses
  // IR-LABEL: @accesses
  // OLD-LABEL: @accesses
  tt.func public @accesses(%from: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %to: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #row>
    %f = tt.splat %from : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #row>
    %p = tt.addptr %f, %i : tensor<512x!tt.ptr<f32>, #row>, tensor<512xi32, #row>
    %t = tt.splat %to : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #row>
    %q = tt.addptr %t, %i : tensor<512x!tt.ptr<f32>, #row>, tensor<512xi32, #row>
    // CHECK: createpolicy.fractional.L2::evict_last.b64 [[LAST:%rd[0-9]+]], 0f3F400000;
    // CHECK: ld.global.L1::evict_first.L2::cache_hint.L2::256B.v4.b32 {{.*}}, [[LAST]];
    // IR: tt.load {{.*}} {cachePolicy = #ttng.cache_policy<l1 = evict_first, l2_primary = evict_last, l2_secondary = evict_unchanged, l2_fraction = 7.500000e-01 : f32, l2_prefetch_size = 256 : i32>}
    %all = tt.load %p {cachePolicy = #ttng.cache_policy<l1 = evict_first, l2_primary = evict_last, l2_secondary = evict_unchanged, l2_fraction = 7.500000e-01 : f32, l2_prefetch_size = 256 : i32>} : tensor<512x!tt.ptr<f32>, #row>
    // CHECK: ld.global.cg.L2::64B.v4.b32
    %cg = tt.load %p {cachePolicy = #ttng.cache_policy<cache_modifier = cg, l2_prefetch_size = 64 : i32>} : tensor<512x!tt.ptr<f32>, #row>
    // CHECK: ld.global.L1::no_allocate.v4.b32
    %l1 = tt.load %p {cachePolicy = #ttng.cache_policy<l1 = no_allocate>} : tensor<512x!tt.ptr<f32>, #row>
    // CHECK: ld.global.v4.b32
    %none = tt.load %p {cachePolicy = #ttng.cache_policy<>} : tensor<512x!tt.ptr<f32>, #row>
    %a = arith.addf %all, %cg : tensor<512xf32, #row>
    %b = arith.addf %l1, %none : tensor<512xf32, #row>
    %sum = arith.addf %a, %b : tensor<512xf32, #row>
    // CHECK: createpolicy.fractional.L2::evict_first.L2::evict_first.b64 [[FIRST:%rd[0-9]+]], 0f3E800000;
    // CHECK: st.global.L2::cache_hint.v4.b32 {{.*}}, [[FIRST]];
    tt.store %q, %sum {cachePolicy = #ttng.cache_policy<l2_primary = evict_first, l2_secondary = evict_first, l2_fraction = 2.500000e-01 : f32>} : tensor<512x!tt.ptr<f32>, #row>
    %m = ttg.local_alloc : () -> !memory
    // CHECK: cp.async.cg.shared.global.L2::128B
    %c = ttg.async_copy_global_to_local %p, %m {cachePolicy = #ttng.cache_policy<cache_modifier = cg, l2_prefetch_size = 128 : i32>} : tensor<512x!tt.ptr<f32>, #row> -> !memory
    // OLD: return
    tt.return
  }
}
