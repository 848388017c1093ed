// TMA gathers and scatters the rows, or the columns, that each CTA of a cluster has; one copy serves all CTAs with the same rows.
// RUN: kernelscope run %s --kernel rows --device sim --compare | FileCheck %s
// RUN: kernelscope run %s --kernel columns --device sim --compare | FileCheck %s
// RUN: kernelscope preview %s --kernel rows | FileCheck %s --check-prefix=PTX
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1], [2]]}>
#ids = #ttg.slice<{dim = 1, parent = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [0, 1], CGALayout = [[1, 0], [0, 0]]}>}>
#halves = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0], [0, 0]]}>
#both = #ttg.slice<{dim = 1, parent = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [0, 1], CGALayout = [[1, 0], [0, 1]]}>}>
#quarters = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0], [0, 1]]}>
#smem = #ttg.shared_memory
!bar = !ttg.memdesc<4xi64, #bar, #smem, mutable>
!halves = !ttg.memdesc<32x32xf16, #halves, #smem, mutable>
!quarters = !ttg.memdesc<32x64xf16, #quarters, #smem, mutable>
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: on sim: the wave simulator (sm_100a)
  // CHECK: to {{.*}}checksum
  // CHECK: differs from the CPU executor by at most 0.000e+00
  // PTX: cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes.multicast::cluster
  tt.func public @rows(%from: !tt.tensordesc<1x32xf16, #halves>, %to: !tt.tensordesc<1x32xf16, #halves>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %last = arith.constant dense<31> : tensor<32xi32, #ids>
    %i = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ids>
    %which = arith.subi %last, %i : tensor<32xi32, #ids>
    %buffer = ttg.local_alloc : () -> !halves
    %bar = ttg.local_alloc : () -> !bar
    ttng.init_barrier %bar, 1 : !bar
    ttng.fence_mbarrier_init_release_cluster
    ttng.cluster_barrier {relaxed = true}
    ttng.barrier_expect %bar, 1024, %true : !bar
    ttng.async_tma_gather %from[%which, %c0] %buffer, %bar, %true {multicast} : !tt.tensordesc<1x32xf16, #halves>, tensor<32xi32, #ids>, i32, !bar, !halves, i1
    ttng.wait_barrier %bar, %c0, %true : !bar
    ttng.inval_barrier %bar : !bar
    ttng.async_tma_scatter %to[%i, %c0] %buffer : !tt.tensordesc<1x32xf16, #halves>, tensor<32xi32, #ids>, i32, !halves
    ttng.async_tma_store_wait {pendings = 0 : i32}
    ttng.cluster_barrier
    tt.return
  }
  tt.func public @columns(%from: !tt.tensordesc<1x64xf16, #quarters>, %to: !tt.tensordesc<1x64xf16, #quarters>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %last = arith.constant dense<31> : tensor<32xi32, #both>
    %i = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #both>
    %which = arith.subi %last, %i : tensor<32xi32, #both>
    %buffer = ttg.local_alloc : () -> !quarters
    %bar = ttg.local_alloc : () -> !bar
    ttng.init_barrier %bar, 1 : !bar
    ttng.barrier_expect %bar, 1024, %true : !bar
    ttng.async_tma_gather %from[%which, %c0] %buffer, %bar, %true : !tt.tensordesc<1x64xf16, #quarters>, tensor<32xi32, #both>, i32, !bar, !quarters, i1
    ttng.wait_barrier %bar, %c0, %true : !bar
    ttng.inval_barrier %bar : !bar
    ttng.async_tma_scatter %to[%i, %c0] %buffer : !tt.tensordesc<1x64xf16, #quarters>, tensor<32xi32, #both>, i32, !quarters
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }
}
