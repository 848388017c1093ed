// TTGIR from before Triton's pass for TMA: blocks of described tensors move by TMA, in the layout of the descriptor, also in a partition.
// RUN: kernelscope opt %s --ensure-ttgir=arch=sm_100a | FileCheck %s
// RUN: kernelscope run --device sim --arch sm_100a %s --compare | FileCheck %s --check-prefix=SIM

#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#one = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
#numbers = #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 32}>
!in = !tt.tensordesc<16x32xf32, #shared>
!line = !tt.tensordesc<1x32xf32, #shared>

// CHECK-DAG: #[[SHARED:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 64,
// SIM: on sim
// SIM: differs from the CPU executor by at most
// SIM-SAME: within
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @blocks(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %c8 = arith.constant 8 : i32
    %rows = arith.constant 32 : i32
    %stride = arith.constant 32 : i64
    %one = arith.constant 1 : i64
    %from = tt.make_tensor_descriptor %p, [%rows, %rows], [%stride, %one] : !tt.ptr<f32>, !in
    %to = tt.make_tensor_descriptor %q, [%rows, %rows], [%stride, %one] : !tt.ptr<f32>, !in
    %lines = tt.make_tensor_descriptor %p, [%rows, %rows], [%stride, %one] : !tt.ptr<f32>, !line
    // CHECK: ttg.local_alloc : () -> !ttg.memdesc<16x32xf32, #[[SHARED]], #smem, mutable>
    // CHECK: ttng.barrier_expect %{{.*}}, 2048,
    // CHECK: ttng.async_tma_copy_global_to_local
    %v = tt.descriptor_load %from[%c8, %c0] : !in -> tensor<16x32xf32, #rows>
    // CHECK: ttng.async_tma_gather
    %some = tt.make_range {start = 4 : i32, end = 20 : i32} : tensor<16xi32, #numbers>
    %g = tt.descriptor_gather %lines[%some, %c0] : (!line, tensor<16xi32, #numbers>, i32) -> tensor<16x32xf32, #rows>
    %sum = arith.addf %v, %g : tensor<16x32xf32, #rows>
    // CHECK: ttng.async_tma_copy_local_to_global
    tt.descriptor_store %to[%c0, %c0], %sum : !in, tensor<16x32xf32, #rows>
    ttg.warp_specialize(%from, %to)
    default {
      ttg.warp_yield
    }
    // CHECK: partition0
    // CHECK: ttng.async_tma_copy_global_to_local
    // CHECK: ttng.async_tma_reduce add
    partition0(%in: !in, %out: !in) num_warps(1) {
      %first = arith.constant 0 : i32
      %last = arith.constant 16 : i32
      %w = tt.descriptor_load %in[%first, %first] : !in -> tensor<16x32xf32, #one>
      tt.descriptor_reduce add, %out[%last, %first], %w : !in, tensor<16x32xf32, #one>
      ttg.warp_return
    } : (!in, !in) -> ()
    tt.return
  }
}
