// Ops that rename elements: no instruction, each register of the result is one of the source's.
// RUN: kernelscope opt --ttgir-to-llvm=arch=sm_90a %s | FileCheck %s

#tile = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#row = #ttg.slice<{dim = 1, parent = #tile}>
#turned = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#line = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Thread t of 128 holds elements 4t to 4t + 3: one base, and its low bits.
  // CHECK-LABEL: @range
  tt.func public @range() {
    // CHECK: %[[THREAD:.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.x"
    // CHECK: %[[MASK:.*]] = llvm.mlir.constant(127 : i32)
    // CHECK: %[[LOW:.*]] = llvm.and %[[THREAD]], %[[MASK]]
    // CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
    // CHECK: %[[BASE:.*]] = llvm.shl %[[LOW]], %[[TWO]]
    // CHECK: llvm.xor %[[BASE]]
    // CHECK: llvm.xor %[[BASE]]
    // CHECK: llvm.xor %[[BASE]]
    // CHECK-NOT: llvm.xor
    %0 = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #line>
    tt.return
  }

  // CHECK-LABEL: @broadcast
  tt.func @broadcast(%x: tensor<64xf32, #row>) -> (tensor<64x8xf32, #tile>, tensor<8x64xf32, #turned>) {
    // Two rows of the thread, each for two columns.
    // CHECK: %[[ROW0:.*]] = llvm.extractvalue %arg0[0] : !llvm.struct<(f32, f32)>
    // CHECK: %[[ROW1:.*]] = llvm.extractvalue %arg0[1]
    %column = tt.expand_dims %x {axis = 1 : i32} : tensor<64xf32, #row> -> tensor<64x1xf32, #tile>
    %all = tt.broadcast %column : tensor<64x1xf32, #tile> -> tensor<64x8xf32, #tile>
    // CHECK: llvm.insertvalue %[[ROW0]], %{{.*}}[0] : !llvm.struct<(f32, f32, f32, f32)>
    // CHECK-NEXT: llvm.insertvalue %[[ROW0]], %{{.*}}[1]
    // CHECK-NEXT: llvm.insertvalue %[[ROW1]], %{{.*}}[2]
    // CHECK-NEXT: llvm.insertvalue %[[ROW1]], %{{.*}}[3]
    // Turning changes which register is next, and moves nothing.
    // CHECK-NOT: shfl
    %turned = tt.trans %all {order = array<i32: 1, 0>} : tensor<64x8xf32, #tile> -> tensor<8x64xf32, #turned>
    tt.return %all, %turned : tensor<64x8xf32, #tile>, tensor<8x64xf32, #turned>
  }
}
