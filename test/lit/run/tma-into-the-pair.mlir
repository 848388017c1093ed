// A window that one CTA of a pair has whole: both copy their halves of it, each on its own barrier. Copies and gathers, also with a
// multicast to the other pair.
// RUN: kernelscope run %s --kernel copies --device sim --arch sm_100a --compare | FileCheck %s
// RUN: kernelscope run %s --kernel gathers --device sim --arch sm_100a --compare | FileCheck %s
// RUN: kernelscope run %s --kernel multicasts --device sim --arch sm_100a --compare | FileCheck %s
// RUN: kernelscope run %s --kernel copies --device cpu --sanitize all
// RUN: kernelscope preview %s --kernel copies --arch sm_100a | FileCheck %s --check-prefix=PTX
// RUN: kernelscope preview %s --kernel gathers --arch sm_100a | FileCheck %s --check-prefix=MEETS
// RUN: not kernelscope preview %s --kernel copies --arch sm_90a 2>&1 | FileCheck %s --check-prefix=HOPPER
// CHECK: to {{.*}}checksum
// CHECK: differs from the CPU executor by at most 0.000e+00

#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1], [2]]}>
#halves = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0], [0, 1]]}>
#both = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0], [0, 0]]}>
#ids = #ttg.slice<{dim = 1, parent = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [0, 1], CGALayout = [[1, 0], [0, 1]]}>}>
#smem = #ttg.shared_memory
!bar = !ttg.memdesc<4xi64, #bar, #smem, mutable>
!all = !ttg.memdesc<64x128xf16, #halves, #smem, mutable>
!half = !ttg.memdesc<32x128xf16, #halves, #smem, mutable, 64x128>
!allBoth = !ttg.memdesc<64x64xf16, #both, #smem, mutable>
!halfBoth = !ttg.memdesc<32x64xf16, #both, #smem, mutable, 64x64>
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  // PTX-LABEL: .entry copies
  // PTX: mapa.shared::cluster.u32
  // PTX: cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes
  // HOPPER: error: 'ttng.async_tma_copy_global_to_local' op copies to a window that may be in the other CTA of a pair, away from its barrier; only copies with .cta_group::2 of sm_100 can, and this is sm_90a
  tt.func public @copies(%from: !tt.tensordesc<32x128xf16, #halves>, %to: !tt.tensordesc<64x128xf16, #halves>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %buffer = ttg.local_alloc : () -> !all
    %bar = ttg.local_alloc : () -> !bar
    ttng.init_barrier %bar, 1 : !bar
    ttng.fence_mbarrier_init_release_cluster
    ttng.cluster_barrier {relaxed = true}
    ttng.barrier_expect %bar, 4096, %true : !bar
    %first = ttg.memdesc_subslice %buffer[0, 0] : !all -> !half
    %second = ttg.memdesc_subslice %buffer[32, 0] : !all -> !half
    ttng.async_tma_copy_global_to_local %from[%c32, %c0] %first, %bar, %true : !tt.tensordesc<32x128xf16, #halves>, !bar -> !half
    ttng.async_tma_copy_global_to_local %from[%c0, %c0] %second, %bar, %true : !tt.tensordesc<32x128xf16, #halves>, !bar -> !half
    ttng.wait_barrier %bar, %c0, %true : !bar
    ttng.cluster_barrier
    ttng.async_tma_copy_local_to_global %to[%c0, %c0] %buffer : !tt.tensordesc<64x128xf16, #halves>, !all
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }

  // The other CTA has begun before its memory is written.
  // MEETS: barrier.cluster.arrive.relaxed
  // MEETS: tile::gather4
  tt.func public @gathers(%from: !tt.tensordesc<1x128xf16, #halves>, %to: !tt.tensordesc<64x128xf16, #halves>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %last = arith.constant dense<31> : tensor<32xi32, #ids>
    %i = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ids>
    %j = tt.make_range {start = 32 : i32, end = 64 : i32} : tensor<32xi32, #ids>
    %reverse = arith.subi %last, %i : tensor<32xi32, #ids>
    %buffer = ttg.local_alloc : () -> !all
    %bar = ttg.local_alloc : () -> !bar
    ttng.init_barrier %bar, 1 : !bar
    ttng.barrier_expect %bar, 4096, %true : !bar
    %first = ttg.memdesc_subslice %buffer[0, 0] : !all -> !half
    %second = ttg.memdesc_subslice %buffer[32, 0] : !all -> !half
    ttng.async_tma_gather %from[%reverse, %c0] %second, %bar, %true : !tt.tensordesc<1x128xf16, #halves>, tensor<32xi32, #ids>, i32, !bar, !half, i1
    ttng.async_tma_gather %from[%j, %c0] %first, %bar, %true : !tt.tensordesc<1x128xf16, #halves>, tensor<32xi32, #ids>, i32, !bar, !half, i1
    ttng.wait_barrier %bar, %c0, %true : !bar
    ttng.cluster_barrier
    ttng.async_tma_copy_local_to_global %to[%c0, %c0] %buffer : !tt.tensordesc<64x128xf16, #halves>, !all
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }

  tt.func public @multicasts(%from: !tt.tensordesc<32x64xf16, #both>, %to: !tt.tensordesc<64x64xf16, #both>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %buffer = ttg.local_alloc : () -> !allBoth
    %bar = ttg.local_alloc : () -> !bar
    ttng.init_barrier %bar, 1 : !bar
    ttng.fence_mbarrier_init_release_cluster
    ttng.cluster_barrier {relaxed = true}
    ttng.barrier_expect %bar, 4096, %true : !bar
    %first = ttg.memdesc_subslice %buffer[0, 0] : !allBoth -> !halfBoth
    %second = ttg.memdesc_subslice %buffer[32, 0] : !allBoth -> !halfBoth
    ttng.async_tma_copy_global_to_local %from[%c32, %c0] %first, %bar, %true {multicast} : !tt.tensordesc<32x64xf16, #both>, !bar -> !halfBoth
    ttng.async_tma_copy_global_to_local %from[%c0, %c0] %second, %bar, %true {multicast} : !tt.tensordesc<32x64xf16, #both>, !bar -> !halfBoth
    ttng.wait_barrier %bar, %c0, %true : !bar
    ttng.cluster_barrier
    ttng.async_tma_copy_local_to_global %to[%c0, %c0] %buffer : !tt.tensordesc<64x64xf16, #both>, !allBoth
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }
}
