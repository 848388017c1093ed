// RUN: kernelscope opt %s --relax-store-waits | FileCheck %s

// At the end of a kernel TMA's stores need only have read shared memory.
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
!desc = !tt.tensordesc<16x64xf16, #shared>
!buffer = !ttg.memdesc<16x64xf16, #shared, #ttg.shared_memory, mutable>
!barrier = !ttg.memdesc<1xi64, #bar, #ttg.shared_memory, mutable>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @end
  tt.func public @end(%d: !desc, %x: !buffer, %b: !barrier, %i: i32) {
    ttng.async_tma_copy_local_to_global %d[%i, %i] %x : !desc, !buffer
    // CHECK: async_tma_store_wait {pendings = 0 : i32, read_only}
    ttng.async_tma_store_wait {pendings = 0 : i32}
    ttg.local_dealloc %x : !buffer
    ttng.inval_barrier %b : !barrier
    tt.return
  }

  // What was stored may be read, or what others see of it matter to them.
  // CHECK-LABEL: @load
  tt.func public @load(%d: !desc, %x: !buffer, %p: !tt.ptr<f16>, %i: i32) {
    ttng.async_tma_copy_local_to_global %d[%i, %i] %x : !desc, !buffer
    // CHECK: async_tma_store_wait {pendings = 0 : i32}
    ttng.async_tma_store_wait {pendings = 0 : i32}
    %v = tt.load %p {isVolatile = true} : !tt.ptr<f16>
    tt.return
  }
  // CHECK-LABEL: @signal
  tt.func public @signal(%d: !desc, %x: !buffer, %p: !tt.ptr<i32>, %i: i32) {
    ttng.async_tma_copy_local_to_global %d[%i, %i] %x : !desc, !buffer
    // CHECK: async_tma_store_wait {pendings = 0 : i32}
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.store %p, %i : !tt.ptr<i32>
    tt.return
  }
  // The caller may do so, and the next iteration.
  // CHECK-LABEL: @called
  tt.func private @called(%d: !desc, %x: !buffer, %i: i32) {
    ttng.async_tma_copy_local_to_global %d[%i, %i] %x : !desc, !buffer
    // CHECK: async_tma_store_wait {pendings = 0 : i32}
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }
  // CHECK-LABEL: @loop
  tt.func public @loop(%d: !desc, %x: !buffer, %i: i32) {
    scf.for %j = %i to %i step %i : i32 {
      ttng.async_tma_copy_local_to_global %d[%j, %i] %x : !desc, !buffer
      // CHECK: async_tma_store_wait {pendings = 0 : i32}
      ttng.async_tma_store_wait {pendings = 0 : i32}
    }
    tt.return
  }
}
