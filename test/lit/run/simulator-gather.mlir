// Rows that TMA gathers and scatters through a descriptor of the host, whose blocks are single rows, on the wave simulator.
// RUN: kernelscope run %s --device sim --compare | FileCheck %s
#ids = #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>}>
#tile = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!desc = !tt.tensordesc<1x32xf16, #rows>
!buffer = !ttg.memdesc<16x32xf16, #rows, #smem, mutable>
!bar = !ttg.memdesc<1xi64, #plain, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: doubled_rows on sim: the wave simulator (sm_100a)
  // CHECK: to {{.*}}checksum
  // CHECK: differs from the CPU executor by at most 0.000e+00
  tt.func public @doubled_rows(%from: !desc, %to: !desc, %ids: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %program = tt.get_program_id x : i32
    %first = arith.muli %program, %c16 : i32
    %start = tt.addptr %ids, %first : !tt.ptr<i32>, i32
    %i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ids>
    %base = tt.splat %start : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>, #ids>
    %places = tt.addptr %base, %i : tensor<16x!tt.ptr<i32>, #ids>, tensor<16xi32, #ids>
    %which = tt.load %places : tensor<16x!tt.ptr<i32>, #ids>
    %buffer = ttg.local_alloc : () -> !buffer
    %bar = ttg.local_alloc : () -> !bar
    ttng.init_barrier %bar, 1 : !bar
    ttng.barrier_expect %bar, 1024, %true : !bar
    ttng.async_tma_gather %from[%which, %c0] %buffer, %bar, %true : !desc, tensor<16xi32, #ids>, i32, !bar, !buffer, i1
    ttng.wait_barrier %bar, %c0, %true : !bar
    ttng.inval_barrier %bar : !bar
    %x = ttg.local_load %buffer : !buffer -> tensor<16x32xf16, #tile>
    %y = arith.addf %x, %x : tensor<16x32xf16, #tile>
    ttg.local_store %y, %buffer : tensor<16x32xf16, #tile> -> !buffer
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_scatter %to[%which, %c0] %buffer : !desc, tensor<16xi32, #ids>, i32, !buffer
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }
}
