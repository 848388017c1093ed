// What is put into a reference is got, and each enter has its own exit.
// RUN: kernelscope check %s | FileCheck %s
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
!ring = !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!aref = !nvws.aref<[!ring]>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @never_got(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    // CHECK: :[[@LINE+1]]:10: warning: 'nvws.aref.create' creates a reference with a put but no get; once its 2 buffers are full, the next put waits forever [aref-pairing]
    %r = nvws.aref.create %ring : !aref
    scf.for %i = %c0 to %n step %c1 : i32 {
      // CHECK: note: the put is here
      %0, %t = nvws.aref.put.enter %r : !aref -> !tile, !ttg.async.token
      nvws.aref.put.exit %r, %t [#nvws.async_op<none>] : !aref, !ttg.async.token
    }
    tt.return
  }
  tt.func @no_exit() {
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    %0, %t = nvws.aref.put.enter %r : !aref -> !tile, !ttg.async.token
    nvws.aref.put.exit %r, %t [#nvws.async_op<none>] : !aref, !ttg.async.token
    // CHECK: :[[@LINE+1]]:14: warning: 'nvws.aref.get.enter' enters a region that no exit ends; its buffer is never released [aref-pairing]
    %1, %u = nvws.aref.get.enter %r : !aref -> !tile, !ttg.async.token
    tt.return
  }
  tt.func @two_exits() {
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    %0, %t = nvws.aref.put.enter %r : !aref -> !tile, !ttg.async.token
    // CHECK: :[[@LINE+2]]:5: warning: 'nvws.aref.put.exit' ends a region a second time; each enter needs exactly one exit [aref-pairing]
    nvws.aref.put.exit %r, %t [#nvws.async_op<none>] : !aref, !ttg.async.token
    nvws.aref.put.exit %r, %t [#nvws.async_op<none>] : !aref, !ttg.async.token
    %1, %u = nvws.aref.get.enter %r : !aref -> !tile, !ttg.async.token
    nvws.aref.get.exit %r, %u [#nvws.async_op<none>] : !aref, !ttg.async.token
    tt.return
  }
  tt.func @other_stage() {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    %0, %t = nvws.aref.put.enter %r[%c0, %c1] : !aref -> !tile, !ttg.async.token
    // CHECK: :[[@LINE+1]]:5: warning: 'nvws.aref.put.exit' is at stage 1, but ends a region of stage 0 [aref-pairing]
    nvws.aref.put.exit %r[%c1], %t [#nvws.async_op<none>] : !aref, !ttg.async.token
    %1, %u = nvws.aref.get.enter %r[%c0, %c0] : !aref -> !tile, !ttg.async.token
    nvws.aref.get.exit %r[%c0], %u [#nvws.async_op<none>] : !aref, !ttg.async.token
    tt.return
  }
  tt.func @used_after_the_exit(%x: tensor<64x64xf16, #blocked>) -> tensor<64x64xf16, #blocked> {
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    %0, %t = nvws.aref.put.enter %r : !aref -> !tile, !ttg.async.token
    nvws.aref.put.exit %r, %t [#nvws.async_op<none>] : !aref, !ttg.async.token
    // CHECK: :[[@LINE+1]]:5: warning: 'ttg.local_store' uses a buffer after the exit that hands it over [aref-pairing]
    ttg.local_store %x, %0 : tensor<64x64xf16, #blocked> -> !tile
    %1, %u = nvws.aref.get.enter %r : !aref -> !tile, !ttg.async.token
    %2 = nvws.aref.buffer %r, %u : !aref, !ttg.async.token -> !tile
    nvws.aref.get.exit %r, %u [#nvws.async_op<none>] : !aref, !ttg.async.token
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.local_load' uses a buffer after the exit that hands it over [aref-pairing]
    %3 = ttg.local_load %2 : !tile -> tensor<64x64xf16, #blocked>
    tt.return %3 : tensor<64x64xf16, #blocked>
  }
  tt.func @carried_to_no_exit(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    // CHECK: :[[@LINE+1]]:14: warning: 'nvws.aref.put.enter' enters a region that no exit ends; its buffer is never released [aref-pairing]
    %0, %t = nvws.aref.put.enter %r : !aref -> !tile, !ttg.async.token
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%token = %t) -> (!ttg.async.token) : i32 {
      %2 = nvws.aref.buffer %r, %token : !aref, !ttg.async.token -> !tile
      scf.yield %token : !ttg.async.token
    }
    %1, %u = nvws.aref.get.enter %r : !aref -> !tile, !ttg.async.token
    nvws.aref.get.exit %r, %u [#nvws.async_op<none>] : !aref, !ttg.async.token
    tt.return
  }
  tt.func @other_partition() {
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    %0, %t = nvws.aref.put.enter %r {ttg.partition = array<i32: 2>} : !aref -> !tile, !ttg.async.token
    // CHECK: :[[@LINE+1]]:5: warning: 'nvws.aref.put.exit' is in partition 1, but ends a region of partition 2 [aref-pairing]
    nvws.aref.put.exit %r, %t [#nvws.async_op<none>] {ttg.partition = array<i32: 1>} : !aref, !ttg.async.token
    %1, %u = nvws.aref.get.enter %r {ttg.partition = array<i32: 1>} : !aref -> !tile, !ttg.async.token
    nvws.aref.get.exit %r, %u [#nvws.async_op<none>] {ttg.partition = array<i32: 1>} : !aref, !ttg.async.token
    tt.return
  }
  // CHECK-NOT: warning:
  // As Triton's insert-tmem-aref carries a token around a loop.
  tt.func @carried_to_its_exit(%n: i32, %x: tensor<64x64xf16, #blocked>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    %0, %t = nvws.aref.put.enter %r : !aref -> !tile, !ttg.async.token
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%token = %t) -> (!ttg.async.token) : i32 {
      %2 = nvws.aref.buffer %r, %token {ttg.partition = array<i32: 0>} : !aref, !ttg.async.token -> !tile
      ttg.local_store %x, %2 : tensor<64x64xf16, #blocked> -> !tile
      nvws.aref.put.exit %r, %token [#nvws.async_op<none>] {ttg.partition = array<i32: 0>} : !aref, !ttg.async.token
      %1, %u = nvws.aref.get.enter %r {ttg.partition = array<i32: 1>} : !aref -> !tile, !ttg.async.token
      %y = ttg.local_load %1 : !tile -> tensor<64x64xf16, #blocked>
      nvws.aref.get.exit %r, %u [#nvws.async_op<none>] {ttg.partition = array<i32: 1>} : !aref, !ttg.async.token
      %3, %v = nvws.aref.put.enter %r {ttg.partition = array<i32: 0>} : !aref -> !tile, !ttg.async.token
      scf.yield %v : !ttg.async.token
    }
    nvws.aref.put.exit %r, %last [#nvws.async_op<none>] : !aref, !ttg.async.token
    tt.return
  }
  tt.func @exit_in_each_branch(%some: i1) {
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    %0, %t = nvws.aref.put.enter %r : !aref -> !tile, !ttg.async.token
    scf.if %some {
      nvws.aref.put.exit %r, %t [#nvws.async_op<none>] : !aref, !ttg.async.token
    } else {
      nvws.aref.put.exit %r, %t [#nvws.async_op<tma_load>] : !aref, !ttg.async.token
    }
    %1, %u = nvws.aref.get.enter %r : !aref -> !tile, !ttg.async.token
    nvws.aref.get.exit %r, %u [#nvws.async_op<none>] : !aref, !ttg.async.token
    tt.return
  }
}
