// A wait for the phase before the first is over at once, unless the first has ended by then. So what ends the first must
// come after the wait: here it may come before, as it does in some schedules.
// RUN: not kernelscope run %s --device cpu --sanitize=none --schedule seed:1 2>&1 | FileCheck %s --check-prefix=HANGS
// RUN: kernelscope run %s --device cpu --sanitize=none
// RUN: not kernelscope run %s --device cpu 2>&1 | FileCheck %s
// HANGS: deadlock
// CHECK: first-phase.mlir:[[# @LINE + 15]]:7: error: program (0, 0, 0) completes a phase of a barrier, but a wait may not have seen
// CHECK: first-phase.mlir:[[# @LINE + 20]]:7: note: the wait, which may miss its phase
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k() {
    %0 = arith.constant 0 : i32
    %go = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %go, 1 : !barrier
    %empty = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %empty, 1 : !barrier
    ttg.warp_specialize(%go, %empty)
    default {
      ttng.wait_barrier %go, %0 : !barrier
      ttng.arrive_barrier %empty, 1 : !barrier
      ttg.warp_yield
    }
    partition0(%there: !barrier, %mine: !barrier) num_warps(4) {
      %1 = arith.constant 1 : i32
      ttng.arrive_barrier %there, 1 : !barrier
      ttng.wait_barrier %mine, %1 : !barrier
      ttg.warp_return
    } : (!barrier, !barrier) -> ()
    tt.return
  }
}
