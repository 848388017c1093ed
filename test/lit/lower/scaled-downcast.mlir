// Elements divided by their scales and rounded: two at a time on CDNA 4, eight on gfx1250, and nowhere else.
// RUN: kernelscope opt --ttgir-to-llvm=arch=gfx950 %s | FileCheck %s --check-prefix=PAIRS
// RUN: kernelscope preview --emit=amdgcn --arch=gfx950 --kernel=fp8 %s | FileCheck %s --check-prefix=CODE
// RUN: sed 's/threadsPerWarp = .64, 1./threadsPerWarp = [32, 1]/; s/warp" = 64/warp" = 32/' %s > %t
// RUN: kernelscope opt --ttgir-to-llvm=arch=gfx1250 %t | FileCheck %s --check-prefix=EIGHT
// RUN: not kernelscope opt --ttgir-to-llvm=arch=gfx942 %s 2>&1 | FileCheck %s --check-prefix=NONE

#row = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [64, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#half = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [64, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  // The scale is the exponent of an f32.
  // PAIRS-LABEL: @fp8
  // PAIRS: llvm.shl
  // PAIRS: "llvm.amdgcn.cvt.scalef32.pk.fp8.f32"
  // PAIRS: "llvm.amdgcn.cvt.scalef32.pk.fp8.f32"
  // EIGHT-LABEL: @fp8
  // EIGHT: "llvm.amdgcn.cvt.scalef32.pk8.fp8.f32"
  // CODE-COUNT-16: v_cvt_scalef32_pk_fp8_f32
  // NONE: 'amdg.scaled_downcast_fp8' has no instruction on gfx942; it has one on gfx950, gfx1250
  tt.func public @fp8(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %s: !tt.ptr<i8>, %o: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #row}>>
    %c = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #row}>>
    %rows = tt.expand_dims %r {axis = 1 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<256x1xi32, #row>
    %columns = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #row}>> -> tensor<1x32xi32, #row>
    %width = arith.constant dense<32> : tensor<256x1xi32, #row>
    %first = arith.muli %rows, %width : tensor<256x1xi32, #row>
    %a = tt.broadcast %first : tensor<256x1xi32, #row> -> tensor<256x32xi32, #row>
    %b = tt.broadcast %columns : tensor<1x32xi32, #row> -> tensor<256x32xi32, #row>
    %at = arith.addi %a, %b : tensor<256x32xi32, #row>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<256x32x!tt.ptr<f32>, #row>
    %xp = tt.addptr %xs, %at : tensor<256x32x!tt.ptr<f32>, #row>, tensor<256x32xi32, #row>
    %v = tt.load %xp : tensor<256x32x!tt.ptr<f32>, #row>
    %ss = tt.splat %s : !tt.ptr<i8> -> tensor<256x1x!tt.ptr<i8>, #row>
    %sp = tt.addptr %ss, %rows : tensor<256x1x!tt.ptr<i8>, #row>, tensor<256x1xi32, #row>
    %e = tt.load %sp : tensor<256x1x!tt.ptr<i8>, #row>
    %y = amdg.scaled_downcast_fp8 %v scale %e {axis = 1 : i32} : tensor<256x32xf32, #row>, tensor<256x1xi8, #row> -> tensor<256x32xf8E4M3FN, #row>
    %os = tt.splat %o : !tt.ptr<f8E4M3FN> -> tensor<256x32x!tt.ptr<f8E4M3FN>, #row>
    %op = tt.addptr %os, %at : tensor<256x32x!tt.ptr<f8E4M3FN>, #row>, tensor<256x32xi32, #row>
    tt.store %op, %y : tensor<256x32x!tt.ptr<f8E4M3FN>, #row>
    tt.return
  }

  // Four pairs fill a word.
  // PAIRS-LABEL: @fp4
  // PAIRS-COUNT-16: "llvm.amdgcn.cvt.scalef32.pk.fp4.bf16"
  // EIGHT-LABEL: @fp4
  // EIGHT: "llvm.amdgcn.cvt.scalef32.pk8.fp4.bf16"
  // NONE: 'amdg.scaled_downcast_fp4' has no instruction on gfx942; it has one on gfx950, gfx1250
  tt.func public @fp4(%x: tensor<256x32xbf16, #row>, %e: tensor<256x1xi8, #row>) -> tensor<256x16xi8, #half> {
    %y = amdg.scaled_downcast_fp4 %x scale %e {axis = 1 : i32} : tensor<256x32xbf16, #row>, tensor<256x1xi8, #row> -> tensor<256x16xi8, #half>
    tt.return %y : tensor<256x16xi8, #half>
  }
}
