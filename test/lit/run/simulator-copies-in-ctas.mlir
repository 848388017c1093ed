// Shared memory of a cluster, on the simulator: a buffer that both CTAs hold is accessed where each has its own, whatever part of the
// tensor it has; a buffer that they share out is filled by the other CTA, too.
// RUN: kernelscope run %s --device sim --arch sm_90a --kernel=copies --compare | FileCheck %s
// RUN: kernelscope run %s --device sim --arch sm_90a --kernel=parts --compare | FileCheck %s
// RUN: kernelscope preview %s --arch sm_90a --kernel=copies --emit ptx | FileCheck %s --check-prefix=COPIES
// RUN: kernelscope preview %s --arch sm_90a --kernel=parts --emit ptx | FileCheck %s --check-prefix=PARTS
// CHECK: differs from the CPU executor by at most 0

// COPIES-NOT: shared::cluster
// PARTS: barrier.cluster.wait
// PARTS: st.shared::cluster
// PARTS: barrier.cluster.wait

#halves = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
#odd = #ttg.linear<{register = [], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128]], block = [[1]]}>
#inBoth = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#inHalves = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @copies(%to: !tt.ptr<i32> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #halves>
    %m = ttg.local_alloc %i : (tensor<256xi32, #halves>) -> !ttg.memdesc<256xi32, #inBoth, #smem, mutable>
    %x = ttg.local_load %m : !ttg.memdesc<256xi32, #inBoth, #smem, mutable> -> tensor<256xi32, #halves>
    %y = arith.addi %x, %x : tensor<256xi32, #halves>
    ttg.local_store %y, %m : tensor<256xi32, #halves> -> !ttg.memdesc<256xi32, #inBoth, #smem, mutable>
    %z = ttg.local_load %m : !ttg.memdesc<256xi32, #inBoth, #smem, mutable> -> tensor<256xi32, #halves>
    %base = tt.splat %to : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #halves>
    %p = tt.addptr %base, %i : tensor<256x!tt.ptr<i32>, #halves>, tensor<256xi32, #halves>
    tt.store %p, %z : tensor<256x!tt.ptr<i32>, #halves>
    tt.return
  }

  tt.func public @parts(%to: !tt.ptr<i32> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #odd>
    %m = ttg.local_alloc %i : (tensor<256xi32, #odd>) -> !ttg.memdesc<256xi32, #inHalves, #smem, mutable>
    ttng.cluster_barrier
    %x = ttg.local_load %m : !ttg.memdesc<256xi32, #inHalves, #smem, mutable> -> tensor<256xi32, #halves>
    %at = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #halves>
    %base = tt.splat %to : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #halves>
    %p = tt.addptr %base, %at : tensor<256x!tt.ptr<i32>, #halves>, tensor<256xi32, #halves>
    tt.store %p, %x : tensor<256x!tt.ptr<i32>, #halves>
    tt.return
  }
}
