// gfx942 has instructions that round f32 to tf32; bad-input-amd.mlir has what other chips say.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=gfx942 | FileCheck %s

#r32 = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 4], isTransposed = true}>
#f32a = #ttg.dot_op<{opIdx = 0, parent = #r32, kWidth = 2}>
#f32b = #ttg.dot_op<{opIdx = 1, parent = #r32, kWidth = 2}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  // CHECK-LABEL: @rounded
  // CHECK: "llvm.amdgcn.mfma.f32.32x32x4.xf32"{{.*}}(vector<2xf32>, vector<2xf32>, vector<16xf32>,
  // CHECK-NOT: mfma
  tt.func public @rounded(%a: tensor<64x4xf32, #f32a>, %b: tensor<4x64xf32, #f32b>, %c: tensor<64x64xf32, #r32>) {
    %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<64x4xf32, #f32a> * tensor<4x64xf32, #f32b> -> tensor<64x64xf32, #r32>
    tt.return
  }
}
