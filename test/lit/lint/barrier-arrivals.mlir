// A barrier gets as many arrivals as it was initialised with.
// RUN: kernelscope check %s | FileCheck %s
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #bar, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @too_few() {
    %c0 = arith.constant 0 : i32
    %bar = ttg.local_alloc : () -> !barrier
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.init_barrier' initialises a barrier for 2 arrivals per phase, but there is 1 between two waits: the wait never ends [barrier-arrivals]
    ttng.init_barrier %bar, 2 : !barrier
    // CHECK: :[[@LINE+1]]:5: note: the last of them is here
    ttng.arrive_barrier %bar, 1 : !barrier
    ttng.wait_barrier %bar, %c0 : !barrier
    tt.return
  }
  tt.func @too_many() {
    %c0 = arith.constant 0 : i32
    %bar = ttg.local_alloc : () -> !barrier
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.init_barrier' initialises a barrier for 1 arrival per phase, but 'ttng.arrive_barrier' alone makes 2 [barrier-arrivals]
    ttng.init_barrier %bar, 1 : !barrier
    ttng.arrive_barrier %bar, 2 : !barrier
    ttng.wait_barrier %bar, %c0 : !barrier
    tt.return
  }
  // CHECK-NOT: warning:
  tt.func @two_of_one() {
    %c0 = arith.constant 0 : i32
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 2 : !barrier
    ttng.arrive_barrier %bar, 1 : !barrier
    ttng.arrive_barrier %bar, 1 : !barrier
    ttng.wait_barrier %bar, %c0 : !barrier
    tt.return
  }
}

// -----

#sharedA = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#sharedB = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0]]}>
#bars = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CGALayout = [[1, 0]]>
#smem = #ttg.shared_memory
!barriers = !ttg.memdesc<2xi64, #bars, #smem, mutable>
!a = !ttg.memdesc<256x64xf16, #sharedA, #smem, mutable>
!b = !ttg.memdesc<64x64xf16, #sharedB, #smem, mutable>
!d = !ttg.memdesc<256x64xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  // Both CTAs share b, so each commits to the barriers of both.
  tt.func @multicast(%a: !a, %b: !b, %d: !d) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %bar = ttg.local_alloc : () -> !barriers
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.init_barrier' initialises a barrier for 1 arrival per phase, but 'ttng.tc_gen5_mma' alone makes 2 [barrier-arrivals]
    ttng.init_barrier %bar, 1 : !barriers
    ttng.tc_gen5_mma %a, %b, %d, %true, %true, %bar[%true] {is_async, multicast} : !a, !b, !d, !barriers
    ttng.wait_barrier %bar, %c0 : !barriers
    tt.return
  }
  // CHECK-NOT: warning:
  tt.func @without(%a: !a, %b: !b, %d: !d) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %bar = ttg.local_alloc : () -> !barriers
    ttng.init_barrier %bar, 1 : !barriers
    ttng.tc_gen5_mma %a, %b, %d, %true, %true, %bar[%true] {is_async} : !a, !b, !d, !barriers
    ttng.wait_barrier %bar, %c0 : !barriers
    tt.return
  }
}

// -----

// Operands in tensor memory, and scales, are shared too.
#a = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CGALayout = [[1, 0], [0, 0]]>
#b = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0], [0, 1]]}>
#d = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CGALayout = [[1, 0], [0, 1]]>
#bars = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1], [2]]}>
#smem = #ttg.shared_memory
!barriers = !ttg.memdesc<4xi64, #bars, #smem, mutable>
!a = !ttg.memdesc<256x64xf16, #a, #ttng.tensor_memory, mutable>
!b = !ttg.memdesc<64x128xf16, #b, #smem, mutable>
!d = !ttg.memdesc<256x128xf32, #d, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  tt.func @left_operand_in_tensor_memory(%a: !a, %b: !b, %d: !d) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %bar = ttg.local_alloc : () -> !barriers
    ttng.init_barrier %bar, 3 : !barriers
    ttng.tc_gen5_mma %a, %b, %d, %true, %true, %bar[%true] {is_async, multicast} : !a, !b, !d, !barriers
    ttng.wait_barrier %bar, %c0 : !barriers
    tt.return
  }
  tt.func @commit_for_both(%a: !a, %b: !b) {
    %c0 = arith.constant 0 : i32
    %bar = ttg.local_alloc : () -> !barriers
    ttng.init_barrier %bar, 3 : !barriers
    ttng.tc_gen5_commit %bar descs %a, %b : !barriers, !a, !b
    ttng.wait_barrier %bar, %c0 : !barriers
    tt.return
  }
  tt.func @multicast_arrival() {
    %c0 = arith.constant 0 : i32
    %bar = ttg.local_alloc : () -> !barriers
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.init_barrier' initialises a barrier for 1 arrival per phase, but 'ttng.arrive_barrier' alone makes 2 [barrier-arrivals]
    ttng.init_barrier %bar, 1 : !barriers
    ttng.arrive_barrier %bar, 1 {multicastCTA = 1 : i32} : !barriers
    ttng.wait_barrier %bar, %c0 : !barriers
    tt.return
  }
}

// -----

#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
!barrier = !ttg.memdesc<1xi64, #bar, #ttg.shared_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // Every second wait is for two arrivals.
  tt.func @two_iterations_a_phase(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 2 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      %bit = arith.andi %i, %c1 : i32
      %odd = arith.cmpi eq, %bit, %c1 : i32
      %half = arith.divsi %i, %c2 : i32
      %phase = arith.andi %half, %c1 : i32
      ttng.arrive_barrier %bar, 1 : !barrier
      ttng.wait_barrier %bar, %phase, %odd : !barrier
    }
    tt.return
  }
  tt.func @across_partitions(%n: i32) {
    %c0 = arith.constant 0 : i32
    %bar = ttg.local_alloc : () -> !barrier
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.init_barrier' initialises a barrier for 2 arrivals per phase, but there is 1 between two waits: the wait never ends [barrier-arrivals]
    ttng.init_barrier %bar, 2 : !barrier
    ttg.warp_specialize(%bar) attributes {warpGroupStartIds = array<i32: 4>}
    default {
      ttng.wait_barrier %bar, %c0 : !barrier
      ttg.warp_yield
    }
    partition0(%b: !barrier) num_warps(1) {
      // CHECK: :[[@LINE+1]]:7: note: the last of them is here
      ttng.arrive_barrier %b, 1 : !barrier
      ttg.warp_return
    } : (!barrier) -> ()
    tt.return
  }
  // CHECK-NOT: warning:
  tt.func @from_two_partitions(%n: i32) {
    %c0 = arith.constant 0 : i32
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 2 : !barrier
    ttg.warp_specialize(%bar) attributes {warpGroupStartIds = array<i32: 4, 5>}
    default {
      ttng.wait_barrier %bar, %c0 : !barrier
      ttg.warp_yield
    }
    partition0(%b: !barrier) num_warps(1) {
      ttng.arrive_barrier %b, 1 : !barrier
      ttg.warp_return
    }
    partition1(%b: !barrier) num_warps(1) {
      ttng.arrive_barrier %b, 1 : !barrier
      ttg.warp_return
    } : (!barrier) -> ()
    tt.return
  }
}

// -----

// The scales of B are the same in all four CTAs.
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, CGALayout = [[1, 0], [0, 0]]}>
#b = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, CGALayout = [[0, 0], [0, 1]]}>
#d = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1, CGALayout = [[1, 0], [0, 1]]>
#sa = #ttng.tensor_memory_scales_encoding<CGALayout = [[1, 0], [0, 0]]>
#sb = #ttng.tensor_memory_scales_encoding<CGALayout = [[0, 0], [0, 0]]>
#bars = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1], [2]]}>
#smem = #ttg.shared_memory
!barriers = !ttg.memdesc<4xi64, #bars, #smem, mutable>
!a = !ttg.memdesc<256x128xf8E4M3FN, #a, #smem, mutable>
!b = !ttg.memdesc<128x256xf8E4M3FN, #b, #smem, mutable>
!d = !ttg.memdesc<256x256xf32, #d, #ttng.tensor_memory, mutable>
!sa = !ttg.memdesc<256x4xi8, #sa, #ttng.tensor_memory, mutable>
!sb = !ttg.memdesc<256x4xi8, #sb, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  tt.func @scales_that_all_share(%a: !a, %b: !b, %d: !d, %sa: !sa, %sb: !sb) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %bar = ttg.local_alloc : () -> !barriers
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.init_barrier' initialises a barrier for 3 arrivals per phase, but 'ttng.tc_gen5_mma_scaled' alone makes 4 [barrier-arrivals]
    ttng.init_barrier %bar, 3 : !barriers
    ttng.tc_gen5_mma_scaled %a, %b, %d, %sa, %sb, %true, %true lhs = e4m3 rhs = e4m3, %bar[%true] {is_async, multicast} : !a, !b, !d, !sa, !sb, !barriers
    ttng.wait_barrier %bar, %c0 : !barriers
    tt.return
  }
  // CHECK-NOT: warning:
  tt.func @for_all_that_share_the_scales(%a: !a, %b: !b, %d: !d, %sa: !sa, %sb: !sb) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %bar = ttg.local_alloc : () -> !barriers
    ttng.init_barrier %bar, 4 : !barriers
    ttng.tc_gen5_mma_scaled %a, %b, %d, %sa, %sb, %true, %true lhs = e4m3 rhs = e4m3, %bar[%true] {is_async, multicast} : !a, !b, !d, !sa, !sb, !barriers
    ttng.wait_barrier %bar, %c0 : !barriers
    tt.return
  }
}
