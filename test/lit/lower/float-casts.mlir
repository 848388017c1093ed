// Conversions between floats: LLVM's where it has them, arithmetic on the bits of 8-bit floats.
// RUN: kernelscope opt --ttgir-to-llvm=arch=gfx1100 %s | FileCheck %s

#bytes = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#values = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#bytes3 = #ttg.blocked<{sizePerThread = [1, 2, 2], threadsPerWarp = [4, 4, 2], warpsPerCTA = [2, 2, 1], order = [0, 1, 2]}>
#values3 = #ttg.blocked<{sizePerThread = [1, 2, 4], threadsPerWarp = [4, 4, 2], warpsPerCTA = [2, 2, 1], order = [0, 1, 2]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @wide
  tt.func public @wide(%x: f32, %h: f16, %b: bf16, %d: f64) {
    // CHECK: llvm.fptrunc %{{.*}} : f32 to bf16
    %0 = arith.truncf %x : f32 to bf16
    // CHECK: llvm.fpext %{{.*}} : f16 to f32
    %1 = arith.extf %h : f16 to f32
    // Rounding to zero truncates the low bits.
    // CHECK: llvm.lshr
    // CHECK: llvm.trunc %{{.*}} : i32 to i16
    // CHECK: llvm.bitcast %{{.*}} : i16 to bf16
    %2 = tt.fp_to_fp %x, rounding = rtz : f32 -> bf16
    // CHECK: llvm.lshr
    // CHECK: llvm.trunc %{{.*}} : i32 to i16
    // CHECK: llvm.bitcast %{{.*}} : i16 to bf16
    %3 = arith.truncf %x toward_zero : f32 to bf16
    // Of an f64 what is nearest, or the number before it.
    // CHECK: %[[NEAREST:.*]] = llvm.fptrunc %[[X:.*]] : f64 to f32
    // CHECK: %[[BACK:.*]] = llvm.fpext %[[NEAREST]] : f32 to f64
    // CHECK: %[[TOO_FAR:.*]] = llvm.fcmp "ogt"
    // CHECK-DAG: %[[BITS:.*]] = llvm.bitcast %[[NEAREST]] : f32 to i32
    // CHECK-DAG: %[[STEP:.*]] = llvm.zext %[[TOO_FAR]] : i1 to i32
    // CHECK: llvm.sub %[[BITS]], %[[STEP]]
    %4 = tt.fp_to_fp %d, rounding = rtz : f64 -> f32
    tt.return
  }

  // Two values of a byte, the lower half first. All e2m1 are upper bytes of an f16, of which an instruction looks up four.
  // CHECK-LABEL: @fp4
  tt.func public @fp4(%x: tensor<128xi8, #bytes>) {
    // CHECK: %[[UPPER:.*]] = llvm.mlir.constant(1178878528 : i32)
    // CHECK: %[[LOWER:.*]] = llvm.mlir.constant(1044133888 : i32)
    // CHECK: "llvm.amdgcn.perm"(%[[UPPER]], %[[LOWER]], %{{.*}})
    // CHECK-NOT: llvm.fmul
    %0 = ttg.fp4_to_fp %x {axis = 0 : i32} : tensor<128xi8, #bytes> -> tensor<256xf16, #values>
    tt.return
  }

  // The lower half of the first byte is register 0, its upper half register 2.
  // CHECK-LABEL: @fp4_last
  tt.func @fp4_last(%x: tensor<8x8x4xi8, #bytes3>) -> tensor<8x8x8xf16, #values3> {
    // CHECK: %[[PAIR:.*]] = llvm.bitcast %{{.*}} : i32 to vector<2xf16>
    // CHECK: %[[LOW:.*]] = llvm.extractelement %[[PAIR]][%{{.*}}]
    // CHECK: %[[HIGH:.*]] = llvm.extractelement %[[PAIR]][%{{.*}}]
    // CHECK: llvm.insertvalue %[[LOW]], %{{.*}}[0]
    // CHECK: llvm.insertvalue %[[HIGH]], %{{.*}}[2]
    %0 = ttg.fp4_to_fp %x {axis = 2 : i32} : tensor<8x8x4xi8, #bytes3> -> tensor<8x8x8xf16, #values3>
    tt.return %0 : tensor<8x8x8xf16, #values3>
  }

  // E5M2 is the high byte of an f16.
  // CHECK-LABEL: @e5m2
  tt.func public @e5m2(%x: f8E5M2) {
    // CHECK-NOT: llvm.fmul
    // CHECK: llvm.bitcast %{{.*}} : i16 to f16
    %0 = tt.fp_to_fp %x : f8E5M2 -> f16
    tt.return
  }

  // CHECK-LABEL: @e4m3
  tt.func public @e4m3(%x: f8E4M3FN, %y: f32) {
    // The exponents' biases are 8 apart.
    // CHECK: llvm.mlir.constant(2.560000e+02 : f16)
    // CHECK: llvm.fmul
    %0 = tt.fp_to_fp %x : f8E4M3FN -> f16
    // What is beyond the largest value becomes it.
    // CHECK: llvm.mlir.constant(4.480000e+02 : f32)
    // CHECK: "llvm.minnum"
    %1 = tt.fp_to_fp %y, rounding = rtne : f32 -> f8E4M3FN
    tt.return
  }
}
