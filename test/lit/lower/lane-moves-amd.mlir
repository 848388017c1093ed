// How values get from lane to lane on AMD: within rows of 16 by DPP, between rows by swaps where the chip has them, else
// through the LDS crossbar.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=gfx942 | FileCheck %s --check-prefixes=CHECK,CDNA3
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=gfx950 | FileCheck %s --check-prefixes=CHECK,CDNA4

#lanes = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [1], order = [0]}>
#mma = #ttg.amd_mfma<{version = 4, warpsPerCTA = [1, 1], instrShape = [32, 32, 16], isTransposed = true}>
#small = #ttg.amd_mfma<{version = 4, warpsPerCTA = [1, 1], instrShape = [16, 16, 32], isTransposed = true}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  // Lanes 1 and 2 away: permutations of four. 4 away: eight in reverse, and four; 8 away: half a row around.
  // CHECK-LABEL: @reduction
  // CHECK: llvm.mlir.constant(177 : i32)
  // CHECK: "llvm.amdgcn.update.dpp.i32"
  // CHECK: llvm.mlir.constant(78 : i32)
  // CHECK: "llvm.amdgcn.update.dpp.i32"
  // CHECK: llvm.mlir.constant(321 : i32)
  // CHECK: "llvm.amdgcn.update.dpp.i32"
  // CHECK: llvm.mlir.constant(27 : i32)
  // CHECK: "llvm.amdgcn.update.dpp.i32"
  // CHECK: llvm.mlir.constant(296 : i32)
  // CHECK: "llvm.amdgcn.update.dpp.i32"
  // CDNA3: "llvm.amdgcn.ds.swizzle"
  // CDNA3: "llvm.amdgcn.ds.bpermute"
  // CDNA4-NOT: llvm.amdgcn.ds
  // A swap of a value with itself gives both lanes of a pair both values, so that none has to choose.
  // CDNA4: "llvm.amdgcn.permlane16.swap"
  // CDNA4-NOT: llvm.select
  // CDNA4: "llvm.amdgcn.permlane32.swap"
  // CDNA4-NOT: llvm.select
  // CDNA4: llvm.return
  tt.func public @reduction(%x: tensor<64xf32, #lanes>) -> f32 attributes {noinline = true} {
    %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.addf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<64xf32, #lanes>) -> f32
    tt.return %sum : f32
  }

  // From a product's result to an operand, a bit of the register becomes one of the lane: 16 halves are 8 words, 4 swaps.
  // CHECK-LABEL: @to_operand
  // CDNA4-COUNT-4: "llvm.amdgcn.permlane32.swap"
  // CDNA4-NOT: permlane
  // CDNA3-NOT: permlane
  tt.func public @to_operand(%x: tensor<32x32xf16, #mma>) {
    %y = ttg.convert_layout %x : tensor<32x32xf16, #mma> -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 8}>>
    // CHECK: llvm.return
    tt.return
  }

  // Of 16 x 16 both bits of the lane change places, one after the other.
  // CHECK-LABEL: @both_bits
  // CDNA4-COUNT-2: "llvm.amdgcn.permlane32.swap"
  // CDNA4-COUNT-2: "llvm.amdgcn.permlane16.swap"
  // CDNA4-NOT: permlane
  tt.func public @both_bits(%x: tensor<16x32xf16, #small>) {
    %y = ttg.convert_layout %x : tensor<16x32xf16, #small> -> tensor<16x32xf16, #ttg.dot_op<{opIdx = 0, parent = #small, kWidth = 8}>>
    // CHECK: llvm.return
    tt.return
  }
}
