// Copies that complete on the barrier of a pair's leader say that it may be in the other CTA; others do not.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_100a | FileCheck %s

#halves = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#leader = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#own = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#ids = #ttg.slice<{dim = 1, parent = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [0, 1], CGALayout = [[1, 0]]}>}>
#smem = #ttg.shared_memory
!halves = !ttg.memdesc<32x64xf16, #halves, #smem, mutable>
!leader = !ttg.memdesc<1xi64, #leader, #smem, mutable>
!own = !ttg.memdesc<2xi64, #own, #smem, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = true} {
  // CHECK-LABEL: @pairs
  tt.func public @pairs(%blocks: !tt.tensordesc<32x64xf16, #halves>, %rows: !tt.tensordesc<1x64xf16, #halves>, %n: tensor<32xi32, #ids>, %live: i1) {
    %c0 = arith.constant 0 : i32
    %m = ttg.local_alloc : () -> !halves
    %leader = ttg.local_alloc : () -> !leader
    %own = ttg.local_alloc : () -> !own
    // CHECK: cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes
    ttng.async_tma_copy_global_to_local %blocks[%c0, %c0] %m, %leader, %live : !tt.tensordesc<32x64xf16, #halves>, !leader -> !halves
    // CHECK: cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.tile::gather4
    ttng.async_tma_gather %rows[%n, %c0] %m, %leader, %live : !tt.tensordesc<1x64xf16, #halves>, tensor<32xi32, #ids>, i32, !leader, !halves, i1
    // CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
    ttng.async_tma_copy_global_to_local %blocks[%c0, %c0] %m, %own, %live : !tt.tensordesc<32x64xf16, #halves>, !own -> !halves
    tt.return
  }
}
