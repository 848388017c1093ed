// A product works on its buffers until the wait on its barrier, so buffers share columns only from there on.
// RUN: kernelscope opt --allocate-tensor-memory --split-input-file %s | FileCheck %s

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#row = #ttg.blocked<{sizePerThread = [1, 128], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
!bar = !ttg.memdesc<1xi64, #shared1, #smem, mutable>
!acc = !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @wait_before_the_next
  tt.func public @wait_before_the_next(%a: !tile, %b: !tile, %bar: !bar) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    // CHECK: ttng.tmem_alloc {{.*}}tensor_memory_col_offset = 0 :
    %m = ttng.tmem_alloc : () -> !acc
    ttng.tc_gen5_mma %a, %b, %m, %true, %true, %bar[%true] {is_async} : !tile, !tile, !acc, !bar
    ttng.wait_barrier %bar, %c0 : !bar
    // CHECK: ttng.tmem_alloc {{.*}}tensor_memory_col_offset = 0 :
    %n = ttng.tmem_alloc : () -> !acc
    %y = ttng.tmem_load %n : !acc -> tensor<128x128xf32, #row>
    tt.return
  }

  // CHECK-LABEL: @wait_after_the_next
  tt.func public @wait_after_the_next(%a: !tile, %b: !tile, %bar: !bar) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    // CHECK: ttng.tmem_alloc {{.*}}tensor_memory_col_offset = 0 :
    %m = ttng.tmem_alloc : () -> !acc
    ttng.tc_gen5_mma %a, %b, %m, %true, %true, %bar[%true] {is_async} : !tile, !tile, !acc, !bar
    // CHECK: ttng.tmem_alloc {{.*}}tensor_memory_col_offset = 128 :
    %n = ttng.tmem_alloc : () -> !acc
    %y = ttng.tmem_load %n : !acc -> tensor<128x128xf32, #row>
    ttng.wait_barrier %bar, %c0 : !bar
    tt.return
  }

  // The second product is done after the second wait.
  // CHECK-LABEL: @two_on_a_barrier
  tt.func public @two_on_a_barrier(%a: !tile, %b: !tile, %bar: !bar) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK: ttng.tmem_alloc {{.*}}tensor_memory_col_offset = [[FIRST:[0-9]+]] :
    // CHECK: ttng.tmem_alloc {{.*}}tensor_memory_col_offset = [[SECOND:[0-9]+]] :
    %m0 = ttng.tmem_alloc : () -> !acc
    %m1 = ttng.tmem_alloc : () -> !acc
    ttng.tc_gen5_mma %a, %b, %m0, %true, %true, %bar[%true] {is_async} : !tile, !tile, !acc, !bar
    ttng.tc_gen5_mma %a, %b, %m1, %true, %true, %bar[%true] {is_async} : !tile, !tile, !acc, !bar
    ttng.wait_barrier %bar, %c0 : !bar
    // CHECK: ttng.tmem_alloc {{.*}}tensor_memory_col_offset = [[FIRST]] :
    %n0 = ttng.tmem_alloc : () -> !acc
    %y0 = ttng.tmem_load %n0 : !acc -> tensor<128x128xf32, #row>
    ttng.wait_barrier %bar, %c1 : !bar
    tt.return
  }

  // A commit covers the products before it; in a loop, the wait may be for the previous iteration.
  // CHECK-LABEL: @commit_in_a_loop
  tt.func public @commit_in_a_loop(%a: !tile, %b: !tile, %bar: !bar, %n: i32) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK: ttng.tmem_alloc {{.*}}tensor_memory_col_offset = 0 :
    %m = ttng.tmem_alloc : () -> !acc
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%phase = %c1) -> (i32) : i32 {
      ttng.tc_gen5_mma %a, %b, %m, %true, %true {is_async} : !tile, !tile, !acc
      ttng.tc_gen5_commit %bar : !bar
      ttng.wait_barrier %bar, %phase : !bar
      %next = arith.xori %phase, %c1 : i32
      scf.yield %next : i32
    }
    // CHECK: ttng.tmem_alloc {{.*}}tensor_memory_col_offset = 128 :
    %o = ttng.tmem_alloc : () -> !acc
    %y = ttng.tmem_load %o : !acc -> tensor<128x128xf32, #row>
    ttng.wait_barrier %bar, %last : !bar
    // CHECK: ttng.tmem_alloc {{.*}}tensor_memory_col_offset = 0 :
    %p = ttng.tmem_alloc : () -> !acc
    %z = ttng.tmem_load %p : !acc -> tensor<128x128xf32, #row>
    tt.return
  }

  // Nothing waits for it, so it may continue into the next iteration.
  // CHECK-LABEL: @never_waited_for
  tt.func public @never_waited_for(%a: !tile, %b: !tile, %n: i32) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      // CHECK: ttng.tmem_alloc {{.*}}tensor_memory_col_offset = [[FIRST:[0-9]+]] :
      %o = ttng.tmem_alloc : () -> !acc
      %y = ttng.tmem_load %o : !acc -> tensor<128x128xf32, #row>
      // CHECK-NOT: tensor_memory_col_offset = [[FIRST]] :
      %m = ttng.tmem_alloc : () -> !acc
      ttng.tc_gen5_mma %a, %b, %m, %true, %true {is_async} : !tile, !tile, !acc
    }
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
!tile = !ttg.memdesc<128x128xf16, #shared, #ttg.shared_memory, mutable>
!acc = !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // A product that is not asynchronous is waited for right after it, if its predicate is true.
  // CHECK-LABEL: @synchronous
  tt.func public @synchronous(%a: !tile, %b: !tile, %p: i1) {
    %true = arith.constant true
    %m = ttng.tmem_alloc : () -> !acc
    // CHECK: %[[BAR:.*]] = ttg.local_alloc : () -> !ttg.memdesc<1xi64
    // CHECK: ttng.init_barrier %[[BAR]], 1
    // CHECK: ttng.tc_gen5_mma {{.*}}, %[[BAR]][%{{.*}}] {is_async}
    // CHECK-NEXT: ttng.wait_barrier %[[BAR]], %{{.*}}, %arg2
    // CHECK-NEXT: ttng.inval_barrier %[[BAR]]
    ttng.tc_gen5_mma %a, %b, %m, %true, %p : !tile, !tile, !acc
    tt.return
  }
}
