// FPSan's integers of floats are computed with the bits of each element, on every chip, and are those of the executor.
// RUN: kernelscope preview %s --emit llvm | FileCheck %s
// RUN: kernelscope run %s --device sim --arch sm_90a --compare --format json | FileCheck %s --check-prefix=AGREES
// RUN: kernelscope run %s --device sim --arch gfx950 --compare --format json | FileCheck %s --check-prefix=AGREES
// CHECK: mul i32 %{{.*}}, 14940041
// CHECK: lshr i32
// AGREES-COUNT-4: "outside": 0
module {
  tt.func public @k(%in: !tt.ptr<f32>, %half: !tt.ptr<f16>, %out: !tt.ptr<i32>, %back: !tt.ptr<f32>, %narrow: !tt.ptr<i16>, %f8: !tt.ptr<i8>) {
    %i = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
    %ins = tt.splat %in : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %from = tt.addptr %ins, %i : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %x = tt.load %from : tensor<256x!tt.ptr<f32>>
    %e = tti.experimental_fpsan_embed %x : (tensor<256xf32>) -> tensor<256xi32>
    %outs = tt.splat %out : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %to = tt.addptr %outs, %i : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    tt.store %to, %e : tensor<256x!tt.ptr<i32>>
    %u = tti.experimental_fpsan_unembed %e : (tensor<256xi32>) -> tensor<256xf32>
    %backs = tt.splat %back : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %there = tt.addptr %backs, %i : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    tt.store %there, %u : tensor<256x!tt.ptr<f32>>
    %halves = tt.splat %half : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>>
    %fromHalf = tt.addptr %halves, %i : tensor<256x!tt.ptr<f16>>, tensor<256xi32>
    %h = tt.load %fromHalf : tensor<256x!tt.ptr<f16>>
    %n = tti.experimental_fpsan_embed %h : (tensor<256xf16>) -> tensor<256xi16>
    %narrows = tt.splat %narrow : !tt.ptr<i16> -> tensor<256x!tt.ptr<i16>>
    %toNarrow = tt.addptr %narrows, %i : tensor<256x!tt.ptr<i16>>, tensor<256xi32>
    tt.store %toNarrow, %n : tensor<256x!tt.ptr<i16>>
    %q = tt.fp_to_fp %h, rounding = rtne : tensor<256xf16> -> tensor<256xf8E4M3FN>
    %b = tti.experimental_fpsan_embed %q : (tensor<256xf8E4M3FN>) -> tensor<256xi8>
    %f8s = tt.splat %f8 : !tt.ptr<i8> -> tensor<256x!tt.ptr<i8>>
    %toF8 = tt.addptr %f8s, %i : tensor<256x!tt.ptr<i8>>, tensor<256xi32>
    tt.store %toF8, %b : tensor<256x!tt.ptr<i8>>
    tt.return
  }
}
