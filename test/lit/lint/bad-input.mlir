// Programs with which a rule knows nothing to do: nothing is said of the barriers, and nothing is slow.
// RUN: not kernelscope check %s | FileCheck %s --implicit-check-not=warning: --implicit-check-not=stopped
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #bar, #smem, mutable>
!ring = !ttg.memdesc<2x1xi64, #bar, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @loop_without_bounds(%p: !tt.ptr<i1>) {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    scf.while : () -> () {
      %more = tt.load %p : !tt.ptr<i1>
      scf.condition(%more)
    } do {
      ttng.wait_barrier %b, %c0 : !barrier
      scf.yield
    }
    tt.return
  }
  tt.func @loop_that_never_ends() {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    scf.while : () -> () {
      scf.condition(%true)
    } do {
      %free = arith.constant 1 : i32
      ttng.arrive_barrier %b, 1 : !barrier
      ttng.inval_barrier %b : !barrier
      ttng.init_barrier %b, 1 : !barrier
      scf.yield
    }
    tt.return
  }
  tt.func @loop_without_a_step(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    scf.for %i = %c0 to %n step %c0 : i32 {
      %odd = arith.andi %i, %c1 : i32
      ttng.arrive_barrier %b, 1 : !barrier
      ttng.wait_barrier %b, %odd : !barrier
    }
    tt.return
  }
  tt.func @billions_of_iterations() {
    %c0 = arith.constant 0 : i64
    %k1 = arith.constant 1 : i32
    %c1 = arith.constant 1 : i64
    %most = arith.constant 9223372036854775807 : i64
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    scf.for %i = %c0 to %most step %c1 : i64 {
      scf.for %j = %c0 to %most step %c1 : i64 {
        ttng.arrive_barrier %b, 1 : !barrier
        %bit = arith.trunci %j : i64 to i32
        %odd = arith.andi %bit, %k1 : i32
        ttng.wait_barrier %b, %odd : !barrier
      }
    }
    tt.return
  }
  tt.func @predicate_from_nowhere(%n: i32) {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 2 : !barrier
    ttng.arrive_barrier %b, 1 : !barrier
    // CHECK: :[[@LINE+1]]:{{.*}}error: nothing defines '%never' [undeclared-value]
    ttng.wait_barrier %b, %c0, %never : !barrier
    tt.return
  }
  tt.func @step_of_zero(%n: i32) {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    scf.for %i = %c0 to %n step %c0 : i32 {
      ttng.arrive_barrier %b, 1 : !barrier
    }
    tt.return
  }
  tt.func @from_nowhere(%b: !barrier, %ph: i32, %ring: !ring, %i: i32) {
    %s = ttg.memdesc_index %ring[%i] : !ring -> !barrier
    ttng.wait_barrier %s, %ph : !barrier
    ttng.arrive_barrier %b, 1 : !barrier
    ttng.wait_barrier %b, %ph : !barrier
    tt.return
  }
  tt.func @place_behind_the_ring(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c7 = arith.constant 7 : i32
    %ring = ttg.local_alloc : () -> !ring
    %s = ttg.memdesc_index %ring[%n] : !ring -> !barrier
    ttng.init_barrier %s, 1 : !barrier
    %div = arith.divsi %n, %c0 : i32
    %t = ttg.memdesc_index %ring[%div] : !ring -> !barrier
    ttng.wait_barrier %t, %c0 : !barrier
    tt.return
  }
  tt.func @barriers_of_shape_zero() {
    %c0 = arith.constant 0 : i32
    // CHECK: :[[@LINE+1]]:{{.*}}error: shape is [0]; every size must be positive
    %b = ttg.local_alloc : () -> !ttg.memdesc<0xi64, #bar, #smem, mutable>
    ttng.init_barrier %b, 1 : !ttg.memdesc<0xi64, #bar, #smem, mutable>
    ttng.wait_barrier %b, %c0 : !ttg.memdesc<0xi64, #bar, #smem, mutable>
    tt.return
  }
  tt.func @broken_region(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      ttng.arrive_barrier %b, 1 : !barrier
      // CHECK: :[[@LINE+1]]:{{.*}}error:
      ttng.wait_barrier %b, : !barrier
    }
    tt.return
  }
  tt.func @blocks(%n: i32, %p: i1) {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    cf.cond_br %p, ^one, ^two
  ^one:
    ttng.wait_barrier %b, %c0 : !barrier
    cf.br ^two
  ^two:
    tt.return
  }
  tt.func @more_barriers_than_fit() {
    %c0 = arith.constant 0 : i32
    %ring = ttg.local_alloc : () -> !ttg.memdesc<1073741824x1xi64, #bar, #smem, mutable>
    %b = ttg.memdesc_index %ring[%c0] : !ttg.memdesc<1073741824x1xi64, #bar, #smem, mutable> -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    ttng.wait_barrier %b, %c0 : !barrier
    tt.return
  }
  // Each function calls the next one twice: 65,536 arrivals.
  tt.func @calls_that_double() {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 2 : !barrier
    tt.call @twice0(%b) : (!barrier) -> ()
    ttng.wait_barrier %b, %c0 : !barrier
    tt.return
  }
  tt.func private @twice0(%b: !barrier) {
    tt.call @twice1(%b) : (!barrier) -> ()
    tt.call @twice1(%b) : (!barrier) -> ()
    tt.return
  }
  tt.func private @twice1(%b: !barrier) {
    tt.call @twice2(%b) : (!barrier) -> ()
    tt.call @twice2(%b) : (!barrier) -> ()
    tt.return
  }
  tt.func private @twice2(%b: !barrier) {
    tt.call @twice3(%b) : (!barrier) -> ()
    tt.call @twice3(%b) : (!barrier) -> ()
    tt.return
  }
  tt.func private @twice3(%b: !barrier) {
    tt.call @twice4(%b) : (!barrier) -> ()
    tt.call @twice4(%b) : (!barrier) -> ()
    tt.return
  }
  tt.func private @twice4(%b: !barrier) {
    tt.call @twice5(%b) : (!barrier) -> ()
    tt.call @twice5(%b) : (!barrier) -> ()
    tt.return
  }
  tt.func private @twice5(%b: !barrier) {
    tt.call @twice6(%b) : (!barrier) -> ()
    tt.call @twice6(%b) : (!barrier) -> ()
    tt.return
  }
  tt.func private @twice6(%b: !barrier) {
    tt.call @twice7(%b) : (!barrier) -> ()
    tt.call @twice7(%b) : (!barrier) -> ()
    tt.return
  }
  tt.func private @twice7(%b: !barrier) {
    tt.call @twice8(%b) : (!barrier) -> ()
    tt.call @twice8(%b) : (!barrier) -> ()
    tt.return
  }
  tt.func private @twice8(%b: !barrier) {
    tt.call @twice9(%b) : (!barrier) -> ()
    tt.call @twice9(%b) : (!barrier) -> ()
    tt.return
  }
  tt.func private @twice9(%b: !barrier) {
    tt.call @twice10(%b) : (!barrier) -> ()
    tt.call @twice10(%b) : (!barrier) -> ()
    tt.return
  }
  tt.func private @twice10(%b: !barrier) {
    tt.call @twice11(%b) : (!barrier) -> ()
    tt.call @twice11(%b) : (!barrier) -> ()
    tt.return
  }
  tt.func private @twice11(%b: !barrier) {
    tt.call @twice12(%b) : (!barrier) -> ()
    tt.call @twice12(%b) : (!barrier) -> ()
    tt.return
  }
  tt.func private @twice12(%b: !barrier) {
    tt.call @twice13(%b) : (!barrier) -> ()
    tt.call @twice13(%b) : (!barrier) -> ()
    tt.return
  }
  tt.func private @twice13(%b: !barrier) {
    tt.call @twice14(%b) : (!barrier) -> ()
    tt.call @twice14(%b) : (!barrier) -> ()
    tt.return
  }
  tt.func private @twice14(%b: !barrier) {
    tt.call @twice15(%b) : (!barrier) -> ()
    tt.call @twice15(%b) : (!barrier) -> ()
    tt.return
  }
  tt.func private @twice15(%b: !barrier) {
    tt.call @arrives(%b) : (!barrier) -> ()
    tt.call @arrives(%b) : (!barrier) -> ()
    tt.return
  }
  tt.func private @arrives(%b: !barrier) {
    ttng.arrive_barrier %b, 1 : !barrier
    tt.return
  }
  // Two functions that call each other.
  tt.func private @one(%b: !barrier) {
    ttng.init_barrier %b, 1 : !barrier
    tt.call @other(%b) : (!barrier) -> ()
    tt.return
  }
  tt.func private @other(%b: !barrier) {
    tt.call @one(%b) : (!barrier) -> ()
    tt.return
  }
}
