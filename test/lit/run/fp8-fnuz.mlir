// All 256 bytes as E5M2FNUZ, whose largest exponent is beyond f16's infinity before it is scaled: the executor and the code of chips
// without the instruction agree.
// RUN: kernelscope run %s --device sim --arch gfx1100 --compare | FileCheck %s
// RUN: kernelscope run %s --device sim --arch gfx1201 --compare | FileCheck %s
// CHECK: differs from the CPU executor by at most 0.000e+00

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%out: !tt.ptr<f16>) {
    %i = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #b>
    %byte = arith.trunci %i : tensor<256xi32, #b> to tensor<256xi8, #b>
    %x = tt.bitcast %byte : tensor<256xi8, #b> -> tensor<256xf8E5M2FNUZ, #b>
    %h = tt.fp_to_fp %x : tensor<256xf8E5M2FNUZ, #b> -> tensor<256xf16, #b>
    %base = tt.splat %out : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>, #b>
    %to = tt.addptr %base, %i : tensor<256x!tt.ptr<f16>, #b>, tensor<256xi32, #b>
    tt.store %to, %h : tensor<256x!tt.ptr<f16>, #b>
    tt.return
  }
}
