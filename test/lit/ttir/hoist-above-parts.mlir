// The operands of a product in parts are moved between threads once, before they are taken apart.
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=sm_80 | FileCheck %s

// CHECK-LABEL: @tf32x3
// CHECK: tt.load
// CHECK: ttg.convert_layout %{{.*}} -> tensor<64x64xf32, #ttg.dot_op<{opIdx = {{[01]}},
// CHECK: ttg.convert_layout %{{.*}} -> tensor<64x64xf32, #ttg.dot_op<{opIdx =
// CHECK-NOT: ttg.convert_layout
// CHECK: arith.andi %{{.*}} : tensor<64x64xi32, #ttg.dot_op<
// CHECK: arith.subf %{{.*}} : tensor<64x64xf32, #ttg.dot_op<
// CHECK-NOT: ttg.convert_layout
// CHECK-COUNT-3: tt.dot
tt.func public @tf32x3(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tt.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %stride = arith.constant dense<64> : tensor<64x1xi32>
  %starts = arith.muli %rows, %stride : tensor<64x1xi32>
  %r = tt.broadcast %starts : tensor<64x1xi32> -> tensor<64x64xi32>
  %k = tt.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %offsets = arith.addi %r, %k : tensor<64x64xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %q = tt.addptr %ps, %offsets : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  %x = tt.load %q : tensor<64x64x!tt.ptr<f32>>
  %y = tt.load %q {isVolatile = true} : tensor<64x64x!tt.ptr<f32>>
  %d = tt.dot %x, %y, %c, inputPrecision = tf32x3 : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
  tt.return %d : tensor<64x64xf32>
}
