// What tt ops simplify to.
// RUN: kernelscope opt --canonicalize --split-input-file %s | FileCheck %s

// A constant mask goes away, with the access if it is false.
// CHECK-LABEL: @masks
// CHECK-SAME: %[[P:.*]]: tensor<8x!tt.ptr<f32>>, %[[O:.*]]: tensor<8xf32>
tt.func @masks(%p: tensor<8x!tt.ptr<f32>>, %o: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %true = arith.constant dense<true> : tensor<8xi1>
  %false = arith.constant dense<false> : tensor<8xi1>
  // CHECK: %[[V:.*]] = tt.load %[[P]] cacheModifier = cg : tensor<8x!tt.ptr<f32>>
  %0 = tt.load %p, %true, %o cacheModifier = cg : tensor<8x!tt.ptr<f32>>
  %1 = tt.load %p, %false, %o : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.store %[[P]], %[[O]] : tensor<8x!tt.ptr<f32>>
  tt.store %p, %o, %true : tensor<8x!tt.ptr<f32>>
  // CHECK-NOT: tt.store
  tt.store %p, %0, %false : tensor<8x!tt.ptr<f32>>
  // CHECK: tt.return %[[V]], %[[O]]
  tt.return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Reshaping a splat is a splat.
// CHECK-LABEL: @splats
tt.func @splats(%x: f32) -> (tensor<4x1xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<1xi32>) {
  // CHECK-DAG: %[[A:.*]] = tt.splat %{{.*}} : f32 -> tensor<4x1xf32>
  // CHECK-DAG: %[[B:.*]] = tt.splat %{{.*}} : f32 -> tensor<4x8xf32>
  // CHECK-DAG: %[[C:.*]] = tt.splat %{{.*}} : f32 -> tensor<4xf32>
  // CHECK-DAG: %[[D:.*]] = arith.constant dense<7> : tensor<1xi32>
  %0 = tt.splat %x : f32 -> tensor<4xf32>
  %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>
  %2 = tt.broadcast %1 : tensor<4x1xf32> -> tensor<4x8xf32>
  %3 = tt.reshape %1 : tensor<4x1xf32> -> tensor<4xf32>
  %4 = tt.make_range {start = 7 : i32, end = 8 : i32} : tensor<1xi32>
  // CHECK: tt.return %[[A]], %[[B]], %[[C]], %[[D]]
  tt.return %1, %2, %3, %4 : tensor<4x1xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<1xi32>
}

// -----

// A broadcast moves after an expand_dims and merges with the next.
// CHECK-LABEL: @broadcasts
// CHECK-SAME: %[[X:.*]]: tensor<1x4xf32>
tt.func @broadcasts(%x: tensor<1x4xf32>) -> tensor<8x2x4xf32> {
  // CHECK: %[[E:.*]] = tt.expand_dims %[[X]] {axis = 1 : i32} : tensor<1x4xf32> -> tensor<1x1x4xf32>
  // CHECK: %[[B:.*]] = tt.broadcast %[[E]] : tensor<1x1x4xf32> -> tensor<8x2x4xf32>
  // CHECK: tt.return %[[B]]
  %0 = tt.broadcast %x : tensor<1x4xf32> -> tensor<8x4xf32>
  %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<8x4xf32> -> tensor<8x1x4xf32>
  %2 = tt.broadcast %1 : tensor<8x1x4xf32> -> tensor<8x2x4xf32>
  tt.return %2 : tensor<8x2x4xf32>
}

// -----

// Ops that change nothing.
// CHECK-LABEL: @nothing
// CHECK-SAME: %[[P:.*]]: tensor<8x!tt.ptr<f32>>, %[[X:.*]]: tensor<8x4xf32>
tt.func @nothing(%p: tensor<8x!tt.ptr<f32>>, %x: tensor<8x4xf32>) -> (tensor<8x!tt.ptr<f32>>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  %zero = arith.constant dense<0> : tensor<8xi32>
  %0 = tt.addptr %p, %zero : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %1 = tt.trans %x {order = array<i32: 0, 1>} : tensor<8x4xf32> -> tensor<8x4xf32>
  %2 = tt.bitcast %x : tensor<8x4xf32> -> tensor<8x4xf32>
  %3 = tt.reshape %x : tensor<8x4xf32> -> tensor<4x8xf32>
  %4 = tt.reshape %3 : tensor<4x8xf32> -> tensor<8x4xf32>
  // CHECK-NEXT: tt.return %[[P]], %[[X]], %[[X]], %[[X]]
  tt.return %0, %1, %2, %4 : tensor<8x!tt.ptr<f32>>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

// Zero stays zero in another format.
// CHECK-LABEL: @zeros
tt.func @zeros() -> tensor<8xf8E5M2> {
  // CHECK: arith.constant dense<0.000000e+00> : tensor<8xf8E5M2>
  %0 = arith.constant dense<0.0> : tensor<8xf32>
  %1 = tt.fp_to_fp %0, rounding = rtne : tensor<8xf32> -> tensor<8xf8E5M2>
  tt.return %1 : tensor<8xf8E5M2>
}
