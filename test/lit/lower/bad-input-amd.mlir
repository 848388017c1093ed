// What a chip of AMD's cannot do is an error on the op that names the chip, what was found, and what it takes.
// RUN: kernelscope opt %s --ttgir-to-llvm --split-input-file --verify-diagnostics

#wmma = #ttg.amd_wmma<{version = 1, isTranspose = true, warpsPerCTA = [2, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #wmma, kWidth = 16}>
#b = #ttg.dot_op<{opIdx = 1, parent = #wmma, kWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @fp8(%a: tensor<32x16xf8E4M3FN, #a>, %b: tensor<16x32xf8E4M3FN, #b>, %c: tensor<32x32xf32, #wmma>) {
    // expected-error @below {{'tt.dot' op of 'f8E4M3FN' by 'f8E4M3FN' into 'f32' has no matrix instruction on gfx1100, which has them for f16, bf16 into f32; f16 into f16; i8 into i32}}
    %d = tt.dot %a, %b, %c : tensor<32x16xf8E4M3FN, #a> * tensor<16x32xf8E4M3FN, #b> -> tensor<32x32xf32, #wmma>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @width(%p: tensor<2048x!tt.ptr<f16>, #blocked>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<2048xf16, #shared, #smem, mutable>
    // expected-error @below {{op has layouts that gfx942 cannot copy between directly: each lane must copy 32 adjacent bits, and write right after the lane before it; these give it 128 at once}}
    %t = ttg.async_copy_global_to_local %p, %m {contiguity = 8 : i32} : tensor<2048x!tt.ptr<f16>, #blocked> -> <2048xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @no_copies(%p: tensor<256x!tt.ptr<f16>, #blocked>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<256xf16, #shared, #smem, mutable>
    // expected-error @below {{op needs loads to LDS, which gfx942, gfx950 and gfx1250 have; the module's target is hip:gfx1100}}
    %t = ttg.async_copy_global_to_local %p, %m {contiguity = 2 : i32} : tensor<256x!tt.ptr<f16>, #blocked> -> <256xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @memory(%x: i32) {
    // expected-error @below {{the kernel needs 131072 bytes of shared memory, but a block on gfx942 has at most 65536; this op takes 131072}}
    %m = ttg.local_alloc : () -> !ttg.memdesc<65536xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

// expected-error @below {{the layouts for 'ttg.threads-per-warp' = 32 cannot run on gfx942, whose warps have 64 lanes}}
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @lanes(%x: i32) {
    tt.return
  }
}

// -----

// Instructions of tf32 are gfx942's.
#mma = #ttg.amd_mfma<{version = 4, warpsPerCTA = [4, 1], instrShape = [16, 16, 8], isTransposed = true}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @xf32(%a: tensor<64x32xf32, #a>, %b: tensor<32x16xf32, #b>, %c: tensor<64x16xf32, #mma>) {
    // expected-error @below {{'tt.dot' op multiplies 'f32' as tf32 in 16x16x8, which gfx950 has no instruction for; it has these for 'f32': 32x32x2, 16x16x4}}
    %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<64x32xf32, #a> * tensor<32x16xf32, #b> -> tensor<64x16xf32, #mma>
    tt.return
  }
}

// -----

// One of f32 is as deep as gfx942's of tf32, but not as wide.
#mma = #ttg.amd_mfma<{version = 4, warpsPerCTA = [2, 2], instrShape = [32, 32, 4], isTransposed = true}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @xf32(%a: tensor<64x32xf32, #a>, %b: tensor<32x64xf32, #b>, %c: tensor<64x64xf32, #mma>) {
    // expected-error @below {{'tt.dot' op multiplies 'f32' as tf32 in 32x32x4, which gfx950 has no instruction for; it has these for 'f32': 32x32x2, 16x16x4}}
    %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<64x32xf32, #a> * tensor<32x64xf32, #b> -> tensor<64x64xf32, #mma>
    tt.return
  }
}

// -----

// A block has at most 1,024 threads.
// expected-error @below {{'ttg.num-warps' = 32 makes a block of 2048 threads; on gfx950 it has at most 1024}}
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 32 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @threads(%x: i32) {
    tt.return
  }
}

// -----

// Scaled products are gfx950's and gfx1250's; gfx942 multiplies bf16 that the operands are widened to before.
#mma = #ttg.amd_mfma<{version = 3, warpsPerCTA = [4, 1], instrShape = [16, 16, 128], isTransposed = true}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @scaled(%a: tensor<64x128xf8E4M3FN, #a>, %b: tensor<128x16xf8E4M3FN, #b>, %c: tensor<64x16xf32, #mma>) {
    // expected-error @below {{'tt.dot_scaled' has no instruction on gfx942; it has on}}
    %d = tt.dot_scaled %a, %b, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<64x128xf8E4M3FN, #a> * tensor<128x16xf8E4M3FN, #b> -> tensor<64x16xf32, #mma>
    tt.return
  }
}

// -----

// A cluster on a chip without them.
// expected-error @below {{'ttg.num-ctas' = 2 cannot run on gfx950, which has no clusters}}
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @cluster(%x: i32) {
    tt.return
  }
}

// -----

// Products of f64 hold the results in another order than those of 32 bits.
#mma = #ttg.amd_mfma<{version = 3, warpsPerCTA = [4, 1], instrShape = [16, 16, 16], isTransposed = true}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @f64(%a: tensor<64x32xf64, #a>, %b: tensor<32x16xf64, #b>, %c: tensor<64x16xf64, #mma>) {
    // expected-error @below {{'tt.dot' op has operand and result layouts that fit no matrix instruction of gfx942 for 'f64' by 'f64' into 'f64', in a layout of version 3 and 16x16x16 with elementBitWidth = 32, not 64; it has these: 16x16x4}}
    %d = tt.dot %a, %b, %c : tensor<64x32xf64, #a> * tensor<32x16xf64, #b> -> tensor<64x16xf64, #mma>
    tt.return
  }
}

// -----

// The operands alone have an instruction.
#mma = #ttg.amd_mfma<{version = 3, warpsPerCTA = [4, 1], instrShape = [16, 16, 16], isTransposed = true}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @sum_of_f64(%a: tensor<64x32xf64, #a>, %b: tensor<32x16xf64, #b>, %c: tensor<64x16xf32, #mma>) {
    // expected-error @below {{'tt.dot' op of 'f64' by 'f64' into 'f32' has no matrix instruction on gfx942, which has them for f64 into f64}}
    %d = tt.dot %a, %b, %c : tensor<64x32xf64, #a> * tensor<32x16xf64, #b> -> tensor<64x16xf32, #mma>
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @cluster() {
    // expected-error @below {{'ttng.cluster_barrier' has no instruction on gfx1250; it has one on sm_90a, sm_100a, sm_103a, sm_120a, sm_121a}}
    ttng.cluster_barrier {relaxed = false}
    tt.return
  }
}
