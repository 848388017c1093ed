// References that are loaded and read together become one; they get as many stages as fit.
// RUN: kernelscope opt %s --nvws-buffer-aref=num-stages=4 | FileCheck %s

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!ring = !ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>
!tile = !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
!aref = !nvws.aref<[!ring]>
!token = !ttg.async.token
!desc = !tt.tensordesc<128x64xf16, #shared>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @together
  tt.func @together(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK: %[[A:.*]] = ttg.local_alloc : () -> !ttg.memdesc<4x128x64xf16
    // CHECK: %[[B:.*]] = ttg.local_alloc : () -> !ttg.memdesc<4x128x64xf16
    // CHECK: %[[AREF:.*]] = nvws.aref.create %[[A]], %[[B]]
    // CHECK-NOT: nvws.aref.create
    %ra = ttg.local_alloc : () -> !ring
    %a = nvws.aref.create %ra : !aref
    %rb = ttg.local_alloc : () -> !ring
    %b = nvws.aref.create %rb : !aref
    scf.for %i = %c0 to %n step %c1 : i32 {
      // CHECK: %[[W:.*]]:2, %[[PUT:.*]] = nvws.aref.put.enter %[[AREF]]
      // CHECK: nvws.descriptor_load %{{.*}} 16384 %[[W]]#0
      // CHECK: nvws.descriptor_load %{{.*}} 16384 %[[W]]#1
      // CHECK: nvws.aref.put.exit %[[AREF]], %[[PUT]] [#nvws.async_op<tma_load>]
      %wa, %pa = nvws.aref.put.enter %a {ttg.partition = array<i32: 1>} : !aref -> !tile, !token
      nvws.descriptor_load %d[%i, %c0] 16384 %wa {ttg.partition = array<i32: 1>} : !desc, i32, i32, !tile
      nvws.aref.put.exit %a, %pa [#nvws.async_op<tma_load>] {ttg.partition = array<i32: 1>} : !aref, !token
      %wb, %pb = nvws.aref.put.enter %b {ttg.partition = array<i32: 1>} : !aref -> !tile, !token
      nvws.descriptor_load %d[%c0, %i] 16384 %wb {ttg.partition = array<i32: 1>} : !desc, i32, i32, !tile
      nvws.aref.put.exit %b, %pb [#nvws.async_op<tma_load>] {ttg.partition = array<i32: 1>} : !aref, !token
      // CHECK: nvws.aref.get.enter %[[AREF]]
      // CHECK-NEXT: nvws.aref.get.exit %[[AREF]]
      %gb, %tb = nvws.aref.get.enter %b {ttg.partition = array<i32: 0>} : !aref -> !tile, !token
      %ga, %ta = nvws.aref.get.enter %a {ttg.partition = array<i32: 0>} : !aref -> !tile, !token
      nvws.aref.get.exit %a, %ta [#nvws.async_op<tc5mma>] {ttg.partition = array<i32: 0>} : !aref, !token
      nvws.aref.get.exit %b, %tb [#nvws.async_op<tc5mma>] {ttg.partition = array<i32: 0>} : !aref, !token
    }
    tt.return
  }

  // The reader leaves the first before it enters the second: two references. What else is in shared memory leaves three stages of each.
  // CHECK-LABEL: @apart
  tt.func @apart(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %other = ttg.local_alloc : () -> !ttg.memdesc<8x128x64xf16, #shared, #smem, mutable>
    // CHECK: ttg.local_alloc : () -> !ttg.memdesc<3x128x64xf16
    // CHECK: nvws.aref.create
    // CHECK: ttg.local_alloc : () -> !ttg.memdesc<3x128x64xf16
    // CHECK: nvws.aref.create
    %ra = ttg.local_alloc : () -> !ring
    %a = nvws.aref.create %ra : !aref
    %rb = ttg.local_alloc : () -> !ring
    %b = nvws.aref.create %rb : !aref
    scf.for %i = %c0 to %n step %c1 : i32 {
      %wa, %pa = nvws.aref.put.enter %a : !aref -> !tile, !token
      nvws.descriptor_load %d[%i, %c0] 16384 %wa : !desc, i32, i32, !tile
      nvws.aref.put.exit %a, %pa [#nvws.async_op<tma_load>] : !aref, !token
      %wb, %pb = nvws.aref.put.enter %b : !aref -> !tile, !token
      nvws.descriptor_load %d[%c0, %i] 16384 %wb : !desc, i32, i32, !tile
      nvws.aref.put.exit %b, %pb [#nvws.async_op<tma_load>] : !aref, !token
      %ga, %ta = nvws.aref.get.enter %a : !aref -> !tile, !token
      nvws.aref.get.exit %a, %ta [#nvws.async_op<none>] : !aref, !token
      %gb, %tb = nvws.aref.get.enter %b : !aref -> !tile, !token
      nvws.aref.get.exit %b, %tb [#nvws.async_op<none>] : !aref, !token
    }
    tt.return
  }

  // The reader of the first comes before the loads of the second in the text: it waits for both, and comes after them.
  // CHECK-LABEL: @reader_between
  tt.func @reader_between(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ra = ttg.local_alloc : () -> !ring
    %a = nvws.aref.create %ra : !aref
    %rb = ttg.local_alloc : () -> !ring
    %b = nvws.aref.create %rb : !aref
    scf.for %i = %c0 to %n step %c1 : i32 {
      // CHECK: nvws.aref.put.enter
      // CHECK-NOT: nvws.aref.get.enter
      // CHECK: nvws.aref.put.exit
      // CHECK: %[[G:.*]]:2, %{{.*}} = nvws.aref.get.enter
      // CHECK-NEXT: ttg.memdesc_trans %[[G]]#0
      // CHECK-NEXT: nvws.aref.get.exit
      %wa, %pa = nvws.aref.put.enter %a {ttg.partition = array<i32: 1>} : !aref -> !tile, !token
      nvws.descriptor_load %d[%i, %c0] 16384 %wa {ttg.partition = array<i32: 1>} : !desc, i32, i32, !tile
      nvws.aref.put.exit %a, %pa [#nvws.async_op<tma_load>] {ttg.partition = array<i32: 1>} : !aref, !token
      %ga, %ta = nvws.aref.get.enter %a {ttg.partition = array<i32: 0>} : !aref -> !tile, !token
      %t = ttg.memdesc_trans %ga {order = array<i32: 1, 0>, ttg.partition = array<i32: 0>} : !tile -> !ttg.memdesc<64x128xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>, #smem, mutable>
      %wb, %pb = nvws.aref.put.enter %b {ttg.partition = array<i32: 1>} : !aref -> !tile, !token
      nvws.descriptor_load %d[%c0, %i] 16384 %wb {ttg.partition = array<i32: 1>} : !desc, i32, i32, !tile
      nvws.aref.put.exit %b, %pb [#nvws.async_op<tma_load>] {ttg.partition = array<i32: 1>} : !aref, !token
      %gb, %tb = nvws.aref.get.enter %b {ttg.partition = array<i32: 0>} : !aref -> !tile, !token
      nvws.aref.get.exit %a, %ta [#nvws.async_op<tc5mma>] {ttg.partition = array<i32: 0>} : !aref, !token
      nvws.aref.get.exit %b, %tb [#nvws.async_op<tc5mma>] {ttg.partition = array<i32: 0>} : !aref, !token
    }
    tt.return
  }
}
