// A fence stays if threads write what TMA or a matrix unit reads, in front of the loop if they write before it. Operands that TMA or
// cp.async brings need none.
// RUN: kernelscope opt %s --remove-proxy-fences | FileCheck %s
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<64x64xf16, #a, #smem, mutable>
!value = !ttg.memdesc<64x64xf16, #a, #smem>
!bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
!sums = tensor<64x64xf32, #mma>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @by_tma
  // CHECK-NOT: fence_async_shared
  // CHECK: tt.return
  tt.func public @by_tma(%from: !tt.tensordesc<64x64xf16, #a>, %n: i32, %sums: !sums) -> !sums {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %buffer = ttg.local_alloc : () -> !buffer
    %bar = ttg.local_alloc : () -> !bar
    ttng.init_barrier %bar, 1 : !bar
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%c = %sums) -> (!sums) : i32 {
      ttng.barrier_expect %bar, 8192, %true : !bar
      ttng.async_tma_copy_global_to_local %from[%i, %c0] %buffer, %bar, %true : !tt.tensordesc<64x64xf16, #a>, !bar -> !buffer
      ttng.wait_barrier %bar, %c0, %true : !bar
      ttng.fence_async_shared {bCluster = false}
      %d = ttng.warp_group_dot %buffer, %buffer, %c : !buffer * !buffer -> !sums
      scf.yield %d : !sums
    }
    tt.return %end : !sums
  }

  // CHECK-LABEL: @by_copies
  // CHECK-NOT: fence_async_shared
  // CHECK: tt.return
  tt.func public @by_copies(%from: tensor<64x64x!tt.ptr<f16>, #blocked>, %sums: !sums) -> !sums {
    %buffer = ttg.local_alloc : () -> !buffer
    %t = ttg.async_copy_global_to_local %from, %buffer {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> !buffer
    %g = ttg.async_commit_group tokens %t
    %w = ttg.async_wait %g {num = 0 : i32}
    ttng.fence_async_shared {bCluster = false}
    %d = ttng.warp_group_dot %buffer, %buffer, %sums : !buffer * !buffer -> !sums
    tt.return %d : !sums
  }

  // CHECK-LABEL: @before_the_loop
  // CHECK: ttg.local_alloc
  // CHECK: ttng.fence_async_shared
  // CHECK-NEXT: scf.for
  // CHECK-NOT: fence_async_shared
  // CHECK: tt.return
  tt.func public @before_the_loop(%x: tensor<64x64xf16, #blocked>, %n: i32, %sums: !sums) -> !sums {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %value = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !value
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%c = %sums) -> (!sums) : i32 {
      ttng.fence_async_shared {bCluster = false}
      %d = ttng.warp_group_dot %value, %value, %c : !value * !value -> !sums
      scf.yield %d : !sums
    }
    tt.return %end : !sums
  }

  // CHECK-LABEL: @in_the_loop
  // CHECK: scf.for
  // CHECK: ttg.local_store
  // CHECK-NEXT: ttng.fence_async_shared
  // CHECK-NOT: fence_async_shared
  // CHECK: tt.return
  tt.func public @in_the_loop(%x: tensor<64x64xf16, #blocked>, %n: i32, %sums: !sums) -> !sums {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %buffer = ttg.local_alloc : () -> !buffer
    ttng.fence_async_shared {bCluster = false}
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%c = %sums) -> (!sums) : i32 {
      ttg.local_store %x, %buffer : tensor<64x64xf16, #blocked> -> !buffer
      ttng.fence_async_shared {bCluster = false}
      %d = ttng.warp_group_dot %buffer, %buffer, %c : !buffer * !buffer -> !sums
      scf.yield %d : !sums
    }
    tt.return %end : !sums
  }

  // Threads that read what a copy has brought do so after it.
  // CHECK-LABEL: @read_afterwards
  // CHECK-NOT: fence_async_shared
  // CHECK: tt.return
  tt.func public @read_afterwards(%from: !tt.tensordesc<64x64xf16, #a>) -> tensor<64x64xf16, #blocked> {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %buffer = ttg.local_alloc : () -> !buffer
    %bar = ttg.local_alloc : () -> !bar
    ttng.init_barrier %bar, 1 : !bar
    ttng.fence_async_shared {bCluster = false}
    ttng.barrier_expect %bar, 8192, %true : !bar
    ttng.async_tma_copy_global_to_local %from[%c0, %c0] %buffer, %bar, %true : !tt.tensordesc<64x64xf16, #a>, !bar -> !buffer
    ttng.wait_barrier %bar, %c0, %true : !bar
    %x = ttg.local_load %buffer : !buffer -> tensor<64x64xf16, #blocked>
    tt.return %x : tensor<64x64xf16, #blocked>
  }
}
