// A .ttir has no target: what becomes of values outside of the bins is as on the target that it is run for.
// RUN: kernelscope run %s --device cpu --sanitize=none | FileCheck %s --check-prefix=DROPS
// RUN: kernelscope run %s --device cpu --sanitize=none --arch sm_90 | FileCheck %s --check-prefix=DROPS
// RUN: kernelscope run %s --device cpu --sanitize=none --arch gfx942 | FileCheck %s --check-prefix=WRAPS
// RUN: kernelscope run %s --device sim --arch gfx942 --compare | FileCheck %s --check-prefixes=WRAPS,EQUAL
// RUN: kernelscope run %s --device sim --arch gfx1201 --compare | FileCheck %s --check-prefixes=WRAPS,EQUAL
// RUN: not kernelscope run %s --device cpu --arch gfx0 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// DROPS: first 0 0 0 0 0 0 0 0
// 64 lanes or 32: 192 is a multiple of both, of which 4 are left.
// WRAPS: first 0 0 0 0 128 0 0 0
// EQUAL: equal
// UNKNOWN: gfx0
tt.func public @k(%out: !tt.ptr<i32>) {
  %beyond = arith.constant dense<196> : tensor<128xi32>
  %h = tt.histogram %beyond : tensor<128xi32> -> tensor<8xi32>
  %i = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %base = tt.splat %out : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %to = tt.addptr %base, %i : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  tt.store %to, %h : tensor<8x!tt.ptr<i32>>
  tt.return
}
