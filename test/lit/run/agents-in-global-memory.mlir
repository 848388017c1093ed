// Partitions of one program that meet in global memory.
// RUN: not kernelscope run %s --kernel unordered --device cpu 2>&1 | FileCheck %s --check-prefix=UNORDERED
// RUN: kernelscope run %s --kernel ordered --device cpu --format json
// RUN: kernelscope run %s --kernel apart --device cpu --format json
// RUN: kernelscope run %s --kernel by_atomics --device cpu --format json
// RUN: not kernelscope run %s --kernel tma_before_its_end --device cpu 2>&1 | FileCheck %s --check-prefix=TMA
// RUN: kernelscope run %s --kernel tma_waited_for --device cpu --format json
// RUN: not kernelscope run %s --kernel copies_of_threads --device cpu 2>&1 | FileCheck %s --check-prefix=COPY
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#t = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32, rank = 1}>
!block = !ttg.memdesc<128xi32, #t, #smem, mutable>
!barrier = !ttg.memdesc<1xi64, #s, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

  // UNORDERED: [[#@LINE+10]]:{{[0-9]+}}: error: program (0, 0, 0) reads an element of global memory that another partition writes, and no barrier orders the two
  // UNORDERED: [[#@LINE+5]]:{{[0-9]+}}: note: the other partition's store
  tt.func public @unordered(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
    ttg.warp_specialize(%p, %q)
    default {
      %1 = arith.constant 1 : i32
      tt.store %p, %1 : !tt.ptr<i32>
      ttg.warp_yield
    }
    partition0(%a: !tt.ptr<i32>, %b: !tt.ptr<i32>) num_warps(4) {
      %x = tt.load %a : !tt.ptr<i32>
      tt.store %b, %x : !tt.ptr<i32>
      ttg.warp_return
    } : (!tt.ptr<i32>, !tt.ptr<i32>) -> ()
    tt.return
  }

  tt.func public @ordered(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    %1 = arith.constant 1 : i32
    tt.store %p, %1 : !tt.ptr<i32>
    ttg.warp_specialize(%p, %q, %bar)
    default {
      %2 = arith.constant 2 : i32
      tt.store %p, %2 : !tt.ptr<i32>
      ttng.arrive_barrier %bar, 1 : !barrier
      ttg.warp_yield
    }
    partition0(%a: !tt.ptr<i32>, %b: !tt.ptr<i32>, %full: !barrier) num_warps(4) {
      %0 = arith.constant 0 : i32
      ttng.wait_barrier %full, %0 : !barrier
      %x = tt.load %a : !tt.ptr<i32>
      tt.store %b, %x : !tt.ptr<i32>
      ttg.warp_return
    } : (!tt.ptr<i32>, !tt.ptr<i32>, !barrier) -> ()
    %x = tt.load %q : !tt.ptr<i32>
    tt.store %p, %x : !tt.ptr<i32>
    tt.return
  }

  tt.func public @apart(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
    ttg.warp_specialize(%q)
    default {
      %1 = arith.constant 1 : i32
      tt.store %p, %1 : !tt.ptr<i32>
      ttg.warp_yield
    }
    partition0(%b: !tt.ptr<i32>) num_warps(4) {
      %2 = arith.constant 2 : i32
      tt.store %b, %2 : !tt.ptr<i32>
      ttg.warp_return
    } : (!tt.ptr<i32>) -> ()
    tt.return
  }

  // A store that a poll of a flag orders before a load.
  tt.func public @by_atomics(%p: !tt.ptr<i32>, %flag: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
    ttg.warp_specialize(%p, %flag, %q)
    default {
      %1 = arith.constant 1 : i32
      %true = arith.constant true
      tt.store %p, %1 : !tt.ptr<i32>
      %old = tt.atomic_rmw add, release, gpu, %flag, %1, %true : (!tt.ptr<i32>, i32, i1) -> i32
      ttg.warp_yield
    }
    partition0(%a: !tt.ptr<i32>, %f: !tt.ptr<i32>, %b: !tt.ptr<i32>) num_warps(4) {
      %1 = arith.constant 1 : i32
      %seen = tt.atomic_poll acquire, gpu, %f, %1 : !tt.ptr<i32>, i32 -> i1
      %x = tt.load %a : !tt.ptr<i32>
      tt.store %b, %x : !tt.ptr<i32>
      ttg.warp_return
    } : (!tt.ptr<i32>, !tt.ptr<i32>, !tt.ptr<i32>) -> ()
    tt.return
  }

  // The arrival says that the store was issued, not that it is done.
  // TMA: error: program (0, 0, 0) reads an element of global memory that an asynchronous copy writes, and no wait or barrier orders the two
  // TMA: note: the copy
  tt.func public @tma_before_its_end(%out: !tt.tensordesc<128xi32, #t>, %q: !tt.ptr<i32>) {
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    %0 = arith.constant 0 : i32
    %ones = arith.constant dense<1> : tensor<128xi32, #b>
    %buf = ttg.local_alloc %ones : (tensor<128xi32, #b>) -> !block
    ttng.fence_async_shared {bCluster = false}
    ttg.warp_specialize(%out, %q, %bar)
    default {
      ttng.async_tma_copy_local_to_global %out[%0] %buf : !tt.tensordesc<128xi32, #t>, !block
      ttng.arrive_barrier %bar, 1 : !barrier
      ttng.async_tma_store_wait {pendings = 0 : i32}
      ttg.warp_yield
    }
    partition0(%in: !tt.tensordesc<128xi32, #t>, %to: !tt.ptr<i32>, %stored: !barrier) num_warps(4) {
      %c0 = arith.constant 0 : i32
      %true = arith.constant true
      %there = ttg.local_alloc : () -> !block
      %full = ttg.local_alloc : () -> !barrier
      ttng.init_barrier %full, 1 : !barrier
      ttng.wait_barrier %stored, %c0 : !barrier
      ttng.barrier_expect %full, 512, %true : !barrier
      ttng.async_tma_copy_global_to_local %in[%c0] %there, %full, %true : !tt.tensordesc<128xi32, #t>, !barrier -> !block
      ttng.wait_barrier %full, %c0 : !barrier
      ttg.warp_return
    } : (!tt.tensordesc<128xi32, #t>, !tt.ptr<i32>, !barrier) -> ()
    tt.return
  }

  tt.func public @tma_waited_for(%out: !tt.tensordesc<128xi32, #t>, %q: !tt.ptr<i32>) {
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    %0 = arith.constant 0 : i32
    %ones = arith.constant dense<1> : tensor<128xi32, #b>
    %buf = ttg.local_alloc %ones : (tensor<128xi32, #b>) -> !block
    ttng.fence_async_shared {bCluster = false}
    ttg.warp_specialize(%out, %q, %bar)
    default {
      ttng.async_tma_copy_local_to_global %out[%0] %buf : !tt.tensordesc<128xi32, #t>, !block
      ttng.async_tma_store_wait {pendings = 0 : i32}
      ttng.arrive_barrier %bar, 1 : !barrier
      ttng.async_tma_store_wait {pendings = 0 : i32}
      ttg.warp_yield
    }
    partition0(%in: !tt.tensordesc<128xi32, #t>, %to: !tt.ptr<i32>, %stored: !barrier) num_warps(4) {
      %c0 = arith.constant 0 : i32
      %true = arith.constant true
      %there = ttg.local_alloc : () -> !block
      %full = ttg.local_alloc : () -> !barrier
      ttng.init_barrier %full, 1 : !barrier
      ttng.wait_barrier %stored, %c0 : !barrier
      ttng.barrier_expect %full, 512, %true : !barrier
      ttng.async_tma_copy_global_to_local %in[%c0] %there, %full, %true : !tt.tensordesc<128xi32, #t>, !barrier -> !block
      ttng.wait_barrier %full, %c0 : !barrier
      ttg.warp_return
    } : (!tt.tensordesc<128xi32, #t>, !tt.ptr<i32>, !barrier) -> ()
    tt.return
  }

  // A copy by threads may still read what another partition stores.
  // COPY: error: program (0, 0, 0) writes an element of global memory that an asynchronous copy reads, and no wait or barrier orders the two
  tt.func public @copies_of_threads(%p: !tt.ptr<i32>) {
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    %buf = ttg.local_alloc : () -> !ttg.memdesc<128xi32, #s, #smem, mutable>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #b>
    %base = tt.splat %p : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #b>
    %at = tt.addptr %base, %i : tensor<128x!tt.ptr<i32>, #b>, tensor<128xi32, #b>
    ttg.warp_specialize(%p, %bar)
    default {
      %copy = ttg.async_copy_global_to_local %at, %buf : tensor<128x!tt.ptr<i32>, #b> -> !ttg.memdesc<128xi32, #s, #smem, mutable>
      %group = ttg.async_commit_group tokens %copy
      ttng.arrive_barrier %bar, 1 : !barrier
      %done = ttg.async_wait {num = 0 : i32}
      ttg.warp_yield
    }
    partition0(%to: !tt.ptr<i32>, %issued: !barrier) num_warps(4) {
      %0 = arith.constant 0 : i32
      %1 = arith.constant 1 : i32
      ttng.wait_barrier %issued, %0 : !barrier
      tt.store %to, %1 : !tt.ptr<i32>
      ttg.warp_return
    } : (!tt.ptr<i32>, !barrier) -> ()
    tt.return
  }
}
