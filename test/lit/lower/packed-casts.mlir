// From Ada on, 8-bit floats are converted two at a time by cvt; before, by arithmetic. e2m1 is looked up, four values
// at a time, on all of NVIDIA's chips.
// RUN: kernelscope opt --ttgir-to-llvm=arch=sm_90a %s | FileCheck %s --check-prefixes=CHECK,CVT
// RUN: kernelscope opt --ttgir-to-llvm=arch=sm_89 %s | FileCheck %s --check-prefixes=CHECK,CVT
// RUN: kernelscope opt --ttgir-to-llvm=arch=sm_80 %s | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: kernelscope preview --emit=ptx --arch=sm_90a --kernel=e4m3 %s | FileCheck %s --check-prefix=PTX

#line = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#bytes = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#values = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @e4m3
  // CVT-COUNT-2: cvt.rn.f16x2.e4m3x2 $0, $1;
  // CVT: llvm.fptrunc %{{.*}} : vector<2xf32> to vector<2xbf16>
  // CVT-NOT: llvm.select
  // NONE-NOT: cvt
  // NONE: llvm.select
  // CHECK: llvm.return
  // PTX: cvt.rn.f16x2.e4m3x2
  // PTX: cvt.rn.bf16x2.f32
  // PTX: cvt.rn.f16x2.e4m3x2
  // PTX: cvt.rn.bf16x2.f32
  tt.func public @e4m3(%from: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %to: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) {
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

  // The upper half comes first. A single value fills both.
  // CHECK-LABEL: @narrow
  // CVT: cvt.rn.satfinite.e5m2x2.f32 $0, $1, $2;", "=h,f,f" %[[B:.*]], %[[A:.*]] :
  // CVT: cvt.rn.satfinite.e5m2x2.f32
  // CVT: cvt.rn.satfinite.e4m3x2.f16x2 $0, $1;
  // NONE-NOT: cvt
  // CHECK: llvm.return
  tt.func @narrow(%x: tensor<512xf32, #line>, %y: f16) -> (tensor<512xf8E5M2, #line>, f8E4M3FN) {
    %a = tt.fp_to_fp %x, rounding = rtne : tensor<512xf32, #line> -> tensor<512xf8E5M2, #line>
    %b = tt.fp_to_fp %y, rounding = rtne : f16 -> f8E4M3FN
    tt.return %a, %b : tensor<512xf8E5M2, #line>, f8E4M3FN
  }

  // Four bytes are eight values: a look-up of the upper and one of the lower bytes of four bf16, one of the signs, and
  // two that put bytes together.
  // CHECK-LABEL: @e2m1
  // CHECK-COUNT-10: "llvm.nvvm.prmt"
  // CHECK-NOT: "llvm.nvvm.prmt"
  // CHECK: llvm.return
  tt.func @e2m1(%x: tensor<512xi8, #bytes>) -> tensor<1024xbf16, #values> {
    %y = ttg.fp4_to_fp %x {axis = 0 : i32} : tensor<512xi8, #bytes> -> tensor<1024xbf16, #values>
    tt.return %y : tensor<1024xbf16, #values>
  }
}
