// What Triton 3.4 to 3.6 wrote of layouts: read, and printed as today.
// RUN: kernelscope opt --release=main --split-input-file %s | FileCheck %s

// CHECK: #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = {{\[\[}}1, 0]]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CTAsPerCGA = [2, 1], CTASplitNum = [2, 1], CTAOrder = [1, 0]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @cluster_by_counts(%0: tensor<64x64xf16, #blocked>) {
    tt.return
  }
}

// -----

// CHECK-DAG: #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {warp = {{\[\[}}0, 1], [1, 0]]}}>
// CHECK-DAG: #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {register = {{\[\[}}0, 1], [1, 0]], warp = {{\[\[}}0, 2], [2, 0]]}}>
// CHECK-DAG: #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {warp = {{\[\[}}1, 0, 0], [2, 0, 0]]}, rank = 3}>
#wmma = #ttg.amd_wmma<{version = 2, isTranspose = true, warpsPerCTA = [2, 2]}>
#tiles = #ttg.amd_wmma<{version = 2, isTranspose = true, warpsPerCTA = [2, 2], tilesPerWarp = [2, 2]}>
#batch = #ttg.amd_wmma<{version = 2, isTranspose = true, warpsPerCTA = [4, 1, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warps_per_cta(%0: tensor<64x64xf32, #wmma>, %1: tensor<64x64xf32, #tiles>, %2: tensor<4x32x32xf32, #batch>) {
    tt.return
  }
}

// -----

// CHECK: #ttg.amd_mfma<{version = 2, warpsPerCTA = [4, 1], instrShape = [32, 32, 8], isTransposed = true}>
#mfma = #ttg.amd_mfma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [32, 32], isTransposed = true}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func @major_and_minor(%0: tensor<128x32xf32, #mfma>) {
    tt.return
  }
}
