// FPSan's integers of floats: 0 and 1 are themselves and -1 has all bits, every float has one of its own, and sums in
// any order are the same.
// RUN: kernelscope run %s --device cpu | FileCheck %s
// CHECK: outputs
// CHECK: out {{ *}}i32[8]
// CHECK-NEXT: first 0 1 -1 895509376 1608439170 -400451702 895509376 0
// CHECK: same {{ *}}i32[1]
// CHECK-NEXT: first 1
// CHECK: wide {{ *}}i64[2]
// CHECK-NEXT: first -1 1
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%out: !tt.ptr<i32> loc("out"), %same: !tt.ptr<i32> loc("same"), %wide: !tt.ptr<i64> loc("wide")) {
    %x = arith.constant dense<[0.0, 1.0, -1.0, 2.0, 0.5, -3.14159274, 2.0, 0.0]> : tensor<8xf32>
    %e = tti.experimental_fpsan_embed %x : (tensor<8xf32>) -> tensor<8xi32>
    %i = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
    %base = tt.splat %out : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
    %to = tt.addptr %base, %i : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
    tt.store %to, %e : tensor<8x!tt.ptr<i32>>

    // (2 + 1) - 1 = 2, by way of a float that is no number of ours.
    %2 = arith.constant 2.0 : f16
    %1 = arith.constant 1.0 : f16
    %two = tti.experimental_fpsan_embed %2 : (f16) -> i16
    %one = tti.experimental_fpsan_embed %1 : (f16) -> i16
    %sum = arith.addi %two, %one : i16
    %between = tti.experimental_fpsan_unembed %sum : (i16) -> f16
    %again = tti.experimental_fpsan_embed %between : (f16) -> i16
    %less = arith.subi %again, %one : i16
    %back = tti.experimental_fpsan_unembed %less : (i16) -> f16
    %equal = arith.cmpf oeq, %back, %2 : f16
    %result = arith.extui %equal : i1 to i32
    tt.store %same, %result : !tt.ptr<i32>

    %y = arith.constant dense<[-1.0, 1.0]> : tensor<2xf64>
    %f = tti.experimental_fpsan_embed %y : (tensor<2xf64>) -> tensor<2xi64>
    %j = tt.make_range {start = 0 : i32, end = 2 : i32} : tensor<2xi32>
    %wides = tt.splat %wide : !tt.ptr<i64> -> tensor<2x!tt.ptr<i64>>
    %there = tt.addptr %wides, %j : tensor<2x!tt.ptr<i64>>, tensor<2xi32>
    tt.store %there, %f : tensor<2x!tt.ptr<i64>>
    tt.return
  }
}
