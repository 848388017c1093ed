// Microscaled products by mma.sync with block scales: a scale for each row of A and each column of B.
// RUN: kernelscope opt %s --split-input-file --ttgir-to-llvm=arch=sm_120a --verify-diagnostics | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
#scaleA = #ttg.linear<{register = [[0, 1]], lane = [[8, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [], block = []}>
#scaleB = #ttg.linear<{register = [[0, 1]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [], block = []}>
#four = #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[8, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [], block = []}>
#fourB = #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // 64 products in two steps, each with a scale.
  // CHECK-LABEL: @mxfp8
  tt.func public @mxfp8(%a: tensor<16x64xf8E4M3FN, #a>, %s: tensor<16x2xi8, #scaleA>, %b: tensor<64x8xf8E5M2, #b>, %t: tensor<8x2xi8, #scaleB>, %c: tensor<16x8xf32, #mma>) -> tensor<16x8xf32, #mma> {
    // CHECK-COUNT-2: "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e5m2.f32.ue8m0 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13}, $14, {0, 0}, $15, {0, 0};"
    // CHECK-NOT: mma.sync
    %d = tt.dot_scaled %a scale %s, %b scale %t, %c lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<16x64xf8E4M3FN, #a>, tensor<16x2xi8, #scaleA> * tensor<64x8xf8E5M2, #b>, tensor<8x2xi8, #scaleB> -> tensor<16x8xf32, #mma>
    tt.return %d : tensor<16x8xf32, #mma>
  }

  // Two scales of 32 elements each, or four of 16.
  // CHECK-LABEL: @fp4
  tt.func public @fp4(%a: tensor<16x32xi8, #a>, %s: tensor<16x2xi8, #scaleA>, %b: tensor<32x8xi8, #b>, %t: tensor<8x2xi8, #scaleB>, %u: tensor<16x4xf8E4M3FN, #four>, %v: tensor<8x4xf8E4M3FN, #fourB>, %c: tensor<16x8xf32, #mma>) -> tensor<16x8xf32, #mma> {
    // CHECK: mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0
    %d = tt.dot_scaled %a scale %s, %b scale %t, %c lhs = e2m1 rhs = e2m1 {fastMath = false} : tensor<16x32xi8, #a>, tensor<16x2xi8, #scaleA> * tensor<32x8xi8, #b>, tensor<8x2xi8, #scaleB> -> tensor<16x8xf32, #mma>
    // CHECK: mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3
    %e = tt.dot_scaled %a scale %u, %b scale %v, %d lhs = e2m1 rhs = e2m1 {fastMath = false} : tensor<16x32xi8, #a>, tensor<16x4xf8E4M3FN, #four> * tensor<32x8xi8, #b>, tensor<8x4xf8E4M3FN, #fourB> -> tensor<16x8xf32, #mma>
    tt.return %e : tensor<16x8xf32, #mma>
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @mixed(%a: tensor<16x32xf8E4M3FN, #a>, %b: tensor<16x8xi8, #b>, %c: tensor<16x8xf32, #mma>) -> tensor<16x8xf32, #mma> {
    // expected-error @below {{multiplies e4m3 by e2m1, which is not lowered yet; both must be of 8 bits with e8m0 scales, or both e2m1 packed along K}}
    %d = tt.dot_scaled %a, %b, %c lhs = e4m3 rhs = e2m1 {fastMath = false} : tensor<16x32xf8E4M3FN, #a> * tensor<16x8xi8, #b> -> tensor<16x8xf32, #mma>
    tt.return %d : tensor<16x8xf32, #mma>
  }
}
