// Barriers stand where one thread could overtake another in shared memory, and nowhere else.
// RUN: kernelscope opt --allocate-tensor-memory --allocate-shared-memory --insert-barriers %s | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#eight = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#cols = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#lanes = #ttg.blocked<{sizePerThread = [1, 128], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#left_lanes = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#halves = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 2], order = [0, 1]}>
#left_halves = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [32, 1], warpsPerCTA = [4, 2], order = [0, 1]}>
#whole = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#part = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#operand = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
!cells = !ttg.memdesc<128x128xf32, #whole, #ttng.tensor_memory, mutable>
!left = !ttg.memdesc<128x64xf32, #part, #ttng.tensor_memory, mutable, 128x128>
!operand = !ttg.memdesc<128x128xf16, #operand, #smem>
!buffer = !ttg.memdesc<128xf32, #shared, #smem, mutable>
!ring = !ttg.memdesc<2x128xf32, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @write_then_read
  tt.func @write_then_read(%x: tensor<128xf32, #blocked>) {
    // CHECK: ttg.local_alloc
    // CHECK-NEXT: ttg.local_store
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttg.local_load
    // CHECK-NEXT: ttg.local_load
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttg.local_store
    // CHECK-NEXT: tt.return
    %m = ttg.local_alloc : () -> !buffer
    ttg.local_store %x, %m : tensor<128xf32, #blocked> -> !buffer
    %y = ttg.local_load %m : !buffer -> tensor<128xf32, #blocked>
    %z = ttg.local_load %m : !buffer -> tensor<128xf32, #blocked>
    ttg.local_store %y, %m : tensor<128xf32, #blocked> -> !buffer
    tt.return
  }

  // Different buffers that live at once do not disturb each other.
  // CHECK-LABEL: @two_buffers
  tt.func @two_buffers(%x: tensor<128xf32, #blocked>) {
    // CHECK-NOT: ttg.barrier
    // CHECK: tt.return
    %m = ttg.local_alloc : () -> !buffer
    %n = ttg.local_alloc : () -> !buffer
    ttg.local_store %x, %m : tensor<128xf32, #blocked> -> !buffer
    ttg.local_store %x, %n : tensor<128xf32, #blocked> -> !buffer
    ttg.local_dealloc %m : !buffer
    ttg.local_dealloc %n : !buffer
    tt.return
  }

  // Constant indices and windows name parts of a buffer; those that do not overlap need no barrier between them.
  // CHECK-LABEL: @parts_of_a_buffer
  tt.func @parts_of_a_buffer(%x: tensor<128xf32, #blocked>, %h: tensor<64xf32, #blocked>) {
    // CHECK-NOT: ttg.barrier
    // CHECK: ttg.local_load {{.*}} -> tensor<64xf32
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttg.local_load {{.*}} -> tensor<128xf32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    %a = ttg.memdesc_index %ring[%zero] : !ring -> !buffer
    %b = ttg.memdesc_index %ring[%one] : !ring -> !buffer
    %low = ttg.memdesc_subslice %b[0] : !buffer -> !ttg.memdesc<64xf32, #shared, #smem, mutable, 128>
    %high = ttg.memdesc_subslice %b[64] : !buffer -> !ttg.memdesc<64xf32, #shared, #smem, mutable, 128>
    ttg.local_store %x, %a : tensor<128xf32, #blocked> -> !buffer
    ttg.local_store %h, %low : tensor<64xf32, #blocked> -> !ttg.memdesc<64xf32, #shared, #smem, mutable, 128>
    %y = ttg.local_load %high : !ttg.memdesc<64xf32, #shared, #smem, mutable, 128> -> tensor<64xf32, #blocked>
    %z = ttg.local_load %a : !buffer -> tensor<128xf32, #blocked>
    tt.return
  }

  // An index that is not a constant may name any buffer of the ring.
  // CHECK-LABEL: @any_of_a_ring
  tt.func @any_of_a_ring(%x: tensor<128xf32, #blocked>, %i: i32) {
    // CHECK: ttg.local_store
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttg.local_load
    %zero = arith.constant 0 : i32
    %ring = ttg.local_alloc : () -> !ring
    %a = ttg.memdesc_index %ring[%zero] : !ring -> !buffer
    %b = ttg.memdesc_index %ring[%i] : !ring -> !buffer
    ttg.local_store %x, %a : tensor<128xf32, #blocked> -> !buffer
    %y = ttg.local_load %b : !buffer -> tensor<128xf32, #blocked>
    tt.return
  }

  // What is read at the end of one round is written at the start of the next.
  // CHECK-LABEL: @loop
  tt.func @loop(%x: tensor<128xf32, #blocked>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !buffer
    // CHECK: scf.for
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttg.local_store
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttg.local_load
    scf.for %i = %zero to %n step %one : i32 {
      ttg.local_store %x, %m : tensor<128xf32, #blocked> -> !buffer
      %y = ttg.local_load %m : !buffer -> tensor<128xf32, #blocked>
    }
    tt.return
  }

  // Either branch may have written.
  // CHECK-LABEL: @branch
  tt.func @branch(%x: tensor<128xf32, #blocked>, %p: i1) {
    %m = ttg.local_alloc : () -> !buffer
    // CHECK: scf.if
    // CHECK-NOT: ttg.barrier
    // CHECK: }
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttg.local_load
    scf.if %p {
      ttg.local_store %x, %m : tensor<128xf32, #blocked> -> !buffer
    }
    %y = ttg.local_load %m : !buffer -> tensor<128xf32, #blocked>
    tt.return
  }

  // A conversion has a barrier of its own between its stores and loads; the next one that uses
  // the same bytes waits for its loads.
  // CHECK-LABEL: @scratch
  tt.func @scratch(%x: tensor<32x32xf32, #rows>) {
    // CHECK-NEXT: ttg.convert_layout {{.*}}allocation.offset = 0
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttg.convert_layout {{.*}}allocation.offset = 0
    %y = ttg.convert_layout %x : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #cols>
    %z = ttg.convert_layout %y : tensor<32x32xf32, #cols> -> tensor<32x32xf32, #rows>
    tt.return
  }

  // A thread waits for its own copies only; the barrier is for the others'.
  // CHECK-LABEL: @async
  tt.func @async(%p: tensor<128x!tt.ptr<f32>, #blocked>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ring
    %a = ttg.memdesc_index %ring[%zero] : !ring -> !buffer
    %b = ttg.memdesc_index %ring[%one] : !ring -> !buffer
    // Two copies on their way: a barrier would not order them.
    // CHECK: ttg.async_copy_global_to_local
    // CHECK-NOT: ttg.barrier
    // CHECK: ttg.async_copy_global_to_local
    %s = ttg.async_copy_global_to_local %p, %a : tensor<128x!tt.ptr<f32>, #blocked> -> !buffer
    %t = ttg.async_copy_global_to_local %p, %b : tensor<128x!tt.ptr<f32>, #blocked> -> !buffer
    %c = ttg.async_commit_group tokens %s, %t
    // CHECK: ttg.async_wait
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttg.local_load
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttg.async_copy_global_to_local
    %w = ttg.async_wait %c {num = 0 : i32}
    %x = ttg.local_load %a token %w : !buffer -> tensor<128xf32, #blocked>
    %u = ttg.async_copy_global_to_local %p, %a : tensor<128x!tt.ptr<f32>, #blocked> -> !buffer
    tt.return
  }

  // One that stands already is not doubled.
  // CHECK-LABEL: @has_one
  tt.func @has_one(%x: tensor<128xf32, #blocked>) {
    // CHECK: ttg.local_store
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttg.local_load
    %m = ttg.local_alloc : () -> !buffer
    ttg.local_store %x, %m : tensor<128xf32, #blocked> -> !buffer
    ttg.barrier local
    %y = ttg.local_load %m : !buffer -> tensor<128xf32, #blocked>
    tt.return
  }

  // What partitions are handed overwrites what warps may still read; a partition's barriers are its own affair.
  // CHECK-LABEL: @captures
  tt.func public @captures(%x: tensor<128x128xf32, #rows>, %n: !tt.ptr<i32>) {
    // CHECK: ttg.convert_layout
    // CHECK-NEXT: tt.load
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttg.warp_specialize
    // CHECK: partition0
    // CHECK: ttg.local_store
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttg.local_load
    // CHECK-NEXT: ttg.warp_return
    %y = ttg.convert_layout %x : tensor<128x128xf32, #rows> -> tensor<128x128xf32, #cols>
    %m = tt.load %n : !tt.ptr<i32>
    ttg.warp_specialize(%m)
    default {
      ttg.warp_yield
    }
    partition0(%k: i32) num_warps(4) {
      %b = ttg.local_alloc : () -> !buffer
      %v = tt.splat %k : i32 -> tensor<128xi32, #blocked>
      %f = arith.sitofp %v : tensor<128xi32, #blocked> to tensor<128xf32, #blocked>
      ttg.local_store %f, %b : tensor<128xf32, #blocked> -> !buffer
      %w = ttg.local_load %b : !buffer -> tensor<128xf32, #blocked>
      ttg.warp_return
    } : (i32) -> ()
    tt.return
  }

  // No barrier waits for a copy in flight: only a wait does, and what it brings needs one then.
  // CHECK-LABEL: @in_flight
  tt.func @in_flight(%p: tensor<128x!tt.ptr<f32>, #blocked>, %i: i32) {
    %ring = ttg.local_alloc : () -> !ring
    %a = ttg.memdesc_index %ring[%i] : !ring -> !buffer
    // CHECK: ttg.async_copy_global_to_local
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttg.async_wait
    // CHECK-NEXT: ttg.barrier local
    // CHECK-NEXT: ttg.local_load
    %t = ttg.async_copy_global_to_local %p, %a : tensor<128x!tt.ptr<f32>, #blocked> -> !buffer
    ttg.barrier local
    %w = ttg.async_wait %t {num = 0 : i32}
    %x = ttg.local_load %a token %w : !buffer -> tensor<128xf32, #blocked>
    tt.return
  }

  // A barrier that does not order shared memory is none, unless it can stand for one that does.
  // CHECK-LABEL: @of_global_memory
  tt.func @of_global_memory(%x: tensor<128xf32, #blocked>) {
    // CHECK: ttg.barrier global_read
    // CHECK-NEXT: ttg.local_store
    // CHECK-NEXT: ttg.barrier local|global_read
    // CHECK-NEXT: ttg.local_load
    %m = ttg.local_alloc : () -> !buffer
    ttg.barrier global_read
    ttg.local_store %x, %m : tensor<128xf32, #blocked> -> !buffer
    ttg.barrier global_read
    %y = ttg.local_load %m : !buffer -> tensor<128xf32, #blocked>
    tt.return
  }

  // Each of four warps loads and stores its own 32 lanes of tensor memory: only the tensor core is ordered with others.
  // CHECK-LABEL: @lanes_of_a_warp
  // CHECK: ttng.tmem_store
  // CHECK-NOT: ttg.barrier
  // CHECK: ttng.tmem_store
  // CHECK-NEXT: ttng.tmem_load
  // CHECK-NEXT: ttg.barrier tensor_read|tensor_write
  // CHECK-NEXT: ttng.tc_gen5_mma
  tt.func @lanes_of_a_warp(%x: tensor<128x128xf32, #lanes>, %a: !operand, %b: !operand, %done: !ttg.memdesc<1xi64, #shared, #smem, mutable>) {
    %true = arith.constant true
    %m = ttng.tmem_alloc : () -> !cells
    ttng.tmem_store %x, %m, %true : tensor<128x128xf32, #lanes> -> !cells
    %left = ttng.tmem_subslice %m {N = 0 : i32} : !cells -> !left
    %y = ttng.tmem_load %left : !left -> tensor<128x64xf32, #left_lanes>
    ttng.tmem_store %y, %left, %true : tensor<128x64xf32, #left_lanes> -> !left
    %z = ttng.tmem_load %m : !cells -> tensor<128x128xf32, #lanes>
    ttng.tc_gen5_mma %a, %b, %m, %true, %true, %done[%true] {is_async} : !operand, !operand, !cells, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    tt.return
  }

  // Of eight, two have the same lanes, and other columns in one layout than in another.
  // CHECK-LABEL: @columns_of_a_warp
  // CHECK: ttng.tmem_store
  // CHECK-NEXT: ttng.tmem_load
  // CHECK-NEXT: ttng.tmem_subslice
  // CHECK-NEXT: ttg.barrier tensor_read|tensor_write
  // CHECK-NEXT: ttng.tmem_store
  tt.func @columns_of_a_warp(%x: tensor<128x128xf32, #halves>, %y: tensor<128x64xf32, #left_halves>) attributes {"ttg.num-warps" = 8 : i32} {
    %true = arith.constant true
    %m = ttng.tmem_alloc : () -> !cells
    ttng.tmem_store %x, %m, %true : tensor<128x128xf32, #halves> -> !cells
    %z = ttng.tmem_load %m : !cells -> tensor<128x128xf32, #halves>
    %left = ttng.tmem_subslice %m {N = 0 : i32} : !cells -> !left
    ttng.tmem_store %y, %left, %true : tensor<128x64xf32, #left_halves> -> !left
    tt.return
  }

  // A barrier in front of an access orders the other memory, too, for an access after it, if nothing in between does, and nothing
  // waits.
  // CHECK-LABEL: @both_memories
  // CHECK: ttng.tmem_load
  // CHECK-NEXT: ttg.barrier local|tensor_read|tensor_write
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: ttng.tmem_subslice
  // CHECK-NEXT: ttng.tmem_store
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_store
  // CHECK-NEXT: ttng.tmem_load
  // CHECK-NEXT: ttg.barrier tensor_read|tensor_write
  // CHECK-NEXT: ttng.tmem_store
  tt.func @both_memories(%x: tensor<128x128xf32, #halves>, %y: tensor<128x64xf32, #left_halves>, %v: tensor<128xf32, #eight>) attributes {"ttg.num-warps" = 8 : i32} {
    %true = arith.constant true
    %buffer = ttg.local_alloc : () -> !buffer
    %m = ttng.tmem_alloc : () -> !cells
    ttng.tmem_store %x, %m, %true : tensor<128x128xf32, #halves> -> !cells
    ttg.local_store %v, %buffer : tensor<128xf32, #eight> -> !buffer
    %z = ttng.tmem_load %m : !cells -> tensor<128x128xf32, #halves>
    %w = ttg.local_load %buffer : !buffer -> tensor<128xf32, #eight>
    %left = ttng.tmem_subslice %m {N = 0 : i32} : !cells -> !left
    ttng.tmem_store %y, %left, %true : tensor<128x64xf32, #left_halves> -> !left
    ttg.local_store %w, %buffer : tensor<128xf32, #eight> -> !buffer
    %u = ttng.tmem_load %left : !left -> tensor<128x64xf32, #left_halves>
    ttng.tmem_store %x, %m, %true : tensor<128x128xf32, #halves> -> !cells
    tt.return
  }
}
