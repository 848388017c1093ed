// The layouts of AMD's matrix instructions, and clusters.
// RUN: kernelscope opt --split-input-file %s | FileCheck %s

#mfma = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>
#mfma64 = #ttg.amd_mfma<{version = 4, warpsPerCTA = [4, 1], instrShape = [16, 16, 4], isTransposed = false, tilesPerWarp = [2, 1], elementBitWidth = 64}>
// CHECK-DAG: #[[$MFMA:mma.*]] = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>
// CHECK-DAG: #[[$MFMA64:mma.*]] = #ttg.amd_mfma<{version = 4, warpsPerCTA = [4, 1], instrShape = [16, 16, 4], isTransposed = false, tilesPerWarp = [2, 1], elementBitWidth = 64}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32, ttg.target = "hip:gfx942"} {
  // CHECK: tensor<64x64xf32, #[[$MFMA]]>, %{{.*}}: tensor<128x32xf64, #[[$MFMA64]]>
  tt.func @mfma(%0: tensor<64x64xf32, #mfma>, %1: tensor<128x32xf64, #mfma64>) {
    tt.return
  }
}

// -----

#wmma = #ttg.amd_wmma<{version = 1, isTranspose = true, ctaLayout = {warp = [[0, 1], [1, 0]]}}>
#wmma3 = #ttg.amd_wmma<{version = 3, isTranspose = false, ctaLayout = {register = [[0, 1]], warp = [[0, 2], [1, 0]]}, instrShape = [16, 16, 32]}>
// One warp: its empty bases are written, for Triton cannot read them left out.
#wmma1w = #ttg.amd_wmma<{version = 2, isTranspose = false, ctaLayout = {}}>
// CHECK-DAG: #ttg.amd_wmma<{version = 2, isTranspose = false, ctaLayout = {warp = []}}>
// CHECK-DAG: #ttg.amd_wmma<{version = 1, isTranspose = true, ctaLayout = {warp = {{\[\[}}0, 1], [1, 0]]}}>
// CHECK-DAG: #ttg.amd_wmma<{version = 3, isTranspose = false, ctaLayout = {register = {{\[\[}}0, 1]], warp = {{\[\[}}0, 2], [1, 0]]}, instrShape = [16, 16, 32]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "hip:gfx1250", test.one_warp = #wmma1w} {
  tt.func @wmma(%0: tensor<64x64xf32, #wmma>, %1: tensor<64x64xf32, #wmma3>) {
    tt.return
  }
}

// -----

#split = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0], [0, 0]]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1], [0, 0]]}>
#smem = #ttg.shared_memory
// CHECK-DAG: #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = {{\[\[}}1, 0], [0, 0]]}>
// CHECK-DAG: #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = {{\[\[}}0, 1], [0, 0]]}>
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @cluster(%0: tensor<64x64xf16, #split>, %1: !ttg.memdesc<64x128xf16, #shared, #smem, mutable>) {
    tt.return
  }
}
