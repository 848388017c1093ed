// The bytes that a barrier expects are those that its copies bring.
// RUN: kernelscope check %s | FileCheck %s
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #bar, #smem, mutable>
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!desc = !tt.tensordesc<64x64xf16, #shared>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @too_few(%desc: !desc) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %a = ttg.local_alloc : () -> !tile
    %b = ttg.local_alloc : () -> !tile
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.barrier_expect' expects 8192 bytes, but the 2 copies after it that complete on this barrier write 16384: the next phase completes too early [barrier-bytes]
    ttng.barrier_expect %bar, 8192, %true : !barrier
    // CHECK: :[[@LINE+1]]:5: note: 8192 bytes here
    ttng.async_tma_copy_global_to_local %desc[%c0, %c0] %a, %bar, %true : !desc, !barrier -> !tile
    ttng.async_tma_copy_global_to_local %desc[%c0, %c0] %b, %bar, %true : !desc, !barrier -> !tile
    ttng.wait_barrier %bar, %c0 : !barrier
    tt.return
  }
  tt.func @too_many(%desc: !desc) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %a = ttg.local_alloc : () -> !tile
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.barrier_expect' expects 16384 bytes, but the copy after it that completes on this barrier writes 8192: the wait never ends [barrier-bytes]
    ttng.barrier_expect %bar, 16384, %true : !barrier
    ttng.async_tma_copy_global_to_local %desc[%c0, %c0] %a, %bar, %true : !desc, !barrier -> !tile
    ttng.wait_barrier %bar, %c0 : !barrier
    tt.return
  }
  // CHECK-NOT: warning:
  tt.func @elsewhere(%desc: !desc, %some: i1) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %a = ttg.local_alloc : () -> !tile
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    ttng.barrier_expect %bar, 8192, %true : !barrier
    scf.if %some {
      ttng.async_tma_copy_global_to_local %desc[%c0, %c0] %a, %bar, %true : !desc, !barrier -> !tile
    }
    ttng.wait_barrier %bar, %c0 : !barrier
    tt.return
  }
  tt.func @one_or_the_other(%desc: !desc, %some: i1) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %other = arith.xori %some, %true : i1
    %a = ttg.local_alloc : () -> !tile
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    ttng.barrier_expect %bar, 8192, %true : !barrier
    ttng.async_tma_copy_global_to_local %desc[%c0, %c0] %a, %bar, %some : !desc, !barrier -> !tile
    ttng.async_tma_copy_global_to_local %desc[%c0, %c0] %a, %bar, %other : !desc, !barrier -> !tile
    ttng.wait_barrier %bar, %c0 : !barrier
    tt.return
  }
}
