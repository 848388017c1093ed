// Which wait a load needs, through loops and branches, by kind of copy, and on which chips.
// RUN: kernelscope check %s | FileCheck %s
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
!barrier = !ttg.memdesc<1xi64, #bar, #smem, mutable>
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!tensor = tensor<64x64xf16, #blocked>
!pointers = tensor<64x64x!tt.ptr<f16>, #blocked>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @without_tokens(%p: !pointers) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_commit_group
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.async_wait' leaves up to 1 groups in flight, but only 0 are newer than the group whose data is read next; it must leave at most 0 [wait-count]
    %2 = ttg.async_wait {num = 1 : i32}
    %3 = ttg.local_load %m : !tile -> !tensor
    tt.return %3 : !tensor
  }
  tt.func @open_group(%p: !pointers) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_wait {num = 0 : i32}
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.local_load' reads shared memory that an asynchronous copy writes; there must be a wait between the two, and 'ttg.async_wait' waits only for groups that 'ttg.async_commit_group' closed [async-wait-missing]
    %2 = ttg.local_load %m : !tile -> !tensor
    tt.return %2 : !tensor
  }
  tt.func @carried_token(%p: !pointers, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    // CHECK: :[[@LINE+8]]:12: warning: 'ttg.async_wait' leaves up to 2 groups in flight, but only 1 is newer than the group whose data is read next; it must leave at most 1 [wait-count]
    // CHECK: :[[@LINE+1]]:10: note: the group is committed here
    %1 = ttg.async_commit_group tokens %0
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%token = %1) -> (!ttg.async.token) : i32 {
      %k = ttg.local_alloc : () -> !tile
      %2 = ttg.async_copy_global_to_local %p, %k : !pointers -> !tile
      %3 = ttg.async_commit_group tokens %2

      %4 = ttg.async_wait %token {num = 2 : i32}
      %5 = ttg.local_load %m token %4 : !tile -> !tensor
      scf.yield %3 : !ttg.async.token
    }
    tt.return
  }
  tt.func @in_one_branch(%p: !pointers, %some: i1) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_commit_group
    scf.if %some {
      %2 = ttg.async_wait {num = 0 : i32}
    }
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.local_load' reads shared memory that an asynchronous copy writes
    %3 = ttg.local_load %m : !tile -> !tensor
    tt.return %3 : !tensor
  }
  tt.func @after_the_load(%p: !pointers, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    scf.for %i = %c0 to %n step %c1 : i32 {
      %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
      %1 = ttg.async_commit_group
      // CHECK: :[[@LINE+1]]:12: warning: 'ttg.local_load' reads shared memory that an asynchronous copy writes
      %2 = ttg.local_load %m : !tile -> !tensor
      %3 = ttg.async_wait {num = 0 : i32}
    }
    tt.return
  }
  tt.func @before_a_second_copy(%p: !pointers) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_commit_group
    %2 = ttg.async_wait {num = 0 : i32}
    %3 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %4 = ttg.async_commit_group
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.local_load' reads shared memory that an asynchronous copy writes
    %5 = ttg.local_load %m : !tile -> !tensor
    tt.return %5 : !tensor
  }
  tt.func @copied_in_a_branch(%p: !pointers, %some: i1) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    scf.if %some {
      %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
      %1 = ttg.async_commit_group tokens %0
    }
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.local_load' reads shared memory that an asynchronous copy writes; there must be a wait between the two [async-wait-missing]
    %2 = ttg.local_load %m : !tile -> !tensor
    tt.return %2 : !tensor
  }
  tt.func @part_of_the_buffer(%p: !pointers) -> tensor<32x64xf16, #blocked> {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_commit_group tokens %0
    %2 = ttg.memdesc_subslice %m [0, 0] : !tile -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable, 64x64>
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.local_load' reads shared memory that an asynchronous copy writes; there must be a wait between the two [async-wait-missing]
    %3 = ttg.local_load %2 : !ttg.memdesc<32x64xf16, #shared, #smem, mutable, 64x64> -> tensor<32x64xf16, #blocked>
    tt.return %3 : tensor<32x64xf16, #blocked>
  }
  tt.func @barrier_told_too_early(%p: !pointers) {
    %c0 = arith.constant 0 : i32
    %m = ttg.local_alloc : () -> !tile
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 128 : !barrier
    ttng.async_copy_mbarrier_arrive %b {noIncrement} : !barrier
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    ttng.wait_barrier %b, %c0 : !barrier
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.local_load' reads shared memory that an asynchronous copy writes; there must be a wait between the two
    %1 = ttg.local_load %m : !tile -> !tensor
    tt.return
  }
  tt.func @barrier_told_on_one_path(%p: !pointers, %c: i1) {
    %c0 = arith.constant 0 : i32
    %m = ttg.local_alloc : () -> !tile
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 128 : !barrier
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    scf.if %c {
      ttng.async_copy_mbarrier_arrive %b {noIncrement} : !barrier
    }
    ttng.wait_barrier %b, %c0 : !barrier
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.local_load' reads shared memory that an asynchronous copy writes; there must be a wait between the two
    %1 = ttg.local_load %m : !tile -> !tensor
    tt.return
  }
  // CHECK-NOT: warning:
  tt.func @copy_and_wait_in_branches(%p: !pointers, %some: i1) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    scf.if %some {
      %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
      %1 = ttg.async_commit_group tokens %0
    }
    scf.if %some {
      %2 = ttg.async_wait {num = 0 : i32}
    }
    %3 = ttg.local_load %m : !tile -> !tensor
    tt.return %3 : !tensor
  }
  tt.func @copied_in_the_last_iteration(%p: !pointers, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %last = arith.subi %n, %c1 : i32
    %m = ttg.local_alloc : () -> !tile
    scf.for %i = %c0 to %n step %c1 : i32 {
      %0 = ttg.local_load %m : !tile -> !tensor
      %isLast = arith.cmpi eq, %i, %last : i32
      scf.if %isLast {
        %1 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
      }
    }
    tt.return
  }
  tt.func @other_part_of_the_buffer(%p: tensor<32x64x!tt.ptr<f16>, #blocked>) -> tensor<32x64xf16, #blocked> {
    %m = ttg.local_alloc : () -> !tile
    %a = ttg.memdesc_subslice %m [0, 0] : !tile -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable, 64x64>
    %b = ttg.memdesc_subslice %m [32, 0] : !tile -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable, 64x64>
    %0 = ttg.async_copy_global_to_local %p, %b : tensor<32x64x!tt.ptr<f16>, #blocked> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable, 64x64>
    %1 = ttg.local_load %a : !ttg.memdesc<32x64xf16, #shared, #smem, mutable, 64x64> -> tensor<32x64xf16, #blocked>
    tt.return %1 : tensor<32x64xf16, #blocked>
  }
  tt.func @newer_group(%p: !pointers) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %k = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_commit_group
    %2 = ttg.async_copy_global_to_local %p, %k : !pointers -> !tile
    %3 = ttg.async_commit_group
    %4 = ttg.async_wait {num = 1 : i32}
    %5 = ttg.local_load %m : !tile -> !tensor
    tt.return %5 : !tensor
  }
  tt.func @carried_token_covered(%p: !pointers, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_commit_group tokens %0
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%token = %1) -> (!ttg.async.token) : i32 {
      %k = ttg.local_alloc : () -> !tile
      %2 = ttg.async_copy_global_to_local %p, %k : !pointers -> !tile
      %3 = ttg.async_commit_group tokens %2
      %4 = ttg.async_wait %token {num = 1 : i32}
      %5 = ttg.local_load %m token %4 : !tile -> !tensor
      scf.yield %3 : !ttg.async.token
    }
    tt.return
  }
  tt.func @in_both_branches(%p: !pointers, %some: i1) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_commit_group
    scf.if %some {
      %2 = ttg.async_wait {num = 0 : i32}
    } else {
      %2 = ttg.async_wait {num = 0 : i32}
    }
    %3 = ttg.local_load %m : !tile -> !tensor
    tt.return %3 : !tensor
  }
  // One condition decides over the copy, its wait and the load.
  tt.func @in_branches_of_one_condition(%p: !pointers, %some: i1) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    scf.if %some {
      %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
      %1 = ttg.async_commit_group
    }
    scf.if %some {
      %2 = ttg.async_wait {num = 0 : i32}
    }
    %3 = ttg.local_load %m : !tile -> !tensor
    tt.return %3 : !tensor
  }
  tt.func @waits_at_the_end_of_each_iteration(%p: !pointers, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_commit_group
    %2 = ttg.async_wait {num = 0 : i32}
    scf.for %i = %c0 to %n step %c1 : i32 {
      %3 = ttg.local_load %m : !tile -> !tensor
      %4 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
      %5 = ttg.async_commit_group
      %6 = ttg.async_wait {num = 0 : i32}
    }
    tt.return
  }
  tt.func private @waits()
  tt.func @calls(%p: !pointers) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    tt.call @waits() : () -> ()
    %1 = ttg.local_load %m : !tile -> !tensor
    tt.return %1 : !tensor
  }
  // A barrier covers the copies that a thread has started before it arrives.
  tt.func @told_by_a_barrier(%p: !pointers, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 128 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
      ttng.async_copy_mbarrier_arrive %b {noIncrement} : !barrier
      %phase = arith.andi %i, %c1 : i32
      ttng.wait_barrier %b, %phase : !barrier
      %1 = ttg.local_load %m : !tile -> !tensor
    }
    tt.return
  }
}

// -----

// On gfx9, LLVM puts in the wait, except before a load that is marked.
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!tensor = tensor<64x64xf16, #blocked>
!pointers = tensor<64x64x!tt.ptr<f16>, #blocked>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func @not_marked(%p: !pointers) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.local_load %m : !tile -> !tensor
    tt.return %1 : !tensor
  }
  tt.func private @marked_in_a_helper(%m: !tile) -> !tensor attributes {noinline = true} {
    %1 = ttg.local_load %m {ttg.amdg.syncedViaAsyncWait = true} : !tile -> !tensor
    tt.return %1 : !tensor
  }
  tt.func @marked_in_one_branch(%p: !pointers, %some: i1) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    scf.if %some {
      %2 = ttg.async_wait {num = 0 : i32}
    }
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.local_load' is marked as guarded by an asynchronous wait, but no wait comes before it [async-wait-missing]
    %1 = ttg.local_load %m {ttg.amdg.syncedViaAsyncWait = true} : !tile -> !tensor
    tt.return %1 : !tensor
  }
  tt.func @marked_before_the_wait_of_a_loop(%p: !pointers, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    scf.for %i = %c0 to %n step %c1 : i32 {
      %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
      // CHECK: :[[@LINE+1]]:12: warning: 'ttg.local_load' is marked as guarded by an asynchronous wait
      %1 = ttg.local_load %m {ttg.amdg.syncedViaAsyncWait = true} : !tile -> !tensor
      %2 = ttg.async_wait {num = 0 : i32}
    }
    tt.return
  }
  tt.func @marked_after_a_second_copy(%p: !pointers) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_wait {num = 0 : i32}
    %2 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.local_load' reads shared memory that an asynchronous copy writes; there must be a wait between the two [async-wait-missing]
    %3 = ttg.local_load %m {ttg.amdg.syncedViaAsyncWait = true} : !tile -> !tensor
    tt.return %3 : !tensor
  }
  // CHECK: :[[@LINE+4]]:10: warning: 'ttg.async_wait' leaves up to 1 groups in flight, but only 0 are newer than the group whose data is read next; it must leave at most 0 [wait-count]
  tt.func @marked_after_a_wait_that_leaves_it(%p: !pointers) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_wait {num = 1 : i32}
    %2 = ttg.local_load %m {ttg.amdg.syncedViaAsyncWait = true} : !tile -> !tensor
    tt.return %2 : !tensor
  }
  // CHECK-NOT: warning:
  tt.func @marked_with_a_newer_copy(%p: !pointers) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %k = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_copy_global_to_local %p, %k : !pointers -> !tile
    %2 = ttg.async_wait {num = 1 : i32}
    %3 = ttg.local_load %m {ttg.amdg.syncedViaAsyncWait = true} : !tile -> !tensor
    tt.return %3 : !tensor
  }
  tt.func @marked_after_its_wait(%p: !pointers) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_wait {num = 0 : i32}
    %2 = ttg.local_load %m {ttg.amdg.syncedViaAsyncWait = true} : !tile -> !tensor
    tt.return %2 : !tensor
  }
}

// -----

// The data mover has a counter of its own.
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.padded_shared<[64:+8] {order = [1, 0], shape = [64, 64]}>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!tensor = tensor<64x64xf16, #blocked>
!ring = !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
!desc = !tt.tensordesc<64x64xf16, #shared>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @wrong_kind(%d: !desc) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %0 = amdg.async_tdm_copy_global_to_local %d into %m : !desc -> !tile
    %1 = ttg.async_wait {num = 0 : i32}
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.local_load' reads shared memory that an asynchronous copy writes; there must be a wait between the two, and 'ttg.async_wait' does not wait for 'amdg.async_tdm_copy_global_to_local': it needs a 'amdg.async_tdm_wait' [async-wait-missing]
    %2 = ttg.local_load %m : !tile -> !tensor
    tt.return %2 : !tensor
  }
  tt.func @leaves_the_copy_that_is_read(%d: !desc) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %k = ttg.local_alloc : () -> !tile
    %0 = amdg.async_tdm_copy_global_to_local %d into %k : !desc -> !tile
    // CHECK: :[[@LINE+2]]:10: warning: 'amdg.async_tdm_wait' leaves up to 1 copies in flight, but only 0 are newer than the one whose data is read next; it must leave at most 0 [wait-count]
    %1 = amdg.async_tdm_copy_global_to_local %d into %m : !desc -> !tile
    %2 = amdg.async_tdm_wait {num = 1 : i32}
    %3 = ttg.local_load %m : !tile -> !tensor
    tt.return %3 : !tensor
  }
  tt.func @ring_that_leaves_two(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    %first = ttg.memdesc_index %ring[%c0] : !ring -> !tile
    %0 = amdg.async_tdm_copy_global_to_local %d into %first : !desc -> !tile
    scf.for %i = %c0 to %n step %c1 : i32 {
      %next = arith.addi %i, %c1 : i32
      %put = arith.andi %next, %c1 : i32
      %get = arith.andi %i, %c1 : i32
      %m = ttg.memdesc_index %ring[%put] : !ring -> !tile
      %1 = amdg.async_tdm_copy_global_to_local %d into %m : !desc -> !tile
      // CHECK: :[[@LINE+1]]:12: warning: 'amdg.async_tdm_wait' leaves up to 2 copies in flight, but only 1 is newer than the one whose data is read next; it must leave at most 1 [wait-count]
      %2 = amdg.async_tdm_wait {num = 2 : i32}
      %k = ttg.memdesc_index %ring[%get] : !ring -> !tile
      %3 = ttg.local_load %k : !tile -> !tensor
    }
    tt.return
  }
  // CHECK-NOT: warning:
  tt.func @ring_that_leaves_one(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    %first = ttg.memdesc_index %ring[%c0] : !ring -> !tile
    %0 = amdg.async_tdm_copy_global_to_local %d into %first : !desc -> !tile
    scf.for %i = %c0 to %n step %c1 : i32 {
      %next = arith.addi %i, %c1 : i32
      %put = arith.andi %next, %c1 : i32
      %get = arith.andi %i, %c1 : i32
      %m = ttg.memdesc_index %ring[%put] : !ring -> !tile
      %1 = amdg.async_tdm_copy_global_to_local %d into %m : !desc -> !tile
      %2 = amdg.async_tdm_wait {num = 1 : i32}
      %k = ttg.memdesc_index %ring[%get] : !ring -> !tile
      %3 = ttg.local_load %k : !tile -> !tensor
    }
    tt.return
  }
  tt.func @leaves_the_other_copy(%d: !desc) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %k = ttg.local_alloc : () -> !tile
    %0 = amdg.async_tdm_copy_global_to_local %d into %m : !desc -> !tile
    %1 = amdg.async_tdm_copy_global_to_local %d into %k : !desc -> !tile
    %2 = amdg.async_tdm_wait {num = 1 : i32}
    %3 = ttg.local_load %m : !tile -> !tensor
    tt.return %3 : !tensor
  }
  tt.func @right_kind(%d: !desc) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %0 = amdg.async_tdm_copy_global_to_local %d into %m : !desc -> !tile
    %1 = amdg.async_tdm_wait %0 {num = 0 : i32}
    %2 = ttg.local_load %m : !tile -> !tensor
    tt.return %2 : !tensor
  }
}

// -----

// The tensor core reads shared memory too, as in the pipelined products of sm_100.
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
!a = !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
!b = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!ring = !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
!acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
!pointers = tensor<64x64x!tt.ptr<f16>, #blocked>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @product_before_its_data(%p: !pointers, %a: !a, %d: !acc) {
    %true = arith.constant true
    %m = ttg.local_alloc : () -> !b
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !b
    %1 = ttg.async_commit_group tokens %0
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.tc_gen5_mma' reads shared memory that an asynchronous copy writes; there must be a wait between the two [async-wait-missing]
    ttng.tc_gen5_mma %a, %m, %d, %true, %true : !a, !b, !acc
    tt.return
  }
  tt.func @leaves_too_much_for_the_product(%p: !pointers, %a: !a, %d: !acc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %ring = ttg.local_alloc : () -> !ring
    %m = ttg.memdesc_index %ring[%c0] : !ring -> !b
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !b
    %1 = ttg.async_commit_group tokens %0
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%token = %1) -> (!ttg.async.token) : i32 {
      %next = arith.addi %i, %c1 : i32
      %slot = arith.andi %next, %c1 : i32
      %old = arith.andi %i, %c1 : i32
      %w = ttg.memdesc_index %ring[%slot] : !ring -> !b
      %2 = ttg.async_copy_global_to_local %p, %w : !pointers -> !b
      %3 = ttg.async_commit_group tokens %2
      // CHECK: :[[@LINE+1]]:12: warning: 'ttg.async_wait' leaves up to 2 groups in flight, but only 1 is newer than the group whose data is read next; it must leave at most 1 [wait-count]
      %4 = ttg.async_wait %token {num = 2 : i32}
      %k = ttg.memdesc_index %ring[%old] : !ring -> !b
      ttng.tc_gen5_mma %a, %k, %d, %true, %true : !a, !b, !acc
      scf.yield %3 : !ttg.async.token
    }
    tt.return
  }
  // CHECK-NOT: warning:
  tt.func @leaves_one(%p: !pointers, %a: !a, %d: !acc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %ring = ttg.local_alloc : () -> !ring
    %m = ttg.memdesc_index %ring[%c0] : !ring -> !b
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !b
    %1 = ttg.async_commit_group tokens %0
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%token = %1) -> (!ttg.async.token) : i32 {
      %next = arith.addi %i, %c1 : i32
      %slot = arith.andi %next, %c1 : i32
      %old = arith.andi %i, %c1 : i32
      %w = ttg.memdesc_index %ring[%slot] : !ring -> !b
      %2 = ttg.async_copy_global_to_local %p, %w : !pointers -> !b
      %3 = ttg.async_commit_group tokens %2
      %4 = ttg.async_wait %token {num = 1 : i32}
      %k = ttg.memdesc_index %ring[%old] : !ring -> !b
      ttng.tc_gen5_mma %a, %k, %d, %true, %true : !a, !b, !acc
      scf.yield %3 : !ttg.async.token
    }
    tt.return
  }
}

// -----

// Without a target the meaning of a wait is unknown: on AMD it needs no commit before it.
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {
  // CHECK-NOT: warning:
  tt.func @open_group_of_an_unknown_chip(%p: tensor<64x64x!tt.ptr<f16>, #blocked>) -> tensor<64x64xf16, #blocked> {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f16>, #blocked> -> !tile
    %1 = ttg.async_wait %0 {num = 0 : i32}
    %2 = ttg.local_load %m token %1 : !tile -> tensor<64x64xf16, #blocked>
    tt.return %2 : tensor<64x64xf16, #blocked>
  }
}

// -----

// gfx942, too, waits before loads without the mark.
#shared = #ttg.swizzled_shared<{vec = 2, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  // CHECK-NOT: warning:
  tt.func @not_marked_on_gfx942(%p: tensor<64x64x!tt.ptr<f16>, #blocked>) -> tensor<64x64xf16, #blocked> {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f16>, #blocked> -> !tile
    %1 = ttg.local_load %m : !tile -> tensor<64x64xf16, #blocked>
    tt.return %1 : tensor<64x64xf16, #blocked>
  }
}
