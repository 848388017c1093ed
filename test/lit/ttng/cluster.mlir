// What only a cluster of CTAs has, and what Triton 3.6 wrote of tensor memory.
// RUN: kernelscope opt --split-input-file %s | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[1, 0]]}>
#padded = #ttg.padded_shared<[64:+4] {offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], block = [[32, 0]]}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @cluster
  tt.func @cluster(%x: tensor<64x64xf16, #blocked>, %m: !ttg.memdesc<64x64xf16, #plain, #smem, mutable>, %p: !ttg.memdesc<64x64xf16, #padded, #smem, mutable>, %b: !ttg.memdesc<2xi64, #bar, #smem, mutable>, %t: i1) {
    // CHECK: ttng.fence_mbarrier_init_release_cluster
    ttng.fence_mbarrier_init_release_cluster
    // CHECK: ttng.cluster_barrier {relaxed = true}
    ttng.cluster_barrier {relaxed = true}
    // CHECK: ttng.arrive_barrier %{{.*}}, 1 {multicastCTA = 1 : i32} : !ttg.memdesc<2xi64
    ttng.arrive_barrier %b, 1 {multicastCTA = 1 : i32} : !ttg.memdesc<2xi64, #bar, #smem, mutable>
    // CHECK: ttng.barrier_expect %{{.*}}, 64 {fromCTA = 1 : i32}, %{{.*}} : !ttg.memdesc<2xi64
    ttng.barrier_expect %b, 64 {fromCTA = 1 : i32}, %t : !ttg.memdesc<2xi64, #bar, #smem, mutable>
    // CHECK: ttng.async_shared_store %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #{{.*}}, #smem, mutable>, !ttg.memdesc<2xi64
    ttng.async_shared_store %x, %m, %b : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #plain, #smem, mutable>, !ttg.memdesc<2xi64, #bar, #smem, mutable>
    ttng.async_shared_store %x, %p, %b : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #padded, #smem, mutable>, !ttg.memdesc<2xi64, #bar, #smem, mutable>
    tt.return
  }
}

// -----

// CHECK: #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CGALayout = {{\[\[}}0, 1]]>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitN = 2>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:100"} {
  tt.func @split_by_counts(%0: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>) {
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#half = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:100"} {
  // CHECK-LABEL: @offset_as_N
  tt.func @offset_as_N(%0: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>) {
    // CHECK: ttng.tmem_subslice %{{.*}} {offset = 64 : i32}
    %1 = ttng.tmem_subslice %0 {N = 64 : i32} : !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x64xf32, #half, #ttng.tensor_memory, mutable, 128x128>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CGALayout = [[1, 0]], twoCTAs = true>
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#b = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1]]}>
#pair = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#own = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:100", "ttng.two-ctas" = true} {
  // CHECK-LABEL: @pairs
  tt.func @pairs(%d: !tt.tensordesc<256x64xf16, #a>, %a: !ttg.memdesc<256x64xf16, #a, #smem, mutable>, %b: !ttg.memdesc<64x64xf16, #b, #smem, mutable>, %c: !ttg.memdesc<256x64xf32, #tmem, #ttng.tensor_memory, mutable>,
                 %pair: !ttg.memdesc<1xi64, #pair, #smem, mutable>, %own: !ttg.memdesc<2xi64, #own, #smem, mutable>, %x: i32, %t: i1) {
    // CHECK: ttng.async_tma_copy_global_to_local
    ttng.async_tma_copy_global_to_local %d[%x, %x] %a, %pair, %t : !tt.tensordesc<256x64xf16, #a>, !ttg.memdesc<1xi64, #pair, #smem, mutable> -> !ttg.memdesc<256x64xf16, #a, #smem, mutable>
    // CHECK: ttng.tc_gen5_mma %{{.*}} {is_async, two_ctas}
    ttng.tc_gen5_mma %a, %b, %c, %t, %t, %own[%t] {is_async, two_ctas} : !ttg.memdesc<256x64xf16, #a, #smem, mutable>, !ttg.memdesc<64x64xf16, #b, #smem, mutable>, !ttg.memdesc<256x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<2xi64, #own, #smem, mutable>
    tt.return
  }
}

// -----

// Triton 3.6's barriers say nothing of the cluster: each CTA has its own.
#data = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32, CGALayout = [[1, 0]]}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  // CHECK-LABEL: @barrier_of_each_cta
  tt.func @barrier_of_each_cta(%d: !tt.tensordesc<32x32xf32, #data>, %m: !ttg.memdesc<32x32xf32, #data, #smem, mutable>, %x: i32, %t: i1) {
    // CHECK: ttg.local_alloc : () -> !ttg.memdesc<1xi64
    %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.init_barrier %b, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.barrier_expect %b, 2048, %t : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    ttng.async_tma_copy_global_to_local %d[%x, %x] %m, %b, %t : !tt.tensordesc<32x32xf32, #data>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<32x32xf32, #data, #smem, mutable>
    tt.return
  }
}
