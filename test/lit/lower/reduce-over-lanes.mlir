// Where combining is long, the partial results of warps are spread over lanes and combined as those are: three steps for eight
// warps, not seven.
// RUN: kernelscope opt --ttgir-to-llvm %s | FileCheck %s
// RUN: kernelscope run %s --device sim --compare | FileCheck %s --check-prefix=SIM
// RUN: sed 's/hip:gfx942/cuda:90/; s/Warp = .64/Warp = [32/; s/warp" = 64/warp" = 32/' %s > %t.ttgir
// RUN: kernelscope run %t.ttgir --device sim --compare | FileCheck %s --check-prefix=SIM
// RUN: sed 's/hip:gfx942/hip:gfx1100/; s/Warp = .64/Warp = [32/; s/warp" = 64/warp" = 32/' %s > %t.ttgir
// RUN: kernelscope run %t.ttgir --device sim --compare | FileCheck %s --check-prefix=SIM
// Six steps in a wave, three over the warps.
// CHECK-COUNT-6: llvm.fdiv
// CHECK: "llvm.amdgcn.s.barrier"
// CHECK-COUNT-3: llvm.fdiv
// CHECK-NOT: llvm.fdiv
// SIM: differs from the CPU executor by at most
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [8], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @variance(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
    %at = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #b>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #b>
    %from = tt.addptr %ps, %at : tensor<512x!tt.ptr<f32>, #b>, tensor<512xi32, #b>
    %x = tt.load %from : tensor<512x!tt.ptr<f32>, #b>
    %square = arith.constant dense<0.0> : tensor<512xf32, #b>
    %one = arith.constant dense<1.0> : tensor<512xf32, #b>
    %all:3 = "tt.reduce"(%x, %square, %one) <{axis = 0 : i32}> ({
    ^bb0(%m1: f32, %s1: f32, %n1: f32, %m2: f32, %s2: f32, %n2: f32):
      %d = arith.subf %m2, %m1 : f32
      %n = arith.addf %n1, %n2 : f32
      %w = arith.divf %n2, %n : f32
      %dw = arith.mulf %d, %w : f32
      %m = arith.addf %m1, %dw : f32
      %ss = arith.addf %s1, %s2 : f32
      %dd = arith.mulf %d, %dw : f32
      %ddn = arith.mulf %dd, %n1 : f32
      %s = arith.addf %ss, %ddn : f32
      tt.reduce.return %m, %s, %n : f32, f32, f32
    }) : (tensor<512xf32, #b>, tensor<512xf32, #b>, tensor<512xf32, #b>) -> (f32, f32, f32)
    tt.store %q, %all#1 : !tt.ptr<f32>
    tt.return
  }
}
