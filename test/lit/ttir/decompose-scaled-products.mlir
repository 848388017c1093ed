// Microscaled products become plain ones of elements times their scales.
// RUN: kernelscope opt %s --decompose-scaled-products | FileCheck %s
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=gfx942 | FileCheck %s --check-prefix=CDNA

// CDNA-LABEL: @formats
// CDNA: tt.dot {{.*}} #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>
// CHECK-LABEL: @formats
// CHECK-SAME: (%[[A:.*]]: tensor<32x32xi8>, %[[AS:.*]]: tensor<32x2xi8>, %[[B:.*]]: tensor<64x32xf8E5M2>, %[[BS:.*]]: tensor<32x2xi8>,
tt.func public @formats(%a: tensor<32x32xi8>, %as: tensor<32x2xi8>, %b: tensor<64x32xf8E5M2>, %bs: tensor<32x2xi8>, %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  // The two values of a byte follow each other along K.
  // CHECK: %[[X:.*]] = ttg.fp4_to_fp %[[A]] {axis = 1 : i32} : tensor<32x32xi8> -> tensor<32x64xbf16>
  // CHECK: %[[Y:.*]] = tt.fp_to_fp %[[B]] : tensor<64x32xf8E5M2> -> tensor<64x32xbf16>
  // The exponents of scales are a bf16's; all ones are NaN. One serves 32 elements along K.
  // The exponent 0, 2^-127, is the denormal 0x0040.
  // CHECK: %[[LEAST:.*]] = arith.constant dense<64> : tensor<32x2xi16>
  // CHECK: %[[POWER:.*]] = arith.maxui %{{.*}}, %[[LEAST]]
  // CHECK: tt.bitcast %[[POWER]] : tensor<32x2xi16> -> tensor<32x2xbf16>
  // CHECK: arith.cmpi eq, %[[AS]]
  // CHECK: dense<0x7FC0> : tensor<32x2xbf16>
  // CHECK: tt.broadcast %{{.*}} : tensor<32x2x1xbf16> -> tensor<32x2x32xbf16>
  // CHECK: arith.mulf %[[X]], %{{.*}} : tensor<32x64xbf16>
  // CHECK: tt.trans %[[Y]] {order = array<i32: 1, 0>} : tensor<64x32xbf16> -> tensor<32x64xbf16>
  // CHECK: arith.mulf
  // CHECK: tt.trans
  // CHECK: tt.dot {{.*}} : tensor<32x64xbf16> * tensor<64x32xbf16> -> tensor<32x32xf32>
  %d = tt.dot_scaled %a scale %as, %b scale %bs, %c lhs = e2m1 rhs = e5m2 {fastMath = false} : tensor<32x32xi8>, tensor<32x2xi8> * tensor<64x32xf8E5M2>, tensor<32x2xi8> -> tensor<32x32xf32>
  tt.return %d : tensor<32x32xf32>
}

// With an operand of f16 the product is one of f16; pairs may also lie along M or N.
// CHECK-LABEL: @half
tt.func public @half(%a: tensor<32x64xf16>, %b: tensor<64x16xi8>, %bs: tensor<32x2xi8>, %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  // CHECK: ttg.fp4_to_fp %{{.*}} {axis = 1 : i32} : tensor<64x16xi8> -> tensor<64x32xf16>
  // CHECK-NOT: arith.cmpi eq
  // CHECK: tt.dot {{.*}} : tensor<32x64xf16> * tensor<64x32xf16> -> tensor<32x32xf32>
  %d = tt.dot_scaled %a, %b scale %bs, %c lhs = fp16 rhs = e2m1 {fastMath = true, rhs_k_pack = false} : tensor<32x64xf16> * tensor<64x16xi8>, tensor<32x2xi8> -> tensor<32x32xf32>
  tt.return %d : tensor<32x32xf32>
}

// Formats of 6 bits: integers times the smallest value, with its sign.
// CHECK-LABEL: @six_bits
tt.func @six_bits(%a: tensor<32x64xi8>, %b: tensor<64x32xi8>, %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  // CHECK-DAG: arith.constant dense<1.250000e-01> : tensor<32x64xbf16>
  // CHECK-DAG: arith.constant dense<6.250000e-02> : tensor<64x32xbf16>
  // CHECK: tt.dot {{.*}} : tensor<32x64xbf16> * tensor<64x32xbf16> -> tensor<32x32xf32>
  %d = tt.dot_scaled %a, %b, %c lhs = e2m3 rhs = e3m2 {fastMath = false} : tensor<32x64xi8> * tensor<64x32xi8> -> tensor<32x32xf32>
  tt.return %d : tensor<32x32xf32>
}
