// On Blackwell a microscaled product takes tcgen05.mma with its scales in tensor memory where formats and shape fit; others are
// computed in 16 bits.
// RUN: kernelscope opt %s --ttir-to-ttgir="arch=sm_100a num-warps=4" | FileCheck %s
// RUN: kernelscope opt %s --ttir-to-ttgir="arch=sm_100a num-warps=8" | FileCheck %s --check-prefix=GROUPS
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=sm_90a | FileCheck %s --check-prefix=HOPPER
// RUN: kernelscope run %s --kernel loop --device sim --arch sm_100a | FileCheck %s --check-prefix=SIM

// CHECK-DAG: #[[SCALES:linear[0-9]*]] = #ttg.linear<{register = {{\[\[}}0, 1], [0, 2], [32, 0], [64, 0]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = {{\[\[}}0, 0], [0, 0]], block = []}>
// CHECK-DAG: #[[ALONG_N:shared[0-9]*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
// CHECK-DAG: #[[ALONG_K:shared[0-9]*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>
// GROUPS-DAG: #[[SCALES:linear[0-9]*]] = #ttg.linear<{register = {{\[\[}}0, 1], [0, 2], [32, 0], [64, 0]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = {{\[\[}}0, 0], [0, 0], [0, 0]], block = []}>

// Scales of a power of two, and sums of small integers, are exact.
// CHECK-LABEL: @loop
// CHECK: ttng.tmem_alloc %{{.*}} -> !ttg.memdesc<128x128xf32,
// CHECK: ttg.local_alloc {{.*}} -> !ttg.memdesc<128x128xf8E4M3FN, #[[ALONG_N]]
// CHECK: ttng.fence_async_shared
// CHECK: scf.for
// CHECK: ttng.tmem_alloc {{.*}} : (tensor<128x4xi8, #[[SCALES]]>) -> !ttg.memdesc<128x4xi8, #tmem_scales, #ttng.tensor_memory>
// CHECK: ttng.tc_gen5_mma_scaled {{.*}} lhs = e5m2 rhs = e4m3
// CHECK: ttng.tmem_load
// GROUPS-LABEL: @loop
// GROUPS: ttng.tmem_alloc {{.*}} : (tensor<128x4xi8, #[[SCALES]]>)
// HOPPER-LABEL: @loop
// HOPPER-NOT: dot_scaled
// HOPPER: ttng.warp_group_dot
// SIM: differs from the CPU executor by at most 0.000e+00
tt.func public @loop(%out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %ids = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %rows = tt.expand_dims %ids {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %columns = tt.expand_dims %ids {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
  %down = tt.broadcast %rows : tensor<128x1xi32> -> tensor<128x128xi32>
  %across = tt.broadcast %columns : tensor<1x128xi32> -> tensor<128x128xi32>
  %all = arith.constant dense<128> : tensor<128x128xi32>
  %start = arith.muli %down, %all : tensor<128x128xi32>
  %offsets = arith.addi %start, %across : tensor<128x128xi32>
  // Whole numbers from 0 to 7, different along both dimensions.
  %seven = arith.constant dense<7> : tensor<128x128xi32>
  %sum = arith.addi %down, %across : tensor<128x128xi32>
  %cut = arith.andi %sum, %seven : tensor<128x128xi32>
  %number = arith.sitofp %cut : tensor<128x128xi32> to tensor<128x128xf32>
  %half = arith.truncf %number : tensor<128x128xf32> to tensor<128x128xf16>
  %a = tt.fp_to_fp %half, rounding = rtne : tensor<128x128xf16> -> tensor<128x128xf8E5M2>
  %b = tt.fp_to_fp %half, rounding = rtne : tensor<128x128xf16> -> tensor<128x128xf8E4M3FN>
  // 2 to the -2 to 1 for each row and each 32 elements of K.
  %steps = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %step = tt.expand_dims %steps {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
  %ofRow = tt.broadcast %rows : tensor<128x1xi32> -> tensor<128x4xi32>
  %ofStep = tt.broadcast %step : tensor<1x4xi32> -> tensor<128x4xi32>
  %three = arith.constant dense<3> : tensor<128x4xi32>
  %bias = arith.constant dense<125> : tensor<128x4xi32>
  %place = arith.addi %ofRow, %ofStep : tensor<128x4xi32>
  %exponent = arith.andi %place, %three : tensor<128x4xi32>
  %biased = arith.addi %exponent, %bias : tensor<128x4xi32>
  %scales = arith.trunci %biased : tensor<128x4xi32> to tensor<128x4xi8>
  %product = scf.for %i = %c0 to %c2 step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>) : i32 {
    %d = tt.dot_scaled %a scale %scales, %b scale %scales, %acc lhs = e5m2 rhs = e4m3 {fastMath = false} : tensor<128x128xf8E5M2>, tensor<128x4xi8> * tensor<128x128xf8E4M3FN>, tensor<128x4xi8> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %base = tt.splat %out : !tt.ptr<f32> -> tensor<128x128x!tt.ptr<f32>>
  %places = tt.addptr %base, %offsets : tensor<128x128x!tt.ptr<f32>>, tensor<128x128xi32>
  tt.store %places, %product : tensor<128x128x!tt.ptr<f32>>
  tt.return
}

// Rows of 4-bit elements lie along K, whose pairs are in bytes. Scales in e4m3 are for 16 elements.
// CHECK-LABEL: @fours
// CHECK: ttg.local_alloc {{.*}} -> !ttg.memdesc<64x64xi8, #[[ALONG_K]]
// CHECK: ttng.tc_gen5_mma_scaled {{.*}} lhs = e2m1 rhs = e2m1
tt.func public @fours(%a: tensor<128x64xi8>, %b: tensor<64x64xi8>, %x: tensor<128x8xf8E4M3FN>, %y: tensor<64x8xf8E4M3FN>, %c: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %d = tt.dot_scaled %a scale %x, %b scale %y, %c lhs = e2m1 rhs = e2m1 {fastMath = false} : tensor<128x64xi8>, tensor<128x8xf8E4M3FN> * tensor<64x64xi8>, tensor<64x8xf8E4M3FN> -> tensor<128x64xf32>
  tt.return %d : tensor<128x64xf32>
}

// Fewer rows, two scales along K, formats of different widths, one side without scales.
// CHECK-LABEL: @others
// CHECK-NOT: tc_gen5_mma_scaled
// CHECK: tt.return
tt.func public @others(%a: tensor<64x128xf8E5M2>, %ax: tensor<64x4xi8>, %b: tensor<128x64xf8E5M2>, %bx: tensor<64x4xi8>, %c: tensor<64x64xf32>,
                       %e: tensor<128x64xf8E5M2>, %ex: tensor<128x2xi8>, %f: tensor<64x64xf8E5M2>, %fx: tensor<64x2xi8>, %g: tensor<128x64xf32>,
                       %h: tensor<128x128xf8E5M2>, %hx: tensor<128x4xi8>, %i: tensor<64x64xi8>)
    -> (tensor<64x64xf32>, tensor<128x64xf32>) {
  %1 = tt.dot_scaled %a scale %ax, %b scale %bx, %c lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<64x128xf8E5M2>, tensor<64x4xi8> * tensor<128x64xf8E5M2>, tensor<64x4xi8> -> tensor<64x64xf32>
  %2 = tt.dot_scaled %e scale %ex, %f scale %fx, %g lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<128x64xf8E5M2>, tensor<128x2xi8> * tensor<64x64xf8E5M2>, tensor<64x2xi8> -> tensor<128x64xf32>
  %3 = tt.dot_scaled %h scale %hx, %i scale %bx, %2 lhs = e5m2 rhs = e2m1 {fastMath = false} : tensor<128x128xf8E5M2>, tensor<128x4xi8> * tensor<64x64xi8>, tensor<64x4xi8> -> tensor<128x64xf32>
  %4 = tt.dot_scaled %h, %b scale %bx, %3 lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<128x128xf8E5M2> * tensor<128x64xf8E5M2>, tensor<64x4xi8> -> tensor<128x64xf32>
  tt.return %1, %4 : tensor<64x64xf32>, tensor<128x64xf32>
}
