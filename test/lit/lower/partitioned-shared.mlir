// A buffer in parts: each lies in a physical partition of LDS, 64 KiB from the one before.
// RUN: kernelscope opt %s --split-input-file --ttgir-to-llvm --verify-diagnostics | FileCheck %s

#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [2, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#padded = #ttg.padded_shared<[64:+8] {order = [1, 0], shape = [32, 64]}>
#parts = #ttg.partitioned_shared<{numPartitions = 2, numGroups = 1, partitionDim = 0, partitionLayout = #padded}>
#smem = #ttg.shared_memory
// CHECK: ttg.shared = 70128 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  // Rows 0 and 16 of a thread are in the first part, 32 and 48 in the second.
  // CHECK-LABEL: @parts
  tt.func public @parts(%x: tensor<64x64xf16, #rows>) {
    // CHECK: %[[BUFFER:.*]] = llvm.mlir.addressof @global_smem
    // CHECK-DAG: llvm.mlir.constant(65536 : i32)
    // CHECK-COUNT-4: llvm.store {{.*}} : vector<8xi16>, !llvm.ptr<3>
    %m = ttg.local_alloc %x : (tensor<64x64xf16, #rows>) -> !ttg.memdesc<64x64xf16, #parts, #smem, mutable>
    // Here the lane says which part.
    %y = ttg.local_load %m : !ttg.memdesc<64x64xf16, #parts, #smem, mutable> -> tensor<64x64xf16, #columns>
    // CHECK: llvm.mul %{{.*}}, %{{.*}} : i32
    tt.return
  }
}

// -----

#padded = #ttg.padded_shared<[64:+8] {order = [1, 0], shape = [32, 64]}>
#parts = #ttg.partitioned_shared<{numPartitions = 2, numGroups = 1, partitionDim = 0, partitionLayout = #padded}>
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @copy(%p: tensor<64x64x!tt.ptr<f16>, #rows>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #parts, #smem, mutable>
    // expected-error @below {{accesses a partitioned_shared buffer, which is not lowered yet}}
    %t = ttg.async_copy_global_to_local %p, %m {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #rows> -> <64x64xf16, #parts, #smem, mutable>
    tt.return
  }
}
