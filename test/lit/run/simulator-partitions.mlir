// Partitions on gfx1250's wave simulator: one warp has the data mover fill a ring of two buffers, of which four warps add up.
// RUN: kernelscope run %s --device sim --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --device cpu --sanitize=all | FileCheck %s --check-prefix=CLEAN
// Only the second copy of each step arrives: the mover works in order.
// A named barrier is for those that have joined it.
// RUN: kernelscope preview %s --emit llvm -o %t.ll
// RUN: sed -e '/barrier.join(ptr/d' %t.ll > %t.out.ll
// RUN: not kernelscope run %s --device sim --code %t.out.ll 2>&1 | FileCheck %s --check-prefix=OUT
// One member more than there are warps.
// RUN: sed -e 's/@named_barrier_0, i32 4)/@named_barrier_0, i32 5)/' %t.ll > %t.five.ll
// RUN: not kernelscope run %s --device sim --code %t.five.ll 2>&1 | FileCheck %s --check-prefix=FIVE
#line = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!ring = !ttg.memdesc<2x256xf32, #shared, #smem, mutable>
!buffer = !ttg.memdesc<256xf32, #shared, #smem, mutable>
!barriers = !ttg.memdesc<2x1xi64, #shared, #smem, mutable>
!barrier = !ttg.memdesc<1xi64, #shared, #smem, mutable>
!source = !tt.tensordesc<256xf32, #shared>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32, "ttg.total-num-warps" = 5 : i32} {
  // RIGHT: sums on sim: the wave simulator (gfx1250), grid 1 x 1 x 1, 160 threads
  // RIGHT: differs from the CPU executor by at most
  // RIGHT-SAME: within
  // CLEAN: sums on cpu: {{.*}}sanitizer on
  // OUT: waits at a named barrier without having joined it
  // FIVE: the wave polls forever
  tt.func public @sums(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c5 = arith.constant 5 : i32
    %length = arith.constant 1280 : i32
    %one = arith.constant 1 : i64
    %xs = tt.make_tensor_descriptor %x, [%length], [%one] : <f32>, !source
    %ys = tt.make_tensor_descriptor %y, [%length], [%one] : <f32>, !source
    %a = ttg.local_alloc : () -> !ring
    %b = ttg.local_alloc : () -> !ring
    %full = ttg.local_alloc : () -> !barriers
    %empty = ttg.local_alloc : () -> !barriers
    scf.for %i = %c0 to %c2 step %c1 : i32 {
      %f = ttg.memdesc_index %full[%i] : !barriers -> !barrier
      amdg.init_barrier %f, 1 : !barrier
      %e = ttg.memdesc_index %empty[%i] : !barriers -> !barrier
      amdg.init_barrier %e, 128 : !barrier
    }
    %sums = ttg.warp_specialize(%xs, %ys, %a, %b, %full, %empty)
    default {
      %zero = arith.constant 0.0 : f32
      %total = scf.for %i = %c0 to %c5 step %c1 iter_args(%sum = %zero) -> (f32) : i32 {
        %slot = arith.remsi %i, %c2 : i32
        %round = arith.divsi %i, %c2 : i32
        %parity = arith.andi %round, %c1 : i32
        %f = ttg.memdesc_index %full[%slot] : !barriers -> !barrier
        amdg.wait_barrier %f, %parity : !barrier
        %as = ttg.memdesc_index %a[%slot] : !ring -> !buffer
        %av = ttg.local_load %as : !buffer -> tensor<256xf32, #line>
        %bs = ttg.memdesc_index %b[%slot] : !ring -> !buffer
        %bv = ttg.local_load %bs : !buffer -> tensor<256xf32, #line>
        %e = ttg.memdesc_index %empty[%slot] : !barriers -> !barrier
        %arrived = amdg.arrive_barrier %e, 1 : !barrier -> i32
        %products = arith.mulf %av, %bv : tensor<256xf32, #line>
        %step = "tt.reduce"(%products) <{axis = 0 : i32}> ({
        ^bb0(%l: f32, %r: f32):
          %s = arith.addf %l, %r : f32
          tt.reduce.return %s : f32
        }) : (tensor<256xf32, #line>) -> f32
        %next = arith.addf %sum, %step : f32
        scf.yield %next : f32
      }
      ttg.warp_yield %total : f32
    }
    partition0(%px: !source, %py: !source, %pa: !ring, %pb: !ring, %pfull: !barriers, %pempty: !barriers) num_warps(1) {
      %p0 = arith.constant 0 : i32
      %p1 = arith.constant 1 : i32
      %p2 = arith.constant 2 : i32
      %p5 = arith.constant 5 : i32
      %p256 = arith.constant 256 : i32
      scf.for %i = %p0 to %p5 step %p1 : i32 {
        %slot = arith.remsi %i, %p2 : i32
        %round = arith.divsi %i, %p2 : i32
        %before = arith.addi %round, %p1 : i32
        %parity = arith.andi %before, %p1 : i32
        %e = ttg.memdesc_index %pempty[%slot] : !barriers -> !barrier
        amdg.wait_barrier %e, %parity : !barrier
        %at = arith.muli %i, %p256 : i32
        %xd = amdg.update_tensor_descriptor %px add_offsets = [%at] {clamp_bounds} : !source
        %as = ttg.memdesc_index %pa[%slot] : !ring -> !buffer
        %t = amdg.async_tdm_copy_global_to_local %xd into %as : !source -> !buffer
        %yd = amdg.update_tensor_descriptor %py add_offsets = [%at] {clamp_bounds} : !source
        %bs = ttg.memdesc_index %pb[%slot] : !ring -> !buffer
        %f = ttg.memdesc_index %pfull[%slot] : !barriers -> !barrier
        %u = amdg.async_tdm_copy_global_to_local %yd into %bs, barrier = %f : !source, !barrier -> !buffer
      }
      ttg.warp_return
    } : (!source, !source, !ring, !ring, !barriers, !barriers) -> f32
    tt.store %out, %sums : !tt.ptr<f32>
    tt.return
  }
}
