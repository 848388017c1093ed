// Stores to and loads from the shared memory of the other CTA of a cluster, on the simulator.
// RUN: kernelscope run %s --device sim --arch sm_90a --compare | FileCheck %s
// RUN: kernelscope preview %s --arch sm_90a --emit ptx | FileCheck %s --check-prefix=PTX
// CHECK: differs from the CPU executor by at most 0

// The other CTA has begun, and is done with its memory; then it sees what is stored.
// PTX: barrier.cluster.wait
// PTX: mapa.shared::cluster
// PTX: st.shared::cluster
// PTX: barrier.cluster.arrive
// PTX: barrier.cluster.wait
// PTX: ld.shared::cluster
// PTX: barrier.cluster.wait

#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0], CGALayout = [[1, 0]]}>
#columns = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0], CGALayout = [[0, 1]]}>
#inRows = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[1, 0]]}>
#inColumns = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[0, 1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @exchange(%from: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %to: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %width = arith.constant dense<128> : tensor<2x1xi32, #rows>
    %r = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    %c = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #rows}>>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<2xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<2x1xi32, #rows>
    %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x128xi32, #rows>
    %line = arith.muli %r1, %width : tensor<2x1xi32, #rows>
    %rb = tt.broadcast %line : tensor<2x1xi32, #rows> -> tensor<2x128xi32, #rows>
    %cb = tt.broadcast %c1 : tensor<1x128xi32, #rows> -> tensor<2x128xi32, #rows>
    %offset = arith.addi %rb, %cb : tensor<2x128xi32, #rows>
    %p = tt.splat %from : !tt.ptr<f32> -> tensor<2x128x!tt.ptr<f32>, #rows>
    %pp = tt.addptr %p, %offset : tensor<2x128x!tt.ptr<f32>, #rows>, tensor<2x128xi32, #rows>
    %x = tt.load %pp : tensor<2x128x!tt.ptr<f32>, #rows>
    %m = ttg.local_alloc : () -> !ttg.memdesc<2x128xf32, #inColumns, #smem, mutable>
    ttg.local_store %x, %m : tensor<2x128xf32, #rows> -> !ttg.memdesc<2x128xf32, #inColumns, #smem, mutable>
    ttng.cluster_barrier
    %y = ttg.local_load %m : !ttg.memdesc<2x128xf32, #inColumns, #smem, mutable> -> tensor<2x128xf32, #columns>
    %z = arith.addf %y, %y : tensor<2x128xf32, #columns>
    %n = ttg.local_alloc %z : (tensor<2x128xf32, #columns>) -> !ttg.memdesc<2x128xf32, #inColumns, #smem>
    ttng.cluster_barrier
    %w = ttg.local_load %n : !ttg.memdesc<2x128xf32, #inColumns, #smem> -> tensor<2x128xf32, #rows>
    %q = tt.splat %to : !tt.ptr<f32> -> tensor<2x128x!tt.ptr<f32>, #rows>
    %qq = tt.addptr %q, %offset : tensor<2x128x!tt.ptr<f32>, #rows>, tensor<2x128xi32, #rows>
    tt.store %qq, %w : tensor<2x128x!tt.ptr<f32>, #rows>
    tt.return
  }
}
