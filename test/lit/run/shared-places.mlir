// Buffers whose lives do not overlap share a place, as compiling puts them or as the file says: who takes a place must know that
// what was there is done with it.
// RUN: not kernelscope run %s --kernel barrier_stays --device cpu 2>&1 | FileCheck %s --check-prefix=STAYS
// RUN: kernelscope run %s --kernel barrier_goes --device cpu
// RUN: not kernelscope run %s --kernel copy_is_under_way --device cpu 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: kernelscope run %s --kernel copy_is_awaited --device cpu
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  // STAYS: :[[@LINE+7]]:10: error: program (0, 0, 0) reuses the shared memory of a barrier that is still initialised; a 'ttng.inval_barrier' must come in between
  // STAYS: :[[@LINE+5]]:5: note: the barrier is initialised here
  // STAYS-NOT: error
  tt.func public @barrier_stays(%p: !tt.ptr<i32>) {
    %x = arith.constant dense<7> : tensor<128xi32, #b>
    %m = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #s, #smem, mutable>
    ttng.init_barrier %m, 1 : !ttg.memdesc<1xi64, #s, #smem, mutable>
    %d = ttg.local_alloc %x : (tensor<128xi32, #b>) -> !ttg.memdesc<128xi32, #s, #smem, mutable>
    %v = ttg.local_load %d : !ttg.memdesc<128xi32, #s, #smem, mutable> -> tensor<128xi32, #b>
    tt.return
  }
  tt.func public @barrier_goes(%p: !tt.ptr<i32>) {
    %x = arith.constant dense<7> : tensor<128xi32, #b>
    %m = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #s, #smem, mutable>
    ttng.init_barrier %m, 1 : !ttg.memdesc<1xi64, #s, #smem, mutable>
    ttng.inval_barrier %m : !ttg.memdesc<1xi64, #s, #smem, mutable>
    %d = ttg.local_alloc %x : (tensor<128xi32, #b>) -> !ttg.memdesc<128xi32, #s, #smem, mutable>
    %v = ttg.local_load %d : !ttg.memdesc<128xi32, #s, #smem, mutable> -> tensor<128xi32, #b>
    tt.return
  }

  // COPY: error: program (0, 0, 0) reuses another buffer's place in shared memory while an asynchronous write to it may be in flight; a 'ttg.async_wait' that covers its group must come in between
  // COPY: note: the asynchronous write starts here
  // COPY-NOT: error
  tt.func public @copy_is_under_way(%p: !tt.ptr<i32>) {
    %x = arith.constant dense<7> : tensor<128xi32, #b>
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #b>
    %base = tt.splat %p : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #b>
    %from = tt.addptr %base, %i : tensor<128x!tt.ptr<i32>, #b>, tensor<128xi32, #b>
    %a = ttg.local_alloc : () -> !ttg.memdesc<128xi32, #s, #smem, mutable>
    %c = ttg.async_copy_global_to_local %from, %a : tensor<128x!tt.ptr<i32>, #b> -> <128xi32, #s, #smem, mutable>
    %g = ttg.async_commit_group tokens %c
    %d = ttg.local_alloc %x : (tensor<128xi32, #b>) -> !ttg.memdesc<128xi32, #s, #smem, mutable>
    %v = ttg.local_load %d : !ttg.memdesc<128xi32, #s, #smem, mutable> -> tensor<128xi32, #b>
    tt.return
  }
  tt.func public @copy_is_awaited(%p: !tt.ptr<i32>) {
    %x = arith.constant dense<7> : tensor<128xi32, #b>
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #b>
    %base = tt.splat %p : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #b>
    %from = tt.addptr %base, %i : tensor<128x!tt.ptr<i32>, #b>, tensor<128xi32, #b>
    %a = ttg.local_alloc : () -> !ttg.memdesc<128xi32, #s, #smem, mutable>
    %c = ttg.async_copy_global_to_local %from, %a : tensor<128x!tt.ptr<i32>, #b> -> <128xi32, #s, #smem, mutable>
    %g = ttg.async_commit_group tokens %c
    %w = ttg.async_wait %g {num = 0 : i32}
    %d = ttg.local_alloc %x : (tensor<128xi32, #b>) -> !ttg.memdesc<128xi32, #s, #smem, mutable>
    %v = ttg.local_load %d : !ttg.memdesc<128xi32, #s, #smem, mutable> -> tensor<128xi32, #b>
    tt.return
  }
}
