// Barriers that are passed to functions, and waits in functions that are called.
// RUN: kernelscope check %s | FileCheck %s --implicit-check-not=warning:
#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #bar, #smem, mutable>
!ring = !ttg.memdesc<3x1xi64, #bar, #smem, mutable>
!tile = !ttg.memdesc<64x64xf16, #nvmma, #smem, mutable>
!tiles = !ttg.memdesc<3x64x64xf16, #nvmma, #smem, mutable>
!desc = !tt.tensordesc<64x64xf16, #nvmma>
!tensor = tensor<64x64xf16, #blocked>
!pointers = tensor<64x64x!tt.ptr<f16>, #blocked>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // As Gluon writes a specialised kernel: each partition calls its function, of which the front end leaves a block that nothing leads to.
  tt.func @producer_and_consumer(%d: !desc, %n: i32) {
    %full = ttg.local_alloc : () -> !ring
    %empty = ttg.local_alloc : () -> !ring
    %tiles = ttg.local_alloc : () -> !tiles
    tt.call @init(%full, %empty) : (!ring, !ring) -> ()
    ttg.warp_specialize(%d, %full, %empty, %tiles, %n)
    default {
      tt.call @consumer(%full, %empty, %tiles, %n) : (!ring, !ring, !tiles, i32) -> ()
      ttg.warp_yield
    }
    partition0(%d0: !desc, %full0: !ring, %empty0: !ring, %tiles0: !tiles, %n0: i32) num_warps(1) {
      tt.call @producer(%d0, %full0, %empty0, %tiles0, %n0) : (!desc, !ring, !ring, !tiles, i32) -> ()
      ttg.warp_return
    } : (!desc, !ring, !ring, !tiles, i32) -> ()
    tt.return
  ^bb1:
    tt.return
  }
  // The consumer's phase is the same each time that the ring comes around.
  tt.func @constant_phase(%d: !desc, %n: i32) {
    %full = ttg.local_alloc : () -> !ring
    %empty = ttg.local_alloc : () -> !ring
    %tiles = ttg.local_alloc : () -> !tiles
    tt.call @init(%full, %empty) : (!ring, !ring) -> ()
    ttg.warp_specialize(%d, %full, %empty, %tiles, %n)
    default {
      // CHECK-DAG: :[[@LINE+1]]:7: note: called from here
      tt.call @consumer_with_a_constant_phase(%full, %empty, %tiles, %n) : (!ring, !ring, !tiles, i32) -> ()
      ttg.warp_yield
    }
    partition0(%d0: !desc, %full0: !ring, %empty0: !ring, %tiles0: !tiles, %n0: i32) num_warps(1) {
      tt.call @producer(%d0, %full0, %empty0, %tiles0, %n0) : (!desc, !ring, !ring, !tiles, i32) -> ()
      ttg.warp_return
    } : (!desc, !ring, !ring, !tiles, i32) -> ()
    tt.return
  }
  // Two barriers get two arrivals for one.
  tt.func @two_arrivals() {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    // CHECK-DAG: :[[@LINE+1]]:5: warning: 'ttng.init_barrier' initialises a barrier for 3 arrivals per phase, but there are 2 between two waits: the wait never ends [barrier-arrivals]
    ttng.init_barrier %b, 3 : !barrier
    tt.call @arrive(%b) : (!barrier) -> ()
    tt.call @arrive(%b) : (!barrier) -> ()
    ttng.wait_barrier %b, %c0 : !barrier
    tt.return
  }
  tt.func @two_arrivals_for_two() {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 2 : !barrier
    tt.call @arrive(%b) : (!barrier) -> ()
    tt.call @arrive(%b) : (!barrier) -> ()
    tt.call @wait(%b, %c0) : (!barrier, i32) -> ()
    tt.return
  }
  // The function announces what its caller has it copy.
  tt.func @loads(%d: !desc) -> !tensor {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    %m = ttg.local_alloc : () -> !tile
    ttng.init_barrier %b, 1 : !barrier
    tt.call @load(%d, %m, %b) : (!desc, !tile, !barrier) -> ()
    tt.call @wait(%b, %c0) : (!barrier, i32) -> ()
    %x = ttg.local_load %m : !tile -> !tensor
    tt.return %x : !tensor
  }
  tt.func @loads_without_a_wait(%d: !desc) -> !tensor {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    %m = ttg.local_alloc : () -> !tile
    ttng.init_barrier %b, 1 : !barrier
    tt.call @load(%d, %m, %b) : (!desc, !tile, !barrier) -> ()
    // CHECK-DAG: :[[@LINE+1]]:10: warning: 'ttg.local_load' reads shared memory that an asynchronous copy writes; there must be a wait between the two [async-wait-missing]
    %x = ttg.local_load %m : !tile -> !tensor
    tt.call @wait(%b, %c0) : (!barrier, i32) -> ()
    tt.return %x : !tensor
  }
  tt.func @waits_for_the_same_phase(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = ttg.local_alloc : () -> !barrier
    %m = ttg.local_alloc : () -> !tile
    ttng.init_barrier %b, 1 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      tt.call @load(%d, %m, %b) : (!desc, !tile, !barrier) -> ()
      // CHECK-DAG: :[[@LINE+1]]:7: note: called from here
      tt.call @wait(%b, %c0) : (!barrier, i32) -> ()
    }
    tt.return
  }
  tt.func @waits_for_the_phase_of_the_iteration(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = ttg.local_alloc : () -> !barrier
    %m = ttg.local_alloc : () -> !tile
    ttng.init_barrier %b, 1 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      %phase = tt.call @phase(%i) : (i32) -> i32
      tt.call @load(%d, %m, %b) : (!desc, !tile, !barrier) -> ()
      tt.call @wait(%b, %phase) : (!barrier, i32) -> ()
    }
    tt.return
  }
  // What is elsewhere may do anything, and so may what calls itself.
  tt.func @unknown_functions(%d: !desc) -> !tensor {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    %m = ttg.local_alloc : () -> !tile
    ttng.init_barrier %b, 3 : !barrier
    tt.call @load(%d, %m, %b) : (!desc, !tile, !barrier) -> ()
    tt.call @elsewhere(%b) : (!barrier) -> ()
    tt.call @itself(%b) : (!barrier) -> ()
    tt.call @branches(%b) : (!barrier) -> ()
    ttng.wait_barrier %b, %c0 : !barrier
    %x = ttg.local_load %m : !tile -> !tensor
    tt.return %x : !tensor
  }
  tt.func @copy_waited_for_in_a_function(%p: !pointers) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_commit_group tokens %0
    tt.call @wait_for_all() : () -> ()
    %2 = ttg.local_load %m : !tile -> !tensor
    tt.return %2 : !tensor
  }
  tt.func @copy_and_too_weak_a_wait(%p: !pointers) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_commit_group tokens %0
    // CHECK-DAG: :[[@LINE+1]]:5: note: called from here
    tt.call @wait_for_all_but_one() : () -> ()
    %2 = ttg.local_load %m : !tile -> !tensor
    tt.return %2 : !tensor
  }
  tt.func @two_copies_and_that_wait(%p: !pointers) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %k = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_commit_group tokens %0
    %2 = ttg.async_copy_global_to_local %p, %k : !pointers -> !tile
    %3 = ttg.async_commit_group tokens %2
    tt.call @wait_for_all_but_one() : () -> ()
    %4 = ttg.local_load %m : !tile -> !tensor
    tt.return %4 : !tensor
  }
  tt.func @read_in_a_function(%p: !pointers) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_commit_group tokens %0
    // CHECK-DAG: :[[@LINE+1]]:10: note: called from here
    %2 = tt.call @read(%m) : (!tile) -> !tensor
    tt.return %2 : !tensor
  }
  tt.func @read_in_a_function_after_the_wait(%p: !pointers) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_commit_group tokens %0
    tt.call @wait_for_all() : () -> ()
    %2 = tt.call @read(%m) : (!tile) -> !tensor
    tt.return %2 : !tensor
  }
  // Neither a wait nor a read.
  tt.func @function_without_a_wait(%p: !pointers, %n: i32) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_commit_group tokens %0
    %phase = tt.call @phase(%n) : (i32) -> i32
    // CHECK-DAG: :[[@LINE+1]]:10: warning: 'ttg.local_load' reads shared memory that an asynchronous copy writes; there must be a wait between the two [async-wait-missing]
    %2 = ttg.local_load %m : !tile -> !tensor
    tt.return %2 : !tensor
  }

  tt.func private @init(%full: !ring, %empty: !ring) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %i = %c0 to %c3 step %c1 {
      %k = arith.index_cast %i : index to i32
      %f = ttg.memdesc_index %full[%k] : !ring -> !barrier
      %e = ttg.memdesc_index %empty[%k] : !ring -> !barrier
      ttng.init_barrier %f, 1 : !barrier
      ttng.init_barrier %e, 1 : !barrier
    }
    tt.return
  }
  tt.func private @producer(%d: !desc, %full: !ring, %empty: !ring, %tiles: !tiles, %n: i32) attributes {noinline = true, "ttg.num-warps" = 1 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = arith.remsi %i, %c3 : i32
      %round = arith.divsi %i, %c3 : i32
      %bit = tt.call @phase(%round) : (i32) -> i32
      %phase = arith.xori %bit, %c1 : i32
      %e = ttg.memdesc_index %empty[%slot] : !ring -> !barrier
      tt.call @wait(%e, %phase) : (!barrier, i32) -> ()
      %f = ttg.memdesc_index %full[%slot] : !ring -> !barrier
      %m = ttg.memdesc_index %tiles[%slot] : !tiles -> !tile
      tt.call @load(%d, %m, %f) : (!desc, !tile, !barrier) -> ()
    }
    tt.return
  }
  tt.func private @consumer(%full: !ring, %empty: !ring, %tiles: !tiles, %n: i32) attributes {noinline = true} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = arith.remsi %i, %c3 : i32
      %round = arith.divsi %i, %c3 : i32
      %bit = arith.andi %round, %c1 : i32
      %phase = arith.bitcast %bit : i32 to i32
      %f = ttg.memdesc_index %full[%slot] : !ring -> !barrier
      ttng.wait_barrier %f, %phase : !barrier
      %m = ttg.memdesc_index %tiles[%slot] : !tiles -> !tile
      %x = ttg.local_load %m : !tile -> !tensor
      %e = ttg.memdesc_index %empty[%slot] : !ring -> !barrier
      ttng.arrive_barrier %e, 1 : !barrier
    }
    tt.return
  ^bb1:
    tt.return
  }
  tt.func private @consumer_with_a_constant_phase(%full: !ring, %empty: !ring, %tiles: !tiles, %n: i32) attributes {noinline = true} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = arith.remsi %i, %c3 : i32
      %f = ttg.memdesc_index %full[%slot] : !ring -> !barrier
      // CHECK-DAG: :[[@LINE+1]]:7: warning: 'ttng.wait_barrier' waits for the same phase 0 in every iteration, but its ring of 3 barriers wraps around; the phase must flip [phase-parity]
      ttng.wait_barrier %f, %c0 : !barrier
      %m = ttg.memdesc_index %tiles[%slot] : !tiles -> !tile
      %x = ttg.local_load %m : !tile -> !tensor
      %e = ttg.memdesc_index %empty[%slot] : !ring -> !barrier
      ttng.arrive_barrier %e, 1 : !barrier
    }
    tt.return
  }
  tt.func private @arrive(%b: !barrier) attributes {noinline = true} {
    ttng.arrive_barrier %b, 1 : !barrier
    tt.return
  }
  tt.func private @wait(%b: !barrier, %phase: i32) attributes {noinline = true} {
    // CHECK-DAG: :[[@LINE+1]]:5: warning: 'ttng.wait_barrier' waits for the same phase 0 in every iteration, but the barrier completes a phase in each; the phase must flip [phase-parity]
    ttng.wait_barrier %b, %phase : !barrier
    tt.return
  }
  tt.func private @phase(%i: i32) -> i32 {
    %c1 = arith.constant 1 : i32
    %phase = arith.andi %i, %c1 : i32
    tt.return %phase : i32
  }
  tt.func private @load(%d: !desc, %m: !tile, %b: !barrier) attributes {noinline = true} {
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    ttng.barrier_expect %b, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %b, %true : !desc, !barrier -> !tile
    tt.return
  }
  tt.func private @wait_for_all() attributes {noinline = true} {
    %0 = ttg.async_wait {num = 0 : i32}
    tt.return
  }
  tt.func private @wait_for_all_but_one() attributes {noinline = true} {
    // CHECK-DAG: :[[@LINE+1]]:10: warning: 'ttg.async_wait' leaves up to 1 groups in flight, but only 0 are newer than the group whose data is read next; it must leave at most 0 [wait-count]
    %0 = ttg.async_wait {num = 1 : i32}
    tt.return
  }
  tt.func private @read(%m: !tile) -> !tensor attributes {noinline = true} {
    // CHECK-DAG: :[[@LINE+1]]:10: warning: 'ttg.local_load' reads shared memory that an asynchronous copy writes; there must be a wait between the two [async-wait-missing]
    %0 = ttg.local_load %m : !tile -> !tensor
    tt.return %0 : !tensor
  }
  tt.func private @elsewhere(!barrier)
  tt.func private @itself(%b: !barrier) attributes {noinline = true} {
    tt.call @itself(%b) : (!barrier) -> ()
    tt.return
  }
  tt.func private @branches(%b: !barrier) attributes {noinline = true} {
    %true = arith.constant true
    cf.cond_br %true, ^one, ^two
  ^one:
    ttng.arrive_barrier %b, 1 : !barrier
    cf.br ^two
  ^two:
    tt.return
  }
}
