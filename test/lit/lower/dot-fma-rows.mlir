// Lanes that hold copies along K have all factors of their elements: no MFMA, of which most would be zeros.
// RUN: kernelscope opt --ttgir-to-llvm %s | FileCheck %s

#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [64, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#ra = #ttg.dot_op<{opIdx = 0, parent = #rows}>
#rb = #ttg.dot_op<{opIdx = 1, parent = #rows}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  // CHECK-LABEL: @rows
  // CHECK-NOT: mfma
  // CHECK-COUNT-1024: llvm.intr.fma
  // CHECK: llvm.return
  tt.func @rows(%a: tensor<32x32xf32, #ra>, %b: tensor<32x32xf32, #rb>, %c: tensor<32x32xf32, #rows>) -> tensor<32x32xf32, #rows> {
    %d = tt.dot %a, %b, %c, inputPrecision = ieee : tensor<32x32xf32, #ra> * tensor<32x32xf32, #rb> -> tensor<32x32xf32, #rows>
    tt.return %d : tensor<32x32xf32, #rows>
  }
}
