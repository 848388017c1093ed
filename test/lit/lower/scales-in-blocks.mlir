// tcgen05.cp takes scales from blocks that follow each other in memory of five dimensions, 512 bytes per copy.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_100a | FileCheck %s

#blocks = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 8, rank = 5}>
#scales = #ttng.tensor_memory_scales_encoding<>
#smem = #ttg.shared_memory
!blocks = !ttg.memdesc<1x2x2x2x256xi8, #blocks, #smem, mutable>
!scales = !ttg.memdesc<256x8xi8, #scales, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @copy
  // CHECK-COUNT-4: tcgen05.cp.cta_group::1.warpx4.32x128b
  // CHECK-NOT: tcgen05.cp
  tt.func public @copy() {
    %from = ttg.local_alloc : () -> !blocks
    %to = ttng.tmem_alloc : () -> !scales
    ttng.tmem_copy %from, %to : !blocks, !scales
    tt.return
  }
}
