// The buffers of an enter with the allocation that they are of, as Triton prints them since 3.5: nothing to say.
// RUN: kernelscope check %s | count 0
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @f() {
    %ring = ttg.local_alloc : () -> !ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>
    %r = nvws.aref.create %ring : !nvws.aref<[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]>
    %0, %t = nvws.aref.put.enter %r : !nvws.aref<[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable, 1x128x64>, !ttg.async.token
    nvws.aref.put.exit %r, %t [#nvws.async_op<none>] : !nvws.aref<[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]>, !ttg.async.token
    %1, %u = nvws.aref.get.enter %r : !nvws.aref<[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable, 1x128x64>, !ttg.async.token
    nvws.aref.get.exit %r, %u [#nvws.async_op<none>] : !nvws.aref<[!ttg.memdesc<1x128x64xf16, #shared, #smem, mutable>]>, !ttg.async.token
    tt.return
  }
}
