// Products that no instruction of the chip computes in their layouts.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_80 --split-input-file --verify-diagnostics

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @newer_chips(%a: tensor<32x32xf8E5M2, #a>, %b: tensor<32x16xf8E5M2, #b>, %c: tensor<32x16xf32, #mma>) {
    // expected-error @below {{of 'f8E5M2' by 'f8E5M2' into 'f32' has no matrix instruction on sm_80, which has them for f16, bf16, tf32 into f32; f16 into f16; i8 into i32; f64 into f64}}
    %d = tt.dot %a, %b, %c : tensor<32x32xf8E5M2, #a> * tensor<32x16xf8E5M2, #b> -> tensor<32x16xf32, #mma>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#b = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @too_narrow(%a: tensor<16x8xf32, #a>, %b: tensor<8x8xf32, #b>, %c: tensor<16x8xf16, #blocked>) {
    // expected-error @below {{multiplies 'f32' by 'f32' into 'f16', for which sm_80 has no instruction: convert the operands to the type of the result first, or the result afterwards}}
    %d = tt.dot %a, %b, %c : tensor<16x8xf32, #a> * tensor<8x8xf32, #b> -> tensor<16x8xf16, #blocked>
    tt.return
  }
}
