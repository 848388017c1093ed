// A block that begins before its tensor is outside of it, for AMD's data mover: loads return zeros, and stores are dropped.
// RUN: kernelscope run %s --spec %s.json --device sim --compare | FileCheck %s
#row = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<64xi32, #shared, #smem, mutable>
!tensor = !tt.tensordesc<64xi32, #shared>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  // Program 0 begins 8 elements before the tensor, program 1 at its start, program 2 eight after it.
  // CHECK: shifted on sim: the wave simulator (gfx1250), grid 3 x 1 x 1
  // CHECK: first 0 0 0 0 0 0 0 0
  // CHECK: differs from the CPU executor by at most 0.000e+00
  // CHECK: differs from the CPU executor by at most 0.000e+00
  tt.func public @shifted(%src: !tt.ptr<i32>, %dst: !tt.ptr<i32>, %kept: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %c64 = arith.constant 64 : i32
    %c128 = arith.constant 128 : i32
    %one = arith.constant 1 : i64
    %pid = tt.get_program_id x : i32
    %rank = arith.subi %pid, %c1 : i32
    %shift = arith.muli %rank, %c8 : i32
    %buffer = ttg.local_alloc : () -> !buffer
    // The source begins 64 elements into what `src` points to.
    %from = tt.addptr %src, %c64 : !tt.ptr<i32>, i32
    %in = tt.make_tensor_descriptor %from, [%c64], [%one] : <i32>, !tensor
    %at = amdg.update_tensor_descriptor %in add_offsets = [%shift] {clamp_bounds} : !tensor
    %load = amdg.async_tdm_copy_global_to_local %at into %buffer : !tensor -> !buffer
    %wait = amdg.async_tdm_wait %load {num = 0 : i32}
    %x = ttg.local_load %buffer token %wait : !buffer -> tensor<64xi32, #row>
    %lane = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #row>
    %begin = arith.muli %pid, %c64 : i32
    %to = tt.addptr %dst, %begin : !tt.ptr<i32>, i32
    %tos = tt.splat %to : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>, #row>
    %tops = tt.addptr %tos, %lane : tensor<64x!tt.ptr<i32>, #row>, tensor<64xi32, #row>
    tt.store %tops, %x : tensor<64x!tt.ptr<i32>, #row>
    // The same for stores, which name the place themselves.
    ttg.local_store %lane, %buffer : tensor<64xi32, #row> -> !buffer
    %rows = tt.addptr %kept, %begin : !tt.ptr<i32>, i32
    %out = tt.make_tensor_descriptor %rows, [%c64], [%one] : <i32>, !tensor
    %there = amdg.update_tensor_descriptor %out add_offsets = [%shift] {clamp_bounds} : !tensor
    %store = amdg.async_tdm_copy_local_to_global %there from %buffer : !ttg.memdesc<64xi32, #shared, #smem, mutable> -> !tensor
    %end = amdg.async_tdm_wait {num = 0 : i32}
    tt.return
  }
}
