// Kernels for AMD that convert to 8-bit floats saturate them by the mode FP16_OVFL, as Triton's do, which f16 arithmetic
// would obey, too: a kernel with some keeps its infinities, and limits what it converts.
// RUN: split-file %s %t
// RUN: kernelscope preview --arch gfx1250 %t/mode.mlir | FileCheck %s --check-prefix=MODE
// RUN: kernelscope preview --arch gfx1250 %t/f16.mlir | FileCheck %s --check-prefix=F16
// RUN: kernelscope preview --arch gfx1250 %t/widened.mlir | FileCheck %s --check-prefix=WIDENED
// RUN: kernelscope run --device sim --compare %t/mode.mlir | FileCheck %s --check-prefix=SIM
// RUN: kernelscope run --device sim --compare %t/f16.mlir | FileCheck %s --check-prefix=SIM
// RUN: kernelscope run --device sim --compare %t/widened.mlir | FileCheck %s --check-prefix=SIM

// SIM: differs from the CPU executor by at most 0.000e+00

//--- mode.mlir
#line = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "hip:gfx1250"} {
  // A wave's register 1 is its mode. One instruction converts eight elements.
  // MODE: s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 23, 1), 1
  // MODE-NOT: v_med3
  // MODE-NOT: v_min
  // MODE: v_cvt_scalef32_pk8_fp8_f32
  // MODE-NOT: v_cvt
  tt.func public @mode(%from: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %to: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #line>
    %s = tt.splat %from : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #line>
    %p = tt.addptr %s, %i : tensor<512x!tt.ptr<f32>, #line>, tensor<512xi32, #line>
    %x = tt.load %p : tensor<512x!tt.ptr<f32>, #line>
    %big = arith.constant dense<4096.0> : tensor<512xf32, #line>
    %z = arith.mulf %x, %big : tensor<512xf32, #line>
    %y = tt.fp_to_fp %z, rounding = rtne : tensor<512xf32, #line> -> tensor<512xf8E4M3FN, #line>
    %t = tt.splat %to : !tt.ptr<f8E4M3FN> -> tensor<512x!tt.ptr<f8E4M3FN>, #line>
    %q = tt.addptr %t, %i : tensor<512x!tt.ptr<f8E4M3FN>, #line>, tensor<512xi32, #line>
    tt.store %q, %y : tensor<512x!tt.ptr<f8E4M3FN>, #line>
    tt.return
  }
}

//--- f16.mlir
#line = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "hip:gfx1250"} {
  // F16-NOT: HW_REG_WAVE_MODE, 23
  // F16-COUNT-8: v_minimummaximum_f32
  // F16: v_cvt_scalef32_pk8_bf8_f32
  tt.func public @f16(%from: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %to: !tt.ptr<f8E5M2> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #line>
    %s = tt.splat %from : !tt.ptr<f16> -> tensor<512x!tt.ptr<f16>, #line>
    %p = tt.addptr %s, %i : tensor<512x!tt.ptr<f16>, #line>, tensor<512xi32, #line>
    %x = tt.load %p : tensor<512x!tt.ptr<f16>, #line>
    %z = arith.mulf %x, %x : tensor<512xf16, #line>
    %y = tt.fp_to_fp %z, rounding = rtne : tensor<512xf16, #line> -> tensor<512xf8E5M2, #line>
    %t = tt.splat %to : !tt.ptr<f8E5M2> -> tensor<512x!tt.ptr<f8E5M2>, #line>
    %q = tt.addptr %t, %i : tensor<512x!tt.ptr<f8E5M2>, #line>, tensor<512xi32, #line>
    tt.store %q, %y : tensor<512x!tt.ptr<f8E5M2>, #line>
    tt.return
  }
}

//--- widened.mlir
#line = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "hip:gfx1250"} {
  // Nothing is narrowed.
  // WIDENED-NOT: HW_REG_WAVE_MODE, 23
  // WIDENED: v_cvt_scale_pk8_bf16_fp8
  // WIDENED-NOT: v_cvt
  tt.func public @widened(%from: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %to: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #line>
    %s = tt.splat %from : !tt.ptr<f8E4M3FN> -> tensor<512x!tt.ptr<f8E4M3FN>, #line>
    %p = tt.addptr %s, %i : tensor<512x!tt.ptr<f8E4M3FN>, #line>, tensor<512xi32, #line>
    %x = tt.load %p : tensor<512x!tt.ptr<f8E4M3FN>, #line>
    %y = tt.fp_to_fp %x : tensor<512xf8E4M3FN, #line> -> tensor<512xbf16, #line>
    %t = tt.splat %to : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>, #line>
    %q = tt.addptr %t, %i : tensor<512x!tt.ptr<bf16>, #line>, tensor<512xi32, #line>
    tt.store %q, %y : tensor<512x!tt.ptr<bf16>, #line>
    tt.return
  }
}
