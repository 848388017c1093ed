// A commit of the tensor core must find its barrier initialised, even if nothing waits for it.
// RUN: not kernelscope run %s --device cpu 2>&1 | FileCheck %s
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  tt.func public @commits(%out: !tt.ptr<i32>) {
    %c1 = arith.constant 1 : i32
    %bar = ttg.local_alloc : () -> !bar
    // CHECK: [[@LINE+1]]:5: error: program (0, 0, 0): the barrier is not initialised
    ttng.tc_gen5_commit %bar : !bar
    tt.store %out, %c1 : !tt.ptr<i32>
    tt.return
  }
}
