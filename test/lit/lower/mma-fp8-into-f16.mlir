// mma.sync adds products of fp8 in f16 from PTX ISA 8.7 on, which code for sm_100 and newer asks for.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_120a | FileCheck %s
// RUN: not kernelscope opt %s --ttgir-to-llvm=arch=sm_89 2>&1 | FileCheck %s --check-prefix=OLD

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>

module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: @bytes
  // CHECK: m16n8k32.row.col.f16.e5m2.e4m3.f16 {{.*}} "=r,=r,r,r,r,r,r,r,r,r"
  // OLD: error: 'tt.dot' op of 'f8E5M2' by 'f8E4M3FN' into 'f16' has no matrix instruction on sm_89, which has them for e5m2 into f32
  tt.func public @bytes(%a: tensor<32x32xf8E5M2, #a>, %b: tensor<32x16xf8E4M3FN, #b>, %c: tensor<32x16xf16, #mma>) {
    %d = tt.dot %a, %b, %c : tensor<32x32xf8E5M2, #a> * tensor<32x16xf8E4M3FN, #b> -> tensor<32x16xf16, #mma>
    tt.return
  }
}
