// Pixels of an image by TMA's im2col mode, on the wave simulator.
// RUN: kernelscope run %s --device sim --compare | FileCheck %s
// Blocks that start before the box of the image, and after it.
// RUN: sed -e 's/c1 = arith.constant 1 /c1 = arith.constant -3 /' -e 's/%c1, %c0, %c0\]/%c1, %c1, %c0]/' %s > %t-before.mlir
// RUN: kernelscope run %t-before.mlir --device sim --compare | FileCheck %s
// RUN: sed -e 's/c1 = arith.constant 1 /c1 = arith.constant 99 /' -e 's/%c1, %c0, %c0\]/%c1, %c1, %c0]/' %s > %t-after.mlir
// RUN: kernelscope run %t-after.mlir --device sim --compare | FileCheck %s
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<64x32xf16, #tile, #smem, mutable>
!bar = !ttg.memdesc<1xi64, #plain, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: window on sim: the wave simulator (sm_90a)
  // CHECK: differs from the CPU executor by at most 0.000e+00
  tt.func public @window(%image: !ttng.tensordesc_im2col<64x32xf16, #tile>, %out: !tt.ptr<f16>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %right = arith.constant 1 : i16
    %down = arith.constant 2 : i16
    %buffer = ttg.local_alloc : () -> !tile
    %bar = ttg.local_alloc : () -> !bar
    ttng.init_barrier %bar, 1 : !bar
    ttng.barrier_expect %bar, 4096, %true : !bar
    ttng.async_tma_copy_global_to_local %image[%c0, %c1, %c0, %c0] offsets = [%right, %down] %buffer, %bar, %true : !ttng.tensordesc_im2col<64x32xf16, #tile>, !bar -> !tile
    ttng.wait_barrier %bar, %c0 : !bar
    %x = ttg.local_load %buffer : !tile -> tensor<64x32xf16, #b>
    %ri = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %rj = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %rie = tt.expand_dims %ri {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<64x1xi32, #b>
    %rje = tt.expand_dims %rj {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x32xi32, #b>
    %rw = arith.constant dense<32> : tensor<64x1xi32, #b>
    %rl = arith.muli %rie, %rw : tensor<64x1xi32, #b>
    %rlb = tt.broadcast %rl : tensor<64x1xi32, #b> -> tensor<64x32xi32, #b>
    %rjb = tt.broadcast %rje : tensor<1x32xi32, #b> -> tensor<64x32xi32, #b>
    %rat = arith.addi %rlb, %rjb : tensor<64x32xi32, #b>
    %tob = tt.splat %out : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #b>
    %to = tt.addptr %tob, %rat : tensor<64x32x!tt.ptr<f16>, #b>, tensor<64x32xi32, #b>
    tt.store %to, %x : tensor<64x32x!tt.ptr<f16>, #b>
    tt.return
  }
}
