// What is known of a loop's first iteration is no reason to have its barriers twice.
// RUN: kernelscope preview %s --emit ptx | FileCheck %s
// RUN: sed 's/cuda:90/hip:gfx942/; s/per-warp" = 32/per-warp" = 64/' %s > %t.mlir
// RUN: kernelscope preview %t.mlir | FileCheck %s --check-prefix=AMD

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: .entry loop
  // CHECK: bar.sync
  // CHECK-NOT: bar.sync
  // CHECK: ret
  // AMD-LABEL: loop:
  // AMD: s_barrier
  // AMD-NOT: s_barrier
  // AMD: s_endpgm
  tt.func public @loop(%p: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %yes = arith.constant true
    %no = arith.constant false
    scf.for %i = %c0 to %n step %c1 iter_args(%first = %yes) -> (i1) : i32 {
      %before = tt.load %p {isVolatile = true} : !tt.ptr<i32>
      %v = arith.select %first, %i, %before : i32
      ttg.barrier local
      tt.store %p, %v : !tt.ptr<i32>
      scf.yield %no : i1
    }
    tt.return
  }
}
