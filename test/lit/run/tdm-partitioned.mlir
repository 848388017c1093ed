// AMD's data mover and buffers whose pieces lie in several partitions of LDS: each warp moves a share of a piece.
// RUN: kernelscope run %s --device sim --compare | FileCheck %s
// With twice the pieces each warp has two of them.
// RUN: sed -e 's/numGroups = 2/numGroups = 4/' -e 's/shape = .8, 64./shape = [4, 64]/' %s > %t.mlir
// RUN: kernelscope run %t.mlir --device sim --compare | FileCheck %s
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.padded_shared<[64:+4] {order = [1, 0], shape = [8, 64]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
// Pieces of 8 rows: 0 and 2 in the first partition, 1 and 3 in the second.
#in = #ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 0, partitionLayout = #rows}>
// Halves of all rows.
#halves = #ttg.partitioned_shared<{numPartitions = 2, numGroups = 1, partitionDim = 1, partitionLayout = #plain}>
#smem = #ttg.shared_memory
!in = !tt.tensordesc<32x64xf16, #in>
!halves = !tt.tensordesc<32x64xf16, #halves>
!plain = !tt.tensordesc<32x64xf16, #plain>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  // The tensor ends within the last piece.
  // CHECK: copies on sim: the wave simulator (gfx1250)
  // CHECK: differs from the CPU executor by at most 0.000e+00
  tt.func public @copies(%src: !tt.ptr<f16>, %dst: !tt.ptr<f16>) {
    %rows = arith.constant 27 : i32
    %columns = arith.constant 60 : i32
    %stride = arith.constant 64 : i64
    %one = arith.constant 1 : i64
    %from = tt.make_tensor_descriptor %src, [%rows, %columns], [%stride, %one] : <f16>, !in
    %a = ttg.local_alloc : () -> !ttg.memdesc<32x64xf16, #in, #smem, mutable>
    %t = amdg.async_tdm_copy_global_to_local %from into %a : !in -> !ttg.memdesc<32x64xf16, #in, #smem, mutable>
    %again = tt.make_tensor_descriptor %src, [%rows, %columns], [%stride, %one] : <f16>, !halves
    %c = ttg.local_alloc : () -> !ttg.memdesc<32x64xf16, #halves, #smem, mutable>
    %s = amdg.async_tdm_copy_global_to_local %again into %c : !halves -> !ttg.memdesc<32x64xf16, #halves, #smem, mutable>
    %w = amdg.async_tdm_wait %t, %s {num = 0 : i32}
    %x = ttg.local_load %a token %w : !ttg.memdesc<32x64xf16, #in, #smem, mutable> -> tensor<32x64xf16, #b>
    %y = ttg.local_load %c token %w : !ttg.memdesc<32x64xf16, #halves, #smem, mutable> -> tensor<32x64xf16, #b>
    %sum = arith.addf %x, %y : tensor<32x64xf16, #b>
    %d = ttg.local_alloc %sum : (tensor<32x64xf16, #b>) -> !ttg.memdesc<32x64xf16, #plain, #smem, mutable>
    %to = tt.make_tensor_descriptor %dst, [%rows, %columns], [%stride, %one] : <f16>, !plain
    %r = amdg.async_tdm_copy_local_to_global %to from %d : !ttg.memdesc<32x64xf16, #plain, #smem, mutable> -> !plain
    %u = amdg.async_tdm_wait %r {num = 0 : i32}
    tt.return
  }
}
