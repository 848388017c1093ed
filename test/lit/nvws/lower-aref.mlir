// References become two rings of mbarriers; the kinds of work decide how a side arrives, and how often.
// RUN: kernelscope opt %s --nvws-lower-aref --split-input-file --verify-diagnostics | FileCheck %s

#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
!a = !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>
!b = !ttg.memdesc<2x64x128xf16, #shared, #smem, mutable>
!a1 = !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
!b1 = !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
!acc = !ttg.memdesc<1x128x128xf32, #tmem, #ttng.tensor_memory, mutable>
!acc1 = !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
!both = !nvws.aref<[!a, !b]>
!sum = !nvws.aref<[!acc]>
!plain = !nvws.aref<[!a]>
!token = !ttg.async.token
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // TMA fills, the tensor core reads: the bytes arrive, and a commit. The sum is handed out, so the product is asynchronous.
  // CHECK-LABEL: @product
  tt.func @product(%da: !tt.tensordesc<128x64xf16, #shared>, %db: !tt.tensordesc<64x128xf16, #shared>, %s: i32, %p: i32) {
    %true = arith.constant true
    // CHECK: %[[A:[a-z0-9_]+]] = ttg.local_alloc
    // CHECK: %[[B:[a-z0-9_]+]] = ttg.local_alloc
    %a = ttg.local_alloc : () -> !a
    %b = ttg.local_alloc : () -> !b
    // CHECK: %[[EMPTY:[a-z0-9_]+]] = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64,
    // CHECK-COUNT-2: ttng.init_barrier %{{.*}}, 1
    // CHECK: %[[FULL:[a-z0-9_]+]] = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64,
    // CHECK-COUNT-2: ttng.init_barrier %{{.*}}, 1
    %both = nvws.aref.create %a, %b : !both
    // CHECK: %[[ACC:[a-z0-9_]+]] = ttng.tmem_alloc
    %acc = ttng.tmem_alloc : () -> !acc
    %sum = nvws.aref.create %acc : !sum
    // CHECK: %[[E:[a-z0-9_]+]] = ttg.memdesc_index %[[EMPTY]][%arg2]
    // CHECK: ttng.wait_barrier %[[E]], %arg3
    // CHECK: %[[A1:[a-z0-9_]+]] = ttg.memdesc_index %[[A]][%arg2]
    // CHECK: %[[B1:[a-z0-9_]+]] = ttg.memdesc_index %[[B]][%arg2]
    // CHECK: %[[F:[a-z0-9_]+]] = ttg.memdesc_index %[[FULL]][%arg2]
    // CHECK: ttng.barrier_expect %[[F]], 32768, %true
    // CHECK: ttng.async_tma_copy_global_to_local %arg0[%arg2, %arg2] %[[A1]], %[[F]]
    // CHECK: ttng.async_tma_copy_global_to_local %arg1[%arg2, %arg2] %[[B1]], %[[F]]
    // CHECK-NOT: ttng.arrive_barrier
    %w:2, %put = nvws.aref.put.enter %both[%s, %p] : !both -> !a1, !b1, !token
    nvws.descriptor_load %da[%s, %s] 16384 %w#0 : !tt.tensordesc<128x64xf16, #shared>, i32, i32, !a1
    nvws.descriptor_load %db[%s, %s] 16384 %w#1 : !tt.tensordesc<64x128xf16, #shared>, i32, i32, !b1
    nvws.aref.put.exit %both[%s], %put [#nvws.async_op<tma_load>] : !both, !token
    %d, %write = nvws.aref.put.enter %sum[%s, %p] : !sum -> !acc1, !token
    // CHECK: %[[F:[a-z0-9_]+]] = ttg.memdesc_index %[[FULL]][%arg2]
    // CHECK: ttng.wait_barrier %[[F]], %arg3
    %r:2, %get = nvws.aref.get.enter %both[%s, %p] : !both -> !ttg.memdesc<128x64xf16, #shared, #smem, 1x128x64>, !ttg.memdesc<64x128xf16, #shared, #smem, 1x64x128>, !token
    // CHECK: ttng.tc_gen5_mma %{{.*}} {is_async}
    ttng.tc_gen5_mma %r#0, %r#1, %d, %true, %true : !ttg.memdesc<128x64xf16, #shared, #smem, 1x128x64>, !ttg.memdesc<64x128xf16, #shared, #smem, 1x64x128>, !acc1
    // CHECK: %[[E:[a-z0-9_]+]] = ttg.memdesc_index %[[EMPTY]][%arg2]
    // CHECK: ttng.tc_gen5_commit %[[E]]
    nvws.aref.get.exit %both[%s], %get [#nvws.async_op<tc5mma>] : !both, !token
    // CHECK: ttng.tc_gen5_commit
    nvws.aref.put.exit %sum[%s], %write [#nvws.async_op<tc5mma>] : !sum, !token
    // CHECK: ttng.wait_barrier
    // CHECK-NOT: fence
    // CHECK: ttng.arrive_barrier %{{.*}}, 1
    %x, %read = nvws.aref.get.enter %sum[%s, %p] : !sum -> !acc1, !token
    nvws.aref.get.exit %sum[%s], %read [#nvws.async_op<none>] : !sum, !token
    // CHECK: tt.return
    tt.return
  }

  // Threads store what TMA then reads: a fence. Two partitions read, so "empty" takes two arrivals.
  // CHECK-LABEL: @fenced
  tt.func @fenced(%x: tensor<128x64xf16, #blocked>, %out: !tt.tensordesc<128x64xf16, #shared>, %s: i32, %p: i32) {
    %a = ttg.local_alloc : () -> !a
    // CHECK: ttng.init_barrier %{{.*}}, 2
    // CHECK: ttng.init_barrier %{{.*}}, 2
    // CHECK: ttng.init_barrier %{{.*}}, 1
    // CHECK: ttng.init_barrier %{{.*}}, 1
    %aref = nvws.aref.create %a : !plain
    // CHECK: ttg.local_store
    // CHECK: ttng.fence_async_shared
    // CHECK-NEXT: ttng.arrive_barrier
    %w, %put = nvws.aref.put.enter %aref[%s, %p] {ttg.partition = array<i32: 0>} : !plain -> !a1, !token
    ttg.local_store %x, %w {ttg.partition = array<i32: 0>} : tensor<128x64xf16, #blocked> -> !a1
    nvws.aref.put.exit %aref[%s], %put [#nvws.async_op<none>] {ttg.partition = array<i32: 0>} : !plain, !token
    // CHECK: ttng.async_tma_copy_local_to_global
    %r, %get = nvws.aref.get.enter %aref[%s, %p] {ttg.partition = array<i32: 1>} : !plain -> !a1, !token
    ttng.async_tma_copy_local_to_global %out[%s, %s] %r {ttg.partition = array<i32: 1>} : !tt.tensordesc<128x64xf16, #shared>, !a1
    ttng.async_tma_store_wait {pendings = 0 : i32, ttg.partition = array<i32: 1>}
    // CHECK-NOT: fence
    // CHECK: ttng.arrive_barrier
    nvws.aref.get.exit %aref[%s], %get [#nvws.async_op<none>] {ttg.partition = array<i32: 1>} : !plain, !token
    %r2, %get2 = nvws.aref.get.enter %aref[%s, %p] {ttg.partition = array<i32: 2>} : !plain -> !a1, !token
    nvws.aref.get.exit %aref[%s], %get2 [#nvws.async_op<none>] {ttg.partition = array<i32: 2>} : !plain, !token
    tt.return
  }

  // What a partition was passed for the reference becomes what it is.
  // CHECK-LABEL: @passed
  tt.func @passed(%s: i32, %p: i32) {
    // CHECK: %[[A:[a-z0-9_]+]] = ttg.local_alloc
    %a = ttg.local_alloc : () -> !a
    // CHECK: %[[EMPTY:[a-z0-9_]+]] = ttg.local_alloc
    // CHECK: %[[FULL:[a-z0-9_]+]] = ttg.local_alloc
    %aref = nvws.aref.create %a : !plain
    // CHECK: ttg.warp_specialize(%arg0, %arg1, %[[EMPTY]], %[[FULL]], %[[A]])
    ttg.warp_specialize(%aref, %s, %p)
    default {
      ttg.warp_yield
    }
    // CHECK: partition0(%[[S:[a-z0-9_]+]]: i32, %[[P:[a-z0-9_]+]]: i32, %[[E:[a-z0-9_]+]]: !ttg.memdesc<2x1xi64, {{.*}}, %[[F:[a-z0-9_]+]]: !ttg.memdesc<2x1xi64, {{.*}}, %{{.*}}: !ttg.memdesc<2x128x64xf16
    partition0(%mine: !plain, %st: i32, %ph: i32) num_warps(4) {
      // CHECK: %[[W:[a-z0-9_]+]] = ttg.memdesc_index %[[E]][%[[S]]]
      // CHECK: ttng.wait_barrier %[[W]], %[[P]]
      // CHECK: ttg.memdesc_index %[[F]][%[[S]]]
      %w, %put = nvws.aref.put.enter %mine[%st, %ph] : !plain -> !a1, !token
      nvws.aref.put.exit %mine[%st], %put [#nvws.async_op<none>] : !plain, !token
      ttg.warp_return
    } : (!plain, i32, i32) -> ()
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!a = !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>
!a1 = !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
!plain = !nvws.aref<[!a]>
!token = !ttg.async.token
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @no_stage(%a: !a) {
    %aref = nvws.aref.create %a : !plain
    // expected-error @below {{has no stage; run nvws-assign-stage-phase before nvws-lower-aref}}
    %w, %put = nvws.aref.put.enter %aref : !plain -> !a1, !token
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!a = !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>
!a1 = !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
!plain = !nvws.aref<[!a]>
!token = !ttg.async.token
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @counts_differ(%a: !a, %s: i32, %p: i32) {
    %aref = nvws.aref.create %a : !plain
    %w, %put = nvws.aref.put.enter %aref[%s, %p] : !plain -> !a1, !token
    // expected-note @below {{the other exit}}
    nvws.aref.put.exit %aref[%s], %put [#nvws.async_op<none>] : !plain, !token
    %w2, %put2 = nvws.aref.put.enter %aref[%s, %p] : !plain -> !a1, !token
    // expected-error @below {{arrives 2 times, and another exit of the same partition 1 times; the two must be equal, because the barrier has one count}}
    nvws.aref.put.exit %aref[%s], %put2 [#nvws.async_op<none>, #nvws.async_op<tma_load>] : !plain, !token
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!a = !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>
!a1 = !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
!plain = !nvws.aref<[!a]>
!token = !ttg.async.token
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @conditional(%a: !a, %d: !tt.tensordesc<128x64xf16, #shared>, %s: i32, %p: i32, %c: i1) {
    %aref = nvws.aref.create %a : !plain
    // expected-note @below {{entered here}}
    %w, %put = nvws.aref.put.enter %aref[%s, %p] : !plain -> !a1, !token
    scf.if %c {
      // expected-error @below {{fills a buffer in another block than its put's enter; both must be in the same block, because the enter announces the bytes}}
      nvws.descriptor_load %d[%s, %s] 16384 %w : !tt.tensordesc<128x64xf16, #shared>, i32, i32, !a1
    }
    nvws.aref.put.exit %aref[%s], %put [#nvws.async_op<tma_load>] : !plain, !token
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
!a1 = !ttg.memdesc<128x64xf16, #shared, #ttg.shared_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @no_put(%a: !a1, %d: !tt.tensordesc<128x64xf16, #shared>, %s: i32) {
    // expected-error @below {{completes on the barrier of a put, but its buffer is not from a put; a 'nvws.aref.put.enter' must provide it}}
    nvws.descriptor_load %d[%s, %s] 16384 %a : !tt.tensordesc<128x64xf16, #shared>, i32, i32, !a1
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
!ring = !ttg.memdesc<1x128xi32, #shared, #ttg.shared_memory, mutable>
!row = !ttg.memdesc<128xi32, #shared, #ttg.shared_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @two_puts(%memory: !ring, %s: i32, %p: i32) {
    %aref = nvws.aref.create %memory : !nvws.aref<[!ring]>
    // expected-error @below {{belongs to 2 partitions; the ops of a put must belong to exactly one}}
    %w, %put = nvws.aref.put.enter %aref[%s, %p] {ttg.partition = array<i32: 0, 1>} : !nvws.aref<[!ring]> -> !row, !ttg.async.token
    nvws.aref.put.exit %aref[%s], %put [#nvws.async_op<none>] {ttg.partition = array<i32: 0, 1>} : !nvws.aref<[!ring]>, !ttg.async.token
    tt.return
  }
}
