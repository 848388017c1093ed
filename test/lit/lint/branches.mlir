// Functions with branches between blocks: kernels and functions that return early, loops of blocks; and calls that stay unknown.
// RUN: kernelscope check %s | FileCheck %s --implicit-check-not=warning:
#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #bar, #smem, mutable>
!tile = !ttg.memdesc<64x64xf16, #nvmma, #smem, mutable>
!desc = !tt.tensordesc<64x64xf16, #nvmma>
!tensor = tensor<64x64xf16, #blocked>
!pointers = tensor<64x64x!tt.ptr<f16>, #blocked>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A program beyond the last tile has nothing to do.
  tt.func public @returns_early(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %pid = tt.get_program_id x : i32
    %isBeyond = arith.cmpi sge, %pid, %n : i32
    cf.cond_br %isBeyond, ^end, ^work
  ^end:
    tt.return
  ^work:
    %b = ttg.local_alloc : () -> !barrier
    %m = ttg.local_alloc : () -> !tile
    ttng.init_barrier %b, 1 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      ttng.barrier_expect %b, 8192, %true : !barrier
      ttng.async_tma_copy_global_to_local %d[%c0, %i] %m, %b, %true : !desc, !barrier -> !tile
      %phase = arith.andi %i, %c1 : i32
      ttng.wait_barrier %b, %phase : !barrier
    }
    tt.return
  }
  tt.func public @returns_early_and_never(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %pid = tt.get_program_id x : i32
    %isBeyond = arith.cmpi sge, %pid, %n : i32
    cf.cond_br %isBeyond, ^end, ^work
  ^end:
    tt.return
  ^work:
    %b = ttg.local_alloc : () -> !barrier
    %m = ttg.local_alloc : () -> !tile
    ttng.init_barrier %b, 1 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      ttng.barrier_expect %b, 8192, %true : !barrier
      ttng.async_tma_copy_global_to_local %d[%c0, %i] %m, %b, %true : !desc, !barrier -> !tile
      // CHECK-DAG: :[[@LINE+1]]:7: warning: 'ttng.wait_barrier' waits for the same phase 0 in every iteration, but the barrier completes a phase in each; the phase must flip [phase-parity]
      ttng.wait_barrier %b, %c0 : !barrier
    }
    tt.return
  }
  tt.func public @copy_of_those_that_stay(%p: !pointers, %q: !pointers, %n: i32) {
    %pid = tt.get_program_id x : i32
    %isBeyond = arith.cmpi sge, %pid, %n : i32
    cf.cond_br %isBeyond, ^end, ^work
  ^work:
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_commit_group tokens %0
    // CHECK-DAG: :[[@LINE+1]]:10: warning: 'ttg.async_wait' leaves up to 1 groups in flight, but only 0 are newer than the group whose data is read next; it must leave at most 0 [wait-count]
    %2 = ttg.async_wait %1 {num = 1 : i32}
    %x = ttg.local_load %m token %2 : !tile -> !tensor
    tt.store %q, %x : !pointers
    cf.br ^end
  ^end:
    tt.return
  }
  // The wait is only on one of the two ways.
  tt.func public @wait_on_one_way(%p: !pointers, %q: !pointers, %c: i1) {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_commit_group tokens %0
    cf.cond_br %c, ^wait, ^read
  ^wait:
    %2 = ttg.async_wait %1 {num = 0 : i32}
    cf.br ^read
  ^read:
    // CHECK-DAG: :[[@LINE+1]]:10: warning: 'ttg.local_load' reads shared memory that an asynchronous copy writes; there must be a wait between the two [async-wait-missing]
    %x = ttg.local_load %m : !tile -> !tensor
    tt.store %q, %x : !pointers
    tt.return
  }
  tt.func public @wait_on_both_ways(%p: !pointers, %q: !pointers, %c: i1) {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_commit_group tokens %0
    cf.cond_br %c, ^one, ^two
  ^one:
    %2 = ttg.async_wait %1 {num = 0 : i32}
    cf.br ^read
  ^two:
    %3 = ttg.async_wait %1 {num = 0 : i32}
    cf.br ^read
  ^read:
    %x = ttg.local_load %m : !tile -> !tensor
    tt.store %q, %x : !pointers
    tt.return
  }
  // A loop of blocks: the phase is its argument.
  tt.func public @loop_of_blocks() {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    cf.br ^body(%c0, %c0 : i32, i32)
  ^body(%i: i32, %phase: i32):
    ttng.arrive_barrier %b, 1 : !barrier
    ttng.wait_barrier %b, %phase : !barrier
    %next = arith.addi %i, %c1 : i32
    %other = arith.xori %phase, %c1 : i32
    %again = arith.cmpi slt, %next, %c8 : i32
    cf.cond_br %again, ^body(%next, %other : i32, i32), ^end
  ^end:
    tt.return
  }
  tt.func public @loop_of_blocks_for_one_phase() {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    cf.br ^body(%c0, %c0 : i32, i32)
  ^body(%i: i32, %phase: i32):
    ttng.arrive_barrier %b, 1 : !barrier
    // CHECK-DAG: :[[@LINE+1]]:5: warning: 'ttng.wait_barrier' waits for phase 0 in an iteration in which the barrier completes phase 1; the phase must flip each time the same barrier is reused [phase-parity]
    ttng.wait_barrier %b, %phase : !barrier
    %next = arith.addi %i, %c1 : i32
    %again = arith.cmpi slt, %next, %c8 : i32
    cf.cond_br %again, ^body(%next, %phase : i32, i32), ^end
  ^end:
    tt.return
  }
  // Without an end, as of a program that waits for work.
  tt.func public @endless() {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    cf.br ^body
  ^body:
    ttng.arrive_barrier %b, 1 : !barrier
    ttng.wait_barrier %b, %c0 : !barrier
    cf.br ^body
  }
  // Blocks that no loop of scf has the shape of, and several ways at once.
  tt.func public @irreducible(%c: i1, %d: i1) {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    cf.cond_br %c, ^a, ^z
  ^a:
    ttng.arrive_barrier %b, 1 : !barrier
    cf.cond_br %d, ^z, ^e
  ^z:
    ttng.wait_barrier %b, %c0 : !barrier
    cf.cond_br %c, ^a, ^e
  ^e:
    tt.return
  }
  tt.func public @switch(%i: i32) {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    cf.switch %i : i32, [default: ^e, 1: ^a, 2: ^z]
  ^a:
    ttng.arrive_barrier %b, 1 : !barrier
    cf.br ^z
  ^z:
    ttng.wait_barrier %b, %c0 : !barrier
    tt.return
  ^e:
    tt.return
  }
  tt.func public @two_ends(%c: i1) {
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    cf.cond_br %c, ^a, ^z
  ^a:
    tt.return
  ^z:
    cf.br ^z
  }
  tt.func public @block_before_itself(%c: i1) {
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    cf.br ^z
  ^z:
    ttng.arrive_barrier %b, 1 : !barrier
    cf.cond_br %c, ^z, ^z
  }
  // What is loaded decides whether anything arrives.
  tt.func public @loaded(%p: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 2 : !barrier
    ttng.arrive_barrier %b, 1 : !barrier
    %v = tt.load %p : !tt.ptr<i32>
    %c = arith.cmpi eq, %v, %c0 : i32
    cf.cond_br %c, ^arrive, ^wait
  ^arrive:
    ttng.arrive_barrier %b, 1 : !barrier
    cf.br ^wait
  ^wait:
    ttng.wait_barrier %b, %c0 : !barrier
    tt.return
  }

  // What is loaded decides whether there is anything to do.
  tt.func public @nothing_to_do(%d: !desc, %p: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %length = tt.load %p : !tt.ptr<i32>
    %isEmpty = arith.cmpi sle, %length, %c0 : i32
    cf.cond_br %isEmpty, ^end, ^work
  ^end:
    tt.return
  ^work:
    %b = ttg.local_alloc : () -> !barrier
    %m = ttg.local_alloc : () -> !tile
    ttng.init_barrier %b, 1 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      ttng.barrier_expect %b, 8192, %true : !barrier
      ttng.async_tma_copy_global_to_local %d[%c0, %i] %m, %b, %true : !desc, !barrier -> !tile
      %phase = arith.andi %i, %c1 : i32
      ttng.wait_barrier %b, %phase : !barrier
    }
    tt.return
  }
  tt.func public @nothing_to_do_or_never(%d: !desc, %p: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %length = tt.load %p : !tt.ptr<i32>
    %isEmpty = arith.cmpi sle, %length, %c0 : i32
    cf.cond_br %isEmpty, ^end, ^work
  ^end:
    tt.return
  ^work:
    %b = ttg.local_alloc : () -> !barrier
    %m = ttg.local_alloc : () -> !tile
    ttng.init_barrier %b, 1 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      ttng.barrier_expect %b, 8192, %true : !barrier
      ttng.async_tma_copy_global_to_local %d[%c0, %i] %m, %b, %true : !desc, !barrier -> !tile
      %phase = arith.andi %i, %c1 : i32
      // CHECK-DAG: :[[@LINE+1]]:7: warning: 'ttng.wait_barrier' waits for the same phase 0 in every iteration, but the barrier completes a phase in each; the phase must flip [phase-parity]
      ttng.wait_barrier %b, %c0 : !barrier
    }
    tt.return
  }
  // Calls of functions that return early.
  tt.func public @arrives_where_it_is_true() {
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    tt.call @arrive_if(%b, %true) : (!barrier, i1) -> ()
    ttng.wait_barrier %b, %c0 : !barrier
    tt.return
  }
  tt.func public @arrives_once_of_two() {
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %false = arith.constant false
    %b = ttg.local_alloc : () -> !barrier
    // CHECK-DAG: :[[@LINE+1]]:5: warning: 'ttng.init_barrier' initialises a barrier for 2 arrivals per phase, but there is 1 between two waits: the wait never ends [barrier-arrivals]
    ttng.init_barrier %b, 2 : !barrier
    tt.call @arrive_if(%b, %true) : (!barrier, i1) -> ()
    tt.call @arrive_if(%b, %false) : (!barrier, i1) -> ()
    ttng.wait_barrier %b, %c0 : !barrier
    tt.return
  }
  tt.func public @phase_of_a_function_with_branches(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      ttng.arrive_barrier %b, 1 : !barrier
      %phase = tt.call @is_odd(%i) : (i32) -> i32
      ttng.wait_barrier %b, %phase : !barrier
    }
    tt.return
  }
  // What is passed decides which way the function goes.
  tt.func public @waits_where_it_is_true(%p: !pointers) -> !tensor {
    %true = arith.constant true
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_commit_group tokens %0
    tt.call @wait_if(%true) : (i1) -> ()
    %x = ttg.local_load %m : !tile -> !tensor
    tt.return %x : !tensor
  }
  tt.func public @waits_not_where_it_is_false(%p: !pointers) -> !tensor {
    %false = arith.constant false
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_commit_group tokens %0
    tt.call @wait_if(%false) : (i1) -> ()
    // CHECK-DAG: :[[@LINE+1]]:10: warning: 'ttg.local_load' reads shared memory that an asynchronous copy writes; there must be a wait between the two [async-wait-missing]
    %x = ttg.local_load %m : !tile -> !tensor
    tt.return %x : !tensor
  }
  tt.func private @wait_if(%c: i1) attributes {noinline = true} {
    cf.cond_br %c, ^wait, ^end
  ^wait:
    %0 = ttg.async_wait {num = 0 : i32}
    tt.return
  ^end:
    tt.return
  }
  tt.func private @arrive_if(%b: !barrier, %c: i1) attributes {noinline = true} {
    cf.cond_br %c, ^arrive, ^end
  ^arrive:
    ttng.arrive_barrier %b, 1 : !barrier
    tt.return
  ^end:
    tt.return
  }
  tt.func private @is_odd(%i: i32) -> i32 attributes {noinline = true} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %bit = arith.andi %i, %c1 : i32
    %c = arith.cmpi eq, %bit, %c0 : i32
    cf.cond_br %c, ^even, ^odd
  ^even:
    tt.return %c0 : i32
  ^odd:
    tt.return %c1 : i32
  }

  // What calls itself, at once or by another one, and what is elsewhere, may do anything.
  tt.func public @passed_to_what_calls_itself(%n: i32) {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 3 : !barrier
    ttng.arrive_barrier %b, 1 : !barrier
    tt.call @itself(%b, %n) : (!barrier, i32) -> ()
    ttng.wait_barrier %b, %c0 : !barrier
    tt.return
  }
  tt.func public @passed_to_what_calls_another_that_calls_it(%n: i32) {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 3 : !barrier
    ttng.arrive_barrier %b, 1 : !barrier
    tt.call @ping(%b, %n) : (!barrier, i32) -> ()
    ttng.wait_barrier %b, %c0 : !barrier
    tt.return
  }
  tt.func public @passed_elsewhere() {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 3 : !barrier
    ttng.arrive_barrier %b, 1 : !barrier
    tt.call @elsewhere(%b) : (!barrier) -> ()
    ttng.wait_barrier %b, %c0 : !barrier
    tt.return
  }
  tt.func public @read_elsewhere(%p: !pointers) -> !tensor {
    %m = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : !pointers -> !tile
    %1 = ttg.async_commit_group tokens %0
    tt.call @may_wait() : () -> ()
    %x = ttg.local_load %m : !tile -> !tensor
    tt.return %x : !tensor
  }
  tt.func private @itself(%b: !barrier, %n: i32) attributes {noinline = true} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    ttng.arrive_barrier %b, 1 : !barrier
    %left = arith.subi %n, %c1 : i32
    %again = arith.cmpi sgt, %left, %c0 : i32
    cf.cond_br %again, ^again, ^end
  ^again:
    tt.call @itself(%b, %left) : (!barrier, i32) -> ()
    tt.return
  ^end:
    tt.return
  }
  tt.func private @ping(%b: !barrier, %n: i32) attributes {noinline = true} {
    ttng.arrive_barrier %b, 1 : !barrier
    tt.call @pong(%b, %n) : (!barrier, i32) -> ()
    tt.return
  }
  tt.func private @pong(%b: !barrier, %n: i32) attributes {noinline = true} {
    tt.call @ping(%b, %n) : (!barrier, i32) -> ()
    tt.return
  }
  tt.func private @elsewhere(!barrier)
  tt.func private @may_wait()
}
