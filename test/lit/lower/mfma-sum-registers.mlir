// `amdg.cd_regclass` keeps the sums of a product in AGPRs or VGPRs: a constraint before the first instruction that adds to them,
// and one after the last.
// RUN: kernelscope preview %s --emit amdgcn | FileCheck %s --check-prefix=AGPR
// RUN: sed 's/cd_regclass = "a"/cd_regclass = "v"/' %s | kernelscope preview - --emit amdgcn | FileCheck %s --check-prefix=VGPR
// RUN: kernelscope opt --ttgir-to-llvm %s | FileCheck %s
// RUN: sed 's/cd_regclass = "a"/cd_regclass = "s"/' %s | not kernelscope preview - 2>&1 | FileCheck %s --check-prefix=ERROR

#mma = #ttg.amd_mfma<{version = 3, warpsPerCTA = [4, 1], instrShape = [16, 16, 16], isTransposed = true}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  // CHECK-LABEL: @product
  // CHECK: llvm.inline_asm {{.*}}"", "=a,0" {{.*}} -> vector<4xf32>
  // CHECK: "llvm.amdgcn.mfma.f32.16x16x16f16"
  // CHECK-NOT: llvm.inline_asm
  // CHECK: "llvm.amdgcn.mfma.f32.16x16x16f16"
  // CHECK: llvm.inline_asm {{.*}}"", "=a,0"
  // AGPR-COUNT-2: v_mfma_f32_16x16x16_f16 a[{{.*}}], v[{{.*}}], v[{{.*}}], a[
  // VGPR-COUNT-2: v_mfma_f32_16x16x16_f16 v[{{.*}}], v[{{.*}}], v[{{.*}}], v[
  // ERROR: 'tt.dot' op has 'amdg.cd_regclass' = "s", but it must be "a" for AGPRs or "v" for VGPRs
  tt.func public @product(%x: f16, %y: f16, %z: f32, %p: !tt.ptr<f32>) {
    %a = tt.splat %x : f16 -> tensor<64x32xf16, #a>
    %b = tt.splat %y : f16 -> tensor<32x16xf16, #b>
    %c = tt.splat %z : f32 -> tensor<64x16xf32, #mma>
    %d = tt.dot %a, %b, %c {amdg.cd_regclass = "a"} : tensor<64x32xf16, #a> * tensor<32x16xf16, #b> -> tensor<64x16xf32, #mma>
    %to = tt.splat %p : !tt.ptr<f32> -> tensor<64x16x!tt.ptr<f32>, #mma>
    tt.store %to, %d : tensor<64x16x!tt.ptr<f32>, #mma>
    tt.return
  }
}
