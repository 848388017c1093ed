// Descriptors that a kernel makes itself become pointers with masks for the tensor's bounds.
// RUN: kernelscope opt %s --rewrite-descriptors-to-pointers | FileCheck %s
// RUN: kernelscope preview --arch sm_80 %s --kernel copy | FileCheck %s --check-prefix=PTX

// Columns of a row lie one after another; rows are a stride apart.
// PTX: ld.global
// PTX: st.global
// CHECK-LABEL: @copy
tt.func public @copy(%from: !tt.ptr<f16>, %to: !tt.ptr<f16>, %m: i32, %n: i32, %stride: i64, %i: i32, %j: i32) {
  %one = arith.constant 1 : i64
  // CHECK-NOT: make_tensor_descriptor
  %x = tt.make_tensor_descriptor %from, [%m, %n], [%stride, %one] {padding = 2 : i32} : !tt.ptr<f16>, !tt.tensordesc<16x64xf16>
  %y = tt.make_tensor_descriptor %to, [%m, %n], [%stride, %one] : !tt.ptr<f16>, !tt.tensordesc<16x64xf16>
  // CHECK: %[[I:.*]] = tt.splat %{{.*}} : i32 -> tensor<16xi32>
  // CHECK: %[[ROWS:.*]] = tt.make_range {end = 16 : i32, start = 0 : i32}
  // CHECK: arith.addi %[[I]], %[[ROWS]]
  // CHECK: %[[STRIDE:.*]] = tt.splat %{{.*}} : i64 -> tensor<16xi64>
  // CHECK: arith.muli %{{.*}}, %[[STRIDE]]
  // CHECK: tt.expand_dims %{{.*}} {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
  // CHECK: arith.cmpi sge
  // CHECK: arith.cmpi slt
  // CHECK: tt.make_range {end = 64 : i32, start = 0 : i32}
  // CHECK: %[[IN:.*]] = arith.andi %{{.*}}, %{{.*}} : tensor<16x64xi1>
  // CHECK: %[[NAN:.*]] = arith.constant dense<0x7E00> : tensor<16x64xf16>
  // CHECK: tt.load %{{.*}}, %[[IN]], %[[NAN]] : tensor<16x64x!tt.ptr<f16>>
  %v = tt.descriptor_load %x[%i, %j] : !tt.tensordesc<16x64xf16> -> tensor<16x64xf16>
  // CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} : tensor<16x64x!tt.ptr<f16>>
  tt.descriptor_store %y[%i, %j], %v : !tt.tensordesc<16x64xf16>, tensor<16x64xf16>
  tt.return
}

// Rows are found by their numbers. A load may drop dimensions of one element.
// CHECK-LABEL: @rows
tt.func public @rows(%p: !tt.ptr<f32>, %m: i32, %n: i32, %stride: i64, %which: tensor<32xi32>, %j: i32) -> tensor<32xf32> {
  %one = arith.constant 1 : i64
  %x = tt.make_tensor_descriptor %p, [%m, %n], [%stride, %one] : !tt.ptr<f32>, !tt.tensordesc<1x32xf32>
  // CHECK: arith.extsi %{{.*}} : tensor<32xi32> to tensor<32xi64>
  // CHECK: tt.load {{.*}} : tensor<32x32x!tt.ptr<f32>>
  %v = tt.descriptor_gather %x[%which, %j] : (!tt.tensordesc<1x32xf32>, tensor<32xi32>, i32) -> tensor<32x32xf32>
  // CHECK: tt.store {{.*}} : tensor<32x32x!tt.ptr<f32>>
  tt.descriptor_scatter %x[%which, %j], %v : !tt.tensordesc<1x32xf32>, tensor<32xi32>, i32, tensor<32x32xf32>
  // CHECK: tt.atomic_rmw fadd, relaxed, gpu, {{.*}} tensor<1x32xi1>
  %sums = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<32x32xf32>) -> tensor<32xf32>
  %row = tt.expand_dims %sums {axis = 0 : i32} : tensor<32xf32> -> tensor<1x32xf32>
  tt.descriptor_reduce add, %x[%j, %j], %row : !tt.tensordesc<1x32xf32>, tensor<1x32xf32>
  // CHECK: %[[ROW:.*]] = tt.load {{.*}} : tensor<1x32x!tt.ptr<f32>>
  // CHECK: tt.reshape %[[ROW]] : tensor<1x32xf32> -> tensor<32xf32>
  %w = tt.descriptor_load %x[%j, %j] : !tt.tensordesc<1x32xf32> -> tensor<32xf32>
  tt.return %w : tensor<32xf32>
}

// A descriptor of the host stays, and the largest float, which no atomic operation finds.
// CHECK-LABEL: @left
tt.func public @left(%host: !tt.tensordesc<16x64xf16>, %p: !tt.ptr<f16>, %n: i32, %i: i32) {
  %one = arith.constant 1 : i64
  %v = tt.descriptor_load %host[%i, %i] : !tt.tensordesc<16x64xf16> -> tensor<16x64xf16>
  // CHECK: tt.descriptor_load
  %x = tt.make_tensor_descriptor %p, [%n, %n], [%one, %one] : !tt.ptr<f16>, !tt.tensordesc<16x64xf16>
  // CHECK: tt.descriptor_reduce max
  tt.descriptor_reduce max, %x[%i, %i], %v : !tt.tensordesc<16x64xf16>, tensor<16x64xf16>
  tt.return
}
