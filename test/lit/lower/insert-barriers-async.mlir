// Accesses by TMA, wgmma and on mbarriers: how each signals its completion decides where threads need a barrier.
// RUN: kernelscope opt --allocate-shared-memory --allocate-tensor-memory --insert-barriers %s | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#linear = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!barrier = !ttg.memdesc<1xi64, #linear, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Making a barrier and using it needs order; arrivals and the wait for them do not, and every thread waits itself.
  // CHECK-LABEL: @mbarrier
  tt.func @mbarrier(%desc: !tt.tensordesc<64x64xf16, #shared>) -> tensor<64x64xf16, #blocked> {
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    %m = ttg.local_alloc : () -> !tile
    %b = ttg.local_alloc : () -> !barrier
    // CHECK: ttng.init_barrier
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttng.barrier_expect
    // CHECK-NEXT: ttng.async_tma_copy_global_to_local
    // CHECK-NEXT: ttng.wait_barrier
    // CHECK-NEXT: ttg.local_load
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttng.inval_barrier
    ttng.init_barrier %b, 1 : !barrier
    ttng.barrier_expect %b, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %desc[%zero, %zero] %m, %b, %true : !tt.tensordesc<64x64xf16, #shared>, !barrier -> !tile
    ttng.wait_barrier %b, %zero : !barrier
    %x = ttg.local_load %m : !tile -> tensor<64x64xf16, #blocked>
    ttng.inval_barrier %b : !barrier
    tt.return %x : tensor<64x64xf16, #blocked>
  }

  // One thread could run two phases ahead, so all must have seen the end of one before the next is announced.
  // CHECK-LABEL: @phases
  tt.func @phases(%desc: !tt.tensordesc<64x64xf16, #shared>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %m = ttg.local_alloc : () -> !tile
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    ttg.barrier local
    // CHECK: scf.for
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttng.barrier_expect
    // CHECK-NEXT: ttng.async_tma_copy_global_to_local
    // CHECK-NEXT: ttng.wait_barrier
    // CHECK-NEXT: arith.xori
    %end = scf.for %i = %zero to %n step %one iter_args(%phase = %zero) -> (i32) : i32 {
      ttng.barrier_expect %b, 8192, %true : !barrier
      ttng.async_tma_copy_global_to_local %desc[%zero, %zero] %m, %b, %true : !tt.tensordesc<64x64xf16, #shared>, !barrier -> !tile
      ttng.wait_barrier %b, %phase : !barrier
      %next = arith.xori %phase, %one : i32
      scf.yield %next : i32
    }
    tt.return
  }

  // TMA reads what threads wrote, and they may write again once its thread has waited and all have met.
  // CHECK-LABEL: @tma_store
  tt.func @tma_store(%desc: !tt.tensordesc<64x64xf16, #shared>, %x: tensor<64x64xf16, #blocked>) {
    %zero = arith.constant 0 : i32
    %m = ttg.local_alloc : () -> !tile
    // CHECK: ttg.local_store
    // CHECK-NEXT: ttng.fence_async_shared
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttng.async_tma_copy_local_to_global
    // CHECK-NEXT: ttng.async_tma_store_wait
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttg.local_store
    ttg.local_store %x, %m : tensor<64x64xf16, #blocked> -> !tile
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %desc[%zero, %zero] %m : !tt.tensordesc<64x64xf16, #shared>, !tile
    ttng.async_tma_store_wait {pendings = 0 : i32}
    ttg.local_store %x, %m : tensor<64x64xf16, #blocked> -> !tile
    tt.return
  }

  // One thread arrives for all, once all are through with the buffer that it hands on. Two arrivals need one barrier.
  // CHECK-LABEL: @release
  tt.func @release() -> tensor<64x64xf16, #blocked> {
    %zero = arith.constant 0 : i32
    %m = ttg.local_alloc : () -> !tile
    %full = ttg.local_alloc : () -> !barrier
    %empty = ttg.local_alloc : () -> !barrier
    %other = ttg.local_alloc : () -> !barrier
    // CHECK: ttng.wait_barrier
    // CHECK-NEXT: ttg.local_load
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttng.arrive_barrier
    // CHECK-NEXT: ttng.arrive_barrier
    ttng.wait_barrier %full, %zero : !barrier
    %x = ttg.local_load %m : !tile -> tensor<64x64xf16, #blocked>
    ttng.arrive_barrier %empty, 1 : !barrier
    ttng.arrive_barrier %other, 1 : !barrier
    tt.return %x : tensor<64x64xf16, #blocked>
  }

  // Each warp waits for its own wgmma; whoever writes the operand next needs all of them.
  // CHECK-LABEL: @wgmma
  tt.func @wgmma(%a: tensor<64x64xf16, #blocked>, %c: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
    %m = ttg.local_alloc : () -> !tile
    %n = ttg.local_alloc : () -> !tile
    // CHECK: ttng.warp_group_dot
    // CHECK-NEXT: ttng.warp_group_dot_wait
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttg.local_store
    %d = ttng.warp_group_dot %m, %n, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> tensor<64x64xf32, #mma>
    %e = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : tensor<64x64xf32, #mma>
    ttg.local_store %a, %m : tensor<64x64xf16, #blocked> -> !tile
    tt.return %e : tensor<64x64xf32, #mma>
  }

  // Each result of a wait is the operand in its place: the second store need not wait for the first.
  // CHECK-LABEL: @passed_through_a_wait
  tt.func @passed_through_a_wait(%x: tensor<64x64xf16, #blocked>, %c: tensor<64x64xf32, #mma>) {
    // CHECK: ttg.local_alloc %{{.*}} {allocation.offset = 0
    // CHECK-NEXT: ttg.local_alloc %{{.*}} {allocation.offset = 8192
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttng.warp_group_dot
    %a = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !tile
    %b = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !tile
    %d = ttng.warp_group_dot %a, %b, %c {isAsync = true} : !tile * !tile -> tensor<64x64xf32, #mma>
    %w:3 = ttng.warp_group_dot_wait %d, %a, %b {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !tile, !tile
    tt.return
  }
}
