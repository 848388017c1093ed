// Before sm_90 a wait looks again and again, and an arrival that may end the phase is a single one.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_80 | FileCheck %s

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @phases
  tt.func public @phases(%phase: i32) {
    %b = ttg.local_alloc : () -> !barrier
    // CHECK: mbarrier.init.shared::cta.b64 [$0], 4;
    ttng.init_barrier %b, 4 : !barrier
    // CHECK: "{\0A.reg .b64 state;\0A@$1 mbarrier.arrive.shared::cta.b64 state, [$0];\0A}"
    ttng.arrive_barrier %b, 1 : !barrier
    // CHECK: @$1 mbarrier.arrive.noComplete.shared::cta.b64 state, [$0], 2;\0A@$1 mbarrier.arrive.shared::cta.b64 state, [$0];
    ttng.arrive_barrier %b, 3 : !barrier
    // CHECK: again: mbarrier.test_wait.parity.shared::cta.b64 complete, [$0], $1;
    ttng.wait_barrier %b, %phase : !barrier
    tt.return
  }
}
