// Buffers in tensor memory that live at the same time need more columns than a CTA has.
// RUN: not kernelscope check %s | FileCheck %s
#l128 = #ttg.blocked<{sizePerThread = [1, 128], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#l256 = #ttg.blocked<{sizePerThread = [1, 256], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#t64 = #ttng.tensor_memory_encoding<blockM = 64, blockN = 256, colStride = 1>
#t128 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#t256 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 256, colStride = 1>
#scales = #ttng.tensor_memory_scales_encoding<>
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
!a = !ttg.memdesc<128x64xf16, #a, #smem, mutable>
!b = !ttg.memdesc<64x256xf16, #a, #smem, mutable>
!bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
!half = !ttg.memdesc<64x256xf32, #t64, #tm, mutable>
!m128 = !ttg.memdesc<128x128xf32, #t128, #tm, mutable>
!m256 = !ttg.memdesc<128x256xf32, #t256, #tm, mutable>
!m512 = !ttg.memdesc<128x512xf32, #t256, #tm, mutable>
!ring = !ttg.memdesc<2x128x256xf32, #t256, #tm, mutable>
!view = !ttg.memdesc<128x256xf32, #t256, #tm, mutable>
!s = !ttg.memdesc<128x8xi8, #scales, #tm, mutable>
!x128 = tensor<128x128xf32, #l128>
!x256 = tensor<128x256xf32, #l256>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @three(%v: !x256) {
    %true = arith.constant true
    // CHECK: :[[@LINE+1]]:10: error: 'ttng.tmem_alloc' takes 256 of 768 columns of tensor memory that the kernel needs at the same time; a CTA has 512 [tensor-memory-columns]
    %x = ttng.tmem_alloc : () -> !m256
    %y = ttng.tmem_alloc : () -> !m256
    %z = ttng.tmem_alloc : () -> !m256
    ttng.tmem_store %v, %x, %true : !x256 -> !m256
    ttng.tmem_store %v, %y, %true : !x256 -> !m256
    ttng.tmem_store %v, %z, %true : !x256 -> !m256
    %rx = ttng.tmem_load %x : !m256 -> !x256
    %ry = ttng.tmem_load %y : !m256 -> !x256
    %rz = ttng.tmem_load %z : !m256 -> !x256
    tt.return
  }
  tt.func @five_quarters(%v: !x128) {
    %true = arith.constant true
    // CHECK: :[[@LINE+1]]:10: error: 'ttng.tmem_alloc' takes 128 of 640 columns of tensor memory that the kernel needs at the same time; a CTA has 512 [tensor-memory-columns]
    %u = ttng.tmem_alloc : () -> !m128
    %w = ttng.tmem_alloc : () -> !m128
    %x = ttng.tmem_alloc : () -> !m128
    %y = ttng.tmem_alloc : () -> !m128
    %z = ttng.tmem_alloc : () -> !m128
    ttng.tmem_store %v, %u, %true : !x128 -> !m128
    ttng.tmem_store %v, %w, %true : !x128 -> !m128
    ttng.tmem_store %v, %x, %true : !x128 -> !m128
    ttng.tmem_store %v, %y, %true : !x128 -> !m128
    ttng.tmem_store %v, %z, %true : !x128 -> !m128
    %ru = ttng.tmem_load %u : !m128 -> !x128
    %rw = ttng.tmem_load %w : !m128 -> !x128
    %rx = ttng.tmem_load %x : !m128 -> !x128
    %ry = ttng.tmem_load %y : !m128 -> !x128
    %rz = ttng.tmem_load %z : !m128 -> !x128
    tt.return
  }
  tt.func @all_and_scales(%s: tensor<128x8xi8, #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]], block = []}>>, %v: !x256) {
    %true = arith.constant true
    // CHECK: :[[@LINE+1]]:10: error: 'ttng.tmem_alloc' takes 512 of 520 columns of tensor memory that the kernel needs at the same time; a CTA has 512 [tensor-memory-columns]
    %x = ttng.tmem_alloc : () -> !ring
    %q = ttng.tmem_alloc : () -> !s
    %c0 = arith.constant 0 : i32
    %i = ttg.memdesc_index %x[%c0] : !ring -> !view
    ttng.tmem_store %v, %i, %true : !x256 -> !view
    ttng.tmem_store %s, %q, %true : tensor<128x8xi8, #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]], block = []}>> -> !s
    %r = ttng.tmem_load %i : !view -> !x256
    tt.return
  }
  tt.func @in_a_loop(%v: !x256, %n: i32) {
    %true = arith.constant true
    // CHECK: :[[@LINE+1]]:10: error: 'ttng.tmem_alloc' takes 256 of 768 columns of tensor memory that the kernel needs at the same time; a CTA has 512 [tensor-memory-columns]
    %x = ttng.tmem_alloc : () -> !m256
    %y = ttng.tmem_alloc : () -> !m256
    %z = ttng.tmem_alloc : () -> !m256
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      ttng.tmem_store %v, %x, %true : !x256 -> !m256
      ttng.tmem_store %v, %y, %true : !x256 -> !m256
      ttng.tmem_store %v, %z, %true : !x256 -> !m256
    }
    tt.return
  }
  tt.func @loop_reads_what_was_before(%v: !x256, %n: i32) {
    %true = arith.constant true
    // CHECK: :[[@LINE+1]]:10: error: 'ttng.tmem_alloc' takes 256 of 640 columns of tensor memory that the kernel needs at the same time; a CTA has 512 [tensor-memory-columns]
    %x = ttng.tmem_alloc : () -> !m256
    %y = ttng.tmem_alloc : () -> !m256
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    ttng.tmem_store %v, %x, %true : !x256 -> !m256
    ttng.tmem_store %v, %y, %true : !x256 -> !m256
    scf.for %i = %c0 to %n step %c1 : i32 {
      %z = ttng.tmem_alloc : () -> !m128
      %r = ttng.tmem_load %x : !m256 -> !x256
      ttng.tmem_store %r, %y, %true : !x256 -> !m256
    }
    tt.return
  }
  tt.func @source_of_an_alloc(%v: !x256) {
    // CHECK: :[[@LINE+1]]:10: error: 'ttng.tmem_alloc' takes 256 of 768 columns of tensor memory that the kernel needs at the same time; a CTA has 512 [tensor-memory-columns]
    %x = ttng.tmem_alloc %v : (!x256) -> !m256
    %y = ttng.tmem_alloc %v : (!x256) -> !m256
    %z = ttng.tmem_alloc %v : (!x256) -> !m256
    %rx = ttng.tmem_load %x : !m256 -> !x256
    %ry = ttng.tmem_load %y : !m256 -> !x256
    %rz = ttng.tmem_load %z : !m256 -> !x256
    tt.return
  }
  tt.func @ring_beside_another(%v: !x256) {
    %true = arith.constant true
    // CHECK: :[[@LINE+1]]:10: error: 'ttng.tmem_alloc' takes 512 of 768 columns of tensor memory that the kernel needs at the same time; a CTA has 512 [tensor-memory-columns]
    %x = ttng.tmem_alloc : () -> !ring
    %y = ttng.tmem_alloc : () -> !m256
    %c1 = arith.constant 1 : i32
    %i = ttg.memdesc_index %x[%c1] : !ring -> !view
    ttng.tmem_store %v, %y, %true : !x256 -> !m256
    ttng.tmem_store %v, %i, %true : !x256 -> !view
    %r = ttng.tmem_load %y : !m256 -> !x256
    tt.return
  }
  tt.func @products_in_flight(%a: !a, %b: !b, %bar: !bar) {
    %true = arith.constant true
    // CHECK: :[[@LINE+1]]:10: error: 'ttng.tmem_alloc' takes 256 of 768 columns of tensor memory that the kernel needs at the same time; a CTA has 512 [tensor-memory-columns]
    %x = ttng.tmem_alloc : () -> !m256
    %y = ttng.tmem_alloc : () -> !m256
    %z = ttng.tmem_alloc : () -> !m256
    ttng.tc_gen5_mma %a, %b, %x, %true, %true, %bar[%true] {is_async} : !a, !b, !m256, !bar
    ttng.tc_gen5_mma %a, %b, %y, %true, %true, %bar[%true] {is_async} : !a, !b, !m256, !bar
    ttng.tc_gen5_mma %a, %b, %z, %true, %true, %bar[%true] {is_async} : !a, !b, !m256, !bar
    tt.return
  }
  // The compilation waits after each product, but what they have computed is needed later.
  tt.func @synchronous_products(%a: !a, %b: !b) -> (!x256, !x256, !x256) {
    %true = arith.constant true
    // CHECK: :[[@LINE+1]]:10: error: 'ttng.tmem_alloc' takes 256 of 768 columns of tensor memory that the kernel needs at the same time; a CTA has 512 [tensor-memory-columns]
    %x = ttng.tmem_alloc : () -> !m256
    %y = ttng.tmem_alloc : () -> !m256
    %z = ttng.tmem_alloc : () -> !m256
    ttng.tc_gen5_mma %a, %b, %x, %true, %true : !a, !b, !m256
    ttng.tc_gen5_mma %a, %b, %y, %true, %true : !a, !b, !m256
    ttng.tc_gen5_mma %a, %b, %z, %true, %true : !a, !b, !m256
    %rx = ttng.tmem_load %x : !m256 -> !x256
    %ry = ttng.tmem_load %y : !m256 -> !x256
    %rz = ttng.tmem_load %z : !m256 -> !x256
    tt.return %rx, %ry, %rz : !x256, !x256, !x256
  }
  tt.func @under_a_condition(%v: !x256, %c: i1) {
    %true = arith.constant true
    // CHECK: :[[@LINE+1]]:10: error: 'ttng.tmem_alloc' takes 256 of 768 columns of tensor memory that the kernel needs at the same time; a CTA has 512 [tensor-memory-columns]
    %x = ttng.tmem_alloc : () -> !m256
    %y = ttng.tmem_alloc : () -> !m256
    %z = ttng.tmem_alloc : () -> !m256
    ttng.tmem_store %v, %x, %true : !x256 -> !m256
    ttng.tmem_store %v, %y, %true : !x256 -> !m256
    ttng.tmem_store %v, %z, %true : !x256 -> !m256
    scf.if %c {
      %rx = ttng.tmem_load %x : !m256 -> !x256
      %ry = ttng.tmem_load %y : !m256 -> !x256
      %rz = ttng.tmem_load %z : !m256 -> !x256
    }
    tt.return
  }
  tt.func @partitions(%v: !x256) {
    %true = arith.constant true
    // CHECK: :[[@LINE+1]]:10: error: 'ttng.tmem_alloc' takes 256 of 768 columns of tensor memory that the kernel needs at the same time; a CTA has 512 [tensor-memory-columns]
    %x = ttng.tmem_alloc : () -> !m256
    %y = ttng.tmem_alloc : () -> !m256
    %z = ttng.tmem_alloc : () -> !m256
    ttg.warp_specialize(%x, %y, %v)
    default {
      ttng.tmem_store %v, %z, %true : !x256 -> !m256
      ttg.warp_yield
    }
    partition0(%p: !m256, %q: !m256, %w: !x256) num_warps(4) {
      %yes = arith.constant true
      ttng.tmem_store %w, %p, %yes : !x256 -> !m256
      ttng.tmem_store %w, %q, %yes : !x256 -> !m256
      ttg.warp_return
    } : (!m256, !m256, !x256) -> ()
    tt.return
  }
  tt.func @two(%v: !x256) {
    %true = arith.constant true
    %x = ttng.tmem_alloc : () -> !m256
    %y = ttng.tmem_alloc : () -> !m256
    ttng.tmem_store %v, %x, %true : !x256 -> !m256
    ttng.tmem_store %v, %y, %true : !x256 -> !m256
    %rx = ttng.tmem_load %x : !m256 -> !x256
    %ry = ttng.tmem_load %y : !m256 -> !x256
    tt.return
  }
  tt.func @products_one_after_the_other(%a: !a, %b: !b) -> (!x256, !x256, !x256) {
    %false = arith.constant false
    %true = arith.constant true
    %x = ttng.tmem_alloc : () -> !m256
    ttng.tc_gen5_mma %a, %b, %x, %false, %true : !a, !b, !m256
    %rx = ttng.tmem_load %x : !m256 -> !x256
    %y = ttng.tmem_alloc : () -> !m256
    ttng.tc_gen5_mma %a, %b, %y, %false, %true : !a, !b, !m256
    %ry = ttng.tmem_load %y : !m256 -> !x256
    %z = ttng.tmem_alloc : () -> !m256
    ttng.tc_gen5_mma %a, %b, %z, %false, %true : !a, !b, !m256
    %rz = ttng.tmem_load %z : !m256 -> !x256
    tt.return %rx, %ry, %rz : !x256, !x256, !x256
  }
  tt.func @one_after_the_other(%v: !x256) {
    %true = arith.constant true
    %x = ttng.tmem_alloc : () -> !m256
    ttng.tmem_store %v, %x, %true : !x256 -> !m256
    %rx = ttng.tmem_load %x : !m256 -> !x256
    %y = ttng.tmem_alloc : () -> !m256
    ttng.tmem_store %v, %y, %true : !x256 -> !m256
    %ry = ttng.tmem_load %y : !m256 -> !x256
    %z = ttng.tmem_alloc : () -> !m256
    ttng.tmem_store %v, %z, %true : !x256 -> !m256
    %rz = ttng.tmem_load %z : !m256 -> !x256
    tt.return
  }
  tt.func @whole_twice(%v: !x256) {
    %true = arith.constant true
    %x = ttng.tmem_alloc : () -> !ring
    %cx = arith.constant 0 : i32
    %ix = ttg.memdesc_index %x[%cx] : !ring -> !view
    ttng.tmem_store %v, %ix, %true : !x256 -> !view
    %y = ttng.tmem_alloc : () -> !ring
    %cy = arith.constant 0 : i32
    %iy = ttg.memdesc_index %y[%cy] : !ring -> !view
    ttng.tmem_store %v, %iy, %true : !x256 -> !view
    tt.return
  }
  tt.func @four_quarters(%v: !x128) {
    %true = arith.constant true
    %w = ttng.tmem_alloc : () -> !m128
    %x = ttng.tmem_alloc : () -> !m128
    %y = ttng.tmem_alloc : () -> !m128
    %z = ttng.tmem_alloc : () -> !m128
    ttng.tmem_store %v, %w, %true : !x128 -> !m128
    ttng.tmem_store %v, %x, %true : !x128 -> !m128
    ttng.tmem_store %v, %y, %true : !x128 -> !m128
    ttng.tmem_store %v, %z, %true : !x128 -> !m128
    %rw = ttng.tmem_load %w : !m128 -> !x128
    %rx = ttng.tmem_load %x : !m128 -> !x128
    %ry = ttng.tmem_load %y : !m128 -> !x128
    %rz = ttng.tmem_load %z : !m128 -> !x128
    tt.return
  }
  tt.func @in_turns_of_a_loop(%v: !x256, %n: i32) {
    %true = arith.constant true
    %x = ttng.tmem_alloc : () -> !m256
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %y = ttng.tmem_alloc : () -> !m256
      ttng.tmem_store %v, %y, %true : !x256 -> !m256
      %ry = ttng.tmem_load %y : !m256 -> !x256
      %z = ttng.tmem_alloc : () -> !m256
      ttng.tmem_store %v, %z, %true : !x256 -> !m256
    }
    tt.return
  }
  tt.func @in_branches(%v: !x256, %c: i1) {
    %true = arith.constant true
    scf.if %c {
      %x = ttng.tmem_alloc : () -> !m256
      ttng.tmem_store %v, %x, %true : !x256 -> !m256
      %y = ttng.tmem_alloc : () -> !m256
      ttng.tmem_store %v, %y, %true : !x256 -> !m256
    } else {
      %x = ttng.tmem_alloc : () -> !m256
      ttng.tmem_store %v, %x, %true : !x256 -> !m256
      %y = ttng.tmem_alloc : () -> !m256
      ttng.tmem_store %v, %y, %true : !x256 -> !m256
    }
    tt.return
  }
  tt.func @not_used(%v: !x256) {
    %true = arith.constant true
    %x = ttng.tmem_alloc : () -> !m256
    %y = ttng.tmem_alloc : () -> !m256
    %z = ttng.tmem_alloc : () -> !m256
    ttng.tmem_store %v, %x, %true : !x256 -> !m256
    tt.return
  }
  tt.func @sources(%v: !x256) {
    %x = ttng.tmem_alloc %v : (!x256) -> !m256
    %rx = ttng.tmem_load %x : !m256 -> !x256
    %y = ttng.tmem_alloc %rx : (!x256) -> !m256
    %ry = ttng.tmem_load %y : !m256 -> !x256
    %z = ttng.tmem_alloc %ry : (!x256) -> !m256
    %rz = ttng.tmem_load %z : !m256 -> !x256
    tt.return
  }
  tt.func @products(%a: !a, %b: !b, %bar: !bar) {
    %true = arith.constant true
    %x = ttng.tmem_alloc : () -> !m256
    %y = ttng.tmem_alloc : () -> !m256
    ttng.tc_gen5_mma %a, %b, %x, %true, %true, %bar[%true] {is_async} : !a, !b, !m256, !bar
    ttng.tc_gen5_mma %a, %b, %y, %true, %true, %bar[%true] {is_async} : !a, !b, !m256, !bar
    tt.return
  }
  tt.func @awaited_product(%v: !x256, %a: !a, %b: !b, %bar: !bar) {
    ttng.init_barrier %bar, 1 : !bar
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %x = ttng.tmem_alloc : () -> !m256
    ttng.tc_gen5_mma %a, %b, %x, %true, %true, %bar[%true] {is_async} : !a, !b, !m256, !bar
    ttng.wait_barrier %bar, %c0 : !bar
    %rx = ttng.tmem_load %x : !m256 -> !x256
    %y = ttng.tmem_alloc : () -> !m256
    %z = ttng.tmem_alloc : () -> !m256
    ttng.tmem_store %rx, %y, %true : !x256 -> !m256
    ttng.tmem_store %rx, %z, %true : !x256 -> !m256
    tt.return
  }
}
// CHECK: 11 errors
