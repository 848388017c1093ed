// Buffers that TMA or the tensor core fills: read by who has not heard that they are full, filled while they are read.
// RUN: kernelscope check %s | FileCheck %s
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#regs = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
!barrier = !ttg.memdesc<1xi64, #bar, #smem, mutable>
!ring = !ttg.memdesc<2x1xi64, #bar, #smem, mutable>
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!tiles = !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
!left = !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
!acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
!desc = !tt.tensordesc<64x64xf16, #shared>
!tensor = tensor<64x64xf16, #blocked>
!result = tensor<128x64xf32, #regs>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @other_barrier(%d: !desc) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %k = ttg.local_alloc : () -> !tile
    %x = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %x, 1 : !barrier
    %y = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %y, 1 : !barrier
    ttng.barrier_expect %x, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %true : !desc, !barrier -> !tile
    ttng.barrier_expect %y, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %k, %y, %true : !desc, !barrier -> !tile
    ttng.wait_barrier %y, %c0 : !barrier
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.local_load' reads a buffer that 'ttng.async_tma_copy_global_to_local' fills, but nothing has waited for its barrier [barrier-wait-missing]
    %v = ttg.local_load %m : !tile -> !tensor
    tt.return
  }
  tt.func @second_copy(%d: !desc) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %x = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %x, 1 : !barrier
    ttng.barrier_expect %x, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %true : !desc, !barrier -> !tile
    ttng.wait_barrier %x, %c0 : !barrier
    %v = ttg.local_load %m : !tile -> !tensor
    ttng.barrier_expect %x, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %true : !desc, !barrier -> !tile
    %y = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %y, 1 : !barrier
    ttng.arrive_barrier %y, 1 : !barrier
    ttng.wait_barrier %y, %c0 : !barrier
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.local_load' reads a buffer that 'ttng.async_tma_copy_global_to_local' fills, but nothing has waited for its barrier [barrier-wait-missing]
    %w = ttg.local_load %m : !tile -> !tensor
    tt.return
  }
  tt.func @product_read_early(%a: !left, %b: !tile, %d: !desc, %n: i32) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %acc = ttng.tmem_alloc : () -> !acc
    %done = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %done, 1 : !barrier
    ttng.tc_gen5_mma %a, %b, %acc, %true, %true, %done[%true] {is_async} : !left, !tile, !acc, !barrier
    %other = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %other, 1 : !barrier
    ttng.arrive_barrier %other, 1 : !barrier
    ttng.wait_barrier %other, %c0 : !barrier
    // CHECK: :[[@LINE+1]]:10: warning: 'ttng.tmem_load' reads a buffer that 'ttng.tc_gen5_mma' fills, but nothing has waited for its barrier [barrier-wait-missing]
    %r = ttng.tmem_load %acc : !acc -> !result
    tt.return
  }
  tt.func @product_then_commit(%a: !left, %b: !tile, %d: !desc, %n: i32) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %acc = ttng.tmem_alloc : () -> !acc
    %done = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %done, 1 : !barrier
    ttng.tc_gen5_mma %a, %b, %acc, %true, %true {is_async} : !left, !tile, !acc
    ttng.tc_gen5_commit %done : !barrier
    %other = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %other, 1 : !barrier
    ttng.arrive_barrier %other, 1 : !barrier
    ttng.wait_barrier %other, %c0 : !barrier
    // CHECK: :[[@LINE+1]]:10: warning: 'ttng.tmem_load' reads a buffer that 'ttng.tc_gen5_mma' fills, but nothing has waited for its barrier [barrier-wait-missing]
    %r = ttng.tmem_load %acc : !acc -> !result
    tt.return
  }
  tt.func @operand_of_a_product(%a: !left, %b: !tile, %d: !desc, %n: i32) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %acc = ttng.tmem_alloc : () -> !acc
    %m = ttg.local_alloc : () -> !tile
    %k = ttg.local_alloc : () -> !tile
    %x = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %x, 1 : !barrier
    %y = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %y, 1 : !barrier
    %done = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %done, 1 : !barrier
    ttng.barrier_expect %x, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %true : !desc, !barrier -> !tile
    ttng.barrier_expect %y, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %k, %y, %true : !desc, !barrier -> !tile
    ttng.wait_barrier %y, %c0 : !barrier
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.tc_gen5_mma' reads a buffer that 'ttng.async_tma_copy_global_to_local' fills, but nothing has waited for its barrier [barrier-wait-missing]
    ttng.tc_gen5_mma %a, %m, %acc, %true, %true, %done[%true] {is_async} : !left, !tile, !acc, !barrier
    tt.return
  }
  tt.func @result_of_the_last_iteration(%a: !left, %b: !tile, %d: !desc, %n: i32) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %acc = ttng.tmem_alloc : () -> !acc
    %done = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %done, 1 : !barrier
    %p = scf.for %i = %c0 to %n step %c1 iter_args(%phase = %c0) -> (i32) : i32 {
      %first = arith.cmpi eq, %i, %c0 : i32
      %later = arith.cmpi ne, %i, %c0 : i32
      %before = arith.xori %phase, %c1 : i32
      ttng.wait_barrier %done, %before, %later : !barrier
      ttng.tc_gen5_mma %a, %b, %acc, %true, %true, %done[%true] {is_async} : !left, !tile, !acc, !barrier
      %flipped = arith.xori %phase, %c1 : i32
      scf.yield %flipped : i32
    }
    // CHECK: :[[@LINE+1]]:10: warning: 'ttng.tmem_load' reads a buffer that 'ttng.tc_gen5_mma' fills, but nothing has waited for its barrier [barrier-wait-missing]
    %r = ttng.tmem_load %acc : !acc -> !result
    tt.return
  }
  tt.func @consumer(%a: !left, %b: !tile, %d: !desc, %n: i32) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tiles
    %full = ttg.local_alloc : () -> !ring
    %empty = ttg.local_alloc : () -> !ring
    %f0 = ttg.memdesc_index %full[%c0] : !ring -> !barrier
    %f1 = ttg.memdesc_index %full[%c1] : !ring -> !barrier
    %e0 = ttg.memdesc_index %empty[%c0] : !ring -> !barrier
    %e1 = ttg.memdesc_index %empty[%c1] : !ring -> !barrier
    ttng.init_barrier %f0, 1 : !barrier
    ttng.init_barrier %f1, 1 : !barrier
    ttng.init_barrier %e0, 1 : !barrier
    ttng.init_barrier %e1, 1 : !barrier
    ttg.warp_specialize(%full, %empty, %m, %d, %n) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %slot = arith.andi %i, %c1 : i32
        %round = arith.shrui %i, %c1 : i32
        %phase = arith.andi %round, %c1 : i32
        %e = ttg.memdesc_index %empty[%slot] : !ring -> !barrier
        %f = ttg.memdesc_index %full[%slot] : !ring -> !barrier
        %t = ttg.memdesc_index %m[%slot] : !tiles -> !tile
        // CHECK: :[[@LINE+1]]:14: warning: 'ttg.local_load' reads a buffer that 'ttng.async_tma_copy_global_to_local' fills, but nothing has waited for its barrier [barrier-wait-missing]
        %v = ttg.local_load %t : !tile -> !tensor
        ttng.arrive_barrier %e, 1 : !barrier
      }
      ttg.warp_yield
    }
    partition0(%pf: !ring, %pe: !ring, %pm: !tiles, %pd: !desc, %pn: i32) num_warps(1) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      %yes = arith.constant true
      scf.for %i = %k0 to %pn step %k1 : i32 {
        %slot = arith.andi %i, %k1 : i32
        %round = arith.shrui %i, %k1 : i32
        %phase = arith.andi %round, %k1 : i32
        %free = arith.xori %phase, %k1 : i32
        %e = ttg.memdesc_index %pe[%slot] : !ring -> !barrier
        %f = ttg.memdesc_index %pf[%slot] : !ring -> !barrier
        %t = ttg.memdesc_index %pm[%slot] : !tiles -> !tile
        ttng.wait_barrier %e, %free : !barrier
        ttng.barrier_expect %f, 8192, %yes : !barrier
        ttng.async_tma_copy_global_to_local %pd[%k0, %k0] %t, %f, %yes : !desc, !barrier -> !tile
      }
      ttg.warp_return
    } : (!ring, !ring, !tiles, !desc, i32) -> ()
    tt.return
  }
  // The partition says that it is full before it knows.
  tt.func @told_by_another_partition(%d: !desc) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %x = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %x, 1 : !barrier
    %y = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %y, 1 : !barrier
    ttng.barrier_expect %x, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %true : !desc, !barrier -> !tile
    ttg.warp_specialize(%x, %y, %m) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      ttng.wait_barrier %y, %c0 : !barrier
      // CHECK: :[[@LINE+1]]:12: warning: 'ttg.local_load' reads a buffer that 'ttng.async_tma_copy_global_to_local' fills, but nothing has waited for its barrier [barrier-wait-missing]
      %v = ttg.local_load %m : !tile -> !tensor
      ttg.warp_yield
    }
    partition0(%px: !barrier, %py: !barrier, %pm: !tile) num_warps(4) {
      %k0 = arith.constant 0 : i32
      ttng.arrive_barrier %py, 1 : !barrier
      ttng.wait_barrier %px, %k0 : !barrier
      ttg.warp_return
    } : (!barrier, !barrier, !tile) -> ()
    tt.return
  }
  // The consumer hands the buffer back before it reads.
  tt.func @handed_back_too_early(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %full = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %full, 1 : !barrier
    %empty = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %empty, 1 : !barrier
    ttg.warp_specialize(%m, %full, %empty, %d, %n)
    default {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %phase = arith.andi %i, %c1 : i32
        ttng.wait_barrier %full, %phase : !barrier
        ttng.arrive_barrier %empty, 1 : !barrier
        %v = ttg.local_load %m : !tile -> !tensor
      }
      ttg.warp_yield
    }
    partition0(%b: !tile, %f: !barrier, %e: !barrier, %pd: !desc, %k: i32) num_warps(1) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      %true = arith.constant true
      scf.for %i = %k0 to %k step %k1 : i32 {
        %phase = arith.andi %i, %k1 : i32
        %other = arith.xori %phase, %k1 : i32
        ttng.wait_barrier %e, %other : !barrier
        ttng.barrier_expect %f, 8192, %true : !barrier
        // CHECK: :[[@LINE+1]]:9: warning: 'ttng.async_tma_copy_global_to_local' overwrites a buffer that 'ttg.local_load' may still read; nothing has waited for its completion [barrier-wait-missing]
        ttng.async_tma_copy_global_to_local %pd[%k0, %i] %b, %f, %true : !desc, !barrier -> !tile
      }
      ttg.warp_return
    } : (!tile, !barrier, !barrier, !desc, i32) -> ()
    tt.return
  }
  tt.func @joined_with_a_partition(%d: !desc) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %x = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %x, 1 : !barrier
    ttng.barrier_expect %x, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %true : !desc, !barrier -> !tile
    ttg.warp_specialize(%x) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      ttg.warp_yield
    }
    partition0(%px: !barrier) num_warps(4) {
      %k0 = arith.constant 0 : i32
      ttg.warp_return
    } : (!barrier) -> ()
    %y = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %y, 1 : !barrier
    ttng.arrive_barrier %y, 1 : !barrier
    ttng.wait_barrier %y, %c0 : !barrier
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.local_load' reads a buffer that 'ttng.async_tma_copy_global_to_local' fills, but nothing has waited for its barrier [barrier-wait-missing]
    %v = ttg.local_load %m : !tile -> !tensor
    tt.return
  }
  tt.func @carried_barriers(%a: !left, %b: !tile, %d: !desc, %n: i32) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %k = ttg.local_alloc : () -> !tile
    %x = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %x, 1 : !barrier
    %y = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %y, 1 : !barrier
    ttng.barrier_expect %x, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %true : !desc, !barrier -> !tile
    ttng.barrier_expect %y, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %k, %y, %true : !desc, !barrier -> !tile
    %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (!barrier, !barrier) : i32 {
      %first = arith.cmpi eq, %i, %c0 : i32
      ttng.wait_barrier %q, %c0, %first : !barrier
      // CHECK: :[[@LINE+1]]:12: warning: 'ttg.local_load' reads a buffer that 'ttng.async_tma_copy_global_to_local' fills, but nothing has waited for its barrier [barrier-wait-missing]
      %v = ttg.local_load %m : !tile -> !tensor
      scf.yield %q, %p : !barrier, !barrier
    }
    tt.return
  }
  tt.func @chosen_barrier(%d: !desc) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %k = ttg.local_alloc : () -> !tile
    %x = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %x, 1 : !barrier
    %y = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %y, 1 : !barrier
    ttng.barrier_expect %x, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %true : !desc, !barrier -> !tile
    ttng.barrier_expect %y, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %k, %y, %true : !desc, !barrier -> !tile
    %s = arith.select %false, %x, %y : !barrier
    ttng.wait_barrier %s, %c0 : !barrier
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.local_load' reads a buffer that 'ttng.async_tma_copy_global_to_local' fills, but nothing has waited for its barrier [barrier-wait-missing]
    %v = ttg.local_load %m : !tile -> !tensor
    tt.return
  }
  tt.func @predicate_of_the_wait(%d: !desc) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %x = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %x, 1 : !barrier
    %y = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %y, 1 : !barrier
    ttng.barrier_expect %x, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %true : !desc, !barrier -> !tile
    ttng.wait_barrier %x, %c0, %false : !barrier
    ttng.arrive_barrier %y, 1 : !barrier
    ttng.wait_barrier %y, %c0 : !barrier
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.local_load' reads a buffer that 'ttng.async_tma_copy_global_to_local' fills, but nothing has waited for its barrier [barrier-wait-missing]
    %v = ttg.local_load %m : !tile -> !tensor
    tt.return
  }
  tt.func @no_wait_at_all(%a: !left, %b: !tile, %n: i32) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %acc = ttng.tmem_alloc : () -> !acc
    %done = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %done, 1 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      ttng.tc_gen5_mma %a, %b, %acc, %true, %true, %done[%true] {is_async} : !left, !tile, !acc, !barrier
    }
    // CHECK: :[[@LINE+1]]:10: warning: 'ttng.tmem_load' reads a buffer that 'ttng.tc_gen5_mma' fills, but nothing has waited for its barrier [barrier-wait-missing]
    %r = ttng.tmem_load %acc : !acc -> !result
    tt.return
  }
  tt.func @invalidated_too_early(%a: !left, %b: !tile, %d: !acc) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %done = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %done, 1 : !barrier
    ttng.tc_gen5_mma %a, %b, %d, %true, %true, %done[%true] {is_async} : !left, !tile, !acc, !barrier
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.inval_barrier' invalidates a barrier at which 'ttng.tc_gen5_mma' has yet to arrive; a wait for that phase must come first [barrier-wait-missing]
    ttng.inval_barrier %done : !barrier
    tt.return
  }
  tt.func @overwritten_too_early(%desc: !desc, %a: !left, %d: !acc, %n: i32) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %full = ttg.local_alloc : () -> !barrier
    %done = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %full, 1 : !barrier
    ttng.init_barrier %done, 1 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      %phase = arith.andi %i, %c1 : i32
      ttng.barrier_expect %full, 8192, %true : !barrier
      // CHECK: :[[@LINE+1]]:7: warning: 'ttng.async_tma_copy_global_to_local' overwrites a buffer that 'ttng.tc_gen5_mma' may still read; nothing has waited for its completion [barrier-wait-missing]
      ttng.async_tma_copy_global_to_local %desc[%c0, %i] %m, %full, %true : !desc, !barrier -> !tile
      ttng.wait_barrier %full, %phase : !barrier
      ttng.tc_gen5_mma %a, %m, %d, %true, %true, %done[%true] {is_async} : !left, !tile, !acc, !barrier
    }
    tt.return
  }
}
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @product_without_a_wait(%desc: !desc, %a: tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %z: tensor<64x64xf32, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %full = ttg.local_alloc : () -> !barrier
    %empty = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %full, 1 : !barrier
    ttng.init_barrier %empty, 1 : !barrier
    ttg.warp_specialize(%m, %full, %empty, %desc, %n) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %phase = arith.andi %i, %c1 : i32
        // CHECK: :[[@LINE+1]]:14: warning: 'ttng.warp_group_dot' reads a buffer that 'ttng.async_tma_copy_global_to_local' fills, but nothing has waited for its barrier [barrier-wait-missing]
        %x = ttng.warp_group_dot %a, %m, %z {inputPrecision = 0 : i32} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !tile -> tensor<64x64xf32, #mma>
        ttng.arrive_barrier %empty, 1 : !barrier
      }
      ttg.warp_yield
    }
    partition0(%b: !tile, %f: !barrier, %e: !barrier, %d: !desc, %k: i32) num_warps(1) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      %true = arith.constant true
      scf.for %i = %k0 to %k step %k1 : i32 {
        %phase = arith.andi %i, %k1 : i32
        %other = arith.xori %phase, %k1 : i32
        ttng.wait_barrier %e, %other : !barrier
        ttng.barrier_expect %f, 8192, %true : !barrier
        ttng.async_tma_copy_global_to_local %d[%k0, %i] %b, %f, %true : !desc, !barrier -> !tile
      }
      ttg.warp_return
    } : (!tile, !barrier, !barrier, !desc, i32) -> ()
    tt.return
  }
}
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-NOT: warning:
  tt.func @other_barrier_waited_for(%d: !desc) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %k = ttg.local_alloc : () -> !tile
    %x = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %x, 1 : !barrier
    %y = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %y, 1 : !barrier
    ttng.barrier_expect %x, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %true : !desc, !barrier -> !tile
    ttng.barrier_expect %y, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %k, %y, %true : !desc, !barrier -> !tile
    ttng.wait_barrier %x, %c0 : !barrier
    ttng.wait_barrier %y, %c0 : !barrier
    %v = ttg.local_load %m : !tile -> !tensor
    tt.return
  }
  tt.func @second_copy_waited_for(%d: !desc) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %x = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %x, 1 : !barrier
    ttng.barrier_expect %x, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %true : !desc, !barrier -> !tile
    ttng.wait_barrier %x, %c0 : !barrier
    %v = ttg.local_load %m : !tile -> !tensor
    ttng.barrier_expect %x, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %true : !desc, !barrier -> !tile
    ttng.wait_barrier %x, %c1 : !barrier
    %y = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %y, 1 : !barrier
    ttng.arrive_barrier %y, 1 : !barrier
    ttng.wait_barrier %y, %c0 : !barrier
    %w = ttg.local_load %m : !tile -> !tensor
    tt.return
  }
  tt.func @product_read_early_waited_for(%a: !left, %b: !tile, %d: !desc, %n: i32) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %acc = ttng.tmem_alloc : () -> !acc
    %done = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %done, 1 : !barrier
    ttng.tc_gen5_mma %a, %b, %acc, %true, %true, %done[%true] {is_async} : !left, !tile, !acc, !barrier
    %other = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %other, 1 : !barrier
    ttng.arrive_barrier %other, 1 : !barrier
    ttng.wait_barrier %other, %c0 : !barrier
    ttng.wait_barrier %done, %c0 : !barrier
    %r = ttng.tmem_load %acc : !acc -> !result
    tt.return
  }
  tt.func @product_then_commit_waited_for(%a: !left, %b: !tile, %d: !desc, %n: i32) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %acc = ttng.tmem_alloc : () -> !acc
    %done = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %done, 1 : !barrier
    ttng.tc_gen5_mma %a, %b, %acc, %true, %true {is_async} : !left, !tile, !acc
    ttng.tc_gen5_commit %done : !barrier
    %other = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %other, 1 : !barrier
    ttng.arrive_barrier %other, 1 : !barrier
    ttng.wait_barrier %other, %c0 : !barrier
    ttng.wait_barrier %done, %c0 : !barrier
    %r = ttng.tmem_load %acc : !acc -> !result
    tt.return
  }
  tt.func @operand_of_a_product_waited_for(%a: !left, %b: !tile, %d: !desc, %n: i32) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %acc = ttng.tmem_alloc : () -> !acc
    %m = ttg.local_alloc : () -> !tile
    %k = ttg.local_alloc : () -> !tile
    %x = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %x, 1 : !barrier
    %y = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %y, 1 : !barrier
    %done = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %done, 1 : !barrier
    ttng.barrier_expect %x, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %true : !desc, !barrier -> !tile
    ttng.barrier_expect %y, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %k, %y, %true : !desc, !barrier -> !tile
    ttng.wait_barrier %y, %c0 : !barrier
    ttng.wait_barrier %x, %c0 : !barrier
    ttng.tc_gen5_mma %a, %m, %acc, %true, %true, %done[%true] {is_async} : !left, !tile, !acc, !barrier
    tt.return
  }
  tt.func @result_of_the_last_iteration_waited_for(%a: !left, %b: !tile, %d: !desc, %n: i32) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %acc = ttng.tmem_alloc : () -> !acc
    %done = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %done, 1 : !barrier
    %p = scf.for %i = %c0 to %n step %c1 iter_args(%phase = %c0) -> (i32) : i32 {
      %first = arith.cmpi eq, %i, %c0 : i32
      %later = arith.cmpi ne, %i, %c0 : i32
      %before = arith.xori %phase, %c1 : i32
      ttng.wait_barrier %done, %before, %later : !barrier
      ttng.tc_gen5_mma %a, %b, %acc, %true, %true, %done[%true] {is_async} : !left, !tile, !acc, !barrier
      %flipped = arith.xori %phase, %c1 : i32
      scf.yield %flipped : i32
    }
    %last = arith.xori %p, %c1 : i32
    ttng.wait_barrier %done, %last : !barrier
    %r = ttng.tmem_load %acc : !acc -> !result
    tt.return
  }
  tt.func @consumer_waited_for(%a: !left, %b: !tile, %d: !desc, %n: i32) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tiles
    %full = ttg.local_alloc : () -> !ring
    %empty = ttg.local_alloc : () -> !ring
    %f0 = ttg.memdesc_index %full[%c0] : !ring -> !barrier
    %f1 = ttg.memdesc_index %full[%c1] : !ring -> !barrier
    %e0 = ttg.memdesc_index %empty[%c0] : !ring -> !barrier
    %e1 = ttg.memdesc_index %empty[%c1] : !ring -> !barrier
    ttng.init_barrier %f0, 1 : !barrier
    ttng.init_barrier %f1, 1 : !barrier
    ttng.init_barrier %e0, 1 : !barrier
    ttng.init_barrier %e1, 1 : !barrier
    ttg.warp_specialize(%full, %empty, %m, %d, %n) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %slot = arith.andi %i, %c1 : i32
        %round = arith.shrui %i, %c1 : i32
        %phase = arith.andi %round, %c1 : i32
        %e = ttg.memdesc_index %empty[%slot] : !ring -> !barrier
        %f = ttg.memdesc_index %full[%slot] : !ring -> !barrier
        %t = ttg.memdesc_index %m[%slot] : !tiles -> !tile
        ttng.wait_barrier %f, %phase : !barrier
        %v = ttg.local_load %t : !tile -> !tensor
        ttng.arrive_barrier %e, 1 : !barrier
      }
      ttg.warp_yield
    }
    partition0(%pf: !ring, %pe: !ring, %pm: !tiles, %pd: !desc, %pn: i32) num_warps(1) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      %yes = arith.constant true
      scf.for %i = %k0 to %pn step %k1 : i32 {
        %slot = arith.andi %i, %k1 : i32
        %round = arith.shrui %i, %k1 : i32
        %phase = arith.andi %round, %k1 : i32
        %free = arith.xori %phase, %k1 : i32
        %e = ttg.memdesc_index %pe[%slot] : !ring -> !barrier
        %f = ttg.memdesc_index %pf[%slot] : !ring -> !barrier
        %t = ttg.memdesc_index %pm[%slot] : !tiles -> !tile
        ttng.wait_barrier %e, %free : !barrier
        ttng.barrier_expect %f, 8192, %yes : !barrier
        ttng.async_tma_copy_global_to_local %pd[%k0, %k0] %t, %f, %yes : !desc, !barrier -> !tile
      }
      ttg.warp_return
    } : (!ring, !ring, !tiles, !desc, i32) -> ()
    tt.return
  }
  tt.func @handed_back_after_the_read(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %full = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %full, 1 : !barrier
    %empty = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %empty, 1 : !barrier
    ttg.warp_specialize(%m, %full, %empty, %d, %n)
    default {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %phase = arith.andi %i, %c1 : i32
        ttng.wait_barrier %full, %phase : !barrier
        %v = ttg.local_load %m : !tile -> !tensor
        ttng.arrive_barrier %empty, 1 : !barrier
      }
      ttg.warp_yield
    }
    partition0(%b: !tile, %f: !barrier, %e: !barrier, %pd: !desc, %k: i32) num_warps(1) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      %true = arith.constant true
      scf.for %i = %k0 to %k step %k1 : i32 {
        %phase = arith.andi %i, %k1 : i32
        %other = arith.xori %phase, %k1 : i32
        ttng.wait_barrier %e, %other : !barrier
        ttng.barrier_expect %f, 8192, %true : !barrier
        ttng.async_tma_copy_global_to_local %pd[%k0, %i] %b, %f, %true : !desc, !barrier -> !tile
      }
      ttg.warp_return
    } : (!tile, !barrier, !barrier, !desc, i32) -> ()
    tt.return
  }
  tt.func @told_by_another_partition_waited_for(%d: !desc) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %x = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %x, 1 : !barrier
    %y = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %y, 1 : !barrier
    ttng.barrier_expect %x, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %true : !desc, !barrier -> !tile
    ttg.warp_specialize(%x, %y, %m) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      ttng.wait_barrier %y, %c0 : !barrier
      %v = ttg.local_load %m : !tile -> !tensor
      ttg.warp_yield
    }
    partition0(%px: !barrier, %py: !barrier, %pm: !tile) num_warps(4) {
      %k0 = arith.constant 0 : i32
      ttng.wait_barrier %px, %k0 : !barrier
      ttng.arrive_barrier %py, 1 : !barrier
      ttg.warp_return
    } : (!barrier, !barrier, !tile) -> ()
    tt.return
  }
  tt.func @joined_with_a_partition_waited_for(%d: !desc) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %x = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %x, 1 : !barrier
    ttng.barrier_expect %x, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %true : !desc, !barrier -> !tile
    ttg.warp_specialize(%x) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      ttg.warp_yield
    }
    partition0(%px: !barrier) num_warps(4) {
      %k0 = arith.constant 0 : i32
      ttng.wait_barrier %px, %k0 : !barrier
      ttg.warp_return
    } : (!barrier) -> ()
    %y = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %y, 1 : !barrier
    ttng.arrive_barrier %y, 1 : !barrier
    ttng.wait_barrier %y, %c0 : !barrier
    %v = ttg.local_load %m : !tile -> !tensor
    tt.return
  }
  tt.func @carried_barriers_waited_for(%a: !left, %b: !tile, %d: !desc, %n: i32) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %k = ttg.local_alloc : () -> !tile
    %x = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %x, 1 : !barrier
    %y = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %y, 1 : !barrier
    ttng.barrier_expect %x, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %true : !desc, !barrier -> !tile
    ttng.barrier_expect %y, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %k, %y, %true : !desc, !barrier -> !tile
    %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (!barrier, !barrier) : i32 {
      %first = arith.cmpi eq, %i, %c0 : i32
      ttng.wait_barrier %p, %c0, %first : !barrier
      %v = ttg.local_load %m : !tile -> !tensor
      scf.yield %q, %p : !barrier, !barrier
    }
    tt.return
  }
  tt.func @chosen_barrier_waited_for(%d: !desc) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %k = ttg.local_alloc : () -> !tile
    %x = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %x, 1 : !barrier
    %y = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %y, 1 : !barrier
    ttng.barrier_expect %x, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %true : !desc, !barrier -> !tile
    ttng.barrier_expect %y, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %k, %y, %true : !desc, !barrier -> !tile
    %s = arith.select %true, %x, %y : !barrier
    ttng.wait_barrier %s, %c0 : !barrier
    %v = ttg.local_load %m : !tile -> !tensor
    tt.return
  }
  tt.func @predicate_of_the_wait_waited_for(%d: !desc) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %x = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %x, 1 : !barrier
    %y = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %y, 1 : !barrier
    ttng.barrier_expect %x, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %true : !desc, !barrier -> !tile
    ttng.wait_barrier %x, %c0, %true : !barrier
    ttng.arrive_barrier %y, 1 : !barrier
    ttng.wait_barrier %y, %c0 : !barrier
    %v = ttg.local_load %m : !tile -> !tensor
    tt.return
  }
  // What is read is the store; that it races with the copy is not looked at.
  tt.func @overwritten_by_threads(%d: !desc, %x: !tensor) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %y = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %y, 1 : !barrier
    ttng.barrier_expect %y, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %y, %true : !desc, !barrier -> !tile
    ttg.local_store %x, %m : !tensor -> !tile
    %z = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %z, 1 : !barrier
    ttng.arrive_barrier %z, 1 : !barrier
    ttng.wait_barrier %z, %c0 : !barrier
    %v = ttg.local_load %m : !tile -> !tensor
    tt.return
  }
  tt.func @copy_that_is_not_made(%d: !desc) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %x = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %x, 1 : !barrier
    %y = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %y, 1 : !barrier
    ttng.barrier_expect %x, 8192, %false : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %false : !desc, !barrier -> !tile
    ttng.arrive_barrier %y, 1 : !barrier
    ttng.wait_barrier %y, %c0 : !barrier
    %v = ttg.local_load %m : !tile -> !tensor
    tt.return
  }
  tt.func @some_buffer_of_a_ring(%d: !desc, %p: !tt.ptr<i32>) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %slot = tt.load %p : !tt.ptr<i32>
    %ms = ttg.local_alloc : () -> !tiles
    %m = ttg.memdesc_index %ms[%c0] : !tiles -> !tile
    %x = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %x, 1 : !barrier
    %y = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %y, 1 : !barrier
    ttng.barrier_expect %x, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %true : !desc, !barrier -> !tile
    %k = ttg.memdesc_index %ms[%slot] : !tiles -> !tile
    ttng.arrive_barrier %y, 1 : !barrier
    ttng.wait_barrier %y, %c0 : !barrier
    %v = ttg.local_load %k : !tile -> !tensor
    tt.return
  }
  // Products are done in their order.
  tt.func @products_one_after_another(%a: !left, %b: !tile, %d: !desc, %n: i32) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %acc = ttng.tmem_alloc : () -> !acc
    %done = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %done, 1 : !barrier
    ttng.tc_gen5_mma %a, %b, %acc, %true, %true, %done[%true] {is_async} : !left, !tile, !acc, !barrier
    ttng.tc_gen5_mma %a, %b, %acc, %true, %true {is_async} : !left, !tile, !acc
    ttng.wait_barrier %done, %c0 : !barrier
    tt.return
  }
  tt.func @barrier_invalidated_after_its_wait(%d: !desc) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %x = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %x, 1 : !barrier
    ttng.barrier_expect %x, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %true : !desc, !barrier -> !tile
    ttng.wait_barrier %x, %c0 : !barrier
    ttng.inval_barrier %x : !barrier
    %v = ttg.local_load %m : !tile -> !tensor
    tt.return
  }
  // Halfway through a pass: the producer is rounds ahead.
  tt.func @no_hand_back_yet(%a: !left, %b: !tile, %d: !desc, %n: i32) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tiles
    %full = ttg.local_alloc : () -> !ring
    %empty = ttg.local_alloc : () -> !ring
    %f0 = ttg.memdesc_index %full[%c0] : !ring -> !barrier
    %f1 = ttg.memdesc_index %full[%c1] : !ring -> !barrier
    %e0 = ttg.memdesc_index %empty[%c0] : !ring -> !barrier
    %e1 = ttg.memdesc_index %empty[%c1] : !ring -> !barrier
    ttng.init_barrier %f0, 1 : !barrier
    ttng.init_barrier %f1, 1 : !barrier
    ttng.init_barrier %e0, 1 : !barrier
    ttng.init_barrier %e1, 1 : !barrier
    ttg.warp_specialize(%full, %empty, %m, %d, %n) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %slot = arith.andi %i, %c1 : i32
        %round = arith.shrui %i, %c1 : i32
        %phase = arith.andi %round, %c1 : i32
        %e = ttg.memdesc_index %empty[%slot] : !ring -> !barrier
        %f = ttg.memdesc_index %full[%slot] : !ring -> !barrier
        %t = ttg.memdesc_index %m[%slot] : !tiles -> !tile
        ttng.wait_barrier %f, %phase : !barrier
        %v = ttg.local_load %t : !tile -> !tensor
      }
      ttg.warp_yield
    }
    partition0(%pf: !ring, %pe: !ring, %pm: !tiles, %pd: !desc, %pn: i32) num_warps(1) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      %yes = arith.constant true
      scf.for %i = %k0 to %pn step %k1 : i32 {
        %slot = arith.andi %i, %k1 : i32
        %round = arith.shrui %i, %k1 : i32
        %phase = arith.andi %round, %k1 : i32
        %free = arith.xori %phase, %k1 : i32
        %e = ttg.memdesc_index %pe[%slot] : !ring -> !barrier
        %f = ttg.memdesc_index %pf[%slot] : !ring -> !barrier
        %t = ttg.memdesc_index %pm[%slot] : !tiles -> !tile
        ttng.barrier_expect %f, 8192, %yes : !barrier
        ttng.async_tma_copy_global_to_local %pd[%k0, %k0] %t, %f, %yes : !desc, !barrier -> !tile
      }
      ttg.warp_return
    } : (!ring, !ring, !tiles, !desc, i32) -> ()
    tt.return
  }
  // Without waits and arrivals it is a part of a program.
  tt.func @part_of_a_program(%d: !desc) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %m = ttg.local_alloc : () -> !tile
    %x = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %x, 1 : !barrier
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %x, %true : !desc, !barrier -> !tile
    ttng.async_tma_copy_local_to_global %d[%c0, %c0] %m : !desc, !tile
    tt.return
  }
  tt.func @invalidated_after_a_wait(%a: !left, %b: !tile, %d: !acc) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %done = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %done, 1 : !barrier
    ttng.tc_gen5_mma %a, %b, %d, %true, %true, %done[%true] {is_async} : !left, !tile, !acc, !barrier
    ttng.wait_barrier %done, %c0 : !barrier
    ttng.inval_barrier %done : !barrier
    tt.return
  }
  tt.func @overwritten_after_a_wait(%desc: !desc, %a: !left, %d: !acc, %n: i32) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %full = ttg.local_alloc : () -> !barrier
    %done = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %full, 1 : !barrier
    ttng.init_barrier %done, 1 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      %phase = arith.andi %i, %c1 : i32
      ttng.barrier_expect %full, 8192, %true : !barrier
      ttng.async_tma_copy_global_to_local %desc[%c0, %i] %m, %full, %true : !desc, !barrier -> !tile
      ttng.wait_barrier %full, %phase : !barrier
      ttng.tc_gen5_mma %a, %m, %d, %true, %true, %done[%true] {is_async} : !left, !tile, !acc, !barrier
      ttng.wait_barrier %done, %phase : !barrier
    }
    tt.return
  }
}
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @product_after_its_wait(%desc: !desc, %a: tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %z: tensor<64x64xf32, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !tile
    %full = ttg.local_alloc : () -> !barrier
    %empty = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %full, 1 : !barrier
    ttng.init_barrier %empty, 1 : !barrier
    ttg.warp_specialize(%m, %full, %empty, %desc, %n) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %phase = arith.andi %i, %c1 : i32
        ttng.wait_barrier %full, %phase : !barrier
        %x = ttng.warp_group_dot %a, %m, %z {inputPrecision = 0 : i32} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !tile -> tensor<64x64xf32, #mma>
        ttng.arrive_barrier %empty, 1 : !barrier
      }
      ttg.warp_yield
    }
    partition0(%b: !tile, %f: !barrier, %e: !barrier, %d: !desc, %k: i32) num_warps(1) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      %true = arith.constant true
      scf.for %i = %k0 to %k step %k1 : i32 {
        %phase = arith.andi %i, %k1 : i32
        %other = arith.xori %phase, %k1 : i32
        ttng.wait_barrier %e, %other : !barrier
        ttng.barrier_expect %f, 8192, %true : !barrier
        ttng.async_tma_copy_global_to_local %d[%k0, %i] %b, %f, %true : !desc, !barrier -> !tile
      }
      ttg.warp_return
    } : (!tile, !barrier, !barrier, !desc, i32) -> ()
    tt.return
  }
}
