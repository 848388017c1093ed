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

  // Powers with whole exponents: beyond 32 bits they saturate and stay odd or even; of integers from our own library.
  // CHECK-LABEL: @powers
  tt.func public @powers(%x: f16, %n: i64, %i: i8, %y: f32) -> (f16, i8, f32, f32, i1) {
    // CHECK-DAG: llvm.mlir.constant(-2147483646 : i64)
    // CHECK-DAG: llvm.mlir.constant(2147483646 : i64)
    // CHECK: llvm.trunc %{{.*}} : i64 to i32
    // CHECK: llvm.call @__nv_powif(%{{.*}}, %{{.*}}) : (f32, i32) -> f32
    %0 = math.fpowi %x, %n : f16, i64
    // CHECK: llvm.call @__kernelscope_powi(%{{.*}}, %{{.*}}) : (i64, i64) -> i64
    // CHECK: llvm.trunc %{{.*}} : i64 to i8
    %1 = math.ipowi %i, %i : i8
    // CHECK: llvm.call @__nv_sinf
    // CHECK: llvm.call @__nv_cosf
    %2, %3 = math.sincos %y : f32
    // CHECK-DAG: llvm.mlir.constant(1.17549435E-38 : f32)
    // CHECK-DAG: llvm.fcmp "olt"
    // CHECK-DAG: llvm.fcmp "oge"
    %4 = math.isnormal %y : f32
    // CHECK: "llvm.maxnum"
    // CHECK: "llvm.minnum"
    %5 = math.clampf %y to [%2, %3] : f32
    tt.return %0, %1, %5, %3, %4 : f16, i8, f32, f32, i1
  }
}
