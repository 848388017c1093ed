// AMD converts 8-bit floats two at a time where the chip has their format: those without a negative zero on CDNA 3, OCP's
// on RDNA 4. CDNA 4 and gfx1250 use the conversions with a scale, two and eight at a time. In a kernel with f16
// arithmetic what is too large is limited first, except for NaNs; in others the mode saturates (cast-mode-amd.mlir).
// RUN: kernelscope opt --ttgir-to-llvm=arch=gfx942 %s | FileCheck %s --check-prefixes=CHECK,FNUZ
// RUN: kernelscope opt --ttgir-to-llvm=arch=gfx950 %s | FileCheck %s --check-prefixes=CHECK,OCP
// RUN: sed 's/threadsPerWarp = .64/threadsPerWarp = [32/; s/warp" = 64/warp" = 32/' %s > %t
// RUN: kernelscope opt --ttgir-to-llvm=arch=gfx1201 %t | FileCheck %s --check-prefixes=CHECK,RDNA
// RUN: kernelscope opt --ttgir-to-llvm=arch=gfx1250 %t | FileCheck %s --check-prefixes=CHECK,EIGHT
// RUN: kernelscope preview --emit=amdgcn --arch=gfx942 --kernel=fnuz %s | FileCheck %s --check-prefix=CODE

#line = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  // CHECK-LABEL: @fnuz
  // FNUZ: "llvm.amdgcn.cvt.pk.f32.fp8"
  // FNUZ: "llvm.amdgcn.fmed3.f32"
  // FNUZ: llvm.fcmp "uno"
  // FNUZ: "llvm.amdgcn.cvt.pk.bf8.f32"
  // OCP-NOT: pk.{{.*}}fp8
  // CODE: v_cvt_pk_f32_fp8
  // CODE: v_med3_f32
  // CODE: v_cvt_pk_bf8_f32
  tt.func public @fnuz(%from: !tt.ptr<f8E4M3FNUZ> {tt.divisibility = 16 : i32}, %to: !tt.ptr<f8E5M2FNUZ> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #line>
    %s = tt.splat %from : !tt.ptr<f8E4M3FNUZ> -> tensor<512x!tt.ptr<f8E4M3FNUZ>, #line>
    %p = tt.addptr %s, %i : tensor<512x!tt.ptr<f8E4M3FNUZ>, #line>, tensor<512xi32, #line>
    %x = tt.load %p : tensor<512x!tt.ptr<f8E4M3FNUZ>, #line>
    %y = tt.fp_to_fp %x : tensor<512xf8E4M3FNUZ, #line> -> tensor<512xf16, #line>
    %z = arith.addf %y, %y : tensor<512xf16, #line>
    %w = tt.fp_to_fp %z, rounding = rtne : tensor<512xf16, #line> -> tensor<512xf8E5M2FNUZ, #line>
    %t = tt.splat %to : !tt.ptr<f8E5M2FNUZ> -> tensor<512x!tt.ptr<f8E5M2FNUZ>, #line>
    %q = tt.addptr %t, %i : tensor<512x!tt.ptr<f8E5M2FNUZ>, #line>, tensor<512xi32, #line>
    tt.store %q, %w : tensor<512x!tt.ptr<f8E5M2FNUZ>, #line>
    tt.return
  }

  // CHECK-LABEL: @ocp
  // OCP: "llvm.minimum"
  // OCP: "llvm.maximum"
  // OCP: "llvm.amdgcn.cvt.scalef32.pk.fp8.f32"
  // RDNA: "llvm.minimum"
  // RDNA: "llvm.maximum"
  // RDNA: "llvm.amdgcn.cvt.pk.fp8.f32"
  // EIGHT: "llvm.maximum"
  // EIGHT: "llvm.amdgcn.cvt.scalef32.pk8.fp8.f32"
  // FNUZ-NOT: cvt.pk
  // CHECK: llvm.return
  tt.func public @ocp(%x: tensor<512xf32, #line>) -> tensor<512xf8E4M3FN, #line> {
    %y = tt.fp_to_fp %x, rounding = rtne : tensor<512xf32, #line> -> tensor<512xf8E4M3FN, #line>
    tt.return %y : tensor<512xf8E4M3FN, #line>
  }

  // The instructions round to nearest.
  // CHECK-LABEL: @to_zero
  // CHECK-NOT: cvt.{{.*}}pk
  // CHECK: llvm.return
  tt.func public @to_zero(%x: tensor<512xf32, #line>) -> tensor<512xf8E4M3FN, #line> {
    %y = tt.fp_to_fp %x, rounding = rtz : tensor<512xf32, #line> -> tensor<512xf8E4M3FN, #line>
    tt.return %y : tensor<512xf8E4M3FN, #line>
  }
}
