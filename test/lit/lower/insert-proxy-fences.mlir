// Threads reach shared memory in one way, TMA and tensor cores in another: a fence goes between.
// RUN: kernelscope opt --allocate-shared-memory --insert-proxy-fences --insert-barriers %s | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#linear = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!barrier = !ttg.memdesc<1xi64, #linear, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Each thread makes its own stores visible; then all meet.
  // CHECK-LABEL: @stored
  tt.func @stored(%desc: !tt.tensordesc<64x64xf16, #shared>, %x: tensor<64x64xf16, #blocked>) {
    %zero = arith.constant 0 : i32
    // CHECK: ttg.local_alloc
    // CHECK-NEXT: ttng.fence_async_shared {bCluster = false}
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttng.async_tma_copy_local_to_global
    %m = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    ttng.async_tma_copy_local_to_global %desc[%zero, %zero] %m : !tt.tensordesc<64x64xf16, #shared>, !ttg.memdesc<64x64xf16, #shared, #smem>
    tt.return
  }

  // CHECK-LABEL: @has_its_fence
  tt.func @has_its_fence(%desc: !tt.tensordesc<64x64xf16, #shared>, %x: tensor<64x64xf16, #blocked>) {
    %zero = arith.constant 0 : i32
    // CHECK: ttng.fence_async_shared
    // CHECK-NOT: ttng.fence_async_shared
    // CHECK: tt.return
    %m = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %desc[%zero, %zero] %m : !tt.tensordesc<64x64xf16, #shared>, !ttg.memdesc<64x64xf16, #shared, #smem>
    tt.return
  }

  // TMA writes again what threads have read; the first time nothing has.
  // CHECK-LABEL: @read_in_a_loop
  tt.func @read_in_a_loop(%desc: !tt.tensordesc<64x64xf16, #shared>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %m = ttg.local_alloc : () -> !tile
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    // CHECK: scf.for
    // CHECK: ttng.barrier_expect
    // CHECK-NEXT: ttng.fence_async_shared
    // CHECK-NEXT: ttng.async_tma_copy_global_to_local
    // CHECK: ttg.local_load
    // CHECK-NOT: ttng.fence_async_shared
    // CHECK: tt.return
    scf.for %i = %zero to %n step %one : i32 {
      ttng.barrier_expect %b, 8192, %true : !barrier
      ttng.async_tma_copy_global_to_local %desc[%zero, %zero] %m, %b, %true : !tt.tensordesc<64x64xf16, #shared>, !barrier -> !tile
      %phase = arith.andi %i, %one : i32
      ttng.wait_barrier %b, %phase : !barrier
      %x = ttg.local_load %m : !tile -> tensor<64x64xf16, #blocked>
    }
    tt.return
  }

  // What threads did before a loop needs one fence, not one an iteration.
  // CHECK-LABEL: @stored_before_a_loop
  tt.func @stored_before_a_loop(%x: tensor<64x64xf16, #blocked>, %c: tensor<64x64xf32, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %m = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !tile
    // CHECK: ttng.fence_async_shared
    // CHECK-NEXT: scf.for
    // CHECK-NOT: ttng.fence_async_shared
    // CHECK: tt.return
    %d = scf.for %i = %zero to %n step %one iter_args(%sum = %c) -> (tensor<64x64xf32, #mma>) : i32 {
      %next = ttng.warp_group_dot %m, %m, %sum : !tile * !tile -> tensor<64x64xf32, #mma>
      scf.yield %next : tensor<64x64xf32, #mma>
    }
    tt.return %d : tensor<64x64xf32, #mma>
  }

  // Two ways that are both asynchronous need no fence, nor does cp.async before a tensor core.
  // CHECK-LABEL: @no_fence
  // CHECK-NOT: ttng.fence_async_shared
  // CHECK: tt.return
  tt.func @no_fence(%desc: !tt.tensordesc<64x64xf16, #shared>, %from: tensor<64x64x!tt.ptr<f16>, #blocked>, %c: tensor<64x64xf32, #mma>) {
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    %m = ttg.local_alloc : () -> !tile
    %k = ttg.local_alloc : () -> !tile
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    %t = ttg.async_copy_global_to_local %from, %k : tensor<64x64x!tt.ptr<f16>, #blocked> -> !tile
    %g = ttg.async_commit_group tokens %t
    %w = ttg.async_wait %g {num = 0 : i32}
    ttng.barrier_expect %b, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %desc[%zero, %zero] %m, %b, %true : !tt.tensordesc<64x64xf16, #shared>, !barrier -> !tile
    ttng.wait_barrier %b, %zero : !barrier
    %d = ttng.warp_group_dot %m, %k, %c : !tile * !tile -> tensor<64x64xf32, #mma>
    tt.return
  }

  // But TMA, too, reads what cp.async has written.
  // CHECK-LABEL: @copied_by_threads
  tt.func @copied_by_threads(%desc: !tt.tensordesc<64x64xf16, #shared>, %from: tensor<64x64x!tt.ptr<f16>, #blocked>) {
    %zero = arith.constant 0 : i32
    %k = ttg.local_alloc : () -> !tile
    %t = ttg.async_copy_global_to_local %from, %k : tensor<64x64x!tt.ptr<f16>, #blocked> -> !tile
    %g = ttg.async_commit_group tokens %t
    // A fence before the wait does not see the copy: it goes.
    // CHECK-NOT: ttng.fence_async_shared
    // CHECK: ttg.async_wait
    // CHECK: ttng.fence_async_shared
    // CHECK: ttng.async_tma_copy_local_to_global
    ttng.fence_async_shared {bCluster = false}
    %w = ttg.async_wait %g {num = 0 : i32}
    ttng.async_tma_copy_local_to_global %desc[%zero, %zero] %k : !tt.tensordesc<64x64xf16, #shared>, !tile
    tt.return
  }

  // A fence with no access of threads since the last one orders nothing.
  // CHECK-LABEL: @orders_nothing
  // CHECK: ttng.fence_async_shared
  // CHECK: scf.for
  // CHECK-NOT: ttng.fence_async_shared
  // CHECK: tt.return
  tt.func @orders_nothing(%desc: !tt.tensordesc<64x64xf16, #shared>, %x: tensor<64x64xf16, #blocked>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %m = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    scf.for %i = %zero to %n step %one : i32 {
      ttng.fence_async_shared {bCluster = false}
      ttng.async_tma_copy_local_to_global %desc[%i, %zero] %m : !tt.tensordesc<64x64xf16, #shared>, !ttg.memdesc<64x64xf16, #shared, #smem>
    }
    tt.return
  }

  // What is stored later in the loop needs it in the next iteration, and so does what code that nobody looks into may store.
  // CHECK-LABEL: @stored_behind
  // CHECK: scf.for
  // CHECK-NEXT: ttng.fence_async_shared
  // CHECK-LABEL: @stored_by_assembly
  // CHECK: tt.elementwise_inline_asm
  // CHECK-NEXT: ttng.fence_async_shared
  tt.func @stored_behind(%desc: !tt.tensordesc<64x64xf16, #shared>, %x: tensor<64x64xf16, #blocked>, %n: i32) {
    %zero = arith.constant 0 : i32
    %m = ttg.local_alloc : () -> !tile
    %one = arith.constant 1 : i32
    scf.for %i = %zero to %n step %one : i32 {
      ttng.fence_async_shared {bCluster = false}
      ttng.async_tma_copy_local_to_global %desc[%i, %zero] %m : !tt.tensordesc<64x64xf16, #shared>, !tile
      ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
      ttg.local_store %x, %m : tensor<64x64xf16, #blocked> -> !tile
    }
    tt.return
  }
  tt.func @stored_by_assembly(%desc: !tt.tensordesc<64x64xf16, #shared>, %x: tensor<64x64xf16, #blocked>) {
    %zero = arith.constant 0 : i32
    %m = ttg.local_alloc : () -> !tile
    %y = tt.elementwise_inline_asm "st.shared.b16 [0], $1; mov.b16 $0, $1;" {constraints = "=h,h", packed_element = 1 : i32, pure = false} %x : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked>
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %desc[%zero, %zero] %m : !tt.tensordesc<64x64xf16, #shared>, !tile
    tt.return
  }

  // A buffer that was something else's scratch memory: `allocate-shared-memory` gives both the same place.
  // CHECK-LABEL: @same_place
  tt.func @same_place(%desc: !tt.tensordesc<64x64xf16, #shared>, %x: tensor<64x64xf16, #blocked>) -> tensor<64xf16, #ttg.slice<{dim = 1, parent = #mma}>> {
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    // CHECK: ttg.convert_layout
    // CHECK: ttng.fence_async_shared
    // CHECK: ttng.async_tma_copy_global_to_local
    %y = ttg.convert_layout %x : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #mma>
    %s = "tt.reduce"(%y) <{axis = 1 : i32}> ({
    ^bb0(%p: f16, %q: f16):
      %r = arith.addf %p, %q : f16
      tt.reduce.return %r : f16
    }) : (tensor<64x64xf16, #mma>) -> tensor<64xf16, #ttg.slice<{dim = 1, parent = #mma}>>
    %m = ttg.local_alloc : () -> !tile
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    ttng.async_tma_copy_global_to_local %desc[%zero, %zero] %m, %b, %true : !tt.tensordesc<64x64xf16, #shared>, !barrier -> !tile
    ttng.wait_barrier %b, %zero : !barrier
    tt.return %s : tensor<64xf16, #ttg.slice<{dim = 1, parent = #mma}>>
  }

  // What a function does with memory that it is passed comes after the caller's earlier stores to it, and before its later ones.
  // CHECK-LABEL: @to_function
  tt.func public @to_function(%desc: !tt.tensordesc<64x64xf16, #shared>, %x: tensor<64x64xf16, #blocked>) {
    // CHECK: ttg.local_store
    // CHECK-NEXT: tt.call @store_tile
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttg.local_store
    %m = ttg.local_alloc : () -> !tile
    ttg.local_store %x, %m : tensor<64x64xf16, #blocked> -> !tile
    tt.call @store_tile(%desc, %m) : (!tt.tensordesc<64x64xf16, #shared>, !tile) -> ()
    ttg.local_store %x, %m : tensor<64x64xf16, #blocked> -> !tile
    tt.return
  }
  // CHECK-LABEL: tt.func private @store_tile
  // CHECK: ttng.fence_async_shared
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttng.async_tma_copy_local_to_global
  tt.func private @store_tile(%desc: !tt.tensordesc<64x64xf16, #shared>, %m: !tile) attributes {noinline = true} {
    %zero = arith.constant 0 : i32
    ttng.async_tma_copy_local_to_global %desc[%zero, %zero] %m : !tt.tensordesc<64x64xf16, #shared>, !tile
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    tt.return
  }
}
