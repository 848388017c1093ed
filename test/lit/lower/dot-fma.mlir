// A product without a matrix instruction is fused multiply-adds in the type of the sum; 8-bit floats are widened first.
// RUN: kernelscope opt --ttgir-to-llvm=arch=sm_90a %s | FileCheck %s --check-prefixes=CHECK,NV
// RUN: kernelscope opt --ttgir-to-llvm=arch=gfx1201 %s | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @fp8
  // NV-COUNT-8: cvt.rn.f16x2.e5m2x2
  // CHECK-COUNT-8: llvm.intr.fma
  // CHECK-NOT: llvm.intr.fma
  // CHECK: llvm.return
  tt.func @fp8(%a: tensor<16x8xf8E5M2, #a>, %b: tensor<8x8xf8E5M2, #b>, %c: tensor<16x8xf32, #blocked>) -> tensor<16x8xf32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<16x8xf8E5M2, #a> * tensor<8x8xf8E5M2, #b> -> tensor<16x8xf32, #blocked>
    tt.return %d : tensor<16x8xf32, #blocked>
  }

  // CHECK-LABEL: @i8
  // CHECK: llvm.sext %{{.*}} : i8 to i32
  // CHECK: llvm.mul
  // CHECK: llvm.return
  tt.func @i8(%a: tensor<16x8xi8, #a>, %b: tensor<8x8xi8, #b>, %c: tensor<16x8xi32, #blocked>) -> tensor<16x8xi32, #blocked> {
    %d = tt.dot %a, %b, %c : tensor<16x8xi8, #a> * tensor<8x8xi8, #b> -> tensor<16x8xi32, #blocked>
    tt.return %d : tensor<16x8xi32, #blocked>
  }
}
