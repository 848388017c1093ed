// Functions of ocml without ROCm's libraries, in f16 and with factors of pi, on the simulator beside the executor.
// RUN: kernelscope run %s --device sim --compare | FileCheck %s
// CHECK: outputs
// CHECK: angles
// CHECK: differs from the CPU executor by at most 0.000e+00
// CHECK: next
// CHECK: differs from the CPU executor by at most 0.000e+00
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @forms(%x: !tt.ptr<f16> loc("x"), %angles: !tt.ptr<f16> loc("angles"), %next: !tt.ptr<f16> loc("next")) {
    %i = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32, #b>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<4x!tt.ptr<f16>, #b>
    %from = tt.addptr %xs, %i : tensor<4x!tt.ptr<f16>, #b>, tensor<4xi32, #b>
    %v = tt.load %from : tensor<4x!tt.ptr<f16>, #b>
    %angle = tt.extern_elementwise %v {libname = "", libpath = "", pure = true, symbol = "__ocml_atanpi_f16"} : (tensor<4xf16, #b>) -> tensor<4xf16, #b>
    %as = tt.splat %angles : !tt.ptr<f16> -> tensor<4x!tt.ptr<f16>, #b>
    %to = tt.addptr %as, %i : tensor<4x!tt.ptr<f16>, #b>, tensor<4xi32, #b>
    tt.store %to, %angle : tensor<4x!tt.ptr<f16>, #b>
    %cube = tt.extern_elementwise %v, %v, %v {libname = "", libpath = "", pure = true, symbol = "__ocml_fmuladd_f16"} : (tensor<4xf16, #b>, tensor<4xf16, #b>, tensor<4xf16, #b>) -> tensor<4xf16, #b>
    %after = tt.extern_elementwise %cube {libname = "", libpath = "", pure = true, symbol = "__ocml_succ_f16"} : (tensor<4xf16, #b>) -> tensor<4xf16, #b>
    %ns = tt.splat %next : !tt.ptr<f16> -> tensor<4x!tt.ptr<f16>, #b>
    %place = tt.addptr %ns, %i : tensor<4x!tt.ptr<f16>, #b>, tensor<4xi32, #b>
    %larger = tt.extern_elementwise %after, %v {libname = "", libpath = "", pure = true, symbol = "__ocml_max_f16"} : (tensor<4xf16, #b>, tensor<4xf16, #b>) -> tensor<4xf16, #b>
    tt.store %place, %larger : tensor<4x!tt.ptr<f16>, #b>
    tt.return
  }
}
