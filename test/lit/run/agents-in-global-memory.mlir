// Partitions of one program that meet in global memory.
// RUN: not kernelscope run %s --kernel unordered --device cpu 2>&1 | FileCheck %s --check-prefix=UNORDERED
// RUN: kernelscope run %s --kernel ordered --device cpu --format json
// RUN: kernelscope run %s --kernel apart --device cpu --format json
// RUN: kernelscope run %s --kernel by_atomics --device cpu --format json
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #s, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {

  // UNORDERED: [[#@LINE+10]]:{{[0-9]+}}: error: program (0, 0, 0) reads an element of global memory that another partition or CTA writes, and no barrier orders the two
  // UNORDERED: [[#@LINE+5]]:{{[0-9]+}}: note: the other's store
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
}
