// What the chip that the module names cannot do is an error of the op or the module, before anything is compiled.
// RUN: kernelscope opt %s --split-input-file --verify-diagnostics

#wmma = #ttg.amd_wmma<{version = 1, isTranspose = true, warpsPerCTA = [2, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #wmma, kWidth = 16}>
#b = #ttg.dot_op<{opIdx = 1, parent = #wmma, kWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @types(%a: tensor<32x16xf8E4M3FN, #a>, %b: tensor<16x32xf8E4M3FN, #b>, %c: tensor<32x32xf32, #wmma>) {
    // expected-error @below {{of 'f8E4M3FN' by 'f8E4M3FN' into 'f32' has no matrix instruction on gfx1100, which has them for f16, bf16 into f32; f16 into f16; i8 into i32}}
    %d = tt.dot %a, %b, %c : tensor<32x16xf8E4M3FN, #a> * tensor<16x32xf8E4M3FN, #b> -> tensor<32x32xf32, #wmma>
    tt.return
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:89", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sums(%a: tensor<32x32xf8E5M2, #a>, %b: tensor<32x16xf8E4M3FN, #b>, %c: tensor<32x16xbf16, #mma>) {
    // expected-error @below {{of 'f8E5M2' by 'f8E4M3FN' into 'bf16' has no matrix instruction on sm_89, which has them for e5m2 by e4m3 into f32; e5m2 by e4m3 into f16}}
    %d = tt.dot %a, %b, %c : tensor<32x32xf8E5M2, #a> * tensor<32x16xf8E4M3FN, #b> -> tensor<32x16xbf16, #mma>
    tt.return
  }
}

// -----

#wmma = #ttg.amd_wmma<{version = 2, isTranspose = true, warpsPerCTA = [2, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #wmma, kWidth = 8}>
#b = #ttg.dot_op<{opIdx = 1, parent = #wmma, kWidth = 8}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @other_chips(%a: tensor<32x16xf16, #a>, %b: tensor<16x32xf16, #b>, %c: tensor<32x32xf32, #wmma>) {
    // expected-error @below {{has the layout #ttg.amd_wmma<{version = 2,}}
    %d = tt.dot %a, %b, %c : tensor<32x16xf16, #a> * tensor<16x32xf16, #b> -> tensor<32x32xf32, #wmma>
    tt.return
  }
}

// -----

#mma = #ttg.amd_mfma<{version = 4, warpsPerCTA = [4, 1], instrShape = [16, 16, 8], isTransposed = true}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @xf32(%a: tensor<64x32xf32, #a>, %b: tensor<32x16xf32, #b>, %c: tensor<64x16xf32, #mma>) {
    // expected-error @below {{multiplies 'f32' as tf32 in 16x16x8, which gfx950 has no instruction for; it has these for 'f32': 32x32x2, 16x16x4}}
    %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<64x32xf32, #a> * tensor<32x16xf32, #b> -> tensor<64x16xf32, #mma>
    tt.return
  }
}

// -----

// On the FMA units a product of any types is possible.
#l = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #l}>
#b = #ttg.dot_op<{opIdx = 1, parent = #l}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @fma(%a: tensor<32x16xf8E4M3FN, #a>, %b: tensor<16x32xf8E4M3FN, #b>, %c: tensor<32x32xf32, #l>) {
    %d = tt.dot %a, %b, %c : tensor<32x16xf8E4M3FN, #a> * tensor<16x32xf8E4M3FN, #b> -> tensor<32x32xf32, #l>
    tt.return
  }
}

// -----

#mma = #ttg.amd_mfma<{version = 3, warpsPerCTA = [4, 1], instrShape = [16, 16, 128], isTransposed = true}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @scaled(%a: tensor<64x128xf8E4M3FN, #a>, %b: tensor<128x16xf8E4M3FN, #b>, %c: tensor<64x16xf32, #mma>) {
    // expected-error @below {{'tt.dot_scaled' has no instruction on gfx942; it has one on}}
    %d = tt.dot_scaled %a, %b, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<64x128xf8E4M3FN, #a> * tensor<128x16xf8E4M3FN, #b> -> tensor<64x16xf32, #mma>
    tt.return
  }
}

// -----

#mma = #ttg.amd_mfma<{version = 4, warpsPerCTA = [1, 1], instrShape = [16, 16, 128], isTransposed = true}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>
#scales = #ttg.linear<{register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 1], [0, 2]], warp = [], block = []}>
#scales16 = #ttg.linear<{register = [[0, 4]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 1], [0, 2]], warp = [], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @scaled_types(%a: tensor<16x128xbf16, #a>, %b: tensor<128x16xf8E4M3FN, #b>, %s: tensor<16x4xi8, #scales>, %c: tensor<16x16xf32, #mma>) {
    // expected-error @below {{multiplies bf16 by e4m3, for which gfx950 has no instruction with scales; it has them for e4m3, e5m2, e2m3, e3m2, e2m1}}
    %d = tt.dot_scaled %a, %b scale %s, %c lhs = bf16 rhs = e4m3 {fastMath = false} : tensor<16x128xbf16, #a> * tensor<128x16xf8E4M3FN, #b>, tensor<16x4xi8, #scales> -> tensor<16x16xf32, #mma>
    tt.return
  }
  tt.func public @scales_of_16(%a: tensor<16x128xf8E4M3FN, #a>, %b: tensor<128x16xf8E4M3FN, #b>, %s: tensor<16x8xi8, #scales16>, %c: tensor<16x16xf32, #mma>) {
    // expected-error @below {{has one scale for every 16 elements along K, but the instructions of gfx950 take one for every 32}}
    %d = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<16x128xf8E4M3FN, #a>, tensor<16x8xi8, #scales16> * tensor<128x16xf8E4M3FN, #b> -> tensor<16x16xf32, #mma>
    tt.return
  }
  tt.func public @scales_of_floats(%a: tensor<16x128xf8E4M3FN, #a>, %b: tensor<128x16xf8E4M3FN, #b>, %s: tensor<16x4xf8E4M3FN, #scales>, %c: tensor<16x16xf32, #mma>) {
    // expected-error @below {{has scales of 'f8E4M3FN', but the instructions of gfx950 take exponents in i8}}
    %d = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<16x128xf8E4M3FN, #a>, tensor<16x4xf8E4M3FN, #scales> * tensor<128x16xf8E4M3FN, #b> -> tensor<16x16xf32, #mma>
    tt.return
  }
}

// -----

#wmma = #ttg.amd_wmma<{version = 2, isTranspose = true, warpsPerCTA = [2, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #wmma, kWidth = 8}>
#b = #ttg.dot_op<{opIdx = 1, parent = #wmma, kWidth = 8}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scaled_on_other_chips(%a: tensor<32x128xf8E4M3FN, #a>, %b: tensor<128x32xf8E4M3FN, #b>, %c: tensor<32x32xf32, #wmma>) {
    // expected-error @below {{which is for instructions of gfx1200 and gfx1201; the target is gfx1250}}
    %d = tt.dot_scaled %a, %b, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<32x128xf8E4M3FN, #a> * tensor<128x32xf8E4M3FN, #b> -> tensor<32x32xf32, #wmma>
    tt.return
  }
}

// -----

// expected-error @below {{the layouts for 'ttg.threads-per-warp' = 32 cannot run on gfx942, whose warps have 64 lanes}}
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 32 : i32} {
}

// -----

// expected-error @below {{'ttg.num-warps' = 32 makes a block of 2048 threads; on gfx950 it has at most 1024}}
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 32 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
}

// -----

// expected-error @below {{'ttg.num-ctas' = 2 cannot run on gfx950, which has no clusters}}
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
}

// -----

// Settings of the chip may follow its name.
// expected-error @below {{'ttg.num-ctas' = 2 cannot run on gfx90a, which has no clusters}}
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx90a:sramecc+:xnack-", "ttg.threads-per-warp" = 64 : i32} {
}

// -----

// Of a chip that Kernelscope does not know these rules say nothing.
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx906", "ttg.threads-per-warp" = 32 : i32} {
}
