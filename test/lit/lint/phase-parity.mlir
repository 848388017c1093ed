// A loop that completes a phase each time around must wait for another one each time.
// RUN: kernelscope check %s | FileCheck %s
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #bar, #smem, mutable>
!ring = !ttg.memdesc<3x1xi64, #bar, #smem, mutable>
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!desc = !tt.tensordesc<64x64xf16, #shared>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @one_barrier(%desc: !desc, %n: i32) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %tile = ttg.local_alloc : () -> !tile
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    scf.for %i = %c0 to %n step %c1 : i32 {
      // CHECK: :[[@LINE+4]]:7: warning: 'ttng.wait_barrier' waits for the same phase 0 in every iteration, but the barrier completes a phase in each; the phase must flip [phase-parity]
      // CHECK: :[[@LINE+1]]:7: note: arrives here in every iteration
      ttng.barrier_expect %b, 8192, %true : !barrier
      ttng.async_tma_copy_global_to_local %desc[%c0, %i] %tile, %b, %true : !desc, !barrier -> !tile
      ttng.wait_barrier %b, %c0 : !barrier
    }
    tt.return
  }
  tt.func @ring(%desc: !desc, %n: i32) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %tile = ttg.local_alloc : () -> !tile
    %b = ttg.local_alloc : () -> !ring
    scf.for %i = %c0 to %c3 step %c1 : i32 {
      %s = ttg.memdesc_index %b[%i] : !ring -> !barrier
      ttng.init_barrier %s, 1 : !barrier
    }
    scf.for %i = %c0 to %n step %c1 : i32 {
      %slot = arith.remsi %i, %c3 : i32
      %s = ttg.memdesc_index %b[%slot] : !ring -> !barrier
      ttng.barrier_expect %s, 8192, %true : !barrier
      ttng.async_tma_copy_global_to_local %desc[%c0, %i] %tile, %s, %true : !desc, !barrier -> !tile
      // CHECK: :[[@LINE+1]]:7: warning: 'ttng.wait_barrier' waits for the same phase 0 in every iteration, but its ring of 3 barriers wraps around; the phase must flip [phase-parity]
      ttng.wait_barrier %s, %c0 : !barrier
    }
    // Once around the ring is fine.
    scf.for %i = %c0 to %c3 step %c1 : i32 {
      %s = ttg.memdesc_index %b[%i] : !ring -> !barrier
      ttng.barrier_expect %s, 8192, %true : !barrier
      ttng.async_tma_copy_global_to_local %desc[%c0, %i] %tile, %s, %true : !desc, !barrier -> !tile
      ttng.wait_barrier %s, %c0 : !barrier
    }
    tt.return
  }
  // CHECK-NOT: warning:
  tt.func @flips(%desc: !desc, %n: i32) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %tile = ttg.local_alloc : () -> !tile
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%phase = %c0) -> (i32) : i32 {
      ttng.barrier_expect %b, 8192, %true : !barrier
      ttng.async_tma_copy_global_to_local %desc[%c0, %i] %tile, %b, %true : !desc, !barrier -> !tile
      ttng.wait_barrier %b, %phase : !barrier
      %next = arith.xori %phase, %c1 : i32
      scf.yield %next : i32
    }
    tt.return
  }
  tt.func @made_anew(%desc: !desc, %n: i32) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %tile = ttg.local_alloc : () -> !tile
    scf.for %i = %c0 to %n step %c1 : i32 {
      %b = ttg.local_alloc : () -> !barrier
      ttng.init_barrier %b, 1 : !barrier
      ttng.barrier_expect %b, 8192, %true : !barrier
      ttng.async_tma_copy_global_to_local %desc[%c0, %i] %tile, %b, %true : !desc, !barrier -> !tile
      ttng.wait_barrier %b, %c0 : !barrier
      ttng.inval_barrier %b : !barrier
    }
    tt.return
  }
}
