// A move by DPP becomes part of the instruction that takes the value.
// RUN: kernelscope preview %s --emit amdgcn | FileCheck %s
#lanes = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  // CHECK: v_add_f32_dpp {{.*}} quad_perm:[1,0,3,2]
  // CHECK: v_add_f32_dpp {{.*}} quad_perm:[2,3,0,1]
  // CHECK: v_add_f32_dpp {{.*}} row_ror:8
  tt.func public @sum(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
    %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #lanes>
    %p = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #lanes>
    %ps = tt.addptr %p, %i : tensor<64x!tt.ptr<f32>, #lanes>, tensor<64xi32, #lanes>
    %v = tt.load %ps : tensor<64x!tt.ptr<f32>, #lanes>
    %m = "tt.reduce"(%v) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.addf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<64xf32, #lanes>) -> f32
    tt.store %y, %m : !tt.ptr<f32>
    tt.return
  }
}
