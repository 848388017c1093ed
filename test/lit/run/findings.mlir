// What the sanitizer finds, and what is wrong in any run: each kind with its message, on the op, and its notes.
// RUN: echo '{"grid": [2, 1, 1]}' > %t.json
// RUN: not kernelscope run %s --kernel read_while_written --device cpu 2>&1 | FileCheck %s --check-prefix=READ-WHILE-WRITTEN
// RUN: not kernelscope run %s --kernel written_while_read --device cpu 2>&1 | FileCheck %s --check-prefix=WRITTEN-WHILE-READ
// RUN: not kernelscope run %s --kernel gluons_product --device cpu 2>&1 | FileCheck %s --check-prefix=GLUONS-PRODUCT
// RUN: kernelscope run %s --kernel tritons_product --device cpu
// RUN: not kernelscope run %s --kernel no_fence --device cpu 2>&1 | FileCheck %s --check-prefix=NO-FENCE
// RUN: not kernelscope run %s --kernel not_published --device cpu 2>&1 | FileCheck %s --check-prefix=NOT-PUBLISHED
// RUN: not kernelscope run %s --kernel not_written --device cpu 2>&1 | FileCheck %s --check-prefix=NOT-WRITTEN
// RUN: not kernelscope run %s --kernel deallocated --device cpu 2>&1 | FileCheck %s --check-prefix=DEALLOCATED
// RUN: not kernelscope run %s --kernel outside_the_ring --device cpu 2>&1 | FileCheck %s --check-prefix=OUTSIDE-THE-RING
// RUN: not kernelscope run %s --kernel initialised_twice --device cpu 2>&1 | FileCheck %s --check-prefix=INITIALISED-TWICE
// RUN: not kernelscope run %s --kernel invalidated_with_waiters --device cpu 2>&1 | FileCheck %s --check-prefix=INVALIDATED-WITH-WAITERS
// RUN: not kernelscope run %s --kernel invalidated_before_its_signal --device cpu 2>&1 | FileCheck %s --check-prefix=INVALIDATED-BEFORE-ITS-SIGNAL
// RUN: not kernelscope run %s --kernel arrives_too_often --device cpu 2>&1 | FileCheck %s --check-prefix=ARRIVES-TOO-OFTEN
// RUN: not kernelscope run %s --kernel more_bytes --device cpu 2>&1 | FileCheck %s --check-prefix=MORE-BYTES
// RUN: not kernelscope run %s --kernel fewer_bytes --device cpu 2>&1 | FileCheck %s --check-prefix=FEWER-BYTES
// RUN: not kernelscope run %s --kernel programs_meet --device cpu --spec %t.json 2>&1 | FileCheck %s --check-prefix=PROGRAMS-MEET
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#t = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32, rank = 1}>
#smem = #ttg.shared_memory
!tensor = tensor<128xi32, #b>
!buffer = !ttg.memdesc<128xi32, #t, #smem, mutable>
!barrier = !ttg.memdesc<1xi64, #s, #smem, mutable>
!desc = !tt.tensordesc<128xi32, #t>
#w = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
!matrix = !ttg.memdesc<128x128xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>, #smem, mutable>
!accumulator = !ttg.memdesc<128x128xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {

  // A read while an asynchronous write is in flight.
  // READ-WHILE-WRITTEN: findings.mlir:[[#@LINE+12]]:10: error: program (0, 0, 0) reads shared memory while an asynchronous write to it may be in flight; a wait for the phase of the barrier that it completes must come in between
  // READ-WHILE-WRITTEN: findings.mlir:[[#@LINE+10]]:5: note: the asynchronous write starts here
  // READ-WHILE-WRITTEN: findings.mlir:[[#@LINE+7]]:5: note: it completes on the barrier initialised here
  // READ-WHILE-WRITTEN-NOT: error:
  tt.func public @read_while_written(%in: !desc) {
    %0 = arith.constant 0 : i32
    %true = arith.constant true
    %buf = ttg.local_alloc : () -> !buffer
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    ttng.barrier_expect %bar, 512, %true : !barrier
    ttng.async_tma_copy_global_to_local %in[%0] %buf, %bar, %true : !desc, !barrier -> !buffer
    %v = ttg.local_load %buf : !buffer -> !tensor
    ttng.wait_barrier %bar, %0 : !barrier
    tt.return
  }

  // A write while an asynchronous read is in flight.
  // WRITTEN-WHILE-READ: findings.mlir:[[#@LINE+11]]:5: error: program (0, 0, 0) writes shared memory while an asynchronous read of it may be in flight; a 'ttng.async_tma_store_wait' that covers it must come in between
  // WRITTEN-WHILE-READ: findings.mlir:[[#@LINE+9]]:5: note: the asynchronous read starts here
  // WRITTEN-WHILE-READ-NOT: error:
  tt.func public @written_while_read(%out: !desc) {
    %0 = arith.constant 0 : i32
    %true = arith.constant true
    %x = arith.constant dense<7> : !tensor
    %buf = ttg.local_alloc : () -> !buffer
    ttg.local_store %x, %buf : !tensor -> !buffer
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %out[%0] %buf : !desc, !buffer
    ttg.local_store %x, %buf : !tensor -> !buffer
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }

  // A product of Gluon's is asynchronous though it does not say so, and nothing is added that waits for it.
  // GLUONS-PRODUCT: findings.mlir:[[#@LINE+12]]:5: error: program (0, 0, 0) writes shared memory while an asynchronous read of it may be in flight; a wait for the barrier of a later 'ttng.tc_gen5_commit' must come in between
  // GLUONS-PRODUCT: findings.mlir:[[#@LINE+10]]:13: note: the asynchronous read starts here
  // GLUONS-PRODUCT-NOT: error:
  tt.func public @gluons_product() {
    %f = arith.constant false
    %true = arith.constant true
    %x = arith.constant dense<1.0> : tensor<128x128xf16, #w>
    %a = ttg.local_alloc %x : (tensor<128x128xf16, #w>) -> !matrix
    %b = ttg.local_alloc %x : (tensor<128x128xf16, #w>) -> !matrix
    ttng.fence_async_shared {bCluster = false}
    %d = ttng.tmem_alloc : () -> !accumulator
    %done = ttng.tc_gen5_mma %a, %b, %d[], %f, %true : !matrix, !matrix, !accumulator
    ttg.local_store %x, %a : tensor<128x128xf16, #w> -> !matrix
    tt.return
  }

  // A product of Triton's before the pass that adds the wait is done before the next op, and has no finding.
  tt.func public @tritons_product() {
    %f = arith.constant false
    %true = arith.constant true
    %x = arith.constant dense<1.0> : tensor<128x128xf16, #w>
    %a = ttg.local_alloc %x : (tensor<128x128xf16, #w>) -> !matrix
    %b = ttg.local_alloc %x : (tensor<128x128xf16, #w>) -> !matrix
    ttng.fence_async_shared {bCluster = false}
    %d, %t = ttng.tmem_alloc : () -> (!accumulator, !ttg.async.token)
    %done = ttng.tc_gen5_mma %a, %b, %d[%t], %f, %true : !matrix, !matrix, !accumulator
    ttg.local_store %x, %a : tensor<128x128xf16, #w> -> !matrix
    tt.return
  }

  // Ordinary stores and the async proxy without a fence between them.
  // NO-FENCE: findings.mlir:[[#@LINE+9]]:5: error: program (0, 0, 0) starts to read shared memory through the async proxy after ordinary stores to it; a 'ttng.fence_async_shared' must come in between
  // NO-FENCE: findings.mlir:[[#@LINE+7]]:5: note: the ordinary stores
  // NO-FENCE-NOT: error:
  tt.func public @no_fence(%out: !desc) {
    %0 = arith.constant 0 : i32
    %true = arith.constant true
    %x = arith.constant dense<7> : !tensor
    %buf = ttg.local_alloc : () -> !buffer
    ttg.local_store %x, %buf : !tensor -> !buffer
    ttng.async_tma_copy_local_to_global %out[%0] %buf : !desc, !buffer
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }

  // Data that one partition hands to another through no barrier.
  // NOT-PUBLISHED: findings.mlir:[[#@LINE+12]]:12: error: program (0, 0, 0) reads shared memory that another partition writes, and no barrier orders the two; after its access the other partition must arrive at a barrier that this one waits for first
  // NOT-PUBLISHED: findings.mlir:[[#@LINE+7]]:7: note: the other partition's write
  // NOT-PUBLISHED-NOT: error:
  tt.func public @not_published() {
    %x = arith.constant dense<7> : !tensor
    %buf = ttg.local_alloc : () -> !buffer
    ttg.warp_specialize(%buf)
    default {
      ttg.local_store %x, %buf : !tensor -> !buffer
      ttg.warp_yield
    }
    partition0(%b: !buffer) num_warps(4) {
      %v = ttg.local_load %b : !buffer -> !tensor
      ttg.warp_return
    } : (!buffer) -> ()
    tt.return
  }

  // A read of what nothing has written.
  // NOT-WRITTEN: findings.mlir:[[#@LINE+5]]:10: error: program (0, 0, 0) reads shared memory, but nothing has written 512 of the bytes that it needs
  // NOT-WRITTEN: findings.mlir:[[#@LINE+3]]:12: note: the buffer is allocated here
  // NOT-WRITTEN-NOT: error:
  tt.func public @not_written() {
    %buf = ttg.local_alloc : () -> !buffer
    %v = ttg.local_load %buf : !buffer -> !tensor
    tt.return
  }

  // A use after the deallocation.
  // DEALLOCATED: findings.mlir:[[#@LINE+8]]:10: error: program (0, 0, 0) reads shared memory that has been deallocated
  // DEALLOCATED: findings.mlir:[[#@LINE+6]]:5: note: it is deallocated here
  // DEALLOCATED-NOT: error:
  tt.func public @deallocated() {
    %x = arith.constant dense<7> : !tensor
    %buf = ttg.local_alloc : () -> !buffer
    ttg.local_store %x, %buf : !tensor -> !buffer
    ttg.local_dealloc %buf : !buffer
    %v = ttg.local_load %buf : !buffer -> !tensor
    tt.return
  }

  // An index outside a ring.
  // OUTSIDE-THE-RING: findings.mlir:[[#@LINE+5]]:13: error: program (0, 0, 0): index 3 is outside the 3 buffers of the memdesc
  // OUTSIDE-THE-RING-NOT: error:
  tt.func public @outside_the_ring() {
    %3 = arith.constant 3 : i32
    %ring = ttg.local_alloc : () -> !ttg.memdesc<3x128xi32, #t, #smem, mutable>
    %next = ttg.memdesc_index %ring[%3] : !ttg.memdesc<3x128xi32, #t, #smem, mutable> -> !buffer
    tt.return
  }

  // A barrier that is initialised twice.
  // INITIALISED-TWICE: findings.mlir:[[#@LINE+5]]:5: error: program (0, 0, 0): the barrier is already initialised; an inval_barrier must come in between
  // INITIALISED-TWICE-NOT: error:
  tt.func public @initialised_twice() {
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    ttng.init_barrier %bar, 2 : !barrier
    tt.return
  }

  // A barrier that is invalidated while a partition waits for it.
  // INVALIDATED-WITH-WAITERS: findings.mlir:[[#@LINE+13]]:7: error: program (0, 0, 0): the barrier is invalidated while another partition waits for it
  // INVALIDATED-WITH-WAITERS-NOT: error:
  tt.func public @invalidated_with_waiters() {
    %0 = arith.constant 0 : i32
    %true = arith.constant true
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    ttg.warp_specialize(%bar)
    default {
      ttng.wait_barrier %bar, %0 : !barrier
      ttg.warp_yield
    }
    partition0(%b: !barrier) num_warps(4) {
      ttng.inval_barrier %b : !barrier
      ttg.warp_return
    } : (!barrier) -> ()
    tt.return
  }

  // A barrier that is invalidated before another partition's tensor core has signalled it.
  // INVALIDATED-BEFORE-ITS-SIGNAL: findings.mlir:[[#@LINE+18]]:5: error: program (0, 0, 0) invalidates a barrier that asynchronous work has yet to signal; a wait for that phase must come first
  // INVALIDATED-BEFORE-ITS-SIGNAL: findings.mlir:[[#@LINE+14]]:7: note: the work that signals it
  // INVALIDATED-BEFORE-ITS-SIGNAL: findings.mlir:[[#@LINE+7]]:5: note: the barrier is initialised here
  // INVALIDATED-BEFORE-ITS-SIGNAL: findings.mlir:[[#@LINE+15]]:5: note: another partition has started the work, and nothing has waited for its end
  // INVALIDATED-BEFORE-ITS-SIGNAL-NOT: error:
  tt.func public @invalidated_before_its_signal() {
    %0 = arith.constant 0 : i32
    %true = arith.constant true
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    ttg.warp_specialize(%bar)
    default {
      ttg.warp_yield
    }
    partition0(%b: !barrier) num_warps(4) {
      ttng.tc_gen5_commit %b : !barrier
      ttg.warp_return
    } : (!barrier) -> ()
    ttng.inval_barrier %bar : !barrier
    tt.return
  }

  // Arrivals beyond the count of a barrier.
  // ARRIVES-TOO-OFTEN: findings.mlir:[[#@LINE+5]]:5: error: program (0, 0, 0): arrives 2 times at a barrier whose phase 0 needs only 1 of 1 arrivals
  // ARRIVES-TOO-OFTEN-NOT: error:
  tt.func public @arrives_too_often() {
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    ttng.arrive_barrier %bar, 2 : !barrier
    tt.return
  }

  // More bytes than a barrier expects.
  // MORE-BYTES: findings.mlir:[[#@LINE+9]]:5: error: program (0, 0, 0): copies 512 bytes that complete on a barrier whose phase 0 needs only 0 of 1 arrivals and 256 bytes
  // MORE-BYTES-NOT: error:
  tt.func public @more_bytes(%in: !desc) {
    %0 = arith.constant 0 : i32
    %true = arith.constant true
    %buf = ttg.local_alloc : () -> !buffer
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    ttng.barrier_expect %bar, 256, %true : !barrier
    ttng.async_tma_copy_global_to_local %in[%0] %buf, %bar, %true : !desc, !barrier -> !buffer
    ttng.wait_barrier %bar, %0 : !barrier
    tt.return
  }

  // Fewer bytes than a barrier expects.
  // FEWER-BYTES: findings.mlir:[[#@LINE+10]]:5: error: program (0, 0, 0): deadlock: it waits for phase 0 of the barrier, which still needs 0 of 1 arrivals and 512 bytes
  // FEWER-BYTES-NOT: error:
  tt.func public @fewer_bytes(%in: !desc) {
    %0 = arith.constant 0 : i32
    %true = arith.constant true
    %buf = ttg.local_alloc : () -> !buffer
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    ttng.barrier_expect %bar, 1024, %true : !barrier
    ttng.async_tma_copy_global_to_local %in[%0] %buf, %bar, %true : !desc, !barrier -> !buffer
    ttng.wait_barrier %bar, %0 : !barrier
    tt.return
  }

  // Two programs that write one address of global memory, without atomics.
  // PROGRAMS-MEET: findings.mlir:[[#@LINE+5]]:5: error: program (1, 0, 0) writes the element at offset 0 of argument 'p', which program (0, 0, 0) writes
  // PROGRAMS-MEET: findings.mlir:[[#@LINE+4]]:5: note: the access of program (0, 0, 0)
  // PROGRAMS-MEET-NOT: error:
  tt.func public @programs_meet(%p: !tt.ptr<i32>) {
    %i = tt.get_program_id x : i32
    tt.store %p, %i : !tt.ptr<i32>
    tt.return
  }
}
