// Two bytes per thread fill a quarter of what a conversion of gfx1250 takes. LLVM's printer crashed where the rest was
// undefined.
// RUN: kernelscope preview --emit=amdgcn --arch=gfx1250 %s | FileCheck %s

#line = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: widened:
  // CHECK: v_cvt_scale_pk8_f32_bf8
  tt.func public @widened(%from: !tt.ptr<f8E5M2> {tt.divisibility = 16 : i32}, %to: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #line>
    %s = tt.splat %from : !tt.ptr<f8E5M2> -> tensor<256x!tt.ptr<f8E5M2>, #line>
    %p = tt.addptr %s, %i : tensor<256x!tt.ptr<f8E5M2>, #line>, tensor<256xi32, #line>
    %x = tt.load %p : tensor<256x!tt.ptr<f8E5M2>, #line>
    %y = tt.fp_to_fp %x : tensor<256xf8E5M2, #line> -> tensor<256xf32, #line>
    %t = tt.splat %to : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #line>
    %q = tt.addptr %t, %i : tensor<256x!tt.ptr<f32>, #line>, tensor<256xi32, #line>
    tt.store %q, %y : tensor<256x!tt.ptr<f32>, #line>
    tt.return
  }
}
