// One copy by TMA for both CTAs of a cluster on the wave simulator.
// RUN: kernelscope run %s --device sim --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope preview %s --emit llvm -o %t.ll
// A copy for the first CTA only leaves the second waiting.
// RUN: sed -e 's/.multicast::cluster \[$0\], \(.*\), $5;/ [$0], \1;/' %t.ll > %t.alone.ll
// RUN: not kernelscope run %s --device sim --code %t.alone.ll 2>&1 | FileCheck %s --check-prefix=ALONE
#copies = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 0]]}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0]]}>
#each = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<64x32xf16, #tile, #smem, mutable>
!barriers = !ttg.memdesc<2xi64, #each, #smem, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  // RIGHT: both on sim: the wave simulator (sm_90a)
  // RIGHT: differs from the CPU executor by at most 0.000e+00
  // ALONE: error: CTA ({{.*}}), warp {{[0-9]}}: the warp waits forever for the mbarrier in shared memory at
  // ALONE-SAME: of CTA 1, which still needs 0 of 1 arrivals and 4096 bytes
  tt.func public @both(%in: !tt.tensordesc<64x32xf16, #tile>, %out: !tt.ptr<f16>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %buffer = ttg.local_alloc : () -> !tile
    %bar = ttg.local_alloc : () -> !barriers
    ttng.init_barrier %bar, 1 : !barriers
    ttng.barrier_expect %bar, 4096, %true : !barriers
    ttng.async_tma_copy_global_to_local %in[%c0, %c0] %buffer, %bar, %true {multicast} : !tt.tensordesc<64x32xf16, #tile>, !barriers -> !tile
    ttng.wait_barrier %bar, %c0 : !barriers
    %x = ttg.local_load %buffer : !tile -> tensor<64x32xf16, #copies>
    %ri = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #copies}>>
    %rj = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #copies}>>
    %rie = tt.expand_dims %ri {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #copies}>> -> tensor<64x1xi32, #copies>
    %rje = tt.expand_dims %rj {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #copies}>> -> tensor<1x32xi32, #copies>
    %rw = arith.constant dense<32> : tensor<64x1xi32, #copies>
    %rl = arith.muli %rie, %rw : tensor<64x1xi32, #copies>
    %rlb = tt.broadcast %rl : tensor<64x1xi32, #copies> -> tensor<64x32xi32, #copies>
    %rjb = tt.broadcast %rje : tensor<1x32xi32, #copies> -> tensor<64x32xi32, #copies>
    %rat = arith.addi %rlb, %rjb : tensor<64x32xi32, #copies>
    %tob = tt.splat %out : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #copies>
    %to = tt.addptr %tob, %rat : tensor<64x32x!tt.ptr<f16>, #copies>, tensor<64x32xi32, #copies>
    tt.store %to, %x : tensor<64x32x!tt.ptr<f16>, #copies>
    tt.return
  }
}
