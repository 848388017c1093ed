// Products by WMMA, whose operands and intrinsics each generation has in its own way.
// RUN: kernelscope opt %s --split-input-file --ttgir-to-llvm | FileCheck %s

#mma = #ttg.amd_wmma<{version = 1, isTranspose = true, warpsPerCTA = [2, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "hip:gfx1100"} {
  // CHECK-LABEL: @rdna3
  // CHECK-COUNT-2: "llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16"{{.*}}(vector<16xf16>, vector<16xf16>, vector<8xf32>)
  // CHECK-NOT: wmma
  tt.func public @rdna3(%a: tensor<32x32xf16, #a>, %b: tensor<32x32xf16, #b>, %c: tensor<32x32xf32, #mma>) {
    %d = tt.dot %a, %b, %c : tensor<32x32xf16, #a> * tensor<32x32xf16, #b> -> tensor<32x32xf32, #mma>
    tt.return
  }

  // Sums of f16 are in the low halves of registers.
  // CHECK-LABEL: @rdna3_half
  // CHECK: %[[NO:.*]] = llvm.mlir.constant(false)
  // CHECK: %[[D:.*]] = llvm.call_intrinsic "llvm.amdgcn.wmma.f16.16x16x16.f16.v16f16.v16f16"(%{{.*}}, %{{.*}}, %{{.*}}, %[[NO]])
  // CHECK: %[[SECOND:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: llvm.extractelement %[[D]][%[[SECOND]] : i32]
  tt.func public @rdna3_half(%a: tensor<32x16xf16, #a>, %b: tensor<16x32xf16, #b>, %c: tensor<32x32xf16, #mma>) {
    %d = tt.dot %a, %b, %c : tensor<32x16xf16, #a> * tensor<16x32xf16, #b> -> tensor<32x32xf16, #mma>
    tt.return
  }

  // CHECK-LABEL: @rdna3_bytes
  // CHECK: %[[YES:.*]] = llvm.mlir.constant(true)
  // CHECK: "llvm.amdgcn.wmma.i32.16x16x16.iu8.v8i32.v4i32"(%[[YES]], %{{.*}}, %[[YES]], %{{.*}}) : (i1, vector<4xi32>, i1, vector<4xi32>, vector<8xi32>, i1)
  tt.func public @rdna3_bytes(%a: tensor<32x16xi8, #a>, %b: tensor<16x32xi8, #b>, %c: tensor<32x32xi32, #mma>) {
    %d = tt.dot %a, %b, %c : tensor<32x16xi8, #a> * tensor<16x32xi8, #b> -> tensor<32x32xi32, #mma>
    tt.return
  }
}

// -----

#mma = #ttg.amd_wmma<{version = 2, isTranspose = true, warpsPerCTA = [2, 2]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 8}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "hip:gfx1201"} {
  // CHECK-LABEL: @rdna4
  // CHECK-COUNT-2: "llvm.amdgcn.wmma.f32.16x16x16.bf16.v8f32.v8i16"{{.*}}(vector<8xi16>, vector<8xi16>, vector<8xf32>)
  // CHECK-NOT: wmma
  tt.func public @rdna4(%a: tensor<32x32xbf16, #a>, %b: tensor<32x32xbf16, #b>, %c: tensor<32x32xf32, #mma>) {
    %d = tt.dot %a, %b, %c : tensor<32x32xbf16, #a> * tensor<32x32xbf16, #b> -> tensor<32x32xf32, #mma>
    tt.return
  }

  // The operands are exchanged, since the result is transposed.
  // CHECK-LABEL: @rdna4_fp8
  // CHECK: "llvm.amdgcn.wmma.f32.16x16x16.bf8.fp8.v8f32.v2i32"{{.*}}(vector<2xi32>, vector<2xi32>, vector<8xf32>)
  tt.func public @rdna4_fp8(%a: tensor<32x16xf8E4M3FN, #a>, %b: tensor<16x32xf8E5M2, #b>, %c: tensor<32x32xf32, #mma>) {
    %d = tt.dot %a, %b, %c : tensor<32x16xf8E4M3FN, #a> * tensor<16x32xf8E5M2, #b> -> tensor<32x32xf32, #mma>
    tt.return
  }
}

// -----

#mma = #ttg.amd_wmma<{version = 3, isTranspose = false, warpsPerCTA = [2, 2], instrShape = [16, 16, 32]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 8}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>
#deep = #ttg.amd_wmma<{version = 3, isTranspose = false, warpsPerCTA = [2, 2], instrShape = [16, 16, 128]}>
#deepa = #ttg.dot_op<{opIdx = 0, parent = #deep, kWidth = 16}>
#deepb = #ttg.dot_op<{opIdx = 1, parent = #deep, kWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "hip:gfx1250"} {
  // CHECK-LABEL: @gfx1250
  // CHECK: "llvm.amdgcn.wmma.f32.16x16x32.bf16.v8f32.v16bf16"{{.*}}(i1, vector<16xbf16>, i1, vector<16xbf16>, i16, vector<8xf32>, i1, i1)
  tt.func public @gfx1250(%a: tensor<32x32xbf16, #a>, %b: tensor<32x32xbf16, #b>, %c: tensor<32x32xf32, #mma>) {
    %d = tt.dot %a, %b, %c : tensor<32x32xbf16, #a> * tensor<32x32xbf16, #b> -> tensor<32x32xf32, #mma>
    tt.return
  }

  // CHECK-LABEL: @gfx1250_fp8
  // CHECK: "llvm.amdgcn.wmma.f32.16x16x128.fp8.fp8.v8f32.v16i32"{{.*}}(vector<16xi32>, vector<16xi32>, i16, vector<8xf32>, i1, i1)
  tt.func public @gfx1250_fp8(%a: tensor<32x128xf8E4M3FN, #deepa>, %b: tensor<128x32xf8E4M3FN, #deepb>, %c: tensor<32x32xf32, #deep>) {
    %d = tt.dot %a, %b, %c : tensor<32x128xf8E4M3FN, #deepa> * tensor<128x32xf8E4M3FN, #deepb> -> tensor<32x32xf32, #deep>
    tt.return
  }
}
