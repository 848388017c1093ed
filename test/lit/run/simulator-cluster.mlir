// CTAs of a cluster on the wave simulator: stores that complete on another CTA's barrier.
// RUN: kernelscope run %s --device sim --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope preview %s --emit llvm -o %t.ll
// A CTA that announces more bytes than the others store waits for the rest.
// RUN: sed -e 's/\], 4096;/], 8192;/' %t.ll > %t.waits.ll
// RUN: not kernelscope run %s --device sim --code %t.waits.ll 2>&1 | FileCheck %s --check-prefix=WAITS
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#columns = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1]]}>
#memory = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[0, 1]]}>
#each = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
!memory = !ttg.memdesc<32x64xf32, #memory, #smem, mutable>
!barriers = !ttg.memdesc<2xi64, #each, #smem, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  // RIGHT: trade on sim: the wave simulator (sm_90a)
  // RIGHT: differs from the CPU executor by at most 0.000e+00
  // WAITS: error: CTA ({{.*}}), warp {{[0-9]}}: the warp waits forever for the mbarrier in shared memory at
  // WAITS-SAME: which still needs 0 of 1 arrivals and 4096 bytes
  tt.func public @trade(%in: !tt.ptr<f32>, %copy: !tt.ptr<f32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %ri = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    %rj = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>>
    %rie = tt.expand_dims %ri {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<32x1xi32, #rows>
    %rje = tt.expand_dims %rj {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x64xi32, #rows>
    %rw = arith.constant dense<64> : tensor<32x1xi32, #rows>
    %rl = arith.muli %rie, %rw : tensor<32x1xi32, #rows>
    %rlb = tt.broadcast %rl : tensor<32x1xi32, #rows> -> tensor<32x64xi32, #rows>
    %rjb = tt.broadcast %rje : tensor<1x64xi32, #rows> -> tensor<32x64xi32, #rows>
    %rat = arith.addi %rlb, %rjb : tensor<32x64xi32, #rows>
    %ci = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #columns}>>
    %cj = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #columns}>>
    %cie = tt.expand_dims %ci {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #columns}>> -> tensor<32x1xi32, #columns>
    %cje = tt.expand_dims %cj {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #columns}>> -> tensor<1x64xi32, #columns>
    %cw = arith.constant dense<64> : tensor<32x1xi32, #columns>
    %cl = arith.muli %cie, %cw : tensor<32x1xi32, #columns>
    %clb = tt.broadcast %cl : tensor<32x1xi32, #columns> -> tensor<32x64xi32, #columns>
    %cjb = tt.broadcast %cje : tensor<1x64xi32, #columns> -> tensor<32x64xi32, #columns>
    %cat = arith.addi %clb, %cjb : tensor<32x64xi32, #columns>
    %fromb = tt.splat %in : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>, #rows>
    %from = tt.addptr %fromb, %rat : tensor<32x64x!tt.ptr<f32>, #rows>, tensor<32x64xi32, #rows>
    %x = tt.load %from : tensor<32x64x!tt.ptr<f32>, #rows>
    %buffer = ttg.local_alloc : () -> !memory
    %bar = ttg.local_alloc : () -> !barriers
    ttng.init_barrier %bar, 1 : !barriers
    ttng.barrier_expect %bar, 4096, %true : !barriers
    ttng.async_shared_store %x, %buffer, %bar : tensor<32x64xf32, #rows> -> !memory, !barriers
    ttng.wait_barrier %bar, %c0 : !barriers
    %own = ttg.local_load %buffer : !memory -> tensor<32x64xf32, #columns>
    %tob = tt.splat %copy : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>, #columns>
    %to = tt.addptr %tob, %cat : tensor<32x64x!tt.ptr<f32>, #columns>, tensor<32x64xi32, #columns>
    tt.store %to, %own : tensor<32x64x!tt.ptr<f32>, #columns>
    tt.return
  }
}
