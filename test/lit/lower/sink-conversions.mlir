// RUN: kernelscope opt %s --sink-conversions | FileCheck %s

// A conversion whose result takes many registers goes before its first use, and small ones stay.
#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #rows}>
#right = #ttg.dot_op<{opIdx = 1, parent = #rows}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @product
  // CHECK: %[[LEFT:.*]] = ttg.convert_layout %{{.*}} -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 0,
  // CHECK: %[[SUMS:.*]] = tt.load
  // CHECK-NEXT: %[[RIGHT:.*]] = ttg.convert_layout %{{.*}} -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 1,
  // CHECK-NEXT: tt.dot %[[LEFT]], %[[RIGHT]], %[[SUMS]]
  tt.func public @product(%p: tensor<32x32x!tt.ptr<f32>, #rows>) -> tensor<32x32xf32, #rows> {
    %x = tt.load %p : tensor<32x32x!tt.ptr<f32>, #rows>
    %right = ttg.convert_layout %x : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #right>
    %left = ttg.convert_layout %x : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #left>
    %sums = tt.load %p : tensor<32x32x!tt.ptr<f32>, #rows>
    %d = tt.dot %left, %right, %sums : tensor<32x32xf32, #left> * tensor<32x32xf32, #right> -> tensor<32x32xf32, #rows>
    tt.return %d : tensor<32x32xf32, #rows>
  }

  // Not into a loop, where it would be done again and again.
  // CHECK-LABEL: @loop
  // CHECK-COUNT-2: tt.load
  // CHECK-NEXT: %[[RIGHT:.*]] = ttg.convert_layout
  // CHECK-NEXT: scf.for
  // CHECK: tt.dot %{{.*}}, %[[RIGHT]]
  tt.func public @loop(%p: tensor<32x32x!tt.ptr<f32>, #rows>, %left: tensor<32x32xf32, #left>, %n: i32) -> tensor<32x32xf32, #rows> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %x = tt.load %p : tensor<32x32x!tt.ptr<f32>, #rows>
    %right = ttg.convert_layout %x : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #right>
    %none = tt.load %p : tensor<32x32x!tt.ptr<f32>, #rows>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none) -> (tensor<32x32xf32, #rows>) : i32 {
      %d = tt.dot %left, %right, %acc : tensor<32x32xf32, #left> * tensor<32x32xf32, #right> -> tensor<32x32xf32, #rows>
      scf.yield %d : tensor<32x32xf32, #rows>
    }
    tt.return %sum : tensor<32x32xf32, #rows>
  }
}
