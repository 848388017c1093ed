// Bytes announced on the barriers of pipelines and partitions, with one number changed.
// RUN: kernelscope check %s | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #bar, #smem, mutable>
!ring = !ttg.memdesc<2x1xi64, #bar, #smem, mutable>
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!tiles = !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
!desc = !tt.tensordesc<64x64xf16, #shared>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @ring_with_four_bytes_too_many(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %ring = ttg.local_alloc : () -> !ring
    %m0 = ttg.local_alloc : () -> !tiles
    %m1 = ttg.local_alloc : () -> !tiles
    %s0 = ttg.memdesc_index %ring[%c0] : !ring -> !barrier
    %s1 = ttg.memdesc_index %ring[%c1] : !ring -> !barrier
    ttng.init_barrier %s0, 1 : !barrier
    ttng.init_barrier %s1, 1 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = arith.andi %i, %c1 : i32
      %round = arith.shrui %i, %c1 : i32
      %phase = arith.andi %round, %c1 : i32
      %s = ttg.memdesc_index %ring[%slot] : !ring -> !barrier
      %t0 = ttg.memdesc_index %m0[%slot] : !tiles -> !tile
      %t1 = ttg.memdesc_index %m1[%slot] : !tiles -> !tile
      // CHECK: :[[@LINE+1]]:7: warning: 'ttng.barrier_expect' expects 16388 bytes, but the 2 copies after it that complete on this barrier write 16384: the wait never ends [barrier-bytes]
      ttng.barrier_expect %s, 16388, %true : !barrier
      ttng.async_tma_copy_global_to_local %d[%i, %c0] %t0, %s, %true : !desc, !barrier -> !tile
      ttng.async_tma_copy_global_to_local %d[%i, %c0] %t1, %s, %true : !desc, !barrier -> !tile
      ttng.wait_barrier %s, %phase, %true : !barrier
    }
    tt.return
  }
  tt.func @ring_that_forgets_a_copy(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %ring = ttg.local_alloc : () -> !ring
    %m0 = ttg.local_alloc : () -> !tiles
    %m1 = ttg.local_alloc : () -> !tiles
    %s0 = ttg.memdesc_index %ring[%c0] : !ring -> !barrier
    %s1 = ttg.memdesc_index %ring[%c1] : !ring -> !barrier
    ttng.init_barrier %s0, 1 : !barrier
    ttng.init_barrier %s1, 1 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = arith.andi %i, %c1 : i32
      %round = arith.shrui %i, %c1 : i32
      %phase = arith.andi %round, %c1 : i32
      %s = ttg.memdesc_index %ring[%slot] : !ring -> !barrier
      %t0 = ttg.memdesc_index %m0[%slot] : !tiles -> !tile
      %t1 = ttg.memdesc_index %m1[%slot] : !tiles -> !tile
      // CHECK: :[[@LINE+1]]:7: warning: 'ttng.barrier_expect' expects 8192 bytes, but the 2 copies after it that complete on this barrier write 16384: the next phase completes too early [barrier-bytes]
      ttng.barrier_expect %s, 8192, %true : !barrier
      ttng.async_tma_copy_global_to_local %d[%i, %c0] %t0, %s, %true : !desc, !barrier -> !tile
      ttng.async_tma_copy_global_to_local %d[%i, %c0] %t1, %s, %true : !desc, !barrier -> !tile
      ttng.wait_barrier %s, %phase, %true : !barrier
    }
    tt.return
  }
  tt.func @ring_of_one_copy(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %ring = ttg.local_alloc : () -> !ring
    %m0 = ttg.local_alloc : () -> !tiles
    %s0 = ttg.memdesc_index %ring[%c0] : !ring -> !barrier
    %s1 = ttg.memdesc_index %ring[%c1] : !ring -> !barrier
    ttng.init_barrier %s0, 1 : !barrier
    ttng.init_barrier %s1, 1 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = arith.andi %i, %c1 : i32
      %round = arith.shrui %i, %c1 : i32
      %phase = arith.andi %round, %c1 : i32
      %s = ttg.memdesc_index %ring[%slot] : !ring -> !barrier
      %t0 = ttg.memdesc_index %m0[%slot] : !tiles -> !tile
      // CHECK: :[[@LINE+1]]:7: warning: 'ttng.barrier_expect' expects 16384 bytes, but the copy after it that completes on this barrier writes 8192: the wait never ends [barrier-bytes]
      ttng.barrier_expect %s, 16384, %true : !barrier
      ttng.async_tma_copy_global_to_local %d[%i, %c0] %t0, %s, %true : !desc, !barrier -> !tile
      ttng.wait_barrier %s, %phase, %true : !barrier
    }
    tt.return
  }
  tt.func @producer_of_a_consumer(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %full = ttg.local_alloc : () -> !barrier
    %empty = ttg.local_alloc : () -> !barrier
    %m = ttg.local_alloc : () -> !tile
    ttng.init_barrier %full, 1 : !barrier
    ttng.init_barrier %empty, 1 : !barrier
    ttg.warp_specialize(%full, %empty, %m, %d, %n) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %bit = arith.andi %i, %c1 : i32
        ttng.wait_barrier %full, %bit : !barrier
        ttng.arrive_barrier %empty, 1 : !barrier
      }
      ttg.warp_yield
    }
    partition0(%pf: !barrier, %pe: !barrier, %pm: !tile, %pd: !desc, %pn: i32) num_warps(1) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      %yes = arith.constant true
      scf.for %j = %k0 to %pn step %k1 : i32 {
        %bit = arith.andi %j, %k1 : i32
        %other = arith.xori %bit, %k1 : i32
        ttng.wait_barrier %pe, %other : !barrier
        // CHECK: :[[@LINE+1]]:9: warning: 'ttng.barrier_expect' expects 8196 bytes, but the copy after it that completes on this barrier writes 8192: the wait never ends [barrier-bytes]
        ttng.barrier_expect %pf, 8196, %yes : !barrier
        ttng.async_tma_copy_global_to_local %pd[%j, %k0] %pm, %pf, %yes : !desc, !barrier -> !tile
      }
      ttg.warp_return
    } : (!barrier, !barrier, !tile, !desc, i32) -> ()
    tt.return
  }
  tt.func @producer_that_announces_nothing(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %full = ttg.local_alloc : () -> !barrier
    %empty = ttg.local_alloc : () -> !barrier
    %m = ttg.local_alloc : () -> !tile
    ttng.init_barrier %full, 1 : !barrier
    ttng.init_barrier %empty, 1 : !barrier
    ttg.warp_specialize(%full, %empty, %m, %d, %n) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %bit = arith.andi %i, %c1 : i32
        ttng.wait_barrier %full, %bit : !barrier
        ttng.arrive_barrier %empty, 1 : !barrier
      }
      ttg.warp_yield
    }
    partition0(%pf: !barrier, %pe: !barrier, %pm: !tile, %pd: !desc, %pn: i32) num_warps(1) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      %yes = arith.constant true
      scf.for %j = %k0 to %pn step %k1 : i32 {
        %bit = arith.andi %j, %k1 : i32
        %other = arith.xori %bit, %k1 : i32
        ttng.wait_barrier %pe, %other : !barrier
        ttng.arrive_barrier %pf, 1 : !barrier
        // CHECK: :[[@LINE+1]]:9: warning: 'ttng.async_tma_copy_global_to_local' completes 8192 bytes on a barrier that expects none; a 'ttng.barrier_expect' must announce them [barrier-bytes]
        ttng.async_tma_copy_global_to_local %pd[%j, %k0] %pm, %pf, %yes : !desc, !barrier -> !tile
      }
      ttg.warp_return
    } : (!barrier, !barrier, !tile, !desc, i32) -> ()
    tt.return
  }
  tt.func @producer_of_too_few(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %full = ttg.local_alloc : () -> !barrier
    %empty = ttg.local_alloc : () -> !barrier
    %m = ttg.local_alloc : () -> !tile
    ttng.init_barrier %full, 1 : !barrier
    ttng.init_barrier %empty, 1 : !barrier
    ttg.warp_specialize(%full, %empty, %m, %d, %n) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %bit = arith.andi %i, %c1 : i32
        ttng.wait_barrier %full, %bit : !barrier
        ttng.arrive_barrier %empty, 1 : !barrier
      }
      ttg.warp_yield
    }
    partition0(%pf: !barrier, %pe: !barrier, %pm: !tile, %pd: !desc, %pn: i32) num_warps(1) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      %yes = arith.constant true
      scf.for %j = %k0 to %pn step %k1 : i32 {
        %bit = arith.andi %j, %k1 : i32
        %other = arith.xori %bit, %k1 : i32
        ttng.wait_barrier %pe, %other : !barrier
        // CHECK: :[[@LINE+1]]:9: warning: 'ttng.barrier_expect' expects 4096 bytes, but the copy after it that completes on this barrier writes 8192: the next phase completes too early [barrier-bytes]
        ttng.barrier_expect %pf, 4096, %yes : !barrier
        ttng.async_tma_copy_global_to_local %pd[%j, %k0] %pm, %pf, %yes : !desc, !barrier -> !tile
      }
      ttg.warp_return
    } : (!barrier, !barrier, !tile, !desc, i32) -> ()
    tt.return
  }
  tt.func @ring(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %ring = ttg.local_alloc : () -> !ring
    %m0 = ttg.local_alloc : () -> !tiles
    %m1 = ttg.local_alloc : () -> !tiles
    %s0 = ttg.memdesc_index %ring[%c0] : !ring -> !barrier
    %s1 = ttg.memdesc_index %ring[%c1] : !ring -> !barrier
    ttng.init_barrier %s0, 1 : !barrier
    ttng.init_barrier %s1, 1 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = arith.andi %i, %c1 : i32
      %round = arith.shrui %i, %c1 : i32
      %phase = arith.andi %round, %c1 : i32
      %s = ttg.memdesc_index %ring[%slot] : !ring -> !barrier
      %t0 = ttg.memdesc_index %m0[%slot] : !tiles -> !tile
      %t1 = ttg.memdesc_index %m1[%slot] : !tiles -> !tile
      ttng.barrier_expect %s, 16384, %true : !barrier
      ttng.async_tma_copy_global_to_local %d[%i, %c0] %t0, %s, %true : !desc, !barrier -> !tile
      ttng.async_tma_copy_global_to_local %d[%i, %c0] %t1, %s, %true : !desc, !barrier -> !tile
      ttng.wait_barrier %s, %phase, %true : !barrier
    }
    tt.return
  }
  tt.func @ring_of_three_copies(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %ring = ttg.local_alloc : () -> !ring
    %m0 = ttg.local_alloc : () -> !tiles
    %m1 = ttg.local_alloc : () -> !tiles
    %m2 = ttg.local_alloc : () -> !tiles
    %s0 = ttg.memdesc_index %ring[%c0] : !ring -> !barrier
    %s1 = ttg.memdesc_index %ring[%c1] : !ring -> !barrier
    ttng.init_barrier %s0, 1 : !barrier
    ttng.init_barrier %s1, 1 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = arith.andi %i, %c1 : i32
      %round = arith.shrui %i, %c1 : i32
      %phase = arith.andi %round, %c1 : i32
      %s = ttg.memdesc_index %ring[%slot] : !ring -> !barrier
      %t0 = ttg.memdesc_index %m0[%slot] : !tiles -> !tile
      %t1 = ttg.memdesc_index %m1[%slot] : !tiles -> !tile
      %t2 = ttg.memdesc_index %m2[%slot] : !tiles -> !tile
      ttng.barrier_expect %s, 24576, %true : !barrier
      ttng.async_tma_copy_global_to_local %d[%i, %c0] %t0, %s, %true : !desc, !barrier -> !tile
      ttng.async_tma_copy_global_to_local %d[%i, %c0] %t1, %s, %true : !desc, !barrier -> !tile
      ttng.async_tma_copy_global_to_local %d[%i, %c0] %t2, %s, %true : !desc, !barrier -> !tile
      ttng.wait_barrier %s, %phase, %true : !barrier
    }
    tt.return
  }
  tt.func @announced_in_parts(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %ring = ttg.local_alloc : () -> !ring
    %m0 = ttg.local_alloc : () -> !tiles
    %m1 = ttg.local_alloc : () -> !tiles
    %s0 = ttg.memdesc_index %ring[%c0] : !ring -> !barrier
    %s1 = ttg.memdesc_index %ring[%c1] : !ring -> !barrier
    ttng.init_barrier %s0, 2 : !barrier
    ttng.init_barrier %s1, 2 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = arith.andi %i, %c1 : i32
      %round = arith.shrui %i, %c1 : i32
      %phase = arith.andi %round, %c1 : i32
      %s = ttg.memdesc_index %ring[%slot] : !ring -> !barrier
      %t0 = ttg.memdesc_index %m0[%slot] : !tiles -> !tile
      %t1 = ttg.memdesc_index %m1[%slot] : !tiles -> !tile
      ttng.barrier_expect %s, 8192, %true : !barrier
      ttng.barrier_expect %s, 8192, %true : !barrier
      ttng.async_tma_copy_global_to_local %d[%i, %c0] %t0, %s, %true : !desc, !barrier -> !tile
      ttng.async_tma_copy_global_to_local %d[%i, %c0] %t1, %s, %true : !desc, !barrier -> !tile
      ttng.wait_barrier %s, %phase, %true : !barrier
    }
    tt.return
  }
  tt.func @producer_and_consumer(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %full = ttg.local_alloc : () -> !barrier
    %empty = ttg.local_alloc : () -> !barrier
    %m = ttg.local_alloc : () -> !tile
    ttng.init_barrier %full, 1 : !barrier
    ttng.init_barrier %empty, 1 : !barrier
    ttg.warp_specialize(%full, %empty, %m, %d, %n) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %bit = arith.andi %i, %c1 : i32
        ttng.wait_barrier %full, %bit : !barrier
        ttng.arrive_barrier %empty, 1 : !barrier
      }
      ttg.warp_yield
    }
    partition0(%pf: !barrier, %pe: !barrier, %pm: !tile, %pd: !desc, %pn: i32) num_warps(1) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      %yes = arith.constant true
      scf.for %j = %k0 to %pn step %k1 : i32 {
        %bit = arith.andi %j, %k1 : i32
        %other = arith.xori %bit, %k1 : i32
        ttng.wait_barrier %pe, %other : !barrier
        ttng.barrier_expect %pf, 8192, %yes : !barrier
        ttng.async_tma_copy_global_to_local %pd[%j, %k0] %pm, %pf, %yes : !desc, !barrier -> !tile
      }
      ttg.warp_return
    } : (!barrier, !barrier, !tile, !desc, i32) -> ()
    tt.return
  }
  tt.func @copies_under_a_predicate(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %ring = ttg.local_alloc : () -> !ring
    %m0 = ttg.local_alloc : () -> !tiles
    %m1 = ttg.local_alloc : () -> !tiles
    %s0 = ttg.memdesc_index %ring[%c0] : !ring -> !barrier
    %s1 = ttg.memdesc_index %ring[%c1] : !ring -> !barrier
    ttng.init_barrier %s0, 1 : !barrier
    ttng.init_barrier %s1, 1 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = arith.andi %i, %c1 : i32
      %round = arith.shrui %i, %c1 : i32
      %phase = arith.andi %round, %c1 : i32
      %s = ttg.memdesc_index %ring[%slot] : !ring -> !barrier
      %p = arith.cmpi slt, %i, %n : i32
      %t0 = ttg.memdesc_index %m0[%slot] : !tiles -> !tile
      %t1 = ttg.memdesc_index %m1[%slot] : !tiles -> !tile
      ttng.barrier_expect %s, 16384, %p : !barrier
      ttng.async_tma_copy_global_to_local %d[%i, %c0] %t0, %s, %p : !desc, !barrier -> !tile
      ttng.async_tma_copy_global_to_local %d[%i, %c0] %t1, %s, %p : !desc, !barrier -> !tile
      ttng.wait_barrier %s, %phase, %p : !barrier
    }
    tt.return
  }
  // A phase that only announces, as one that another kernel fills.
  tt.func @no_copy_at_all(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    ttng.barrier_expect %b, 0, %true : !barrier
    ttng.wait_barrier %b, %c0 : !barrier
    tt.return
  }
  tt.func @gather(%d: !tt.tensordesc<1x64xf16, #shared>, %x: tensor<64xi32, #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>}>>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %b = ttg.local_alloc : () -> !barrier
    %m = ttg.local_alloc : () -> !tile
    ttng.init_barrier %b, 1 : !barrier
    ttng.barrier_expect %b, 8192, %true : !barrier
    ttng.async_tma_gather %d[%x, %c0] %m, %b, %true : !tt.tensordesc<1x64xf16, #shared>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>}>>, i32, !barrier, !tile, i1
    ttng.wait_barrier %b, %c0 : !barrier
    tt.return
  }
}
