// Elements of 4 and 8 bits are converted and multiplied by their scales, on every chip of AMD: by one instruction for two
// of them on CDNA 4 and for eight on gfx1250, if they are known to have one scale.
// RUN: kernelscope preview %s --emit llvm --arch gfx942 | FileCheck %s
// RUN: kernelscope preview %s --arch gfx942 | FileCheck %s --check-prefix=ASM
// RUN: kernelscope preview %s --arch gfx950 | FileCheck %s --check-prefix=PAIRS
// RUN: kernelscope run %s --device sim --arch gfx950 --compare --kernel upcast | FileCheck %s --check-prefix=SIM
// RUN: sed 's/= .16, 4./= [8, 4]/; s/warp" = 64/warp" = 32/; s/gfx950/gfx1250/' %s > %t
// RUN: kernelscope preview %t --arch gfx1250 | FileCheck %s --check-prefix=EIGHT
// RUN: kernelscope run %t --device sim --arch gfx1250 --compare --kernel upcast | FileCheck %s --check-prefix=SIM

// SIM-COUNT-3: differs from the CPU executor by at most 0.000e+00

#in = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [16, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
#out = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  // CHECK-LABEL: @upcast
  // A byte has two elements, whose magnitudes are looked up.
  // CHECK: call i32 @llvm.amdgcn.perm
  // CHECK: fmul
  // PAIRS-LABEL: upcast:
  // PAIRS-COUNT-4: v_cvt_scalef32_pk_bf16_fp4
  // EIGHT-LABEL: upcast:
  // EIGHT: v_cvt_scale_pk8_bf16_fp4
  // ASM-LABEL: upcast:
  // ASM: v_{{.*}}mul
  tt.func public @upcast(%from: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %fp8: !tt.ptr<f8E5M2> {tt.divisibility = 16 : i32}, %by: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %to: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %half: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %e4m3: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %exponents: !tt.ptr<i8>, %wider: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #in}>>
    %c = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #in}>>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #in}>> -> tensor<16x1xi32, #in>
    %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #in}>> -> tensor<1x16xi32, #in>
    %wide = arith.constant dense<16> : tensor<16x1xi32, #in>
    %start = arith.muli %r1, %wide : tensor<16x1xi32, #in>
    %r2 = tt.broadcast %start : tensor<16x1xi32, #in> -> tensor<16x16xi32, #in>
    %c2 = tt.broadcast %c1 : tensor<1x16xi32, #in> -> tensor<16x16xi32, #in>
    %i = arith.addi %r2, %c2 : tensor<16x16xi32, #in>
    %p = tt.splat %from : !tt.ptr<i8> -> tensor<16x16x!tt.ptr<i8>, #in>
    %q = tt.addptr %p, %i : tensor<16x16x!tt.ptr<i8>, #in>, tensor<16x16xi32, #in>
    %bytes = tt.load %q : tensor<16x16x!tt.ptr<i8>, #in>
    %p8 = tt.splat %fp8 : !tt.ptr<f8E5M2> -> tensor<16x16x!tt.ptr<f8E5M2>, #in>
    %q8 = tt.addptr %p8, %i : tensor<16x16x!tt.ptr<f8E5M2>, #in>, tensor<16x16xi32, #in>
    %floats = tt.load %q8 : tensor<16x16x!tt.ptr<f8E5M2>, #in>
    %pb = tt.splat %by : !tt.ptr<bf16> -> tensor<16x16x!tt.ptr<bf16>, #in>
    %qb = tt.addptr %pb, %i : tensor<16x16x!tt.ptr<bf16>, #in>, tensor<16x16xi32, #in>
    %scales = tt.load %qb : tensor<16x16x!tt.ptr<bf16>, #in>

    %ro = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #out}>>
    %co = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #out}>>
    %ro1 = tt.expand_dims %ro {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #out}>> -> tensor<16x1xi32, #out>
    %co1 = tt.expand_dims %co {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #out}>> -> tensor<1x32xi32, #out>
    %wideo = arith.constant dense<32> : tensor<16x1xi32, #out>
    %starto = arith.muli %ro1, %wideo : tensor<16x1xi32, #out>
    %ro2 = tt.broadcast %starto : tensor<16x1xi32, #out> -> tensor<16x32xi32, #out>
    %co2 = tt.broadcast %co1 : tensor<1x32xi32, #out> -> tensor<16x32xi32, #out>
    %io = arith.addi %ro2, %co2 : tensor<16x32xi32, #out>
    %pto = tt.splat %to : !tt.ptr<bf16> -> tensor<16x32x!tt.ptr<bf16>, #out>
    %qto = tt.addptr %pto, %io : tensor<16x32x!tt.ptr<bf16>, #out>, tensor<16x32xi32, #out>
    %each = arith.constant dense<0.25> : tensor<16x32xbf16, #out>
    %up = amdg.scaled_upcast_fp4 %bytes scale %each {axis = 1 : i32} : tensor<16x16xi8, #in>, tensor<16x32xbf16, #out> -> tensor<16x32xbf16, #out>
    tt.store %qto, %up : tensor<16x32x!tt.ptr<bf16>, #out>
    %up8 = amdg.scaled_upcast_fp8 %floats scale %scales : tensor<16x16xf8E5M2, #in>, tensor<16x16xbf16, #in> -> tensor<16x16xf16, #in>
    %ph = tt.splat %half : !tt.ptr<f16> -> tensor<16x16x!tt.ptr<f16>, #in>
    %qh = tt.addptr %ph, %i : tensor<16x16x!tt.ptr<f16>, #in>, tensor<16x16xi32, #in>
    tt.store %qh, %up8 : tensor<16x16x!tt.ptr<f16>, #in>
    // The lanes 16 apart have different scales.
    // PAIRS-COUNT-4: v_cvt_scalef32_pk_bf16_fp8
    // EIGHT: v_permlanex16
    // EIGHT: v_cvt_scale_pk8_bf16_fp8 {{.*}} scale_sel:8
    %pe = tt.splat %exponents : !tt.ptr<i8> -> tensor<16x1x!tt.ptr<i8>, #out>
    %qe = tt.addptr %pe, %ro1 : tensor<16x1x!tt.ptr<i8>, #out>, tensor<16x1xi32, #out>
    %row = tt.load %qe : tensor<16x1x!tt.ptr<i8>, #out>
    %rows = tt.broadcast %row : tensor<16x1xi8, #out> -> tensor<16x32xi8, #out>
    %p4 = tt.splat %e4m3 : !tt.ptr<f8E4M3FN> -> tensor<16x32x!tt.ptr<f8E4M3FN>, #out>
    %q4 = tt.addptr %p4, %io : tensor<16x32x!tt.ptr<f8E4M3FN>, #out>, tensor<16x32xi32, #out>
    %floats4 = tt.load %q4 : tensor<16x32x!tt.ptr<f8E4M3FN>, #out>
    %up4 = amdg.scaled_upcast_fp8 %floats4 scale %rows : tensor<16x32xf8E4M3FN, #out>, tensor<16x32xi8, #out> -> tensor<16x32xbf16, #out>
    %pw = tt.splat %wider : !tt.ptr<bf16> -> tensor<16x32x!tt.ptr<bf16>, #out>
    %qw = tt.addptr %pw, %io : tensor<16x32x!tt.ptr<bf16>, #out>, tensor<16x32xi32, #out>
    tt.store %qw, %up4 : tensor<16x32x!tt.ptr<bf16>, #out>
    tt.return
  }
}
