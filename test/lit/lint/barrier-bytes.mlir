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

// -----

// Each CTA gets its part of a copy, and announces that.
#half = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#same = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0]]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
#bars = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
!barriers = !ttg.memdesc<2xi64, #bars, #smem, mutable>
!half = !ttg.memdesc<128x64xf16, #half, #smem, mutable>
!same = !ttg.memdesc<64x64xf16, #same, #smem, mutable>
!row = !ttg.memdesc<512xf16, #plain, #smem, mutable>
!tensor = tensor<512xf16, #blocked>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  tt.func @split(%d: !tt.tensordesc<128x64xf16, #half>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %m = ttg.local_alloc : () -> !half
    %bar = ttg.local_alloc : () -> !barriers
    ttng.init_barrier %bar, 1 : !barriers
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.barrier_expect' expects 8196 bytes, but the copy after it that completes on this barrier writes 8192: the wait never ends [barrier-bytes]
    ttng.barrier_expect %bar, 8196, %true : !barriers
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %bar, %true : !tt.tensordesc<128x64xf16, #half>, !barriers -> !half
    ttng.wait_barrier %bar, %c0 : !barriers
    tt.return
  }
  tt.func @stored(%x: !tensor) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %m = ttg.local_alloc : () -> !row
    %bar = ttg.local_alloc : () -> !barriers
    ttng.init_barrier %bar, 1 : !barriers
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.barrier_expect' expects 516 bytes, but the copy after it that completes on this barrier writes 512: the wait never ends [barrier-bytes]
    ttng.barrier_expect %bar, 516, %true : !barriers
    ttng.async_shared_store %x, %m, %bar : !tensor -> !row, !barriers
    ttng.wait_barrier %bar, %c0 : !barriers
    tt.return
  }
  tt.func @not_announced(%x: !tensor) {
    %c0 = arith.constant 0 : i32
    %m = ttg.local_alloc : () -> !row
    %bar = ttg.local_alloc : () -> !barriers
    ttng.init_barrier %bar, 1 : !barriers
    ttng.arrive_barrier %bar, 1 : !barriers
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.async_shared_store' completes 512 bytes on a barrier that expects none; a 'ttng.barrier_expect' must announce them [barrier-bytes]
    ttng.async_shared_store %x, %m, %bar : !tensor -> !row, !barriers
    ttng.wait_barrier %bar, %c0 : !barriers
    tt.return
  }
  // CHECK-NOT: warning:
  tt.func @half_and_all(%d: !tt.tensordesc<128x64xf16, #half>, %e: !tt.tensordesc<64x64xf16, #same>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %m = ttg.local_alloc : () -> !half
    %k = ttg.local_alloc : () -> !same
    %bar = ttg.local_alloc : () -> !barriers
    ttng.init_barrier %bar, 1 : !barriers
    ttng.barrier_expect %bar, 16384, %true : !barriers
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %bar, %true : !tt.tensordesc<128x64xf16, #half>, !barriers -> !half
    ttng.async_tma_copy_global_to_local %e[%c0, %c0] %k, %bar, %true {multicast} : !tt.tensordesc<64x64xf16, #same>, !barriers -> !same
    ttng.wait_barrier %bar, %c0 : !barriers
    tt.return
  }
  tt.func @stored_as_announced(%x: !tensor) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %m = ttg.local_alloc : () -> !row
    %bar = ttg.local_alloc : () -> !barriers
    ttng.init_barrier %bar, 1 : !barriers
    ttng.barrier_expect %bar, 512, %true : !barriers
    ttng.async_shared_store %x, %m, %bar : !tensor -> !row, !barriers
    ttng.wait_barrier %bar, %c0 : !barriers
    tt.return
  }
}

// -----

// The bytes of a load whose barrier is not chosen yet.
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @descriptor_load(%d: !tt.tensordesc<64x64xf16, #shared>, %i: i32, %m: !tile) {
    nvws.descriptor_load %d[%i, %i] 8192 %m : !tt.tensordesc<64x64xf16, #shared>, i32, i32, !tile
    // CHECK: :[[@LINE+1]]:5: warning: 'nvws.descriptor_load' expects 8196 bytes, but writes 8192: the wait never ends [barrier-bytes]
    nvws.descriptor_load %d[%i, %i] 8196 %m : !tt.tensordesc<64x64xf16, #shared>, i32, i32, !tile
    tt.return
  }
}

// -----

// Four CTAs, each of which gets a quarter.
#quarter = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0], [2, 0]]}>
#bars = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1], [2]]}>
#smem = #ttg.shared_memory
!barriers = !ttg.memdesc<4xi64, #bars, #smem, mutable>
!quarter = !ttg.memdesc<256x64xf16, #quarter, #smem, mutable>
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  tt.func @split_by_four_and_more(%d: !tt.tensordesc<256x64xf16, #quarter>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %m = ttg.local_alloc : () -> !quarter
    %bar = ttg.local_alloc : () -> !barriers
    ttng.init_barrier %bar, 1 : !barriers
    // CHECK: :[[@LINE+1]]:5: warning: 'ttng.barrier_expect' expects 8196 bytes, but the copy after it that completes on this barrier writes 8192: the wait never ends [barrier-bytes]
    ttng.barrier_expect %bar, 8196, %true : !barriers
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %bar, %true : !tt.tensordesc<256x64xf16, #quarter>, !barriers -> !quarter
    ttng.wait_barrier %bar, %c0 : !barriers
    tt.return
  }
  // CHECK-NOT: warning:
  tt.func @split_by_four(%d: !tt.tensordesc<256x64xf16, #quarter>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %m = ttg.local_alloc : () -> !quarter
    %bar = ttg.local_alloc : () -> !barriers
    ttng.init_barrier %bar, 1 : !barriers
    ttng.barrier_expect %bar, 8192, %true : !barriers
    ttng.async_tma_copy_global_to_local %d[%c0, %c0] %m, %bar, %true : !tt.tensordesc<256x64xf16, #quarter>, !barriers -> !quarter
    ttng.wait_barrier %bar, %c0 : !barriers
    tt.return
  }
}
