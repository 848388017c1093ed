// Block pointers, the form of Triton up to 3.7: dimensions in boundaryCheck are padded outside of the tensor, the others
// are accessed as they are.
// RUN: kernelscope run %s --kernel k --device cpu | FileCheck %s
// RUN: not kernelscope run %s --kernel unchecked --device cpu --spec %s.json 2>&1 | FileCheck %s --check-prefix=UNCHECKED
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A tensor of 3 rows of 5: blocks of 2 by 4 from (-1, 0), then from (1, 3).
  // CHECK: outputs
  // CHECK: out {{ *}}f32[8]
  // CHECK-NEXT: first 0 0 0 0 0 1 2 3
  // CHECK: nans {{ *}}f32[8]
  // CHECK-NEXT: first 8 9 nan nan 13 14 nan nan
  tt.func public @k(%in: !tt.ptr<f32> loc("in"), %out: !tt.ptr<f32> loc("out"), %nans: !tt.ptr<f32> loc("nans")) {
    %rows = arith.constant 3 : i64
    %columns = arith.constant 5 : i64
    %l1 = arith.constant 1 : i64
    %l4 = arith.constant 4 : i64
    %l2 = arith.constant 2 : i64
    %below = arith.constant -1 : i32
    %0 = arith.constant 0 : i32
    %2 = arith.constant 2 : i32
    %3 = arith.constant 3 : i32
    // What the tensor holds: 0, 1, 2, ...
    %i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
    %f = arith.sitofp %i : tensor<16xi32> to tensor<16xf32>
    %ins = tt.splat %in : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %each = tt.addptr %ins, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    tt.store %each, %f : tensor<16x!tt.ptr<f32>>

    %from = tt.make_tensor_ptr %in, [%rows, %columns], [%columns, %l1], [%below, %0] {order = array<i32: 1, 0>} : <tensor<2x4xf32>>
    %x = tt.load %from {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<2x4xf32>>
    %to = tt.make_tensor_ptr %out, [%l2, %l4], [%l4, %l1], [%0, %0] {order = array<i32: 1, 0>} : <tensor<2x4xf32>>
    tt.store %to, %x {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<2x4xf32>>
    %next = tt.advance %from, [%2, %3] : <tensor<2x4xf32>>
    %y = tt.load %next {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<2x4xf32>>
    %there = tt.make_tensor_ptr %nans, [%l2, %l4], [%l4, %l1], [%0, %0] {order = array<i32: 1, 0>} : <tensor<2x4xf32>>
    // Rows past the end are not stored.
    %past = tt.advance %there, [%2, %0] : <tensor<2x4xf32>>
    tt.store %there, %y : !tt.ptr<tensor<2x4xf32>>
    tt.store %past, %y {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<2x4xf32>>
    tt.return
  }

  // UNCHECKED: error: program (0, 0, 0), element [0, 2] is out of bounds: 4 bytes at offset 8 of argument 'in', whose buffer has 8 bytes
  tt.func public @unchecked(%in: !tt.ptr<f32> loc("in"), %out: !tt.ptr<f32> loc("out")) {
    %l1 = arith.constant 1 : i64
    %l2 = arith.constant 2 : i64
    %0 = arith.constant 0 : i32
    %from = tt.make_tensor_ptr %in, [%l1, %l2], [%l2, %l1], [%0, %0] {order = array<i32: 1, 0>} : <tensor<2x4xf32>>
    %x = tt.load %from {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<2x4xf32>>
    %to = tt.make_tensor_ptr %out, [%l2, %l2], [%l2, %l1], [%0, %0] {order = array<i32: 1, 0>} : <tensor<2x4xf32>>
    tt.store %to, %x {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<2x4xf32>>
    tt.return
  }
}
