// A kernel that hangs fails with 1, also while its buffers are sized: the spec is not what is wrong.
// RUN: sh -c 'kernelscope run %s --device cpu; test $? = 1' 2>&1 | FileCheck %s

// CHECK: deadlock.mlir:[[# @LINE + 11]]:5: error: program (0, 0, 0): deadlock: it waits for phase 0 of the barrier, which still needs 1 of 2 arrivals
// CHECK-NOT: error
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @hangs(%p: !tt.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.init_barrier %b, 2 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.arrive_barrier %b, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>

    ttng.wait_barrier %b, %c0 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    %x = tt.load %p : !tt.ptr<f32>
    tt.store %p, %x : !tt.ptr<f32>
    tt.return
  }
}
