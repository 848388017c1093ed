// Functions on AMD: an instruction, an LLVM intrinsic, or a call of ROCm's device library.
// RUN: kernelscope opt --ttgir-to-llvm=arch=gfx1100 %s | FileCheck %s

module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: @f32
  tt.func public @f32(%x: f32) {
    // CHECK: llvm.fmul
    // CHECK: "llvm.exp2.f32"
    %0 = math.exp %x : f32
    // CHECK: "llvm.amdgcn.exp2.f32"
    %1 = math.exp2 %x : f32
    // CHECK: "llvm.amdgcn.sqrt.f32"
    %2 = math.sqrt %x : f32
    // CHECK: "llvm.sqrt.f32"
    %3 = tt.precise_sqrt %x : f32
    // CHECK: llvm.call @__ocml_sin_f32
    %4 = math.sin %x : f32
    tt.return
  }

  // CHECK-LABEL: @f64
  tt.func public @f64(%x: f64) {
    // CHECK: llvm.call @__ocml_erf_f64
    %0 = math.erf %x : f64
    tt.return
  }

  // CHECK-LABEL: @bf16
  tt.func public @bf16(%x: bf16, %n: i32) {
    // CHECK: llvm.call @__ocml_fmod_f32
    %0 = arith.remf %x, %x : bf16
    // CHECK: llvm.call @__ocml_pown_f32(%{{.*}}, %{{.*}}) : (f32, i32) -> f32
    %1 = math.fpowi %x, %n : bf16, i32
    tt.return
  }

  // Names that Triton's compiler for AMD knows itself.
  // CHECK-LABEL: @hip
  tt.func public @hip(%x: f32, %i: i64) {
    // CHECK: llvm.call_intrinsic "llvm.abs"(%{{.*}}, %{{.*}}) : (i64, i1) -> i64
    %0 = tt.extern_elementwise %i {libname = "", libpath = "", pure = true, symbol = "__triton_hip_iabs"} : (i64) -> i64
    // CHECK: llvm.call_intrinsic "llvm.rint"
    // CHECK: llvm.fptosi %{{.*}} : f32 to i64
    %1 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__triton_hip_llrint"} : (f32) -> i64
    // CHECK: "llvm.amdgcn.exp2.f32"
    // CHECK: llvm.fdiv
    %2 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__triton_hip_fast_tanhf"} : (f32) -> f32
    tt.return
  }
}
