// Scaled products on gfx1250 beyond plain fp8: a scale for each 16 elements, scales that are e4m3, 32 rows of fp4 at once, a batch,
// and tensors less deep than the instruction.
// RUN: kernelscope opt %s --split-input-file --ttgir-to-llvm=arch=gfx1250 | FileCheck %s

#mma = #ttg.amd_wmma<{version = 3, isTranspose = false, ctaLayout = {warp = []}, instrShape = [16, 16, 128]}>
#bytes = #ttg.amd_wmma<{version = 3, isTranspose = false, ctaLayout = {warp = []}, instrShape = [16, 16, 64]}>
#one = #ttg.linear<{register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 0]], warp = [], block = []}>
#rows32 = #ttg.amd_wmma<{version = 3, isTranspose = false, ctaLayout = {warp = []}, instrShape = [32, 16, 128]}>
#packed = #ttg.amd_wmma<{version = 3, isTranspose = false, ctaLayout = {warp = []}, instrShape = [32, 16, 64]}>
#of32 = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}>
#of16 = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 0]], warp = [], block = []}>
#four = #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 0]], warp = [], block = []}>
#shallow = #ttg.linear<{register = [[0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 0]], warp = [], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @fp4(
  // CHECK: "llvm.amdgcn.wmma.scale16.f32.32x16x128.f4.v16f32.v16i32.v8i32"{{.*}}i64{{.*}}i64
  // CHECK-NOT: wmma.scale
  tt.func public @fp4(%x: tensor<32x64xi8, #ttg.dot_op<{opIdx = 0, parent = #packed, kWidth = 16}>>, %s: tensor<32x8xf8E4M3FN, #of32>, %y: tensor<64x16xi8, #ttg.dot_op<{opIdx = 1, parent = #packed, kWidth = 16}>>, %t: tensor<16x8xf8E4M3FN, #of16>, %c: tensor<32x16xf32, #rows32>) {
    %d = tt.dot_scaled %x scale %s, %y scale %t, %c lhs = e2m1 rhs = e2m1 {fastMath = false} : tensor<32x64xi8, #ttg.dot_op<{opIdx = 0, parent = #packed, kWidth = 16}>>, tensor<32x8xf8E4M3FN, #of32> * tensor<64x16xi8, #ttg.dot_op<{opIdx = 1, parent = #packed, kWidth = 16}>>, tensor<16x8xf8E4M3FN, #of16> -> tensor<32x16xf32, #rows32>
    tt.return
  }

  // CHECK-LABEL: @shallow(
  // CHECK: "llvm.amdgcn.wmma.scale.f32.16x16x128.f8f6f4.v8f32.v16i32.v16i32"
  // CHECK-NOT: wmma.scale
  tt.func public @shallow(%x: tensor<16x64xf8E4M3FN, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>, %s: tensor<16x2xi8, #shallow>, %y: tensor<64x16xf8E4M3FN, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>>, %t: tensor<16x2xi8, #shallow>, %c: tensor<16x16xf32, #mma>) {
    %d = tt.dot_scaled %x scale %s, %y scale %t, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<16x64xf8E4M3FN, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>, tensor<16x2xi8, #shallow> * tensor<64x16xf8E4M3FN, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>>, tensor<16x2xi8, #shallow> -> tensor<16x16xf32, #mma>
    tt.return
  }

  // Registers go to the instruction in order where types are mixed, too: a lane has 16 neighbours of fp8 along K, 32 of fp4.
  // CHECK-LABEL: @mixed(
  // CHECK: %[[BEFORE:.*]] = llvm.extractvalue %arg2[3]
  // CHECK: %[[BYTE:.*]] = llvm.extractvalue %arg2[4]
  // CHECK: llvm.insertelement %[[BEFORE]]
  // CHECK-NEXT: llvm.mlir.constant(4 : i32)
  // CHECK-NEXT: llvm.insertelement %[[BYTE]]
  // CHECK: "llvm.amdgcn.wmma.scale.f32.16x16x128.f8f6f4.v8f32.v16i32.v8i32"
  tt.func public @mixed(%x: tensor<16x128xf8E4M3FN, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>, %s: tensor<16x4xi8, #four>, %y: tensor<64x16xi8, #ttg.dot_op<{opIdx = 1, parent = #bytes, kWidth = 16}>>, %t: tensor<16x4xi8, #four>, %c: tensor<16x16xf32, #mma>) {
    %d = tt.dot_scaled %x scale %s, %y scale %t, %c lhs = e4m3 rhs = e2m1 {fastMath = false} : tensor<16x128xf8E4M3FN, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>, tensor<16x4xi8, #four> * tensor<64x16xi8, #ttg.dot_op<{opIdx = 1, parent = #bytes, kWidth = 16}>>, tensor<16x4xi8, #four> -> tensor<16x16xf32, #mma>
    tt.return
  }

  // The upper lanes hold what the lower ones do: the product takes zeros from them.
  // CHECK-LABEL: @copies(
  // CHECK: %[[UPPER:.*]] = llvm.icmp "ne"
  // CHECK: llvm.select %[[UPPER]], %{{.*}}, %{{.*}} : i1, i32
  // CHECK: "llvm.amdgcn.wmma.scale.f32.16x16x128.f8f6f4.v8f32.v8i32.v8i32"
  // CHECK-NOT: wmma.scale
  tt.func public @copies(%x: tensor<16x16xi8, #ttg.dot_op<{opIdx = 0, parent = #bytes, kWidth = 16}>>, %s: tensor<16x1xi8, #one>, %y: tensor<16x16xi8, #ttg.dot_op<{opIdx = 1, parent = #bytes, kWidth = 16}>>, %t: tensor<16x1xi8, #one>, %c: tensor<16x16xf32, #mma>) {
    %d = tt.dot_scaled %x scale %s, %y scale %t, %c lhs = e2m1 rhs = e2m1 {fastMath = false} : tensor<16x16xi8, #ttg.dot_op<{opIdx = 0, parent = #bytes, kWidth = 16}>>, tensor<16x1xi8, #one> * tensor<16x16xi8, #ttg.dot_op<{opIdx = 1, parent = #bytes, kWidth = 16}>>, tensor<16x1xi8, #one> -> tensor<16x16xf32, #mma>
    tt.return
  }
}

// -----

#batched = #ttg.amd_wmma<{version = 3, isTranspose = false, ctaLayout = {warp = [[1, 0, 0]]}, instrShape = [16, 16, 128]}>
#each = #ttg.linear<{register = [[0, 0, 1], [0, 0, 2], [2, 0, 0]], lane = [[0, 1, 0], [0, 2, 0], [0, 4, 0], [0, 8, 0], [0, 0, 0]], warp = [[1, 0, 0]], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @batch(
  // CHECK-COUNT-2: "llvm.amdgcn.wmma.scale.f32.16x16x128.f8f6f4.v8f32.v16i32.v16i32"
  // CHECK-NOT: wmma.scale
  tt.func public @batch(%x: tensor<4x16x128xf8E4M3FN, #ttg.dot_op<{opIdx = 0, parent = #batched, kWidth = 16}>>, %s: tensor<4x16x4xi8, #each>, %y: tensor<4x128x16xf8E5M2, #ttg.dot_op<{opIdx = 1, parent = #batched, kWidth = 16}>>, %t: tensor<4x16x4xi8, #each>, %c: tensor<4x16x16xf32, #batched>) {
    %d = tt.dot_scaled %x scale %s, %y scale %t, %c lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<4x16x128xf8E4M3FN, #ttg.dot_op<{opIdx = 0, parent = #batched, kWidth = 16}>>, tensor<4x16x4xi8, #each> * tensor<4x128x16xf8E5M2, #ttg.dot_op<{opIdx = 1, parent = #batched, kWidth = 16}>>, tensor<4x16x4xi8, #each> -> tensor<4x16x16xf32, #batched>
    tt.return
  }
}
