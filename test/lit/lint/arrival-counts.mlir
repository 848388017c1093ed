// Arrivals at the barriers of pipelines, partitions and clusters, with one number changed.
// RUN: kernelscope check %s | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #bar, #smem, mutable>
!ring = !ttg.memdesc<2x1xi64, #bar, #smem, mutable>
!tile = !ttg.memdesc<128x64xf16, #a, #smem, mutable>
!b = !ttg.memdesc<64x64xf16, #a, #smem, mutable>
!desc = !tt.tensordesc<128x64xf16, #a>
!acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @copies_of_a_ring_for_two(%n: i32, %d: !desc, %m: !tile) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %ring = ttg.local_alloc : () -> !ring
    %s0 = ttg.memdesc_index %ring[%c0] : !ring -> !barrier
    %s1 = ttg.memdesc_index %ring[%c1] : !ring -> !barrier
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.init_barrier' initialises a barrier for 2 arrivals per phase, but there is 1 between two waits: the wait never ends [barrier-arrivals]
    ttng.init_barrier %s0, 2 : !barrier
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.init_barrier' initialises a barrier for 2 arrivals per phase, but there is 1 between two waits: the wait never ends [barrier-arrivals]
    ttng.init_barrier %s1, 2 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = arith.andi %i, %c1 : i32
      %round = arith.shrui %i, %c1 : i32
      %phase = arith.andi %round, %c1 : i32
      %s = ttg.memdesc_index %ring[%slot] : !ring -> !barrier
      ttng.barrier_expect %s, 16384, %true : !barrier
      ttng.async_tma_copy_global_to_local %d[%i, %c0] %m, %s, %true : !desc, !barrier -> !tile
      ttng.wait_barrier %s, %phase : !barrier
    }
    tt.return
  }
  tt.func @products_of_a_ring_for_two(%n: i32, %m: !tile, %w: !b, %acc: !acc) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %ring = ttg.local_alloc : () -> !ring
    %s0 = ttg.memdesc_index %ring[%c0] : !ring -> !barrier
    %s1 = ttg.memdesc_index %ring[%c1] : !ring -> !barrier
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.init_barrier' initialises a barrier for 2 arrivals per phase, but there is 1 between two waits: the wait never ends [barrier-arrivals]
    ttng.init_barrier %s0, 2 : !barrier
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.init_barrier' initialises a barrier for 2 arrivals per phase, but there is 1 between two waits: the wait never ends [barrier-arrivals]
    ttng.init_barrier %s1, 2 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = arith.andi %i, %c1 : i32
      %round = arith.shrui %i, %c1 : i32
      %phase = arith.andi %round, %c1 : i32
      %s = ttg.memdesc_index %ring[%slot] : !ring -> !barrier
      ttng.tc_gen5_mma %m, %w, %acc, %true, %true, %s[%true] {is_async} : !tile, !b, !acc, !barrier
      ttng.wait_barrier %s, %phase : !barrier
    }
    tt.return
  }
  // Each of two products arrives.
  tt.func @two_products_for_one(%n: i32, %m: !tile, %w: !b, %acc: !acc) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %ring = ttg.local_alloc : () -> !ring
    %s0 = ttg.memdesc_index %ring[%c0] : !ring -> !barrier
    %s1 = ttg.memdesc_index %ring[%c1] : !ring -> !barrier
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.init_barrier' initialises a barrier for 3 arrivals per phase, but there are 2 between two waits: the wait never ends [barrier-arrivals]
    ttng.init_barrier %s0, 3 : !barrier
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.init_barrier' initialises a barrier for 3 arrivals per phase, but there are 2 between two waits: the wait never ends [barrier-arrivals]
    ttng.init_barrier %s1, 3 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = arith.andi %i, %c1 : i32
      %round = arith.shrui %i, %c1 : i32
      %phase = arith.andi %round, %c1 : i32
      %s = ttg.memdesc_index %ring[%slot] : !ring -> !barrier
      ttng.tc_gen5_mma %m, %w, %acc, %true, %true, %s[%true] {is_async} : !tile, !b, !acc, !barrier
      ttng.tc_gen5_mma %m, %w, %acc, %true, %true, %s[%true] {is_async} : !tile, !b, !acc, !barrier
      ttng.wait_barrier %s, %phase : !barrier
    }
    tt.return
  }
  tt.func @two_consumers_for_three(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %full = ttg.local_alloc : () -> !barrier
    %empty = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %full, 1 : !barrier
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.init_barrier' initialises a barrier for 3 arrivals per phase, but there are 2 between two waits: the wait never ends [barrier-arrivals]
    ttng.init_barrier %empty, 3 : !barrier
    ttg.warp_specialize(%full, %empty, %n) attributes {warpGroupStartIds = array<i32: 4, 8>}
    default {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %bit = arith.andi %i, %c1 : i32
        %other = arith.xori %bit, %c1 : i32
        ttng.wait_barrier %empty, %other : !barrier
        ttng.arrive_barrier %full, 1 : !barrier
      }
      ttg.warp_yield
    }
    partition0(%pb: !barrier, %pe: !barrier, %pn: i32) num_warps(4) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      scf.for %j = %k0 to %pn step %k1 : i32 {
        %bit = arith.andi %j, %k1 : i32
        ttng.wait_barrier %pb, %bit : !barrier
        ttng.arrive_barrier %pe, 1 : !barrier
      }
      ttg.warp_return
    }
    partition1(%pb: !barrier, %pe: !barrier, %pn: i32) num_warps(4) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      scf.for %j = %k0 to %pn step %k1 : i32 {
        %bit = arith.andi %j, %k1 : i32
        ttng.wait_barrier %pb, %bit : !barrier
        ttng.arrive_barrier %pe, 1 : !barrier
      }
      ttg.warp_return
    } : (!barrier, !barrier, i32) -> ()
    tt.return
  }
  tt.func @two_consumers_for_one(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %full = ttg.local_alloc : () -> !barrier
    %empty = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %full, 1 : !barrier
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.init_barrier' initialises a barrier for 1 arrival per phase, but 'ttng.arrive_barrier' alone makes 2 [barrier-arrivals]
    ttng.init_barrier %empty, 1 : !barrier
    ttg.warp_specialize(%full, %empty, %n) attributes {warpGroupStartIds = array<i32: 4, 8>}
    default {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %bit = arith.andi %i, %c1 : i32
        %other = arith.xori %bit, %c1 : i32
        ttng.wait_barrier %empty, %other : !barrier
        ttng.arrive_barrier %full, 1 : !barrier
      }
      ttg.warp_yield
    }
    partition0(%pb: !barrier, %pe: !barrier, %pn: i32) num_warps(4) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      scf.for %j = %k0 to %pn step %k1 : i32 {
        %bit = arith.andi %j, %k1 : i32
        ttng.wait_barrier %pb, %bit : !barrier
        ttng.arrive_barrier %pe, 2 : !barrier
      }
      ttg.warp_return
    }
    partition1(%pb: !barrier, %pe: !barrier, %pn: i32) num_warps(4) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      scf.for %j = %k0 to %pn step %k1 : i32 {
        %bit = arith.andi %j, %k1 : i32
        ttng.wait_barrier %pb, %bit : !barrier
        ttng.arrive_barrier %pe, 2 : !barrier
      }
      ttg.warp_return
    } : (!barrier, !barrier, i32) -> ()
    tt.return
  }
  tt.func @commit_for_two(%n: i32, %m: !tile, %w: !b, %acc: !acc) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %b = ttg.local_alloc : () -> !barrier
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.init_barrier' initialises a barrier for 2 arrivals per phase, but there is 1 between two waits: the wait never ends [barrier-arrivals]
    ttng.init_barrier %b, 2 : !barrier
    ttng.tc_gen5_mma %m, %w, %acc, %true, %true : !tile, !b, !acc
    ttng.tc_gen5_commit %b : !barrier
    ttng.wait_barrier %b, %c0 : !barrier
    tt.return
  }
  tt.func @copies_of_a_ring(%n: i32, %d: !desc, %m: !tile) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %ring = ttg.local_alloc : () -> !ring
    %s0 = ttg.memdesc_index %ring[%c0] : !ring -> !barrier
    %s1 = ttg.memdesc_index %ring[%c1] : !ring -> !barrier
    ttng.init_barrier %s0, 1 : !barrier
    ttng.init_barrier %s1, 1 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = arith.andi %i, %c1 : i32
      %round = arith.shrui %i, %c1 : i32
      %phase = arith.andi %round, %c1 : i32
      %s = ttg.memdesc_index %ring[%slot] : !ring -> !barrier
      ttng.barrier_expect %s, 16384, %true : !barrier
      ttng.async_tma_copy_global_to_local %d[%i, %c0] %m, %s, %true : !desc, !barrier -> !tile
      ttng.wait_barrier %s, %phase : !barrier
    }
    tt.return
  }
  tt.func @products_of_a_ring(%n: i32, %m: !tile, %w: !b, %acc: !acc) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %ring = ttg.local_alloc : () -> !ring
    %s0 = ttg.memdesc_index %ring[%c0] : !ring -> !barrier
    %s1 = ttg.memdesc_index %ring[%c1] : !ring -> !barrier
    ttng.init_barrier %s0, 1 : !barrier
    ttng.init_barrier %s1, 1 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = arith.andi %i, %c1 : i32
      %round = arith.shrui %i, %c1 : i32
      %phase = arith.andi %round, %c1 : i32
      %s = ttg.memdesc_index %ring[%slot] : !ring -> !barrier
      ttng.tc_gen5_mma %m, %w, %acc, %true, %true, %s[%true] {is_async} : !tile, !b, !acc, !barrier
      ttng.wait_barrier %s, %phase : !barrier
    }
    tt.return
  }
  tt.func @two_products_for_two(%n: i32, %m: !tile, %w: !b, %acc: !acc) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %ring = ttg.local_alloc : () -> !ring
    %s0 = ttg.memdesc_index %ring[%c0] : !ring -> !barrier
    %s1 = ttg.memdesc_index %ring[%c1] : !ring -> !barrier
    ttng.init_barrier %s0, 2 : !barrier
    ttng.init_barrier %s1, 2 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = arith.andi %i, %c1 : i32
      %round = arith.shrui %i, %c1 : i32
      %phase = arith.andi %round, %c1 : i32
      %s = ttg.memdesc_index %ring[%slot] : !ring -> !barrier
      ttng.tc_gen5_mma %m, %w, %acc, %true, %true, %s[%true] {is_async} : !tile, !b, !acc, !barrier
      ttng.tc_gen5_mma %m, %w, %acc, %true, %true, %s[%true] {is_async} : !tile, !b, !acc, !barrier
      ttng.wait_barrier %s, %phase : !barrier
    }
    tt.return
  }
  tt.func @two_consumers(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %full = ttg.local_alloc : () -> !barrier
    %empty = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %full, 1 : !barrier
    ttng.init_barrier %empty, 2 : !barrier
    ttg.warp_specialize(%full, %empty, %n) attributes {warpGroupStartIds = array<i32: 4, 8>}
    default {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %bit = arith.andi %i, %c1 : i32
        %other = arith.xori %bit, %c1 : i32
        ttng.wait_barrier %empty, %other : !barrier
        ttng.arrive_barrier %full, 1 : !barrier
      }
      ttg.warp_yield
    }
    partition0(%pb: !barrier, %pe: !barrier, %pn: i32) num_warps(4) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      scf.for %j = %k0 to %pn step %k1 : i32 {
        %bit = arith.andi %j, %k1 : i32
        ttng.wait_barrier %pb, %bit : !barrier
        ttng.arrive_barrier %pe, 1 : !barrier
      }
      ttg.warp_return
    }
    partition1(%pb: !barrier, %pe: !barrier, %pn: i32) num_warps(4) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      scf.for %j = %k0 to %pn step %k1 : i32 {
        %bit = arith.andi %j, %k1 : i32
        ttng.wait_barrier %pb, %bit : !barrier
        ttng.arrive_barrier %pe, 1 : !barrier
      }
      ttg.warp_return
    } : (!barrier, !barrier, i32) -> ()
    tt.return
  }
  tt.func @warp_groups_that_arrive_by_threads(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %full = ttg.local_alloc : () -> !barrier
    %empty = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %full, 1 : !barrier
    ttng.init_barrier %empty, 256 : !barrier
    ttg.warp_specialize(%full, %empty, %n) attributes {warpGroupStartIds = array<i32: 4, 8>}
    default {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %bit = arith.andi %i, %c1 : i32
        %other = arith.xori %bit, %c1 : i32
        ttng.wait_barrier %empty, %other : !barrier
        ttng.arrive_barrier %full, 1 : !barrier
      }
      ttg.warp_yield
    }
    partition0(%pb: !barrier, %pe: !barrier, %pn: i32) num_warps(4) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      scf.for %j = %k0 to %pn step %k1 : i32 {
        %bit = arith.andi %j, %k1 : i32
        ttng.wait_barrier %pb, %bit : !barrier
        ttng.arrive_barrier %pe, 128 : !barrier
      }
      ttg.warp_return
    }
    partition1(%pb: !barrier, %pe: !barrier, %pn: i32) num_warps(4) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      scf.for %j = %k0 to %pn step %k1 : i32 {
        %bit = arith.andi %j, %k1 : i32
        ttng.wait_barrier %pb, %bit : !barrier
        ttng.arrive_barrier %pe, 128 : !barrier
      }
      ttg.warp_return
    } : (!barrier, !barrier, i32) -> ()
    tt.return
  }
  // A copy announces, and a thread arrives.
  tt.func @bytes_and_an_arrival(%n: i32, %d: !desc, %m: !tile) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %ring = ttg.local_alloc : () -> !ring
    %s0 = ttg.memdesc_index %ring[%c0] : !ring -> !barrier
    %s1 = ttg.memdesc_index %ring[%c1] : !ring -> !barrier
    ttng.init_barrier %s0, 2 : !barrier
    ttng.init_barrier %s1, 2 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = arith.andi %i, %c1 : i32
      %round = arith.shrui %i, %c1 : i32
      %phase = arith.andi %round, %c1 : i32
      %s = ttg.memdesc_index %ring[%slot] : !ring -> !barrier
      ttng.barrier_expect %s, 16384, %true : !barrier
      ttng.async_tma_copy_global_to_local %d[%i, %c0] %m, %s, %true : !desc, !barrier -> !tile
      ttng.arrive_barrier %s, 1 : !barrier
      ttng.wait_barrier %s, %phase : !barrier
    }
    tt.return
  }
  tt.func @predicate_of_the_last_iteration(%n: i32, %m: !tile, %w: !b, %acc: !acc) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    %last = arith.subi %n, %c1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %is = arith.cmpi eq, %i, %last : i32
      ttng.tc_gen5_mma %m, %w, %acc, %true, %true, %b[%is] {is_async} : !tile, !b, !acc, !barrier
    }
    ttng.wait_barrier %b, %c0 : !barrier
    tt.return
  }
}

// -----

// Four CTAs.
#as = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, CGALayout = [[1, 0], [0, 0]]}>
#bs = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, CGALayout = [[0, 0], [0, 1]]}>
#ascales = #ttng.tensor_memory_scales_encoding<CGALayout = [[1, 0], [0, 0]]>
#bscales = #ttng.tensor_memory_scales_encoding<CGALayout = [[0, 0], [0, 0]]>
#bars = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1], [2]]}>
#smem = #ttg.shared_memory
!barriers = !ttg.memdesc<4xi64, #bars, #smem, mutable>
!a = !ttg.memdesc<256x128xf8E4M3FN, #as, #smem, mutable>
!b = !ttg.memdesc<128x256xf8E4M3FN, #bs, #smem, mutable>
!as = !ttg.memdesc<256x4xi8, #ascales, #ttng.tensor_memory, mutable>
!bs = !ttg.memdesc<256x4xi8, #bscales, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  // B's scales are the same in all CTAs, so all four arrive.
  tt.func @scales_that_all_share(%a: !a, %b: !b, %sa: !as, %sb: !bs) {
    %c0 = arith.constant 0 : i32
    %bar = ttg.local_alloc : () -> !barriers
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.init_barrier' initialises a barrier for 3 arrivals per phase, but 'ttng.tc_gen5_commit' alone makes 4 [barrier-arrivals]
    ttng.init_barrier %bar, 3 : !barriers
    ttng.tc_gen5_commit %bar descs %a, %b, %sa, %sb : !barriers, !a, !b, !as, !bs
    ttng.wait_barrier %bar, %c0 : !barriers
    tt.return
  }
  tt.func @scales_that_all_share_four(%a: !a, %b: !b, %sa: !as, %sb: !bs) {
    %c0 = arith.constant 0 : i32
    %bar = ttg.local_alloc : () -> !barriers
    ttng.init_barrier %bar, 4 : !barriers
    ttng.tc_gen5_commit %bar descs %a, %b, %sa, %sb : !barriers, !a, !b, !as, !bs
    ttng.wait_barrier %bar, %c0 : !barriers
    tt.return
  }
  tt.func @without_those_scales(%a: !a, %b: !b, %sa: !as, %sb: !bs) {
    %c0 = arith.constant 0 : i32
    %bar = ttg.local_alloc : () -> !barriers
    ttng.init_barrier %bar, 3 : !barriers
    ttng.tc_gen5_commit %bar descs %a, %b, %sa : !barriers, !a, !b, !as
    ttng.wait_barrier %bar, %c0 : !barriers
    tt.return
  }
  tt.func @without_operands(%a: !a, %b: !b, %sa: !as, %sb: !bs) {
    %c0 = arith.constant 0 : i32
    %bar = ttg.local_alloc : () -> !barriers
    ttng.init_barrier %bar, 1 : !barriers
    ttng.tc_gen5_commit %bar : !barriers
    ttng.wait_barrier %bar, %c0 : !barriers
    tt.return
  }
}
