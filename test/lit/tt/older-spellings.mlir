// What Triton 3.4 to 3.6 wrote: read, and printed as today where today has a spelling.
// RUN: kernelscope opt --release=main %s | FileCheck %s

// CHECK: @descriptor(%{{.*}}: !tt.tensordesc<64x32xf16>)
tt.func @descriptor(%d: !tt.tensordesc<tensor<64x32xf16>>) {
  tt.return
}

// CHECK-LABEL: @block_pointers
tt.func @block_pointers(%p: !tt.ptr<f16>, %n: i64, %o: i32, %x: tensor<2xf32>) {
  // CHECK: %[[P:.*]] = tt.make_tensor_ptr %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] {order = array<i32: 1, 0>} : <tensor<64x32xf16>>
  %b = tt.make_tensor_ptr %p, [%n, %n], [%n, %n], [%o, %o] {order = array<i32: 1, 0>} : <tensor<64x32xf16>>
  // CHECK: tt.advance %[[P]], [%{{.*}}, %{{.*}}] : <tensor<64x32xf16>>
  %c = tt.advance %b, [%o, %o] : <tensor<64x32xf16>>
  // CHECK: %[[V:.*]] = tt.load %{{.*}} {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<64x32xf16>>
  %v = tt.load %c {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<64x32xf16>>
  // CHECK: tt.store %[[P]], %[[V]] {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<64x32xf16>>
  tt.store %b, %v {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<64x32xf16>>
  // CHECK: tt.cat %{{.*}}, %{{.*}} : tensor<2xf32> -> tensor<4xf32>
  %4 = tt.cat %x, %x : tensor<2xf32> -> tensor<4xf32>
  tt.return
}
