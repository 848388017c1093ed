// Buffers: vectors where layout and registers agree, swizzles as xor, gaps as added shifts, windows and rings.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_90a | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked32 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#swizzled = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#padded = #ttg.padded_shared<[64:+8] {order = [1, 0], shape = [16, 64]}>
#flat = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!plain = !ttg.memdesc<16x64xf16, #plain, #smem, mutable>
!swizzled = !ttg.memdesc<16x64xf16, #swizzled, #smem, mutable>
!padded = !ttg.memdesc<16x64xf16, #padded, #smem, mutable>
!ring = !ttg.memdesc<3x16x64xf16, #plain, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Eight f16 in a row are one store of 16 bytes; read down a column they are eight loads of two.
  // CHECK-LABEL: @plain
  tt.func @plain(%x: tensor<16x64xf16, #blocked>) -> tensor<16x64xf16, #columns> {
    // CHECK: llvm.store {{.*}} : vector<4xi32>, !llvm.ptr<3>
    // CHECK-NOT: llvm.store
    // CHECK: llvm.nvvm.barrier
    // CHECK-COUNT-8: llvm.load {{.*}} !llvm.ptr<3> -> i16
    // CHECK: llvm.return
    %m = ttg.local_alloc %x : (tensor<16x64xf16, #blocked>) -> !ttg.memdesc<16x64xf16, #plain, #smem>
    %y = ttg.local_load %m : !ttg.memdesc<16x64xf16, #plain, #smem> -> tensor<16x64xf16, #columns>
    tt.return %y : tensor<16x64xf16, #columns>
  }

  // Swizzled in groups of four, so two stores of 8 bytes.
  // CHECK-LABEL: @swizzled
  tt.func @swizzled(%x: tensor<16x64xf16, #blocked>) {
    // CHECK: llvm.xor
    // CHECK-COUNT-2: llvm.store {{.*}} : vector<2xi32>, !llvm.ptr<3>
    // CHECK: llvm.return
    %m = ttg.local_alloc : () -> !swizzled
    ttg.local_store %x, %m : tensor<16x64xf16, #blocked> -> !swizzled
    tt.return
  }

  // Offset i lies at i + i / 64 * 8.
  // CHECK-LABEL: @padded
  tt.func @padded(%x: tensor<16x64xf16, #blocked>) {
    // CHECK: %[[SIX:.*]] = llvm.mlir.constant(6 : i32)
    // CHECK: %[[ROW:.*]] = llvm.lshr %{{.*}}, %[[SIX]]
    // CHECK: %[[THREE:.*]] = llvm.mlir.constant(3 : i32)
    // CHECK: %[[GAP:.*]] = llvm.shl %[[ROW]], %[[THREE]]
    // CHECK: llvm.add %{{.*}}, %[[GAP]]
    // CHECK: llvm.store {{.*}} : vector<4xi32>, !llvm.ptr<3>
    // CHECK: llvm.return
    %m = ttg.local_alloc : () -> !padded
    ttg.local_store %x, %m : tensor<16x64xf16, #blocked> -> !padded
    tt.return
  }

  // Buffer %i of the ring begins 1024 elements after the one before.
  // CHECK-LABEL: @ring
  // CHECK-SAME: %[[I:[a-z0-9]+]]: i32
  tt.func @ring(%x: tensor<16x64xf16, #blocked>, %i: i32) {
    // CHECK: %[[SIZE:.*]] = llvm.mlir.constant(1024 : i32)
    // CHECK: llvm.mul %{{.*}}, %[[SIZE]] : i32
    // CHECK: llvm.store
    // CHECK: llvm.return
    %m = ttg.local_alloc : () -> !ring
    %n = ttg.memdesc_index %m[%i] : !ring -> !plain
    ttg.local_store %x, %n : tensor<16x64xf16, #blocked> -> !plain
    tt.return
  }

  // The window at row 8, column 32 begins at element 8 * 64 + 32 = 544.
  // CHECK-LABEL: @window
  tt.func @window(%x: tensor<8x32xf16, #blocked>) {
    // CHECK: llvm.mlir.constant(544 : i32)
    // CHECK: llvm.store {{.*}} : vector<4xi32>, !llvm.ptr<3>
    // CHECK: llvm.return
    %m = ttg.local_alloc : () -> !plain
    %w = ttg.memdesc_subslice %m [8, 32] : !plain -> !ttg.memdesc<8x32xf16, #plain, #smem, mutable, 16x64>
    ttg.local_store %x, %w : tensor<8x32xf16, #blocked> -> !ttg.memdesc<8x32xf16, #plain, #smem, mutable, 16x64>
    tt.return
  }

  // Buffer 1 of those from 2 on is buffer 3.
  // CHECK-LABEL: @part_of_a_ring
  tt.func @part_of_a_ring(%x: tensor<16x64xf16, #blocked>) {
    // CHECK: llvm.mlir.constant(3072 : i32)
    // CHECK: llvm.store {{.*}} : vector<4xi32>, !llvm.ptr<3>
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !ttg.memdesc<4x16x64xf16, #plain, #smem, mutable>
    %w = ttg.memdesc_subslice %m [2, 0, 0] : !ttg.memdesc<4x16x64xf16, #plain, #smem, mutable> -> !ttg.memdesc<2x16x64xf16, #plain, #smem, mutable, 4x16x64>
    %n = ttg.memdesc_index %w[%c1] : !ttg.memdesc<2x16x64xf16, #plain, #smem, mutable, 4x16x64> -> !plain
    ttg.local_store %x, %n : tensor<16x64xf16, #blocked> -> !plain
    tt.return
  }

  // What a window is read as begins where the window does, at element 16 * 64 here.
  // CHECK-LABEL: @reinterpreted_window
  tt.func @reinterpreted_window(%x: tensor<8x64xi32, #blocked32>) {
    // CHECK: llvm.mlir.constant(1024 : i32)
    // CHECK: llvm.store {{.*}} : vector<4xi32>, !llvm.ptr<3>
    %m = ttg.local_alloc : () -> !ttg.memdesc<32x64xf16, #plain, #smem, mutable>
    %w = ttg.memdesc_subslice %m [16, 0] : !ttg.memdesc<32x64xf16, #plain, #smem, mutable> -> !ttg.memdesc<16x64xf16, #plain, #smem, mutable, 32x64>
    %r = ttg.memdesc_reinterpret %w : !ttg.memdesc<16x64xf16, #plain, #smem, mutable, 32x64> -> !ttg.memdesc<8x64xi32, #plain, #smem, mutable>
    ttg.local_store %x, %r : tensor<8x64xi32, #blocked32> -> !ttg.memdesc<8x64xi32, #plain, #smem, mutable>
    tt.return
  }
  // A buffer that goes around a loop is whole, too, and can have another shape.
  // CHECK-LABEL: @reshaped
  // CHECK: llvm.store {{.*}} : vector<4xi32>, !llvm.ptr<3>
  tt.func @reshaped(%x: tensor<16x64xf16, #blocked>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !plain
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%b = %m) -> (!plain) : i32 {
      %r = ttg.memdesc_reshape %b : !plain -> !ttg.memdesc<1024xf16, #line, #smem, mutable>
      %back = ttg.memdesc_reshape %r : !ttg.memdesc<1024xf16, #line, #smem, mutable> -> !plain
      ttg.local_store %x, %back : tensor<16x64xf16, #blocked> -> !plain
      scf.yield %back : !plain
    }
    tt.return
  }
  // Pointers have 8 bytes.
  // CHECK-LABEL: @pointers
  // CHECK: llvm.store {{.*}} : i64, !llvm.ptr<3>
  tt.func @pointers(%x: tensor<256x!tt.ptr<i8>, #flat>) {
    %m = ttg.local_alloc %x : (tensor<256x!tt.ptr<i8>, #flat>) -> !ttg.memdesc<256x!tt.ptr<i8>, #line, #smem, mutable>
    %r = ttg.memdesc_reinterpret %m : !ttg.memdesc<256x!tt.ptr<i8>, #line, #smem, mutable> -> !ttg.memdesc<256xi64, #line, #smem, mutable>
    tt.return
  }
}
