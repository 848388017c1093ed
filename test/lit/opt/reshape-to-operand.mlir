// The layout of an operand has copies in registers, as #ttg.linear does: it has 8 elements of K per thread, and the tensor 1.
// RUN: kernelscope opt --release=3.9 %s | FileCheck %s
// RUN: kernelscope check %s | count 0

#mma = #ttg.amd_mfma<{version = 4, warpsPerCTA = [4, 1], instrShape = [16, 16, 32], isTransposed = true}>
#joined = #ttg.linear<{register = [[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 8, 0]], lane = [[0, 0, 1], [0, 1, 0], [0, 2, 0], [0, 4, 0], [0, 0, 0], [0, 0, 0]], warp = [[0, 0, 0], [0, 0, 0]], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  // CHECK-LABEL: @operand
  // CHECK: tt.reshape {{.*}} -> tensor<1x32xi32, #ttg.dot_op<
  // CHECK-NEXT: tt.return
  tt.func @operand(%x: tensor<1x16x2xi32, #joined>) {
    %0 = tt.reshape %x : tensor<1x16x2xi32, #joined> -> tensor<1x32xi32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>>
    tt.return
  }
}
