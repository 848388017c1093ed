// Waits of Triton's pipelines at a barrier whose arrivals are missing.
// RUN: kernelscope check %s | FileCheck %s
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #bar, #smem, mutable>
!ring = !ttg.memdesc<2x1xi64, #bar, #smem, mutable>
!tile = !ttg.memdesc<128x64xf16, #a, #smem, mutable>
!b = !ttg.memdesc<64x64xf16, #a, #smem, mutable>
!tiles = !ttg.memdesc<2x128x64xf16, #a, #smem, mutable>
!desc = !tt.tensordesc<128x64xf16, #a>
!acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // The consumer hands no buffer back: the second round of the producer waits forever.
  tt.func @never_handed_back(%desc: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %full = ttg.local_alloc : () -> !ring
    %empty = ttg.local_alloc : () -> !ring
    %tiles = ttg.local_alloc : () -> !tiles
    %f0 = ttg.memdesc_index %full[%c0] : !ring -> !barrier
    %f1 = ttg.memdesc_index %full[%c1] : !ring -> !barrier
    %e0 = ttg.memdesc_index %empty[%c0] : !ring -> !barrier
    %e1 = ttg.memdesc_index %empty[%c1] : !ring -> !barrier
    ttng.init_barrier %f0, 1 : !barrier
    ttng.init_barrier %f1, 1 : !barrier
    ttng.init_barrier %e0, 1 : !barrier
    ttng.init_barrier %e1, 1 : !barrier
    ttg.warp_specialize(%full, %empty, %tiles, %desc, %n) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %slot = arith.andi %i, %c1 : i32
        %round = arith.shrui %i, %c1 : i32
        %phase = arith.andi %round, %c1 : i32
        %f = ttg.memdesc_index %full[%slot] : !ring -> !barrier
        ttng.wait_barrier %f, %phase : !barrier
      }
      ttg.warp_yield
    }
    partition0(%pf: !ring, %pe: !ring, %pt: !tiles, %pd: !desc, %pn: i32) num_warps(1) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      %true = arith.constant true
      scf.for %i = %k0 to %pn step %k1 : i32 {
        %slot = arith.andi %i, %k1 : i32
        %round = arith.shrui %i, %k1 : i32
        %bit = arith.andi %round, %k1 : i32
        %phase = arith.xori %bit, %k1 : i32
        %e = ttg.memdesc_index %pe[%slot] : !ring -> !barrier
        %f = ttg.memdesc_index %pf[%slot] : !ring -> !barrier
        %t = ttg.memdesc_index %pt[%slot] : !tiles -> !tile
        // CHECK: :[[@LINE+1]]:9: warning: 'ttng.wait_barrier' waits for phase 0 of a barrier at which nothing arrives: it never ends, unlike the first wait, for phase 1 [barrier-arrivals]
        ttng.wait_barrier %e, %phase : !barrier
        ttng.barrier_expect %f, 16384, %true : !barrier
        ttng.async_tma_copy_global_to_local %pd[%i, %k0] %t, %f, %true : !desc, !barrier -> !tile
      }
      ttg.warp_return
    } : (!ring, !ring, !tiles, !desc, i32) -> ()
    tt.return
  }
  // The product before the loop arrives, that in the loop does not.
  tt.func @only_before_the_loop(%x: !tile, %y: !b, %d: !acc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %done = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %done, 1 : !barrier
    ttng.tc_gen5_mma %x, %y, %d, %true, %true, %done[%true] {is_async} : !tile, !b, !acc, !barrier
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%phase = %c0) -> (i32) : i32 {
      // CHECK: :[[@LINE+1]]:7: warning: 'ttng.wait_barrier' waits for phase 1 of a barrier at which nothing arrives in a loop: it never ends, unlike the first wait, for phase 0 [barrier-arrivals]
      ttng.wait_barrier %done, %phase : !barrier
      ttng.tc_gen5_mma %x, %y, %d, %true, %true : !tile, !b, !acc
      %next = arith.xori %phase, %c1 : i32
      scf.yield %next : i32
    }
    tt.return
  }
  // CHECK-NOT: warning:
  tt.func @in_the_loop_too(%x: !tile, %y: !b, %d: !acc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %done = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %done, 1 : !barrier
    ttng.tc_gen5_mma %x, %y, %d, %true, %true, %done[%true] {is_async} : !tile, !b, !acc, !barrier
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%phase = %c0) -> (i32) : i32 {
      ttng.wait_barrier %done, %phase : !barrier
      ttng.tc_gen5_mma %x, %y, %d, %true, %true, %done[%true] {is_async} : !tile, !b, !acc, !barrier
      %next = arith.xori %phase, %c1 : i32
      scf.yield %next : i32
    }
    tt.return
  }
  // A part of a program, as in a test of a pass.
  tt.func @a_single_wait() {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    ttng.wait_barrier %b, %c0 : !barrier
    tt.return
  }
}

// -----

// One barrier of a ring that nothing initialises.
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
!barrier = !ttg.memdesc<1xi64, #bar, #ttg.shared_memory, mutable>
!ring = !ttg.memdesc<3x1xi64, #bar, #ttg.shared_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @two_of_three(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %ring = ttg.local_alloc : () -> !ring
    %b0 = ttg.memdesc_index %ring[%c0] : !ring -> !barrier
    // CHECK: :[[@LINE+8]]:7: warning: 'ttng.arrive_barrier' uses a barrier that nothing has initialised; a 'ttng.init_barrier' must come first [barrier-arrivals]
    // CHECK: :[[@LINE+1]]:5: note: a barrier of the same allocation is initialised here
    ttng.init_barrier %b0, 1 : !barrier
    %b1 = ttg.memdesc_index %ring[%c1] : !ring -> !barrier
    ttng.init_barrier %b1, 1 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = arith.remsi %i, %c3 : i32
      %b = ttg.memdesc_index %ring[%slot] : !ring -> !barrier
      ttng.arrive_barrier %b, 1 : !barrier
      %round = arith.divsi %i, %c3 : i32
      %phase = arith.andi %round, %c1 : i32
      ttng.wait_barrier %b, %phase : !barrier
    }
    tt.return
  }
  // As Triton's partitions of Hopper make barriers for all threads of a warp group.
  tt.func @one_of_another_count(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %ring = ttg.local_alloc : () -> !ring
    %b0 = ttg.memdesc_index %ring[%c0] : !ring -> !barrier
    ttng.init_barrier %b0, 128 : !barrier
    %b1 = ttg.memdesc_index %ring[%c1] : !ring -> !barrier
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.init_barrier' initialises a barrier for 127 arrivals per phase, but 'ttng.arrive_barrier' alone makes 128 [barrier-arrivals]
    ttng.init_barrier %b1, 127 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = arith.remsi %i, %c2 : i32
      %b = ttg.memdesc_index %ring[%slot] : !ring -> !barrier
      ttng.arrive_barrier %b, 128 : !barrier
    }
    tt.return
  }
  // Another one is initialised, so that this function is no part of a program.
  tt.func @without_its_initialisation() {
    %c0 = arith.constant 0 : i32
    %a = ttg.local_alloc : () -> !barrier
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %a, 1 : !barrier
    ttng.arrive_barrier %a, 1 : !barrier
    ttng.wait_barrier %a, %c0 : !barrier
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.arrive_barrier' uses a barrier that nothing initialises; a 'ttng.init_barrier' must come first [barrier-arrivals]
    ttng.arrive_barrier %b, 1 : !barrier
    ttng.wait_barrier %b, %c0 : !barrier
    tt.return
  }
  tt.func @invalidated_and_used_again() {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    ttng.arrive_barrier %b, 1 : !barrier
    ttng.wait_barrier %b, %c0 : !barrier
    ttng.inval_barrier %b : !barrier
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.arrive_barrier' uses a barrier that nothing has initialised
    ttng.arrive_barrier %b, 1 : !barrier
    ttng.wait_barrier %b, %c0 : !barrier
    tt.return
  }
  // CHECK-NOT: warning:
  tt.func @each_with_its_count() {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    %b0 = ttg.memdesc_index %ring[%c0] : !ring -> !barrier
    ttng.init_barrier %b0, 1 : !barrier
    %b1 = ttg.memdesc_index %ring[%c1] : !ring -> !barrier
    ttng.init_barrier %b1, 2 : !barrier
    ttng.arrive_barrier %b0, 1 : !barrier
    ttng.arrive_barrier %b1, 2 : !barrier
    ttng.wait_barrier %b0, %c0 : !barrier
    ttng.wait_barrier %b1, %c0 : !barrier
    tt.return
  }
  tt.func @three_of_three(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %ring = ttg.local_alloc : () -> !ring
    scf.for %k = %c0 to %c3 step %c1 : i32 {
      %b = ttg.memdesc_index %ring[%k] : !ring -> !barrier
      ttng.init_barrier %b, 1 : !barrier
    }
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = arith.remsi %i, %c3 : i32
      %b = ttg.memdesc_index %ring[%slot] : !ring -> !barrier
      ttng.arrive_barrier %b, 1 : !barrier
      %round = arith.divsi %i, %c3 : i32
      %phase = arith.andi %round, %c1 : i32
      ttng.wait_barrier %b, %phase : !barrier
    }
    tt.return
  }
  // Whether it is initialised depends on what is not known here.
  tt.func @in_a_branch(%n: i32) {
    %c0 = arith.constant 0 : i32
    %pid = tt.get_program_id x : i32
    %first = arith.cmpi eq, %pid, %c0 : i32
    %b = ttg.local_alloc : () -> !barrier
    scf.if %first {
      ttng.init_barrier %b, 1 : !barrier
    }
    ttng.arrive_barrier %b, 1 : !barrier
    ttng.wait_barrier %b, %c0 : !barrier
    tt.return
  }
  tt.func @part_of_a_program() {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.arrive_barrier %b, 1 : !barrier
    ttng.wait_barrier %b, %c0 : !barrier
    tt.return
  }
}
