// Calls are inlined, except of functions marked noinline.
// RUN: kernelscope opt --inline %s | FileCheck %s

tt.func private @square(%x: f32) -> f32 attributes {noinline = false} {
  %0 = arith.mulf %x, %x : f32
  tt.return %0 : f32
}

tt.func private @opaque(%x: f32) -> f32 attributes {noinline = true} {
  tt.return %x : f32
}

// CHECK-LABEL: @kernel
tt.func public @kernel(%p: !tt.ptr<f32>) {
  // CHECK: %[[X:.*]] = tt.load
  %0 = tt.load %p : !tt.ptr<f32>
  // CHECK: %[[Y:.*]] = arith.mulf %[[X]], %[[X]]
  %1 = tt.call @square(%0) : (f32) -> f32
  // CHECK: tt.call @opaque(%[[Y]])
  %2 = tt.call @opaque(%1) : (f32) -> f32
  tt.store %p, %2 : !tt.ptr<f32>
  tt.return
}
