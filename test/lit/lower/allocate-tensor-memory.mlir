// Buffers in tensor memory get columns by when they live, like bytes of shared memory.
// RUN: kernelscope opt --allocate-tensor-memory --split-input-file --verify-diagnostics %s | FileCheck %s

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
!buffer = !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
!ring = !ttg.memdesc<2x128x128xf32, #tmem, #ttng.tensor_memory, mutable>
// CHECK: module attributes {{.*}}ttg.tensor_memory_size = 384 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @one_after_the_other
  tt.func public @one_after_the_other() {
    // CHECK: ttng.tmem_alloc {{.*}}tensor_memory_col_offset = 0 :
    // CHECK: ttng.tmem_alloc {{.*}}tensor_memory_col_offset = 0 :
    %m = ttng.tmem_alloc : () -> !buffer
    %x = ttng.tmem_load %m : !buffer -> tensor<128x128xf32, #ttg.blocked<{sizePerThread = [1, 128], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>>
    %n = ttng.tmem_alloc : () -> !buffer
    %y = ttng.tmem_load %n : !buffer -> tensor<128x128xf32, #ttg.blocked<{sizePerThread = [1, 128], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>>
    tt.return
  }

  // A ring of two and one beside it.
  // CHECK-LABEL: @both
  tt.func public @both(%i: i32) {
    // CHECK: ttng.tmem_alloc {{.*}}tensor_memory_col_offset = 256 :
    // CHECK: ttng.tmem_alloc {{.*}}tensor_memory_col_offset = 0 :
    %m = ttng.tmem_alloc : () -> !buffer
    %ring = ttng.tmem_alloc : () -> !ring
    %n = ttg.memdesc_index %ring[%i] : !ring -> !buffer
    %x = ttng.tmem_load %n : !buffer -> tensor<128x128xf32, #ttg.blocked<{sizePerThread = [1, 128], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>>
    %y = ttng.tmem_load %m : !buffer -> tensor<128x128xf32, #ttg.blocked<{sizePerThread = [1, 128], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
!ring = !ttg.memdesc<3x128x128xf32, #tmem, #ttng.tensor_memory, mutable>
!buffer = !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @too_much() {
    %c0 = arith.constant 0 : i32
    // expected-error @+1 {{the kernel needs 768 columns of tensor memory, but a block has at most 512; this op takes 384}}
    %ring = ttng.tmem_alloc : () -> !ring
    // expected-note @+1 {{at the same time this op takes 384}}
    %other = ttng.tmem_alloc : () -> !ring
    %n = ttg.memdesc_index %ring[%c0] : !ring -> !buffer
    %m = ttg.memdesc_index %other[%c0] : !ring -> !buffer
    %x = ttng.tmem_load %n : !buffer -> tensor<128x128xf32, #ttg.blocked<{sizePerThread = [1, 128], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>>
    %y = ttng.tmem_load %m : !buffer -> tensor<128x128xf32, #ttg.blocked<{sizePerThread = [1, 128], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>>
    tt.return
  }
}

// -----

// Blocks of 64 rows fill 16 of every 32 lanes, and another fits beside them. A left operand has the lanes of its result.
#acc = #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>
#left = #ttng.tensor_memory_encoding<blockM = 64, blockN = 16, colStride = 1>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!acc = !ttg.memdesc<64x64xf32, #acc, #ttng.tensor_memory, mutable>
!left = !ttg.memdesc<64x16xf16, #left, #ttng.tensor_memory, mutable>
!right = !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
!whole = !ttg.memdesc<128x32xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>, #ttng.tensor_memory, mutable>
// CHECK: module attributes {{.*}}ttg.tensor_memory_size = 104 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @halves
  tt.func public @halves(%right: !right, %true: i1) {
    // CHECK: ttng.tmem_alloc {tensor_memory_col_offset = 0 : i32} : {{.*}}64x64xf32
    // CHECK: ttng.tmem_alloc {tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 16 : i32} : {{.*}}64x64xf32
    // CHECK: ttng.tmem_alloc {tensor_memory_col_offset = 96 : i32} : {{.*}}64x16xf16
    // CHECK: ttng.tmem_alloc {tensor_memory_col_offset = 96 : i32, tensor_memory_row_offset = 16 : i32} : {{.*}}64x16xf16
    // CHECK: ttng.tmem_alloc {tensor_memory_col_offset = 64 : i32} : {{.*}}128x32xf32
    %d0 = ttng.tmem_alloc : () -> !acc
    %d1 = ttng.tmem_alloc : () -> !acc
    %a0 = ttng.tmem_alloc : () -> !left
    %a1 = ttng.tmem_alloc : () -> !left
    %whole = ttng.tmem_alloc : () -> !whole
    ttng.tc_gen5_mma %a1, %right, %d1, %true, %true : !left, !right, !acc
    ttng.tc_gen5_mma %a0, %right, %d0, %true, %true : !left, !right, !acc
    %x = ttng.tmem_load %whole : !whole -> tensor<128x32xf32, #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>>
    tt.return
  }
}

// -----

// A partition's buffer moves to the kernel, and its token, which then comes from no access, is poison.
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
#lanes = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
!buffer = !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @in_partition
  tt.func public @in_partition() {
    // CHECK: %[[M:.*]] = ttng.tmem_alloc {tensor_memory_col_offset = 0 : i32} : () -> !ttg.memdesc
    // CHECK: ttg.warp_specialize(%[[M]])
    ttg.warp_specialize()
    default {
      ttg.warp_yield
    }
    // CHECK: partition0(%[[IN:.*]]: !ttg.memdesc
    partition0() num_warps(4) {
      // CHECK: %[[T:.*]] = ub.poison : !ttg.async.token
      // CHECK: ttng.tmem_load %[[IN]][%[[T]]]
      %m, %t = ttng.tmem_alloc : () -> (!buffer, !ttg.async.token)
      %x, %read = ttng.tmem_load %m[%t] : !buffer -> tensor<128x32xf32, #lanes>
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}
