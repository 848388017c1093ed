// RUN: not kernelscope bisect %s 2>&1 | FileCheck %s

// That the first section has no proxy fence is no fault: a pass puts it in. That another pass takes it out is one.

// CHECK: store: fails after Fold
// CHECK: IR Dump Before Fold: results of the first section
// CHECK: IR Dump After Fold: program (0, 0, 0) starts to read shared memory through the async proxy
// CHECK: -    ttng.fence_async_shared

// -----// IR Dump Before FenceInsertion (fence-insertion) ('builtin.module' operation) //----- //
#tma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @store(%out: !tt.tensordesc<8x32xi32, #tma>) {
    %0 = arith.constant 0 : i32
    %values = arith.constant dense<7> : tensor<8x32xi32, #b>
    %buffer = ttg.local_alloc %values : (tensor<8x32xi32, #b>) -> !ttg.memdesc<8x32xi32, #tma, #smem, mutable>
    ttng.async_tma_copy_local_to_global %out[%0, %0] %buffer : !tt.tensordesc<8x32xi32, #tma>, !ttg.memdesc<8x32xi32, #tma, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }
}

// -----// IR Dump Before Fold (fold) ('builtin.module' operation) //----- //
#tma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @store(%out: !tt.tensordesc<8x32xi32, #tma>) {
    %0 = arith.constant 0 : i32
    %values = arith.constant dense<7> : tensor<8x32xi32, #b>
    %buffer = ttg.local_alloc %values : (tensor<8x32xi32, #b>) -> !ttg.memdesc<8x32xi32, #tma, #smem, mutable>
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %out[%0, %0] %buffer : !tt.tensordesc<8x32xi32, #tma>, !ttg.memdesc<8x32xi32, #tma, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }
}

// -----// IR Dump After Fold (fold) ('builtin.module' operation) //----- //
#tma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @store(%out: !tt.tensordesc<8x32xi32, #tma>) {
    %0 = arith.constant 0 : i32
    %values = arith.constant dense<7> : tensor<8x32xi32, #b>
    %buffer = ttg.local_alloc %values : (tensor<8x32xi32, #b>) -> !ttg.memdesc<8x32xi32, #tma, #smem, mutable>
    ttng.async_tma_copy_local_to_global %out[%0, %0] %buffer : !tt.tensordesc<8x32xi32, #tma>, !ttg.memdesc<8x32xi32, #tma, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }
}
