// References in the loops of partitions, with one op taken away.
// RUN: kernelscope check %s | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
!ring = !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
!one = !ttg.memdesc<1x64x64xf16, #shared, #smem, mutable>
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!tensor = tensor<64x64xf16, #blocked>
!aref = !nvws.aref<[!ring]>
!aref1 = !nvws.aref<[!one]>
!token = !ttg.async.token
#t = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @loop_without_gets(%n: i32, %x: !tensor) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    // CHECK: :[[@LINE+1]]:10: warning: 'nvws.aref.create' creates a reference with a put but no get; once its 2 buffers are full, the next put waits forever [aref-pairing]
    %r = nvws.aref.create %ring : !aref
    scf.for %i = %c0 to %n step %c1 : i32 {
      %pb, %pt = nvws.aref.put.enter %r : !aref -> !tile, !token
      ttg.local_store %x, %pb : !tensor -> !tile
      nvws.aref.put.exit %r, %pt [#nvws.async_op<none>] : !aref, !token
    }
    tt.return
  }
  tt.func @loop_without_puts(%n: i32, %x: !tensor) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    // CHECK: :[[@LINE+1]]:10: warning: 'nvws.aref.create' creates a reference with a get but no put; the get waits forever [aref-pairing]
    %r = nvws.aref.create %ring : !aref
    scf.for %i = %c0 to %n step %c1 : i32 {
      %gb, %gt = nvws.aref.get.enter %r : !aref -> !tile, !token
      %y = ttg.local_load %gb : !tile -> !tensor
      nvws.aref.get.exit %r, %gt [#nvws.async_op<none>] : !aref, !token
    }
    tt.return
  }
  tt.func @three_puts_of_two_buffers(%n: i32, %x: !tensor) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    // CHECK: :[[@LINE+1]]:10: warning: 'nvws.aref.create' creates a reference with a put but no get; once its 2 buffers are full, the next put waits forever [aref-pairing]
    %r = nvws.aref.create %ring : !aref
    %p1, %q1 = nvws.aref.put.enter %r : !aref -> !tile, !token
    ttg.local_store %x, %p1 : !tensor -> !tile
    nvws.aref.put.exit %r, %q1 [#nvws.async_op<none>] : !aref, !token
    %p2, %q2 = nvws.aref.put.enter %r : !aref -> !tile, !token
    ttg.local_store %x, %p2 : !tensor -> !tile
    nvws.aref.put.exit %r, %q2 [#nvws.async_op<none>] : !aref, !token
    %pb, %pt = nvws.aref.put.enter %r : !aref -> !tile, !token
    ttg.local_store %x, %pb : !tensor -> !tile
    nvws.aref.put.exit %r, %pt [#nvws.async_op<none>] : !aref, !token
    tt.return
  }
  tt.func @get_before_the_put(%x: !tensor) {
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    // CHECK: :[[@LINE+1]]:16: warning: 'nvws.aref.get.enter' waits until a buffer is full, but nothing is put before it [aref-pairing]
    %gb, %gt = nvws.aref.get.enter %r : !aref -> !tile, !token
    nvws.aref.get.exit %r, %gt [#nvws.async_op<none>] : !aref, !token
    // CHECK: :[[@LINE+1]]:16: note: this comes later
    %pb, %pt = nvws.aref.put.enter %r : !aref -> !tile, !token
    ttg.local_store %x, %pb : !tensor -> !tile
    nvws.aref.put.exit %r, %pt [#nvws.async_op<none>] : !aref, !token
    tt.return
  }
  tt.func @two_puts_of_one_buffer_before_a_get(%x: !tensor) {
    %ring = ttg.local_alloc : () -> !one
    %r = nvws.aref.create %ring : !aref1
    %p1, %q1 = nvws.aref.put.enter %r : !aref1 -> !tile, !token
    nvws.aref.put.exit %r, %q1 [#nvws.async_op<none>] : !aref1, !token
    // CHECK: :[[@LINE+1]]:16: warning: 'nvws.aref.put.enter' waits until one of the 1 buffers is free, but all are full, and the next get comes later [aref-pairing]
    %p2, %q2 = nvws.aref.put.enter %r : !aref1 -> !tile, !token
    nvws.aref.put.exit %r, %q2 [#nvws.async_op<none>] : !aref1, !token
    %gb, %gt = nvws.aref.get.enter %r : !aref1 -> !tile, !token
    nvws.aref.get.exit %r, %gt [#nvws.async_op<none>] : !aref1, !token
    tt.return
  }
  tt.func @exit_in_one_branch(%some: i1) {
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    // CHECK: :[[@LINE+1]]:16: warning: 'nvws.aref.put.enter' enters a region that ends in only one branch; every path needs an exit [aref-pairing]
    %pb, %pt = nvws.aref.put.enter %r : !aref -> !tile, !token
    scf.if %some {
      nvws.aref.put.exit %r, %pt [#nvws.async_op<none>] : !aref, !token
    }
    %gb, %gt = nvws.aref.get.enter %r : !aref -> !tile, !token
    nvws.aref.get.exit %r, %gt [#nvws.async_op<none>] : !aref, !token
    tt.return
  }
  tt.func @exit_at_the_other_stage(%n: i32, %x: !tensor) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    scf.for %i = %c0 to %n step %c1 : i32 {
      %stage = arith.andi %i, %c1 : i32
      %other = arith.xori %stage, %c1 : i32
      %pb, %pt = nvws.aref.put.enter %r[%stage, %c0] : !aref -> !tile, !token
      // CHECK: :[[@LINE+1]]:7: warning: 'nvws.aref.put.exit' is at another stage than the region that it ends [aref-pairing]
      nvws.aref.put.exit %r[%other], %pt [#nvws.async_op<none>] : !aref, !token
      %gb, %gt = nvws.aref.get.enter %r[%stage, %c0] : !aref -> !tile, !token
      nvws.aref.get.exit %r[%stage], %gt [#nvws.async_op<none>] : !aref, !token
    }
    tt.return
  }
  tt.func @buffer_of_another_partition(%x: !tensor) {
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    %pb, %pt = nvws.aref.put.enter %r {ttg.partition = array<i32: 0>} : !aref -> !tile, !token
    // CHECK: :[[@LINE+1]]:5: warning: 'ttg.local_store' is in partition 1, but uses a buffer that partition 0 has entered [aref-pairing]
    ttg.local_store %x, %pb {ttg.partition = array<i32: 1>} : !tensor -> !tile
    nvws.aref.put.exit %r, %pt [#nvws.async_op<none>] {ttg.partition = array<i32: 0>} : !aref, !token
    %gb, %gt = nvws.aref.get.enter %r {ttg.partition = array<i32: 1>} : !aref -> !tile, !token
    nvws.aref.get.exit %r, %gt [#nvws.async_op<none>] {ttg.partition = array<i32: 1>} : !aref, !token
    tt.return
  }
  tt.func @loop_without_the_exit_of_its_put(%n: i32, %x: !tensor) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    scf.for %i = %c0 to %n step %c1 : i32 {
      // CHECK: :[[@LINE+1]]:18: warning: 'nvws.aref.put.enter' enters a region that no exit ends; its buffer is never released [aref-pairing]
      %pb, %pt = nvws.aref.put.enter %r : !aref -> !tile, !token
      ttg.local_store %x, %pb : !tensor -> !tile
      %gb, %gt = nvws.aref.get.enter %r : !aref -> !tile, !token
      %y = ttg.local_load %gb : !tile -> !tensor
      nvws.aref.get.exit %r, %gt [#nvws.async_op<none>] : !aref, !token
    }
    tt.return
  }
  tt.func @loop_without_the_exit_of_its_get(%n: i32, %x: !tensor) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    scf.for %i = %c0 to %n step %c1 : i32 {
      %pb, %pt = nvws.aref.put.enter %r : !aref -> !tile, !token
      ttg.local_store %x, %pb : !tensor -> !tile
      nvws.aref.put.exit %r, %pt [#nvws.async_op<none>] : !aref, !token
      // CHECK: :[[@LINE+1]]:18: warning: 'nvws.aref.get.enter' enters a region that no exit ends; its buffer is never released [aref-pairing]
      %gb, %gt = nvws.aref.get.enter %r : !aref -> !tile, !token
      %y = ttg.local_load %gb : !tile -> !tensor
    }
    tt.return
  }
  tt.func @read_after_the_get_is_over(%n: i32, %x: !tensor) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    scf.for %i = %c0 to %n step %c1 : i32 {
      %pb, %pt = nvws.aref.put.enter %r : !aref -> !tile, !token
      ttg.local_store %x, %pb : !tensor -> !tile
      nvws.aref.put.exit %r, %pt [#nvws.async_op<none>] : !aref, !token
      %gb, %gt = nvws.aref.get.enter %r : !aref -> !tile, !token
      nvws.aref.get.exit %r, %gt [#nvws.async_op<none>] : !aref, !token
      // CHECK: :[[@LINE+1]]:12: warning: 'ttg.local_load' uses a buffer after the exit that hands it over [aref-pairing]
      %y = ttg.local_load %gb : !tile -> !tensor
    }
    tt.return
  }
  tt.func @view_of_a_buffer_after_the_exit(%n: i32, %x: !tensor) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    scf.for %i = %c0 to %n step %c1 : i32 {
      %pb, %pt = nvws.aref.put.enter %r : !aref -> !tile, !token
      ttg.local_store %x, %pb : !tensor -> !tile
      nvws.aref.put.exit %r, %pt [#nvws.async_op<none>] : !aref, !token
      %gb, %gt = nvws.aref.get.enter %r : !aref -> !tile, !token
      nvws.aref.get.exit %r, %gt [#nvws.async_op<none>] : !aref, !token
      %v = ttg.memdesc_trans %gb {order = array<i32: 1, 0>} : !tile -> !ttg.memdesc<64x64xf16, #t, #smem, mutable>
      // CHECK: :[[@LINE+1]]:12: warning: 'ttg.local_load' uses a buffer after the exit that hands it over [aref-pairing]
      %y = ttg.local_load %v : !ttg.memdesc<64x64xf16, #t, #smem, mutable> -> !tensor
    }
    tt.return
  }
  tt.func @exit_in_the_other_partition(%n: i32, %x: !tensor) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    scf.for %i = %c0 to %n step %c1 : i32 {
      %pb, %pt = nvws.aref.put.enter %r {ttg.partition = array<i32: 0>} : !aref -> !tile, !token
      ttg.local_store %x, %pb : !tensor -> !tile
      // CHECK: :[[@LINE+1]]:7: warning: 'nvws.aref.put.exit' is in partition 1, but ends a region of partition 0 [aref-pairing]
      nvws.aref.put.exit %r, %pt [#nvws.async_op<none>] {ttg.partition = array<i32: 1>} : !aref, !token
      %gb, %gt = nvws.aref.get.enter %r {ttg.partition = array<i32: 1>} : !aref -> !tile, !token
      %y = ttg.local_load %gb : !tile -> !tensor
      nvws.aref.get.exit %r, %gt [#nvws.async_op<none>] {ttg.partition = array<i32: 1>} : !aref, !token
    }
    tt.return
  }
  tt.func @loop_of_puts_and_gets(%n: i32, %x: !tensor) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    scf.for %i = %c0 to %n step %c1 : i32 {
      %pb, %pt = nvws.aref.put.enter %r : !aref -> !tile, !token
      ttg.local_store %x, %pb : !tensor -> !tile
      nvws.aref.put.exit %r, %pt [#nvws.async_op<none>] : !aref, !token
      %gb, %gt = nvws.aref.get.enter %r : !aref -> !tile, !token
      %y = ttg.local_load %gb : !tile -> !tensor
      nvws.aref.get.exit %r, %gt [#nvws.async_op<none>] : !aref, !token
    }
    tt.return
  }
  tt.func @puts_and_gets_of_partitions(%n: i32, %x: !tensor) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    scf.for %i = %c0 to %n step %c1 : i32 {
      %pb, %pt = nvws.aref.put.enter %r {ttg.partition = array<i32: 0>} : !aref -> !tile, !token
      ttg.local_store %x, %pb : !tensor -> !tile
      nvws.aref.put.exit %r, %pt [#nvws.async_op<none>] {ttg.partition = array<i32: 0>} : !aref, !token
      %gb, %gt = nvws.aref.get.enter %r {ttg.partition = array<i32: 1>} : !aref -> !tile, !token
      %y = ttg.local_load %gb : !tile -> !tensor
      nvws.aref.get.exit %r, %gt [#nvws.async_op<none>] {ttg.partition = array<i32: 1>} : !aref, !token
    }
    tt.return
  }
  // One put fills one of two buffers, and hangs nowhere.
  tt.func @one_put(%n: i32, %x: !tensor) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    %pb, %pt = nvws.aref.put.enter %r : !aref -> !tile, !token
    ttg.local_store %x, %pb : !tensor -> !tile
    nvws.aref.put.exit %r, %pt [#nvws.async_op<none>] : !aref, !token
    tt.return
  }
  tt.func @two_puts_of_two_buffers(%n: i32, %x: !tensor) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    %p1, %q1 = nvws.aref.put.enter %r : !aref -> !tile, !token
    ttg.local_store %x, %p1 : !tensor -> !tile
    nvws.aref.put.exit %r, %q1 [#nvws.async_op<none>] : !aref, !token
    %pb, %pt = nvws.aref.put.enter %r : !aref -> !tile, !token
    ttg.local_store %x, %pb : !tensor -> !tile
    nvws.aref.put.exit %r, %pt [#nvws.async_op<none>] : !aref, !token
    tt.return
  }
  tt.func @buffers_of_the_caller(%n: i32, %x: !tensor, %ring: !ring) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = nvws.aref.create %ring : !aref
    scf.for %i = %c0 to %n step %c1 : i32 {
      %pb, %pt = nvws.aref.put.enter %r : !aref -> !tile, !token
      ttg.local_store %x, %pb : !tensor -> !tile
      nvws.aref.put.exit %r, %pt [#nvws.async_op<none>] : !aref, !token
    }
    tt.return
  }
  tt.func @stages_of_the_loop(%n: i32, %x: !tensor) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    scf.for %i = %c0 to %n step %c1 : i32 {
      %s = arith.andi %i, %c1 : i32
      %q = arith.shrui %i, %c1 : i32
      %ph = arith.andi %q, %c1 : i32
      %other = arith.xori %ph, %c1 : i32
      %pb, %pt = nvws.aref.put.enter %r[%s, %other] : !aref -> !tile, !token
      ttg.local_store %x, %pb : !tensor -> !tile
      nvws.aref.put.exit %r[%s], %pt [#nvws.async_op<none>] : !aref, !token
      %gb, %gt = nvws.aref.get.enter %r[%s, %ph] : !aref -> !tile, !token
      %y = ttg.local_load %gb : !tile -> !tensor
      nvws.aref.get.exit %r[%s], %gt [#nvws.async_op<none>] : !aref, !token
    }
    tt.return
  }
  tt.func @one_partition_of_two(%n: i32, %x: !tensor) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    scf.for %i = %c0 to %n step %c1 : i32 {
      %pb, %pt = nvws.aref.put.enter %r {ttg.partition = array<i32: 0, 1>} : !aref -> !tile, !token
      ttg.local_store %x, %pb : !tensor -> !tile
      nvws.aref.put.exit %r, %pt [#nvws.async_op<none>] {ttg.partition = array<i32: 1>} : !aref, !token
      %gb, %gt = nvws.aref.get.enter %r {ttg.partition = array<i32: 1>} : !aref -> !tile, !token
      %y = ttg.local_load %gb : !tile -> !tensor
      nvws.aref.get.exit %r, %gt [#nvws.async_op<none>] {ttg.partition = array<i32: 1>} : !aref, !token
    }
    tt.return
  }
  tt.func @exit_after_the_loop(%n: i32, %x: !tensor) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    %pb, %pt = nvws.aref.put.enter %r : !aref -> !tile, !token
    scf.for %i = %c0 to %n step %c1 : i32 {
      ttg.local_store %x, %pb : !tensor -> !tile
    }
    nvws.aref.put.exit %r, %pt [#nvws.async_op<none>] : !aref, !token
    %gb, %gt = nvws.aref.get.enter %r : !aref -> !tile, !token
    %y = ttg.local_load %gb : !tile -> !tensor
    nvws.aref.get.exit %r, %gt [#nvws.async_op<none>] : !aref, !token
    tt.return
  }
  tt.func @get_first_in_the_text_of_another_partition(%x: !tensor) {
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    %gb, %gt = nvws.aref.get.enter %r {ttg.partition = array<i32: 1>} : !aref -> !tile, !token
    nvws.aref.get.exit %r, %gt [#nvws.async_op<none>] {ttg.partition = array<i32: 1>} : !aref, !token
    %pb, %pt = nvws.aref.put.enter %r {ttg.partition = array<i32: 0>} : !aref -> !tile, !token
    ttg.local_store %x, %pb {ttg.partition = array<i32: 0, 1>} : !tensor -> !tile
    nvws.aref.put.exit %r, %pt [#nvws.async_op<none>] {ttg.partition = array<i32: 0>} : !aref, !token
    tt.return
  }
  tt.func @exits_in_two_branches(%some: i1) {
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    %true = arith.constant true
    %other = arith.xori %some, %true : i1
    %pb, %pt = nvws.aref.put.enter %r : !aref -> !tile, !token
    scf.if %some {
      nvws.aref.put.exit %r, %pt [#nvws.async_op<none>] : !aref, !token
    }
    scf.if %other {
      nvws.aref.put.exit %r, %pt [#nvws.async_op<tma_load>] : !aref, !token
    }
    %gb, %gt = nvws.aref.get.enter %r : !aref -> !tile, !token
    nvws.aref.get.exit %r, %gt [#nvws.async_op<none>] : !aref, !token
    tt.return
  }
  tt.func @same_stage_by_another_way(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %ring = ttg.local_alloc : () -> !ring
    %r = nvws.aref.create %ring : !aref
    scf.for %i = %c0 to %n step %c1 : i32 {
      %stage = arith.andi %i, %c1 : i32
      %same = arith.remui %i, %c2 : i32
      %pb, %pt = nvws.aref.put.enter %r[%stage, %c0] : !aref -> !tile, !token
      nvws.aref.put.exit %r[%same], %pt [#nvws.async_op<none>] : !aref, !token
      %gb, %gt = nvws.aref.get.enter %r[%stage, %c0] : !aref -> !tile, !token
      nvws.aref.get.exit %r[%same], %gt [#nvws.async_op<none>] : !aref, !token
    }
    tt.return
  }
}
