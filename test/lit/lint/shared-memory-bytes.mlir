// Buffers in shared memory that live at the same time need more bytes than a block on the module's chip has.
// RUN: not kernelscope check %s | FileCheck %s
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#p = #ttg.padded_shared<[512:+32] {order = [0], shape = [32768]}>
#l = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func @one(%n: i32) {
    // CHECK: :[[@LINE+1]]:10: error: 'ttg.local_alloc' takes 131072 of 131072 bytes of shared memory that the kernel needs at the same time; a block on gfx942 has 65536 [shared-memory-bytes]
    %a = ttg.local_alloc : () -> !ttg.memdesc<65536xf16, #s, #smem, mutable>
    %la = ttg.local_load %a : !ttg.memdesc<65536xf16, #s, #smem, mutable> -> tensor<65536xf16, #l>
    tt.return
  }
  tt.func @two(%n: i32) {
    // CHECK: :[[@LINE+1]]:10: error: 'ttg.local_alloc' takes 65536 of 98304 bytes of shared memory that the kernel needs at the same time; a block on gfx942 has 65536 [shared-memory-bytes]
    %a = ttg.local_alloc : () -> !ttg.memdesc<32768xf16, #s, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<16384xf16, #s, #smem, mutable>
    %la = ttg.local_load %a : !ttg.memdesc<32768xf16, #s, #smem, mutable> -> tensor<32768xf16, #l>
    %lb = ttg.local_load %b : !ttg.memdesc<16384xf16, #s, #smem, mutable> -> tensor<16384xf16, #l>
    tt.return
  }
  tt.func @three(%n: i32) {
    // CHECK: :[[@LINE+1]]:10: error: 'ttg.local_alloc' takes 32768 of 98304 bytes of shared memory that the kernel needs at the same time; a block on gfx942 has 65536 [shared-memory-bytes]
    %a = ttg.local_alloc : () -> !ttg.memdesc<16384xf16, #s, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<16384xf16, #s, #smem, mutable>
    %c = ttg.local_alloc : () -> !ttg.memdesc<16384xf16, #s, #smem, mutable>
    %la = ttg.local_load %a : !ttg.memdesc<16384xf16, #s, #smem, mutable> -> tensor<16384xf16, #l>
    %lb = ttg.local_load %b : !ttg.memdesc<16384xf16, #s, #smem, mutable> -> tensor<16384xf16, #l>
    %lc = ttg.local_load %c : !ttg.memdesc<16384xf16, #s, #smem, mutable> -> tensor<16384xf16, #l>
    tt.return
  }
  tt.func @bytes(%n: i32) {
    // CHECK: :[[@LINE+1]]:10: error: 'ttg.local_alloc' takes 131072 of 131072 bytes of shared memory that the kernel needs at the same time; a block on gfx942 has 65536 [shared-memory-bytes]
    %a = ttg.local_alloc : () -> !ttg.memdesc<131072xi8, #s, #smem, mutable>
    %la = ttg.local_load %a : !ttg.memdesc<131072xi8, #s, #smem, mutable> -> tensor<131072xi8, #l>
    tt.return
  }
  tt.func @words(%n: i32) {
    // CHECK: :[[@LINE+1]]:10: error: 'ttg.local_alloc' takes 131072 of 131072 bytes of shared memory that the kernel needs at the same time; a block on gfx942 has 65536 [shared-memory-bytes]
    %a = ttg.local_alloc : () -> !ttg.memdesc<32768xf32, #s, #smem, mutable>
    %la = ttg.local_load %a : !ttg.memdesc<32768xf32, #s, #smem, mutable> -> tensor<32768xf32, #l>
    tt.return
  }
  tt.func @doubles(%n: i32) {
    // CHECK: :[[@LINE+1]]:10: error: 'ttg.local_alloc' takes 131072 of 131072 bytes of shared memory that the kernel needs at the same time; a block on gfx942 has 65536 [shared-memory-bytes]
    %a = ttg.local_alloc : () -> !ttg.memdesc<16384xf64, #s, #smem, mutable>
    %la = ttg.local_load %a : !ttg.memdesc<16384xf64, #s, #smem, mutable> -> tensor<16384xf64, #l>
    tt.return
  }
  tt.func @padded(%n: i32) {
    // CHECK: :[[@LINE+1]]:10: error: 'ttg.local_alloc' takes 69568 of 69568 bytes of shared memory that the kernel needs at the same time; a block on gfx942 has 65536 [shared-memory-bytes]
    %a = ttg.local_alloc : () -> !ttg.memdesc<32768xf16, #p, #smem, mutable>
    %la = ttg.local_load %a : !ttg.memdesc<32768xf16, #p, #smem, mutable> -> tensor<32768xf16, #l>
    tt.return
  }
  tt.func @released_at_the_end(%n: i32) {
    // CHECK: :[[@LINE+1]]:10: error: 'ttg.local_alloc' takes 65536 of 98304 bytes of shared memory that the kernel needs at the same time; a block on gfx942 has 65536 [shared-memory-bytes]
    %a = ttg.local_alloc : () -> !ttg.memdesc<32768xf16, #s, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<16384xf16, #s, #smem, mutable>
    %lb = ttg.local_load %b : !ttg.memdesc<16384xf16, #s, #smem, mutable> -> tensor<16384xf16, #l>
    %la = ttg.local_load %a : !ttg.memdesc<32768xf16, #s, #smem, mutable> -> tensor<32768xf16, #l>
    ttg.local_dealloc %a : !ttg.memdesc<32768xf16, #s, #smem, mutable>
    ttg.local_dealloc %b : !ttg.memdesc<16384xf16, #s, #smem, mutable>
    tt.return
  }
  tt.func @ring(%n: i32) {
    // CHECK: :[[@LINE+1]]:10: error: 'ttg.local_alloc' takes 131072 of 131072 bytes of shared memory that the kernel needs at the same time; a block on gfx942 has 65536 [shared-memory-bytes]
    %a = ttg.local_alloc : () -> !ttg.memdesc<4x16384xf16, #s, #smem, mutable>
    %c0 = arith.constant 0 : i32
    %v = ttg.memdesc_index %a[%c0] : !ttg.memdesc<4x16384xf16, #s, #smem, mutable> -> !ttg.memdesc<16384xf16, #s, #smem, mutable>
    %lv = ttg.local_load %v : !ttg.memdesc<16384xf16, #s, #smem, mutable> -> tensor<16384xf16, #l>
    tt.return
  }
  tt.func @loop(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK: :[[@LINE+1]]:10: error: 'ttg.local_alloc' takes 65536 of 98304 bytes of shared memory that the kernel needs at the same time; a block on gfx942 has 65536 [shared-memory-bytes]
    %a = ttg.local_alloc : () -> !ttg.memdesc<32768xf16, #s, #smem, mutable>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %b = ttg.local_alloc : () -> !ttg.memdesc<16384xf16, #s, #smem, mutable>
      %lb = ttg.local_load %b : !ttg.memdesc<16384xf16, #s, #smem, mutable> -> tensor<16384xf16, #l>
      %la = ttg.local_load %a : !ttg.memdesc<32768xf16, #s, #smem, mutable> -> tensor<32768xf16, #l>
    }
    tt.return
  }
  tt.func @copies(%n: i32) {
    %x = arith.constant dense<0.0> : tensor<32768xf16, #l>
    // CHECK: :[[@LINE+1]]:10: error: 'ttg.local_alloc' takes 65536 of 131072 bytes of shared memory that the kernel needs at the same time; a block on gfx942 has 65536 [shared-memory-bytes]
    %a = ttg.local_alloc %x : (tensor<32768xf16, #l>) -> !ttg.memdesc<32768xf16, #s, #smem, mutable>
    %b = ttg.local_alloc %x : (tensor<32768xf16, #l>) -> !ttg.memdesc<32768xf16, #s, #smem, mutable>
    %la = ttg.local_load %a : !ttg.memdesc<32768xf16, #s, #smem, mutable> -> tensor<32768xf16, #l>
    %lb = ttg.local_load %b : !ttg.memdesc<32768xf16, #s, #smem, mutable> -> tensor<32768xf16, #l>
    tt.return
  }
  // As much as there is, and buffers one after the other.
  // CHECK-NOT: error:
  tt.func @all(%n: i32) {
    %a = ttg.local_alloc : () -> !ttg.memdesc<32768xf16, #s, #smem, mutable>
    %la = ttg.local_load %a : !ttg.memdesc<32768xf16, #s, #smem, mutable> -> tensor<32768xf16, #l>
    tt.return
  }
  tt.func @in_turn(%n: i32) {
    %a = ttg.local_alloc : () -> !ttg.memdesc<32768xf16, #s, #smem, mutable>
    %la = ttg.local_load %a : !ttg.memdesc<32768xf16, #s, #smem, mutable> -> tensor<32768xf16, #l>
    %b = ttg.local_alloc : () -> !ttg.memdesc<32768xf16, #s, #smem, mutable>
    %lb = ttg.local_load %b : !ttg.memdesc<32768xf16, #s, #smem, mutable> -> tensor<32768xf16, #l>
    tt.return
  }
  tt.func @halves(%n: i32) {
    %a = ttg.local_alloc : () -> !ttg.memdesc<16384xf16, #s, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<16384xf16, #s, #smem, mutable>
    %la = ttg.local_load %a : !ttg.memdesc<16384xf16, #s, #smem, mutable> -> tensor<16384xf16, #l>
    %lb = ttg.local_load %b : !ttg.memdesc<16384xf16, #s, #smem, mutable> -> tensor<16384xf16, #l>
    tt.return
  }
}
