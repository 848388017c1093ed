// Reads of what an asynchronous copy writes: after a wait, and one that covers the copy.
// RUN: kernelscope check %s | FileCheck %s
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @no_wait(%p: tensor<64x64x!tt.ptr<f16>, #blocked>) -> tensor<64x64xf16, #blocked> {
    %m = ttg.local_alloc : () -> !tile
    // CHECK: :[[@LINE+4]]:10: warning: 'ttg.local_load' reads shared memory that an asynchronous copy writes; there must be a wait between the two [async-wait-missing]
    // CHECK: :[[@LINE+1]]:10: note: written by this copy
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f16>, #blocked> -> !tile
    %1 = ttg.async_commit_group tokens %0
    %2 = ttg.local_load %m : !tile -> tensor<64x64xf16, #blocked>
    tt.return %2 : tensor<64x64xf16, #blocked>
  }
  tt.func @leaves_too_much(%p: tensor<64x64x!tt.ptr<f16>, #blocked>) -> tensor<64x64xf16, #blocked> {
    %m = ttg.local_alloc : () -> !tile
    %n = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f16>, #blocked> -> !tile
    // CHECK: :[[@LINE+5]]:10: warning: 'ttg.async_wait' leaves up to 2 groups in flight, but only 1 is newer than the group whose data is read next; it must leave at most 1 [wait-count]
    // CHECK: :[[@LINE+1]]:10: note: the group is committed here
    %1 = ttg.async_commit_group tokens %0
    %2 = ttg.async_copy_global_to_local %p, %n : tensor<64x64x!tt.ptr<f16>, #blocked> -> !tile
    %3 = ttg.async_commit_group tokens %2
    %4 = ttg.async_wait %1 {num = 2 : i32}
    %5 = ttg.local_load %m token %4 : !tile -> tensor<64x64xf16, #blocked>
    tt.return %5 : tensor<64x64xf16, #blocked>
  }
  // CHECK-NOT: warning:
  tt.func @covered(%p: tensor<64x64x!tt.ptr<f16>, #blocked>) -> tensor<64x64xf16, #blocked> {
    %m = ttg.local_alloc : () -> !tile
    %n = ttg.local_alloc : () -> !tile
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f16>, #blocked> -> !tile
    %1 = ttg.async_commit_group tokens %0
    %2 = ttg.async_copy_global_to_local %p, %n : tensor<64x64x!tt.ptr<f16>, #blocked> -> !tile
    %3 = ttg.async_commit_group tokens %2
    %4 = ttg.async_wait %1 {num = 1 : i32}
    %5 = ttg.local_load %m token %4 : !tile -> tensor<64x64xf16, #blocked>
    tt.return %5 : tensor<64x64xf16, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 64], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func @marked(%p: !tt.ptr<f16>, %offsets: tensor<64x64xi32, #blocked>) -> tensor<64x64xf16, #blocked> {
    %m = ttg.local_alloc : () -> !tile
    // CHECK: :[[@LINE+1]]:10: hint: 'amdg.buffer_load_to_local' copies 16 bits per lane at a time; a direct-to-LDS copy on gfx950 takes at least 32, so it overwrites adjacent data; a later pass may give the lanes another layout [lds-width]
    %0 = amdg.buffer_load_to_local %p[%offsets] into %m : <f16>[tensor<64x64xi32, #blocked>]  -> <64x64xf16, #shared, #smem, mutable>
    %1 = ttg.async_commit_group tokens %0
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.local_load' is marked as guarded by an asynchronous wait, but no wait comes before it [async-wait-missing]
    %2 = ttg.local_load %m {ttg.amdg.syncedViaAsyncWait = true} : !tile -> tensor<64x64xf16, #blocked>
    tt.return %2 : tensor<64x64xf16, #blocked>
  }
}
