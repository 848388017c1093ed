// A copy of AMD's data mover whose descriptor is disabled moves nothing, but is an instruction that waits count: with one left in flight, the
// copies before it are done. Kernels end their pipelines so, with the wait of the loop.
// RUN: kernelscope run %s --device cpu | FileCheck %s
// RUN: kernelscope run %s --device sim --compare | FileCheck %s
#row = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<64xi32, #shared, #smem, mutable>
!tensor = !tt.tensordesc<64xi32, #shared>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: ring on
  // CHECK: minimum 7, maximum 7
  tt.func public @ring(%dst: !tt.ptr<i32>) {
    %off = arith.constant 0 : i32
    %on = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %one = arith.constant 1 : i64
    %sevens = arith.constant dense<7> : tensor<64xi32, #row>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<2x64xi32, #shared, #smem, mutable>
    %first = ttg.memdesc_index %ring[%off] : !ttg.memdesc<2x64xi32, #shared, #smem, mutable> -> !buffer
    %second = ttg.memdesc_index %ring[%on] : !ttg.memdesc<2x64xi32, #shared, #smem, mutable> -> !buffer
    %lane = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #row>
    %tos = tt.splat %dst : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>, #row>
    %tops = tt.addptr %tos, %lane : tensor<64x!tt.ptr<i32>, #row>, tensor<64xi32, #row>
    tt.store %tops, %sevens : tensor<64x!tt.ptr<i32>, #row>
    %in = tt.make_tensor_descriptor %dst, [%c64], [%one] : <i32>, !tensor
    %load = amdg.async_tdm_copy_global_to_local %in into %first : !tensor -> !buffer
    %disabled = amdg.update_tensor_descriptor %in pred = %off : !tensor
    %none = amdg.async_tdm_copy_global_to_local %disabled into %second : !tensor -> !buffer
    %wait = amdg.async_tdm_wait {num = 1 : i32}
    %x = ttg.local_load %first token %wait : !buffer -> tensor<64xi32, #row>
    tt.store %tops, %x : tensor<64x!tt.ptr<i32>, #row>
    tt.return
  }
}
