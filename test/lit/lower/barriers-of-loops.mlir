// The first walk through the loop meets what precedes it: only the second buffer was stored to since the last barrier. What the
// loop's end leaves then needs a barrier before both loads, and with it none between them.
// RUN: kernelscope opt --allocate-shared-memory --insert-barriers %s | FileCheck %s

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<128xf32, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @ring
  // CHECK: ttg.local_store
  // CHECK: ttg.barrier
  // CHECK: ttg.local_store
  // CHECK: scf.for
  // CHECK-NEXT: ttg.barrier
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: ttg.local_store
  // CHECK-NEXT: ttg.barrier
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: arith.addf
  // CHECK-NEXT: ttg.local_store
  // CHECK-NEXT: ttg.local_store
  // CHECK-NEXT: scf.yield
  tt.func public @ring(%x: tensor<128xf32, #line>, %n: i32) -> tensor<128xf32, #line> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %first = ttg.local_alloc : () -> !buffer
    %second = ttg.local_alloc : () -> !buffer
    %third = ttg.local_alloc : () -> !buffer
    ttg.local_store %x, %first : tensor<128xf32, #line> -> !buffer
    ttg.barrier local
    ttg.local_store %x, %second : tensor<128xf32, #line> -> !buffer
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> (tensor<128xf32, #line>) : i32 {
      %a = ttg.local_load %first : !buffer -> tensor<128xf32, #line>
      %b = ttg.local_load %second : !buffer -> tensor<128xf32, #line>
      ttg.local_store %a, %third : tensor<128xf32, #line> -> !buffer
      %c = ttg.local_load %third : !buffer -> tensor<128xf32, #line>
      %s = arith.addf %b, %c : tensor<128xf32, #line>
      ttg.local_store %s, %first : tensor<128xf32, #line> -> !buffer
      ttg.local_store %s, %second : tensor<128xf32, #line> -> !buffer
      scf.yield %s : tensor<128xf32, #line>
    }
    tt.return %sum : tensor<128xf32, #line>
  }
}
