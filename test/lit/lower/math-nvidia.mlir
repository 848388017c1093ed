// Functions on NVIDIA: the approximate instruction, an intrinsic, or a call of libdevice.
// RUN: kernelscope opt --ttgir-to-llvm=arch=sm_90a %s | FileCheck %s

module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: @f32
  tt.func public @f32(%x: f32) {
    // e^x is 2^(x * log2(e)).
    // CHECK: llvm.mlir.constant(1.44269502 : f32)
    // CHECK: llvm.fmul
    // CHECK: "llvm.nvvm.ex2.approx.f32"
    %0 = math.exp %x : f32
    // CHECK-NEXT: "llvm.nvvm.ex2.approx.ftz.f32"
    %1 = math.exp2 %x : f32
    // CHECK-NEXT: "llvm.nvvm.lg2.approx.f"
    %2 = math.log2 %x : f32
    // CHECK: "llvm.nvvm.sqrt.approx.ftz.f"
    %3 = math.sqrt %x : f32
    // CHECK: "llvm.nvvm.sqrt.rn.f"
    %4 = tt.precise_sqrt %x : f32
    // CHECK: "llvm.nvvm.rsqrt.approx.ftz.f"
    %5 = math.rsqrt %x : f32
    // CHECK: llvm.call @__nv_sinf
    %6 = math.sin %x : f32
    // CHECK: llvm.call @__nv_erff
    %7 = math.erf %x : f32
    // CHECK: "llvm.floor"
    %8 = math.floor %x : f32
    tt.return
  }

  // CHECK-LABEL: @f64
  tt.func public @f64(%x: f64) {
    // CHECK: llvm.call @__nv_exp(
    %0 = math.exp %x : f64
    // CHECK: "llvm.sqrt"
    %1 = math.sqrt %x : f64
    tt.return
  }

  // Narrow floats are computed in f32.
  // CHECK-LABEL: @f16
  tt.func public @f16(%x: f16) {
    // CHECK: llvm.fpext %{{.*}} : f16 to f32
    // CHECK: llvm.call @__nv_cosf
    // CHECK: llvm.fptrunc %{{.*}} : f32 to f16
    %0 = math.cos %x : f16
    tt.return
  }
}
