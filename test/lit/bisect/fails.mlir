// RUN: not kernelscope bisect %s --kernel=wait 2>&1 | FileCheck %s

// The wait for the second phase hangs. Between the last good section and the bad one is one that cannot be run, so either
// pass may have done it.

// CHECK: wait: fails after one of Fuse, Rephase
// CHECK: IR Dump Before Fuse: results of the first section
// CHECK: IR Dump After Rephase: program (0, 0, 0): deadlock: it waits for phase 1 of the barrier
// CHECK: -    %c0_i32 = arith.constant 0 : i32
// CHECK: +    %c1_i32 = arith.constant 1 : i32
// CHECK: IR Dump Before Rephase: not run: it cannot be parsed: unknown dialect 'test'

// -----// IR Dump Before Fuse (fuse) ('builtin.module' operation) //----- //
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @wait(%out: !tt.ptr<i32>) {
    %false = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
    ttng.init_barrier %b, 1 : !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
    ttng.arrive_barrier %b, 1 : !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
    ttng.wait_barrier %b, %false : !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
    tt.store %out, %false : !tt.ptr<i32>
    tt.return
  }
}

// -----// IR Dump Before Rephase (rephase) ('builtin.module' operation) //----- //
module {
  tt.func public @wait(%out: !tt.ptr<i32>) {
    "test.what"() : () -> ()
    tt.return
  }
}

// -----// IR Dump After Rephase (rephase) ('builtin.module' operation) //----- //
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @wait(%out: !tt.ptr<i32>) {
    %true = arith.constant 1 : i32
    %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
    ttng.init_barrier %b, 1 : !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
    ttng.arrive_barrier %b, 1 : !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
    ttng.wait_barrier %b, %true : !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
    tt.store %out, %true : !tt.ptr<i32>
    tt.return
  }
}
