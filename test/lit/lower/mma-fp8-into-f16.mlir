// mma.sync adds products of fp8 in f16 from PTX ISA 8.7 on; other code for sm_89 and sm_90 stays with 8.4.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_120a | FileCheck %s
// RUN: kernelscope preview %s --arch sm_89 --emit ptx | FileCheck %s --check-prefix=PTX
// RUN: kernelscope preview %s --arch sm_90a --emit ptx | FileCheck %s --check-prefix=PTX
// RUN: sed 's/f16/f32/g' %s | kernelscope preview - --arch sm_89 --emit ptx | FileCheck %s --check-prefix=F32
// RUN: not kernelscope opt %s --ttgir-to-llvm=arch=sm_80 2>&1 | FileCheck %s --check-prefix=OLD

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>

module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: @bytes
  // CHECK: m16n8k32.row.col.f16.e5m2.e4m3.f16 {{.*}} "=r,=r,r,r,r,r,r,r,r,r"
  // PTX: .version 8.7
  // PTX: mma.sync.aligned.m16n8k32.row.col.f16.e5m2.e4m3.f16
  // F32: .version 8.4
  // F32: mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32
  // OLD: error: 'tt.dot' op of 'f8E5M2' by 'f8E4M3FN' into 'f16' has no matrix instruction on sm_80
  tt.func public @bytes(%a: !tt.ptr<f8E5M2>, %b: !tt.ptr<f8E4M3FN>, %to: !tt.ptr<f16>) {
    %x = tt.load %a : !tt.ptr<f8E5M2>
    %y = tt.load %b : !tt.ptr<f8E4M3FN>
    %xs = tt.splat %x : f8E5M2 -> tensor<32x32xf8E5M2, #a>
    %ys = tt.splat %y : f8E4M3FN -> tensor<32x16xf8E4M3FN, #b>
    %zero = arith.constant dense<0.0> : tensor<32x16xf16, #mma>
    %d = tt.dot %xs, %ys, %zero : tensor<32x32xf8E5M2, #a> * tensor<32x16xf8E4M3FN, #b> -> tensor<32x16xf16, #mma>
    %at = tt.splat %to : !tt.ptr<f16> -> tensor<32x16x!tt.ptr<f16>, #mma>
    tt.store %at, %d : tensor<32x16x!tt.ptr<f16>, #mma>
    tt.return
  }
}
