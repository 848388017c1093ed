// Products that tokens order are left as they are: attention's overlap would drop the tokens.
// RUN: kernelscope opt %s --pipeline-loops=arch=sm_100a | FileCheck %s
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<{{[0-9]}}x64x64xf16
// CHECK: scf.for
// CHECK: %[[SCORES:.*]] = ttng.tc_gen5_mma
// CHECK: ttng.tmem_load %{{.*}}[%[[SCORES]]]
// CHECK: %[[SUM:.*]] = ttng.tc_gen5_mma
// CHECK: ttng.tmem_load %{{.*}}[%[[SUM]]]
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [2, 2], order = [0, 1]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 32]], warp = [[16, 0], [32, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  tt.func public @tokens(%q: !tt.tensordesc<64x64xf16>, %k: !tt.tensordesc<64x64xf16>, %v: !tt.tensordesc<64x64xf16>, %o: !tt.tensordesc<64x64xf16>, %n: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #linear>
    %cst_0 = arith.constant dense<5.000000e-01> : tensor<64x64xf32, #linear>
    %0 = tt.descriptor_load %q[%c0_i32, %c0_i32] : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16, #blocked>
    %1 = scf.for %i = %c0_i32 to %n step %c64_i32 iter_args(%before = %cst) -> (tensor<64x64xf32, #linear>)  : i32 {
      %3 = tt.descriptor_load %k[%i, %c0_i32] : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16, #blocked>
      %4 = tt.trans %3 {order = array<i32: 1, 0>} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
      %true = arith.constant true
      %result = ttng.tmem_alloc %cst : (tensor<64x64xf32, #linear>) -> !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable>
      %5 = ttg.local_alloc %0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %6 = ttg.local_alloc %4 : (tensor<64x64xf16, #blocked1>) -> !ttg.memdesc<64x64xf16, #shared1, #smem>
      ttng.fence_async_shared {bCluster = false}
      %scored = ttng.tc_gen5_mma %5, %6, %result[], %true, %true : !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared1, #smem>, !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable>
      %result_1, %read = ttng.tmem_load %result[%scored] : !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<64x64xf32, #linear>
      %7 = arith.truncf %result_1 : tensor<64x64xf32, #linear> to tensor<64x64xf16, #linear>
      %8 = tt.descriptor_load %v[%i, %c0_i32] : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16, #blocked>
      %9 = arith.mulf %before, %cst_0 : tensor<64x64xf32, #linear>
      %true_2 = arith.constant true
      %result_3 = ttng.tmem_alloc %9 : (tensor<64x64xf32, #linear>) -> !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable>
      %10 = ttg.local_alloc %7 : (tensor<64x64xf16, #linear>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %11 = ttg.local_alloc %8 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      ttng.fence_async_shared {bCluster = false}
      %summed = ttng.tc_gen5_mma %10, %11, %result_3[], %true_2, %true_2 : !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable>
      %result_4, %sumRead = ttng.tmem_load %result_3[%summed] : !ttg.memdesc<64x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<64x64xf32, #linear>
      scf.yield %result_4 : tensor<64x64xf32, #linear>
    }
    %2 = arith.truncf %1 : tensor<64x64xf32, #linear> to tensor<64x64xf16, #linear>
    tt.descriptor_store %o[%c0_i32, %c0_i32], %2 : !tt.tensordesc<64x64xf16>, tensor<64x64xf16, #linear>
    tt.return
  }
}
