// Loops and branches carry tensors as structs of this thread's elements.
// RUN: kernelscope opt --ttgir-to-llvm=arch=gfx950 %s | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  // CHECK-LABEL: @loop
  tt.func public @loop(%n: i32, %x: f32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %start = tt.splat %x : f32 -> tensor<512xf32, #blocked>
    // CHECK: llvm.br ^[[HEAD:.*]](%{{.*}}, %{{.*}} : i32, !llvm.struct<(f32, f32)>)
    // CHECK: ^[[HEAD]](%{{.*}}: i32, %{{.*}}: !llvm.struct<(f32, f32)>):
    // CHECK: llvm.cond_br
    // CHECK: llvm.fadd
    // CHECK: llvm.fadd
    // CHECK: llvm.br ^[[HEAD]]
    %end = scf.for %i = %zero to %n step %one iter_args(%sum = %start) -> tensor<512xf32, #blocked> : i32 {
      %more = arith.addf %sum, %start : tensor<512xf32, #blocked>
      scf.yield %more : tensor<512xf32, #blocked>
    }
    tt.return
  }

  // An assertion that fails on a thread stops the kernel.
  // CHECK-LABEL: @assertion
  tt.func public @assertion(%holds: i1) {
    // CHECK: llvm.cond_br %{{.*}}, ^[[STOP:.*]], ^[[AFTER:.*]]
    // CHECK: ^[[STOP]]:
    // CHECK: @__ockl_fprintf_stderr_begin
    // CHECK: "llvm.trap"
    // CHECK: ^[[AFTER]]:
    tt.assert %holds, "must hold" : i1
    tt.return
  }
}
