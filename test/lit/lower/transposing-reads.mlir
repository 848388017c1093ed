// Loads of LDS that transpose: an operand along whose other dimension neighbours lie takes one read for what would be
// loads of single elements.
// RUN: kernelscope opt %s --split-input-file --ttgir-to-llvm | FileCheck %s

#mma = #ttg.amd_mfma<{version = 4, warpsPerCTA = [1, 1], instrShape = [32, 32, 16], isTransposed = true}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>
#swizzled = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#columns = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 2, order = [0, 1]}>
#pairs = #ttg.swizzled_shared<{vec = 2, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#padded = #ttg.padded_shared<[64:+8] {order = [1, 0], shape = [16, 32]}>
#uneven = #ttg.padded_shared<[64:+2] {order = [1, 0], shape = [16, 32]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  // A lane has 8 elements along K of one of 32 columns: two reads of 4.
  // CHECK-LABEL: @along_the_other_dimension
  tt.func public @along_the_other_dimension(%m: !ttg.memdesc<16x32xf16, #swizzled, #smem>, %n: !ttg.memdesc<16x32xf16, #padded, #smem>) {
    // CHECK-COUNT-2: "llvm.amdgcn.ds.read.tr16.b64"({{.*}}) : (!llvm.ptr<3>) -> vector<4xi16>
    %x = ttg.local_load %m : !ttg.memdesc<16x32xf16, #swizzled, #smem> -> tensor<16x32xf16, #b>
    // CHECK-COUNT-2: "llvm.amdgcn.ds.read.tr16.b64"
    %y = ttg.local_load %n : !ttg.memdesc<16x32xf16, #padded, #smem> -> tensor<16x32xf16, #b>
    // CHECK-NOT: ds.read.tr
    tt.return
  }

  // Neighbours along K are one load of 128 bits; a swizzle, or a gap, that breaks 64 bits up leaves single elements; 32
  // bits have no such read.
  // CHECK-LABEL: @ordinary
  // CHECK-NOT: ds.read.tr
  tt.func public @ordinary(%k: !ttg.memdesc<16x32xf16, #columns, #smem>, %m: !ttg.memdesc<16x32xf16, #pairs, #smem>, %n: !ttg.memdesc<16x32xf16, #uneven, #smem>, %w: !ttg.memdesc<16x32xf32, #swizzled, #smem>) {
    // CHECK: llvm.load {{.*}} -> vector<8xi16>
    %x = ttg.local_load %k : !ttg.memdesc<16x32xf16, #columns, #smem> -> tensor<16x32xf16, #b>
    // CHECK-COUNT-8: llvm.load {{.*}} -> vector<1xi16>
    %y = ttg.local_load %m : !ttg.memdesc<16x32xf16, #pairs, #smem> -> tensor<16x32xf16, #b>
    // CHECK-COUNT-8: llvm.load {{.*}} -> vector<1xi16>
    %z = ttg.local_load %n : !ttg.memdesc<16x32xf16, #uneven, #smem> -> tensor<16x32xf16, #b>
    // CHECK-COUNT-8: llvm.load {{.*}} -> vector<1xi32>
    %s = ttg.local_load %w : !ttg.memdesc<16x32xf32, #swizzled, #smem> -> tensor<16x32xf32, #b>
    tt.return
  }
}

// -----

#wmma = #ttg.amd_wmma<{version = 3, isTranspose = true, ctaLayout = {warp = []}, instrShape = [16, 16, 64]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #wmma, kWidth = 16}>
#columns = #ttg.swizzled_shared<{vec = 16, perPhase = 1, maxPhase = 1, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  // Behind a wait a read does not alias copies to LDS.
  // CHECK-LABEL: @eight_bits
  tt.func public @eight_bits(%m: !ttg.memdesc<16x64xi8, #columns, #smem, mutable>) {
    // CHECK-COUNT-3: "llvm.amdgcn.ds.load.tr8.b64"({{.*}}) : (!llvm.ptr<3> {llvm.noalias}) -> vector<2xi32>
    // CHECK: "llvm.amdgcn.ds.load.tr8.b64"
    // CHECK-NOT: ds.load.tr8
    %t = ttg.async_wait {num = 0 : i32}
    %x = ttg.local_load %m token %t : !ttg.memdesc<16x64xi8, #columns, #smem, mutable> -> tensor<16x64xi8, #a>
    tt.return
  }
}
