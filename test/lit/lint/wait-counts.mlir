// Waits of pipelined loops, with one number changed.
// RUN: kernelscope check %s | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!ring = !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
!tensor = tensor<64x64xf16, #blocked>
!pointers = tensor<64x64x!tt.ptr<f16>, #blocked>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @pipeline_that_leaves_two(%p: !pointers, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %ring = ttg.local_alloc : () -> !ring
    %m0 = ttg.memdesc_index %ring[%c0] : !ring -> !tile
    %m1 = ttg.memdesc_index %ring[%c1] : !ring -> !tile
    %t0 = ttg.async_copy_global_to_local %p, %m0 : !pointers -> !tile
    %g0 = ttg.async_commit_group tokens %t0
    %t1 = ttg.async_copy_global_to_local %p, %m1 : !pointers -> !tile
    %g1 = ttg.async_commit_group tokens %t1
    %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%put = %c1, %get = %c2, %a = %g0, %b = %g1) -> (i32, i32, !ttg.async.token, !ttg.async.token) : i32 {
      %get1 = arith.addi %get, %c1 : i32
      %wraps = arith.cmpi sge, %get1, %c3 : i32
      %get2 = arith.select %wraps, %c0, %get1 : i32
      // CHECK: :[[@LINE+1]]:12: warning: 'ttg.async_wait' leaves up to 2 groups in flight, but only 1 is newer than the group whose data is read next; it must leave at most 1 [wait-count]
      %w = ttg.async_wait %a {num = 2 : i32}
      %k = ttg.memdesc_index %ring[%get2] : !ring -> !tile
      %x = ttg.local_load %k token %w : !tile -> !tensor
      %put1 = arith.addi %put, %c1 : i32
      %full = arith.cmpi sge, %put1, %c3 : i32
      %put2 = arith.select %full, %c0, %put1 : i32
      %q = ttg.memdesc_index %ring[%put2] : !ring -> !tile
      %t2 = ttg.async_copy_global_to_local %p, %q : !pointers -> !tile
      %g2 = ttg.async_commit_group tokens %t2
      scf.yield %put2, %get2, %b, %g2 : i32, i32, !ttg.async.token, !ttg.async.token
    }
    tt.return
  }
  // As Gluon's loops: no tokens, and the place from the counter.
  tt.func @ring_by_the_counter_that_leaves_two(%p: !pointers, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %ring = ttg.local_alloc : () -> !ring
    scf.for %i = %c0 to %c2 step %c1 : i32 {
      %m = ttg.memdesc_index %ring[%i] : !ring -> !tile
      %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
      %1 = ttg.async_commit_group
    }
    scf.for %i = %c0 to %n step %c1 : i32 {
      %next = arith.addi %i, %c2 : i32
      %put = arith.remui %next, %c3 : i32
      %get = arith.remui %i, %c3 : i32
      // CHECK: :[[@LINE+1]]:12: warning: 'ttg.async_wait' leaves up to 2 groups in flight, but only 1 is newer than the group whose data is read next; it must leave at most 1 [wait-count]
      %0 = ttg.async_wait {num = 2 : i32}
      %k = ttg.memdesc_index %ring[%get] : !ring -> !tile
      %x = ttg.local_load %k : !tile -> !tensor
      %q = ttg.memdesc_index %ring[%put] : !ring -> !tile
      %1 = ttg.async_copy_global_to_local %p, %q : !pointers -> !tile
      %2 = ttg.async_commit_group
    }
    tt.return
  }
  tt.func @copies_while_there_is_more_that_leave_two(%p: !pointers, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c63 = arith.constant 63 : i32
    %c64 = arith.constant 64 : i32
    %up = arith.addi %n, %c63 : i32
    %steps = arith.divsi %up, %c64 : i32
    %ring = ttg.local_alloc : () -> !ring
    scf.for %i = %c0 to %c2 step %c1 : i32 {
      %m = ttg.memdesc_index %ring[%i] : !ring -> !tile
      %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
      %1 = ttg.async_commit_group
    }
    scf.for %i = %c0 to %steps step %c1 : i32 {
      %next = arith.addi %i, %c2 : i32
      %put = arith.remui %next, %c3 : i32
      %get = arith.remui %i, %c3 : i32
      // CHECK: :[[@LINE+1]]:12: warning: 'ttg.async_wait' leaves up to 2 groups in flight, but only 1 is newer than the group whose data is read next; it must leave at most 1 [wait-count]
      %0 = ttg.async_wait {num = 2 : i32}
      %k = ttg.memdesc_index %ring[%get] : !ring -> !tile
      %x = ttg.local_load %k : !tile -> !tensor
      %more = arith.cmpi slt, %next, %steps : i32
      scf.if %more {
        %q = ttg.memdesc_index %ring[%put] : !ring -> !tile
        %1 = ttg.async_copy_global_to_local %p, %q : !pointers -> !tile
      }
      %2 = ttg.async_commit_group
    }
    tt.return
  }
  tt.func @pipeline_that_leaves_three(%p: !pointers, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %ring = ttg.local_alloc : () -> !ring
    %m0 = ttg.memdesc_index %ring[%c0] : !ring -> !tile
    %m1 = ttg.memdesc_index %ring[%c1] : !ring -> !tile
    %t0 = ttg.async_copy_global_to_local %p, %m0 : !pointers -> !tile
    %g0 = ttg.async_commit_group tokens %t0
    %t1 = ttg.async_copy_global_to_local %p, %m1 : !pointers -> !tile
    %g1 = ttg.async_commit_group tokens %t1
    %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%put = %c1, %get = %c2, %a = %g0, %b = %g1) -> (i32, i32, !ttg.async.token, !ttg.async.token) : i32 {
      %get1 = arith.addi %get, %c1 : i32
      %wraps = arith.cmpi sge, %get1, %c3 : i32
      %get2 = arith.select %wraps, %c0, %get1 : i32
      // CHECK: :[[@LINE+1]]:12: warning: 'ttg.async_wait' leaves up to 3 groups in flight, but only 1 is newer than the group whose data is read next; it must leave at most 1 [wait-count]
      %w = ttg.async_wait %a {num = 3 : i32}
      %k = ttg.memdesc_index %ring[%get2] : !ring -> !tile
      %x = ttg.local_load %k token %w : !tile -> !tensor
      %put1 = arith.addi %put, %c1 : i32
      %full = arith.cmpi sge, %put1, %c3 : i32
      %put2 = arith.select %full, %c0, %put1 : i32
      %q = ttg.memdesc_index %ring[%put2] : !ring -> !tile
      %t2 = ttg.async_copy_global_to_local %p, %q : !pointers -> !tile
      %g2 = ttg.async_commit_group tokens %t2
      scf.yield %put2, %get2, %b, %g2 : i32, i32, !ttg.async.token, !ttg.async.token
    }
    tt.return
  }
  // The load takes no token; the ring says what is read.
  tt.func @pipeline_whose_load_takes_no_token(%p: !pointers, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %ring = ttg.local_alloc : () -> !ring
    %m0 = ttg.memdesc_index %ring[%c0] : !ring -> !tile
    %m1 = ttg.memdesc_index %ring[%c1] : !ring -> !tile
    %t0 = ttg.async_copy_global_to_local %p, %m0 : !pointers -> !tile
    %g0 = ttg.async_commit_group tokens %t0
    %t1 = ttg.async_copy_global_to_local %p, %m1 : !pointers -> !tile
    %g1 = ttg.async_commit_group tokens %t1
    %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%put = %c1, %get = %c2, %a = %g0, %b = %g1) -> (i32, i32, !ttg.async.token, !ttg.async.token) : i32 {
      %get1 = arith.addi %get, %c1 : i32
      %wraps = arith.cmpi sge, %get1, %c3 : i32
      %get2 = arith.select %wraps, %c0, %get1 : i32
      // CHECK: :[[@LINE+1]]:12: warning: 'ttg.async_wait' leaves up to 2 groups in flight, but only 1 is newer than the group whose data is read next; it must leave at most 1 [wait-count]
      %w = ttg.async_wait %a {num = 2 : i32}
      %k = ttg.memdesc_index %ring[%get2] : !ring -> !tile
      %x = ttg.local_load %k  : !tile -> !tensor
      %put1 = arith.addi %put, %c1 : i32
      %full = arith.cmpi sge, %put1, %c3 : i32
      %put2 = arith.select %full, %c0, %put1 : i32
      %q = ttg.memdesc_index %ring[%put2] : !ring -> !tile
      %t2 = ttg.async_copy_global_to_local %p, %q : !pointers -> !tile
      %g2 = ttg.async_commit_group tokens %t2
      scf.yield %put2, %get2, %b, %g2 : i32, i32, !ttg.async.token, !ttg.async.token
    }
    tt.return
  }
  tt.func @epilogue_that_leaves_one(%p: !pointers, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %ring = ttg.local_alloc : () -> !ring
    %m0 = ttg.memdesc_index %ring[%c0] : !ring -> !tile
    %m1 = ttg.memdesc_index %ring[%c1] : !ring -> !tile
    %t0 = ttg.async_copy_global_to_local %p, %m0 : !pointers -> !tile
    %g0 = ttg.async_commit_group tokens %t0
    %t1 = ttg.async_copy_global_to_local %p, %m1 : !pointers -> !tile
    %g1 = ttg.async_commit_group tokens %t1
    %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%put = %c1, %get = %c2, %a = %g0, %b = %g1) -> (i32, i32, !ttg.async.token, !ttg.async.token) : i32 {
      %get1 = arith.addi %get, %c1 : i32
      %wraps = arith.cmpi sge, %get1, %c3 : i32
      %get2 = arith.select %wraps, %c0, %get1 : i32
      %w = ttg.async_wait %a {num = 1 : i32}
      %k = ttg.memdesc_index %ring[%get2] : !ring -> !tile
      %x = ttg.local_load %k token %w : !tile -> !tensor
      %put1 = arith.addi %put, %c1 : i32
      %full = arith.cmpi sge, %put1, %c3 : i32
      %put2 = arith.select %full, %c0, %put1 : i32
      %q = ttg.memdesc_index %ring[%put2] : !ring -> !tile
      %t2 = ttg.async_copy_global_to_local %p, %q : !pointers -> !tile
      %g2 = ttg.async_commit_group tokens %t2
      scf.yield %put2, %get2, %b, %g2 : i32, i32, !ttg.async.token, !ttg.async.token
    }
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.async_wait' leaves up to 1 groups in flight, but only 0 are newer than the group whose data is read next; it must leave at most 0 [wait-count]
    %v = ttg.async_wait %r#3 {num = 1 : i32}
    %l = ttg.memdesc_index %ring[%c0] : !ring -> !tile
    %y = ttg.local_load %l token %v : !tile -> !tensor
    tt.return
  }
  tt.func @older_of_two_groups(%p: !pointers) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %m = ttg.local_alloc : () -> !tile
    %k = ttg.local_alloc : () -> !tile
    %t0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %g0 = ttg.async_commit_group tokens %t0
    %t1 = ttg.async_copy_global_to_local %p, %k : !pointers -> !tile
    %g1 = ttg.async_commit_group tokens %t1
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.async_wait' leaves up to 1 groups in flight, but only 0 are newer than the group whose data is read next; it must leave at most 0 [wait-count]
    %w = ttg.async_wait %g0, %g1 {num = 1 : i32}
    %x = ttg.local_load %k token %w : !tile -> !tensor
    tt.return
  }
  tt.func @both_by_one_wait(%p: !pointers) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %m = ttg.local_alloc : () -> !tile
    %k = ttg.local_alloc : () -> !tile
    %t0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %g0 = ttg.async_commit_group tokens %t0
    %t1 = ttg.async_copy_global_to_local %p, %k : !pointers -> !tile
    %g1 = ttg.async_commit_group tokens %t1
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.async_wait' leaves up to 2 groups in flight, but only 0 are newer than the group whose data is read next; it must leave at most 0 [wait-count]
    %w = ttg.async_wait %g1 {num = 2 : i32}
    %x = ttg.local_load %k token %w : !tile -> !tensor
    %y = ttg.local_load %m token %w : !tile -> !tensor
    tt.return
  }
  tt.func @no_token_anywhere(%p: !pointers) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %m = ttg.local_alloc : () -> !tile
    %k = ttg.local_alloc : () -> !tile
    %t0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %g0 = ttg.async_commit_group
    %t1 = ttg.async_copy_global_to_local %p, %k : !pointers -> !tile
    %g1 = ttg.async_commit_group
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.async_wait' leaves up to 1 groups in flight, but only 0 are newer than the group whose data is read next; it must leave at most 0 [wait-count]
    %w = ttg.async_wait {num = 1 : i32}
    %x = ttg.local_load %k : !tile -> !tensor
    tt.return
  }
  tt.func @ring_by_the_counter_that_leaves_one(%p: !pointers, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %ring = ttg.local_alloc : () -> !ring
    scf.for %i = %c0 to %c2 step %c1 : i32 {
      %m = ttg.memdesc_index %ring[%i] : !ring -> !tile
      %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
      %1 = ttg.async_commit_group
    }
    scf.for %i = %c0 to %n step %c1 : i32 {
      %next = arith.addi %i, %c2 : i32
      %put = arith.remui %next, %c3 : i32
      %get = arith.remui %i, %c3 : i32
      %0 = ttg.async_wait {num = 1 : i32}
      %k = ttg.memdesc_index %ring[%get] : !ring -> !tile
      %x = ttg.local_load %k : !tile -> !tensor
      %q = ttg.memdesc_index %ring[%put] : !ring -> !tile
      %1 = ttg.async_copy_global_to_local %p, %q : !pointers -> !tile
      %2 = ttg.async_commit_group
    }
    tt.return
  }
  tt.func @copies_while_there_is_more_that_leave_one(%p: !pointers, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c63 = arith.constant 63 : i32
    %c64 = arith.constant 64 : i32
    %up = arith.addi %n, %c63 : i32
    %steps = arith.divsi %up, %c64 : i32
    %ring = ttg.local_alloc : () -> !ring
    scf.for %i = %c0 to %c2 step %c1 : i32 {
      %m = ttg.memdesc_index %ring[%i] : !ring -> !tile
      %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
      %1 = ttg.async_commit_group
    }
    scf.for %i = %c0 to %steps step %c1 : i32 {
      %next = arith.addi %i, %c2 : i32
      %put = arith.remui %next, %c3 : i32
      %get = arith.remui %i, %c3 : i32
      %0 = ttg.async_wait {num = 1 : i32}
      %k = ttg.memdesc_index %ring[%get] : !ring -> !tile
      %x = ttg.local_load %k : !tile -> !tensor
      %more = arith.cmpi slt, %next, %steps : i32
      scf.if %more {
        %q = ttg.memdesc_index %ring[%put] : !ring -> !tile
        %1 = ttg.async_copy_global_to_local %p, %q : !pointers -> !tile
      }
      %2 = ttg.async_commit_group
    }
    tt.return
  }
  tt.func @ring_whose_place_is_not_known(%p: !pointers, %n: i32, %counts: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %ring = ttg.local_alloc : () -> !ring
    scf.for %i = %c0 to %c2 step %c1 : i32 {
      %m = ttg.memdesc_index %ring[%i] : !ring -> !tile
      %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
      %1 = ttg.async_commit_group
    }
    scf.for %i = %c0 to %n step %c1 : i32 {
      %next = arith.addi %i, %c2 : i32
      %put = arith.remui %next, %c3 : i32
      %s = tt.load %counts : !tt.ptr<i32>
      %get = arith.remui %s, %c3 : i32
      %0 = ttg.async_wait {num = 2 : i32}
      %k = ttg.memdesc_index %ring[%get] : !ring -> !tile
      %x = ttg.local_load %k : !tile -> !tensor
      %q = ttg.memdesc_index %ring[%put] : !ring -> !tile
      %1 = ttg.async_copy_global_to_local %p, %q : !pointers -> !tile
      %2 = ttg.async_commit_group
    }
    tt.return
  }
  tt.func @pipeline_that_leaves_one(%p: !pointers, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %ring = ttg.local_alloc : () -> !ring
    %m0 = ttg.memdesc_index %ring[%c0] : !ring -> !tile
    %m1 = ttg.memdesc_index %ring[%c1] : !ring -> !tile
    %t0 = ttg.async_copy_global_to_local %p, %m0 : !pointers -> !tile
    %g0 = ttg.async_commit_group tokens %t0
    %t1 = ttg.async_copy_global_to_local %p, %m1 : !pointers -> !tile
    %g1 = ttg.async_commit_group tokens %t1
    %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%put = %c1, %get = %c2, %a = %g0, %b = %g1) -> (i32, i32, !ttg.async.token, !ttg.async.token) : i32 {
      %get1 = arith.addi %get, %c1 : i32
      %wraps = arith.cmpi sge, %get1, %c3 : i32
      %get2 = arith.select %wraps, %c0, %get1 : i32
      %w = ttg.async_wait %a {num = 1 : i32}
      %k = ttg.memdesc_index %ring[%get2] : !ring -> !tile
      %x = ttg.local_load %k token %w : !tile -> !tensor
      %put1 = arith.addi %put, %c1 : i32
      %full = arith.cmpi sge, %put1, %c3 : i32
      %put2 = arith.select %full, %c0, %put1 : i32
      %q = ttg.memdesc_index %ring[%put2] : !ring -> !tile
      %t2 = ttg.async_copy_global_to_local %p, %q : !pointers -> !tile
      %g2 = ttg.async_commit_group tokens %t2
      scf.yield %put2, %get2, %b, %g2 : i32, i32, !ttg.async.token, !ttg.async.token
    }
    tt.return
  }
  tt.func @pipeline_that_leaves_none(%p: !pointers, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %ring = ttg.local_alloc : () -> !ring
    %m0 = ttg.memdesc_index %ring[%c0] : !ring -> !tile
    %m1 = ttg.memdesc_index %ring[%c1] : !ring -> !tile
    %t0 = ttg.async_copy_global_to_local %p, %m0 : !pointers -> !tile
    %g0 = ttg.async_commit_group tokens %t0
    %t1 = ttg.async_copy_global_to_local %p, %m1 : !pointers -> !tile
    %g1 = ttg.async_commit_group tokens %t1
    %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%put = %c1, %get = %c2, %a = %g0, %b = %g1) -> (i32, i32, !ttg.async.token, !ttg.async.token) : i32 {
      %get1 = arith.addi %get, %c1 : i32
      %wraps = arith.cmpi sge, %get1, %c3 : i32
      %get2 = arith.select %wraps, %c0, %get1 : i32
      %w = ttg.async_wait %a {num = 0 : i32}
      %k = ttg.memdesc_index %ring[%get2] : !ring -> !tile
      %x = ttg.local_load %k token %w : !tile -> !tensor
      %put1 = arith.addi %put, %c1 : i32
      %full = arith.cmpi sge, %put1, %c3 : i32
      %put2 = arith.select %full, %c0, %put1 : i32
      %q = ttg.memdesc_index %ring[%put2] : !ring -> !tile
      %t2 = ttg.async_copy_global_to_local %p, %q : !pointers -> !tile
      %g2 = ttg.async_commit_group tokens %t2
      scf.yield %put2, %get2, %b, %g2 : i32, i32, !ttg.async.token, !ttg.async.token
    }
    tt.return
  }
  tt.func @pipeline_whose_load_takes_no_token_covered(%p: !pointers, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %ring = ttg.local_alloc : () -> !ring
    %m0 = ttg.memdesc_index %ring[%c0] : !ring -> !tile
    %m1 = ttg.memdesc_index %ring[%c1] : !ring -> !tile
    %t0 = ttg.async_copy_global_to_local %p, %m0 : !pointers -> !tile
    %g0 = ttg.async_commit_group tokens %t0
    %t1 = ttg.async_copy_global_to_local %p, %m1 : !pointers -> !tile
    %g1 = ttg.async_commit_group tokens %t1
    %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%put = %c1, %get = %c2, %a = %g0, %b = %g1) -> (i32, i32, !ttg.async.token, !ttg.async.token) : i32 {
      %get1 = arith.addi %get, %c1 : i32
      %wraps = arith.cmpi sge, %get1, %c3 : i32
      %get2 = arith.select %wraps, %c0, %get1 : i32
      %w = ttg.async_wait %a {num = 1 : i32}
      %k = ttg.memdesc_index %ring[%get2] : !ring -> !tile
      %x = ttg.local_load %k  : !tile -> !tensor
      %put1 = arith.addi %put, %c1 : i32
      %full = arith.cmpi sge, %put1, %c3 : i32
      %put2 = arith.select %full, %c0, %put1 : i32
      %q = ttg.memdesc_index %ring[%put2] : !ring -> !tile
      %t2 = ttg.async_copy_global_to_local %p, %q : !pointers -> !tile
      %g2 = ttg.async_commit_group tokens %t2
      scf.yield %put2, %get2, %b, %g2 : i32, i32, !ttg.async.token, !ttg.async.token
    }
    tt.return
  }
  tt.func @epilogue_that_waits_for_all(%p: !pointers, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %ring = ttg.local_alloc : () -> !ring
    %m0 = ttg.memdesc_index %ring[%c0] : !ring -> !tile
    %m1 = ttg.memdesc_index %ring[%c1] : !ring -> !tile
    %t0 = ttg.async_copy_global_to_local %p, %m0 : !pointers -> !tile
    %g0 = ttg.async_commit_group tokens %t0
    %t1 = ttg.async_copy_global_to_local %p, %m1 : !pointers -> !tile
    %g1 = ttg.async_commit_group tokens %t1
    %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%put = %c1, %get = %c2, %a = %g0, %b = %g1) -> (i32, i32, !ttg.async.token, !ttg.async.token) : i32 {
      %get1 = arith.addi %get, %c1 : i32
      %wraps = arith.cmpi sge, %get1, %c3 : i32
      %get2 = arith.select %wraps, %c0, %get1 : i32
      %w = ttg.async_wait %a {num = 1 : i32}
      %k = ttg.memdesc_index %ring[%get2] : !ring -> !tile
      %x = ttg.local_load %k token %w : !tile -> !tensor
      %put1 = arith.addi %put, %c1 : i32
      %full = arith.cmpi sge, %put1, %c3 : i32
      %put2 = arith.select %full, %c0, %put1 : i32
      %q = ttg.memdesc_index %ring[%put2] : !ring -> !tile
      %t2 = ttg.async_copy_global_to_local %p, %q : !pointers -> !tile
      %g2 = ttg.async_commit_group tokens %t2
      scf.yield %put2, %get2, %b, %g2 : i32, i32, !ttg.async.token, !ttg.async.token
    }
    %v = ttg.async_wait %r#3 {num = 0 : i32}
    %l = ttg.memdesc_index %ring[%c0] : !ring -> !tile
    %y = ttg.local_load %l token %v : !tile -> !tensor
    tt.return
  }
  tt.func @newer_of_two_stays(%p: !pointers) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %m = ttg.local_alloc : () -> !tile
    %k = ttg.local_alloc : () -> !tile
    %t0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %g0 = ttg.async_commit_group tokens %t0
    %t1 = ttg.async_copy_global_to_local %p, %k : !pointers -> !tile
    %g1 = ttg.async_commit_group tokens %t1
    %w = ttg.async_wait %g0 {num = 1 : i32}
    %x = ttg.local_load %m token %w : !tile -> !tensor
    tt.return
  }
  tt.func @read_after_a_second_wait(%p: !pointers) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %m = ttg.local_alloc : () -> !tile
    %k = ttg.local_alloc : () -> !tile
    %t0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %g0 = ttg.async_commit_group tokens %t0
    %t1 = ttg.async_copy_global_to_local %p, %k : !pointers -> !tile
    %g1 = ttg.async_commit_group tokens %t1
    %v = ttg.async_wait {num = 1 : i32}
    %w = ttg.async_wait %g1 {num = 0 : i32}
    %x = ttg.local_load %k token %w : !tile -> !tensor
    tt.return
  }
  tt.func @nothing_is_read(%p: !pointers) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %m = ttg.local_alloc : () -> !tile
    %k = ttg.local_alloc : () -> !tile
    %t0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %g0 = ttg.async_commit_group tokens %t0
    %t1 = ttg.async_copy_global_to_local %p, %k : !pointers -> !tile
    %g1 = ttg.async_commit_group tokens %t1
    %w = ttg.async_wait %g1 {num = 1 : i32}
    tt.return
  }
  tt.func @no_token_anywhere_covered(%p: !pointers) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %m = ttg.local_alloc : () -> !tile
    %k = ttg.local_alloc : () -> !tile
    %t0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %g0 = ttg.async_commit_group
    %t1 = ttg.async_copy_global_to_local %p, %k : !pointers -> !tile
    %g1 = ttg.async_commit_group
    %w = ttg.async_wait {num = 1 : i32}
    %x = ttg.local_load %m : !tile -> !tensor
    tt.return
  }
}

// -----

// On gfx950, LLVM waits before loads without the mark.
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!tensor = tensor<64x64xf16, #blocked>
!pointers = tensor<64x64x!tt.ptr<f16>, #blocked>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func @load_without_the_mark(%p: !pointers) {
    %m = ttg.local_alloc : () -> !tile
    %t0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %g0 = ttg.async_commit_group tokens %t0
    %w = amdg.async_wait %g0 {num_inst = 1 : i32}
    %x = ttg.local_load %m : !tile -> !tensor
    tt.return
  }
}
