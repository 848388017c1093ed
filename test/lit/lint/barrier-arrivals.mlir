// The arrivals that a barrier is made for are those that come.
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
    // CHECK: :[[@LINE+1]]:5: note: 1 arrival here
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
