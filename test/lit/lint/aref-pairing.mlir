// What is put into a reference is got.
// RUN: kernelscope check %s | FileCheck %s
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!ring = !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!aref = !nvws.aref<[!ring]>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @never_got() {
    %ring = ttg.local_alloc : () -> !ring
    // CHECK: :[[@LINE+1]]:10: warning: 'nvws.aref.create' creates a reference with a put but no get; the second put waits forever [aref-pairing]
    %r = nvws.aref.create %ring : !aref
    // CHECK: note: put here
    %0, %t = nvws.aref.put.enter %r : !aref -> !tile, !ttg.async.token
    nvws.aref.put.exit %r, %t [#nvws.async_op<none>] : !aref, !ttg.async.token
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
}
