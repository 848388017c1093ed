// OCP's 8-bit floats on chips that do not convert them: two at a time, by packed arithmetic on halves. All 256 bytes give the
// executor's values; the fourth result says which are NaN.
// RUN: split-file %s %t
// RUN: kernelscope opt --ttgir-to-llvm=arch=gfx942 %t/e4m3.ttgir | FileCheck %s
// RUN: kernelscope preview --emit amdgcn %t/e4m3.ttgir | FileCheck %s --check-prefix=ASM
// RUN: kernelscope run %t/e4m3.ttgir --device sim --compare | FileCheck %s --check-prefix=SIM
// RUN: sed 's/f8E4M3FN/f8E5M2/g' %t/e4m3.ttgir > %t/e5m2.ttgir
// RUN: kernelscope run %t/e5m2.ttgir --device sim --compare | FileCheck %s --check-prefix=SIM
// RUN: sed 's/Warp = .64/Warp = [32/; s/warp" = 64/warp" = 32/; s/gfx942/gfx1100/' %t/e4m3.ttgir > %t/wave32.ttgir
// RUN: kernelscope run %t/wave32.ttgir --device sim --compare | FileCheck %s --check-prefix=SIM
// CHECK-COUNT-2: "llvm.amdgcn.perm"
// ASM: v_pk_mad_u16
// SIM-COUNT-4: differs from the CPU executor by at most 0.000e+00

//--- e4m3.ttgir
#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [64], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @widen(%half: !tt.ptr<f16>, %bfloat: !tt.ptr<bf16>, %float: !tt.ptr<f32>, %nans: !tt.ptr<i8>) {
    %at = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #b>
    %byte = arith.trunci %at : tensor<256xi32, #b> to tensor<256xi8, #b>
    %x = tt.bitcast %byte : tensor<256xi8, #b> -> tensor<256xf8E4M3FN, #b>
    %f16 = tt.fp_to_fp %x : tensor<256xf8E4M3FN, #b> -> tensor<256xf16, #b>
    %bf16 = tt.fp_to_fp %x : tensor<256xf8E4M3FN, #b> -> tensor<256xbf16, #b>
    %f32 = tt.fp_to_fp %x : tensor<256xf8E4M3FN, #b> -> tensor<256xf32, #b>
    %isNan = arith.cmpf uno, %f32, %f32 : tensor<256xf32, #b>
    %nan = arith.extui %isNan : tensor<256xi1, #b> to tensor<256xi8, #b>
    %h = tt.splat %half : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>, #b>
    %hs = tt.addptr %h, %at : tensor<256x!tt.ptr<f16>, #b>, tensor<256xi32, #b>
    tt.store %hs, %f16 : tensor<256x!tt.ptr<f16>, #b>
    %g = tt.splat %bfloat : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>, #b>
    %gs = tt.addptr %g, %at : tensor<256x!tt.ptr<bf16>, #b>, tensor<256xi32, #b>
    tt.store %gs, %bf16 : tensor<256x!tt.ptr<bf16>, #b>
    %f = tt.splat %float : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #b>
    %fs = tt.addptr %f, %at : tensor<256x!tt.ptr<f32>, #b>, tensor<256xi32, #b>
    tt.store %fs, %f32 : tensor<256x!tt.ptr<f32>, #b>
    %n = tt.splat %nans : !tt.ptr<i8> -> tensor<256x!tt.ptr<i8>, #b>
    %ns = tt.addptr %n, %at : tensor<256x!tt.ptr<i8>, #b>, tensor<256xi32, #b>
    tt.store %ns, %nan : tensor<256x!tt.ptr<i8>, #b>
    tt.return
  }
}
