// Gathers, scatters and additions at computed columns that the other CTA of the cluster holds, and a window that begins in it, on the
// simulator.
// RUN: kernelscope run %s --device sim --arch sm_90a --compare | FileCheck %s
// RUN: kernelscope preview %s --arch sm_90a --emit ptx | FileCheck %s --check-prefix=PTX
// CHECK: differs from the CPU executor by at most 0

// PTX: barrier.cluster.wait
// PTX: mapa.shared::cluster
// PTX: ld.shared::cluster
// PTX: barrier.cluster.wait
// PTX: st.shared::cluster
// PTX: atom{{.*}}shared::cluster

#columns = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0], CGALayout = [[0, 1]]}>
#inColumns = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[0, 1]]}>
#smem = #ttg.shared_memory
!memory = !ttg.memdesc<2x128xi32, #inColumns, #smem, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @indexed(%to: !tt.ptr<i32> {tt.divisibility = 16 : i32}) {
    %width = arith.constant dense<128> : tensor<2x1xi32, #columns>
    %r = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32, #ttg.slice<{dim = 1, parent = #columns}>>
    %c = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #columns}>>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<2xi32, #ttg.slice<{dim = 1, parent = #columns}>> -> tensor<2x1xi32, #columns>
    %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #columns}>> -> tensor<1x128xi32, #columns>
    %line = arith.muli %r1, %width : tensor<2x1xi32, #columns>
    %rb = tt.broadcast %line : tensor<2x1xi32, #columns> -> tensor<2x128xi32, #columns>
    %cb = tt.broadcast %c1 : tensor<1x128xi32, #columns> -> tensor<2x128xi32, #columns>
    %offset = arith.addi %rb, %cb : tensor<2x128xi32, #columns>
    %m = ttg.local_alloc %offset : (tensor<2x128xi32, #columns>) -> !memory
    ttng.cluster_barrier
    // The columns in reverse: those of the other CTA.
    %last = arith.constant dense<127> : tensor<2x128xi32, #columns>
    %reverse = arith.subi %last, %cb : tensor<2x128xi32, #columns>
    %x = ttg.local_gather %m[%reverse] {axis = 1 : i32} : !memory, tensor<2x128xi32, #columns> -> tensor<2x128xi32, #columns>
    %seven = arith.constant dense<7> : tensor<2x128xi32, #columns>
    ttng.cluster_barrier
    %y = arith.muli %x, %seven : tensor<2x128xi32, #columns>
    ttg.local_scatter %m[%reverse], %y {axis = 1 : i32} : !memory, tensor<2x128xi32, #columns>, tensor<2x128xi32, #columns>
    ttng.cluster_barrier
    // To the first four columns.
    %three = arith.constant dense<3> : tensor<2x128xi32, #columns>
    %few = arith.andi %reverse, %three : tensor<2x128xi32, #columns>
    %one = arith.constant dense<1> : tensor<2x128xi32, #columns>
    %old = ttg.local_atomic_scatter_rmw add, %m[%few], %one {axis = 1 : i32} : (!memory, tensor<2x128xi32, #columns>, tensor<2x128xi32, #columns>) -> tensor<2x128xi32, #columns>
    ttng.cluster_barrier
    // Rows 0 and 1, columns 64 to 127, which the second CTA has.
    %right = ttg.memdesc_subslice %m [0, 64] : !memory -> !ttg.memdesc<2x64xi32, #inColumns, #smem, mutable, 2x128>
    %z = ttg.local_load %right : !ttg.memdesc<2x64xi32, #inColumns, #smem, mutable, 2x128> -> tensor<2x64xi32, #columns>
    %own = ttg.local_gather %m[%cb] {axis = 1 : i32} : !memory, tensor<2x128xi32, #columns> -> tensor<2x128xi32, #columns>
    %q = tt.splat %to : !tt.ptr<i32> -> tensor<2x128x!tt.ptr<i32>, #columns>
    %qq = tt.addptr %q, %offset : tensor<2x128x!tt.ptr<i32>, #columns>, tensor<2x128xi32, #columns>
    tt.store %qq, %own : tensor<2x128x!tt.ptr<i32>, #columns>
    %half = arith.constant dense<256> : tensor<2x1xi32, #columns>
    %c2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #columns}>>
    %c3 = tt.expand_dims %c2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #columns}>> -> tensor<1x64xi32, #columns>
    %below = arith.addi %line, %half : tensor<2x1xi32, #columns>
    %bb = tt.broadcast %below : tensor<2x1xi32, #columns> -> tensor<2x64xi32, #columns>
    %c4 = tt.broadcast %c3 : tensor<1x64xi32, #columns> -> tensor<2x64xi32, #columns>
    %at = arith.addi %bb, %c4 : tensor<2x64xi32, #columns>
    %u = tt.splat %to : !tt.ptr<i32> -> tensor<2x64x!tt.ptr<i32>, #columns>
    %uu = tt.addptr %u, %at : tensor<2x64x!tt.ptr<i32>, #columns>, tensor<2x64xi32, #columns>
    tt.store %uu, %z : tensor<2x64x!tt.ptr<i32>, #columns>
    tt.return
  }
}
