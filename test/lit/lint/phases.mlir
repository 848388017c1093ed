// Waits for a phase of a barrier that is not the next one, in one program and across partitions.
// RUN: kernelscope check %s | FileCheck %s
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #bar, #smem, mutable>
!ring = !ttg.memdesc<3x1xi64, #bar, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @carried_and_never_flipped(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%ph = %c0) -> (i32) : i32 {
      ttng.arrive_barrier %b, 1 : !barrier
      // CHECK: :[[@LINE+1]]:7: warning: 'ttng.wait_barrier' waits for the same phase 0 in every iteration, but the barrier completes a phase in each; the phase must flip
      ttng.wait_barrier %b, %ph : !barrier
      scf.yield %ph : i32
    }
    tt.return
  }
  tt.func @flipped_twice(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    scf.for %i = %c0 to %n step %c1  : i32 {
      ttng.arrive_barrier %b, 1 : !barrier
      %ph = arith.xori %c1, %c1 : i32
      // CHECK: :[[@LINE+1]]:7: warning: 'ttng.wait_barrier' waits for phase 0 in an iteration in which the barrier completes phase 1; the phase must flip each time the same barrier is reused
      ttng.wait_barrier %b, %ph : !barrier
    }
    tt.return
  }
  tt.func @flips_every_third_time(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    scf.for %i = %c0 to %n step %c1  : i32 {
      ttng.arrive_barrier %b, 1 : !barrier
      %q = arith.divui %i, %c3 : i32
      %ph = arith.andi %q, %c1 : i32
      // CHECK: :[[@LINE+1]]:7: warning: 'ttng.wait_barrier' waits for phase 0 in an iteration in which the barrier completes phase 1
      ttng.wait_barrier %b, %ph : !barrier
    }
    tt.return
  }
  tt.func @ring_that_flips_every_time(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %ring = ttg.local_alloc : () -> !ring
    scf.for %k = %c0 to %c3 step %c1 : i32 {
      %s = ttg.memdesc_index %ring[%k] : !ring -> !barrier
      ttng.init_barrier %s, 1 : !barrier
    }
    scf.for %i = %c0 to %n step %c1  : i32 {
      %slot = arith.remsi %i, %c3 : i32
      %s = ttg.memdesc_index %ring[%slot] : !ring -> !barrier
      ttng.arrive_barrier %s, 1 : !barrier
      %ph = arith.andi %i, %c1 : i32
      // CHECK: :[[@LINE+1]]:7: warning: 'ttng.wait_barrier' waits for phase 1 in an iteration in which the barrier completes phase 0
      ttng.wait_barrier %s, %ph : !barrier
    }
    tt.return
  }
  tt.func @wait_in_a_branch(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    scf.for %i = %c0 to %n step %c1  : i32 {
      ttng.arrive_barrier %b, 1 : !barrier
      scf.if %true {
        // CHECK: :[[@LINE+1]]:9: warning: 'ttng.wait_barrier' waits for the same phase 0 in every iteration
        ttng.wait_barrier %b, %c0 : !barrier
      }
    }
    tt.return
  }
  tt.func @inner_loop_begins_again(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    scf.for %o = %c0 to %n step %c1 : i32 {
      scf.for %i = %c0 to %c3 step %c1 : i32 {
        ttng.arrive_barrier %b, 1 : !barrier
        %ph = arith.andi %i, %c1 : i32
        // CHECK: :[[@LINE+1]]:9: warning: 'ttng.wait_barrier' waits for phase 0 in an iteration in which the barrier completes phase 1
        ttng.wait_barrier %b, %ph : !barrier
      }
    }
    tt.return
  }
  tt.func @carried_barrier(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %b) -> (!barrier) : i32 {
      ttng.arrive_barrier %a, 1 : !barrier
      // CHECK: :[[@LINE+1]]:7: warning: 'ttng.wait_barrier' waits for the same phase 0 in every iteration
      ttng.wait_barrier %a, %c0 : !barrier
      scf.yield %a : !barrier
    }
    tt.return
  }
  tt.func @swapped_barriers(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %b = ttg.local_alloc : () -> !barrier
    %d = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    ttng.init_barrier %d, 1 : !barrier
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %b, %y = %d) -> (!barrier, !barrier) : i32 {
      ttng.arrive_barrier %x, 1 : !barrier
      %ph = arith.andi %i, %c1 : i32
      // CHECK: :[[@LINE+1]]:7: warning: 'ttng.wait_barrier' waits for phase 1 in an iteration in which the barrier completes phase 0
      ttng.wait_barrier %x, %ph : !barrier
      scf.yield %y, %x : !barrier, !barrier
    }
    tt.return
  }
  tt.func @waits_first(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%ph = %c0) -> (i32) : i32 {
      // CHECK: :[[@LINE+1]]:7: warning: 'ttng.wait_barrier' waits for phase 0 before anything can arrive at the barrier, and so never ends; a first wait that must not block waits for phase 1
      ttng.wait_barrier %b, %ph : !barrier
      ttng.arrive_barrier %b, 1 : !barrier
      %nx = arith.xori %ph, %c1 : i32
      scf.yield %nx : i32
    }
    tt.return
  }
  tt.func @consumer_with_a_constant_phase(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %full = ttg.local_alloc : () -> !barrier
    %empty = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %full, 1 : !barrier
    ttng.init_barrier %empty, 1 : !barrier
    ttg.warp_specialize(%full, %empty, %n) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      scf.for %i = %c0 to %n step %c1  : i32 {
        // CHECK: :[[@LINE+1]]:9: warning: 'ttng.wait_barrier' waits for the same phase 0 in every iteration
        ttng.wait_barrier %full, %c0 : !barrier
        ttng.arrive_barrier %empty, 1 : !barrier
      }
      ttg.warp_yield
    }
    partition0(%f: !barrier, %e: !barrier, %m: i32) num_warps(1) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      scf.for %j = %k0 to %m step %k1  : i32 {
        %ph = arith.andi %j, %k1 : i32
        %op = arith.xori %ph, %k1 : i32
        ttng.wait_barrier %e, %op : !barrier
        ttng.arrive_barrier %f, 1 : !barrier
      }
      ttg.warp_return
    } : (!barrier, !barrier, i32) -> ()
    tt.return
  }
  tt.func @consumer_and_nothing_handed_back(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %full = ttg.local_alloc : () -> !barrier
    %empty = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %full, 1 : !barrier
    ttng.init_barrier %empty, 1 : !barrier
    ttg.warp_specialize(%full, %empty, %n) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      scf.for %i = %c0 to %n step %c1  : i32 {
        // CHECK: :[[@LINE+1]]:9: warning: 'ttng.wait_barrier' waits for the same phase 0 in every iteration
        ttng.wait_barrier %full, %c0 : !barrier
      }
      ttg.warp_yield
    }
    partition0(%f: !barrier, %e: !barrier, %m: i32) num_warps(1) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      scf.for %j = %k0 to %m step %k1  : i32 {
        ttng.arrive_barrier %f, 1 : !barrier
      }
      ttg.warp_return
    } : (!barrier, !barrier, i32) -> ()
    tt.return
  }
  tt.func @consumer_that_is_one_phase_off(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %full = ttg.local_alloc : () -> !barrier
    %empty = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %full, 1 : !barrier
    ttng.init_barrier %empty, 1 : !barrier
    ttg.warp_specialize(%full, %empty, %n) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      scf.for %i = %c0 to %n step %c1  : i32 {
        %ph = arith.andi %i, %c1 : i32
        %op = arith.xori %ph, %c1 : i32
        // CHECK: :[[@LINE+1]]:9: warning: 'ttng.wait_barrier' waits for phase 1, but the barrier completes phase 0
        ttng.wait_barrier %full, %op : !barrier
        ttng.arrive_barrier %empty, 1 : !barrier
      }
      ttg.warp_yield
    }
    partition0(%f: !barrier, %e: !barrier, %m: i32) num_warps(1) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      scf.for %j = %k0 to %m step %k1  : i32 {
        %ph = arith.andi %j, %k1 : i32
        %op = arith.xori %ph, %k1 : i32
        ttng.wait_barrier %e, %op : !barrier
        ttng.arrive_barrier %f, 1 : !barrier
      }
      ttg.warp_return
    } : (!barrier, !barrier, i32) -> ()
    tt.return
  }
  tt.func @producer_with_a_constant_phase(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %full = ttg.local_alloc : () -> !barrier
    %empty = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %full, 1 : !barrier
    ttng.init_barrier %empty, 1 : !barrier
    ttg.warp_specialize(%full, %empty, %n) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      scf.for %i = %c0 to %n step %c1  : i32 {
        %ph = arith.andi %i, %c1 : i32
        ttng.wait_barrier %full, %ph : !barrier
        ttng.arrive_barrier %empty, 1 : !barrier
      }
      ttg.warp_yield
    }
    partition0(%f: !barrier, %e: !barrier, %m: i32) num_warps(1) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      scf.for %j = %k0 to %m step %k1  : i32 {
        // CHECK: :[[@LINE+1]]:9: warning: 'ttng.wait_barrier' waits for the same phase 1 in every iteration
        ttng.wait_barrier %e, %k1 : !barrier
        ttng.arrive_barrier %f, 1 : !barrier
      }
      ttg.warp_return
    } : (!barrier, !barrier, i32) -> ()
    tt.return
  }
  // CHECK-NOT: warning:
  tt.func @ring_that_flips_when_it_wraps(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %ring = ttg.local_alloc : () -> !ring
    scf.for %k = %c0 to %c3 step %c1 : i32 {
      %s = ttg.memdesc_index %ring[%k] : !ring -> !barrier
      ttng.init_barrier %s, 1 : !barrier
    }
    scf.for %i = %c0 to %n step %c1  : i32 {
      %slot = arith.remsi %i, %c3 : i32
      %s = ttg.memdesc_index %ring[%slot] : !ring -> !barrier
      ttng.arrive_barrier %s, 1 : !barrier
      %q = arith.divsi %i, %c3 : i32
      %ph = arith.andi %q, %c1 : i32
      ttng.wait_barrier %s, %ph : !barrier
    }
    tt.return
  }
  tt.func @branch_with_its_phase(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    scf.for %i = %c0 to %n step %c1  : i32 {
      ttng.arrive_barrier %b, 1 : !barrier
      %ph = arith.andi %i, %c1 : i32
      scf.if %true {
        ttng.wait_barrier %b, %ph : !barrier
      }
    }
    tt.return
  }
  tt.func @inner_loop_goes_on(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    scf.for %o = %c0 to %n step %c1 : i32 {
      scf.for %i = %c0 to %c3 step %c1 : i32 {
        ttng.arrive_barrier %b, 1 : !barrier
        %k = arith.muli %o, %c3 : i32
        %j = arith.addi %k, %i : i32
        %ph = arith.andi %j, %c1 : i32
        ttng.wait_barrier %b, %ph : !barrier
      }
    }
    tt.return
  }
  tt.func @swapped_barriers_flip_every_other_time(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %b = ttg.local_alloc : () -> !barrier
    %d = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    ttng.init_barrier %d, 1 : !barrier
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %b, %y = %d) -> (!barrier, !barrier) : i32 {
      ttng.arrive_barrier %x, 1 : !barrier
      %q = arith.divsi %i, %c2 : i32
      %ph = arith.andi %q, %c1 : i32
      ttng.wait_barrier %x, %ph : !barrier
      scf.yield %y, %x : !barrier, !barrier
    }
    tt.return
  }
  tt.func @only_in_the_first_iteration(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    scf.for %i = %c0 to %n step %c1  : i32 {
      %p = arith.cmpi eq, %i, %c0 : i32
      ttng.arrive_barrier %b, 1, %p : !barrier
      ttng.wait_barrier %b, %c0, %p : !barrier
    }
    tt.return
  }
  tt.func @two_phases_an_iteration(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    scf.for %i = %c0 to %n step %c1  : i32 {
      ttng.arrive_barrier %b, 1 : !barrier
      ttng.wait_barrier %b, %c0 : !barrier
      ttng.arrive_barrier %b, 1 : !barrier
    }
    tt.return
  }
  tt.func @both_phases_an_iteration(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    scf.for %i = %c0 to %n step %c1  : i32 {
      ttng.arrive_barrier %b, 1 : !barrier
      ttng.wait_barrier %b, %c0 : !barrier
      ttng.arrive_barrier %b, 1 : !barrier
      ttng.wait_barrier %b, %c1 : !barrier
    }
    tt.return
  }
  tt.func @waits_first_for_phase_1(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%ph = %c1) -> (i32) : i32 {
      ttng.wait_barrier %b, %ph : !barrier
      ttng.arrive_barrier %b, 1 : !barrier
      %nx = arith.xori %ph, %c1 : i32
      scf.yield %nx : i32
    }
    tt.return
  }
  tt.func @producer_and_consumer(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %full = ttg.local_alloc : () -> !barrier
    %empty = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %full, 1 : !barrier
    ttng.init_barrier %empty, 1 : !barrier
    ttg.warp_specialize(%full, %empty, %n) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      scf.for %i = %c0 to %n step %c1  : i32 {
        %ph = arith.andi %i, %c1 : i32
        ttng.wait_barrier %full, %ph : !barrier
        ttng.arrive_barrier %empty, 1 : !barrier
      }
      ttg.warp_yield
    }
    partition0(%f: !barrier, %e: !barrier, %m: i32) num_warps(1) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      scf.for %j = %k0 to %m step %k1  : i32 {
        %ph = arith.andi %j, %k1 : i32
        %op = arith.xori %ph, %k1 : i32
        ttng.wait_barrier %e, %op : !barrier
        ttng.arrive_barrier %f, 1 : !barrier
      }
      ttg.warp_return
    } : (!barrier, !barrier, i32) -> ()
    tt.return
  }
  tt.func @carried_phases(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %full = ttg.local_alloc : () -> !barrier
    %empty = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %full, 1 : !barrier
    ttng.init_barrier %empty, 1 : !barrier
    ttg.warp_specialize(%full, %empty, %n) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      %ri = scf.for %i = %c0 to %n step %c1 iter_args(%ph = %c0) -> (i32) : i32 {
        ttng.wait_barrier %full, %ph : !barrier
        ttng.arrive_barrier %empty, 1 : !barrier
        %nx = arith.xori %ph, %c1 : i32
        scf.yield %nx : i32
      }
      ttg.warp_yield
    }
    partition0(%f: !barrier, %e: !barrier, %m: i32) num_warps(1) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      %rj = scf.for %j = %k0 to %m step %k1 iter_args(%ph = %k0) -> (i32) : i32 {
        %op = arith.xori %ph, %k1 : i32
        ttng.wait_barrier %e, %op : !barrier
        ttng.arrive_barrier %f, 1 : !barrier
        scf.yield %op : i32
      }
      ttg.warp_return
    } : (!barrier, !barrier, i32) -> ()
    tt.return
  }
  tt.func @unknown_phase(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    scf.for %i = %c0 to %n step %c1  : i32 {
      ttng.arrive_barrier %b, 1 : !barrier
      %ph = tt.load %ptr : !tt.ptr<i32>
      ttng.wait_barrier %b, %ph : !barrier
    }
    tt.return
  }
  tt.func @loop_that_may_not_run(%n: i32, %ptr: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    scf.for %i = %n to %c0 step %c1 : i32 {
      ttng.arrive_barrier %b, 1 : !barrier
    }
    ttng.wait_barrier %b, %c0 : !barrier
    tt.return
  }
}

// -----

// Partitions that wait for each other: the warning is at the wait whose other phase would let all continue.
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #bar, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @both_wait_first(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %full = ttg.local_alloc : () -> !barrier
    %empty = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %full, 1 : !barrier
    ttng.init_barrier %empty, 1 : !barrier
    ttg.warp_specialize(%full, %empty, %n) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %phase = arith.andi %i, %c1 : i32
        // CHECK: :[[@LINE+1]]:9: warning: 'ttng.wait_barrier' waits for phase 0 before anything can arrive at the barrier, and so never ends; a first wait that must not block waits for phase 1 [phase-parity]
        ttng.wait_barrier %empty, %phase : !barrier
        ttng.arrive_barrier %full, 1 : !barrier
      }
      ttg.warp_yield
    }
    partition0(%f: !barrier, %e: !barrier, %m: i32) num_warps(4) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      scf.for %j = %k0 to %m step %k1 : i32 {
        %phase = arith.andi %j, %k1 : i32
        ttng.wait_barrier %f, %phase : !barrier
        ttng.arrive_barrier %e, 1 : !barrier
      }
      ttg.warp_return
    } : (!barrier, !barrier, i32) -> ()
    tt.return
  }
  // CHECK-NOT: warning:
  tt.func @one_begins(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %full = ttg.local_alloc : () -> !barrier
    %empty = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %full, 1 : !barrier
    ttng.init_barrier %empty, 1 : !barrier
    ttg.warp_specialize(%full, %empty, %n) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %bit = arith.andi %i, %c1 : i32
        %phase = arith.xori %bit, %c1 : i32
        ttng.wait_barrier %empty, %phase : !barrier
        ttng.arrive_barrier %full, 1 : !barrier
      }
      ttg.warp_yield
    }
    partition0(%f: !barrier, %e: !barrier, %m: i32) num_warps(4) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      scf.for %j = %k0 to %m step %k1 : i32 {
        %phase = arith.andi %j, %k1 : i32
        ttng.wait_barrier %f, %phase : !barrier
        ttng.arrive_barrier %e, 1 : !barrier
      }
      ttg.warp_return
    } : (!barrier, !barrier, i32) -> ()
    tt.return
  }
}
