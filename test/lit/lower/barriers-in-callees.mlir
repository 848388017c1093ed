// A function that is called keeps order in the memory that it is given, in its own, and with what its caller did before.
// RUN: kernelscope opt --allocate-shared-memory --insert-proxy-fences --insert-barriers %s | FileCheck %s
// RUN: kernelscope run %s --device sim --compare | FileCheck %s --check-prefix=SIM
// SIM: differs from the CPU executor by at most 0.000e+00

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32, rank = 1}>
#smem = #ttg.shared_memory
!values = tensor<128xi32, #blocked>
!buffer = !ttg.memdesc<128xi32, #shared, #smem, mutable>
!tile = !ttg.memdesc<128xi32, #tile, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @kernel
  // CHECK-NOT: ttg.barrier
  // CHECK: tt.call @twice_reversed
  // CHECK-NEXT: tt.call @total
  // CHECK-NEXT: tt.splat
  // CHECK-NEXT: arith.addi
  // CHECK-NEXT: tt.call @total
  // CHECK-NOT: ttg.barrier
  // CHECK: tt.call @copy_out
  tt.func public @kernel(%out: !tt.tensordesc<128xi32, #tile>, %total: !tt.ptr<i32>) {
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : !values
    %m = ttg.local_alloc : () -> !buffer
    %t = ttg.local_alloc : () -> !tile
    %x = tt.call @twice_reversed(%m, %i) : (!buffer, !values) -> !values
    %a = tt.call @total(%x) : (!values) -> i32
    %s = tt.splat %a : i32 -> !values
    %y = arith.addi %x, %s : !values
    %b = tt.call @total(%y) : (!values) -> i32
    tt.store %total, %b : !tt.ptr<i32>
    tt.call @copy_out(%out, %t, %y) : (!tt.tensordesc<128xi32, #tile>, !tile, !values) -> ()
    tt.return
  }

  // The memory goes through two calls.
  // CHECK-LABEL: tt.func private @twice_reversed
  // CHECK-NOT: ttg.barrier
  // CHECK: tt.return
  tt.func private @twice_reversed(%m: !buffer, %x: !values) -> !values attributes {noinline = true} {
    %y = tt.call @reversed(%m, %x) : (!buffer, !values) -> !values
    %z = tt.call @reversed(%m, %y) : (!buffer, !values) -> !values
    tt.return %z : !values
  }

  // The second call stores where slow threads may still read for the first.
  // CHECK-LABEL: tt.func private @reversed
  // CHECK: ttg.barrier local
  // CHECK-NEXT: ttg.local_store
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttg.local_gather
  tt.func private @reversed(%m: !buffer, %x: !values) -> !values attributes {noinline = true} {
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : !values
    %last = arith.constant dense<127> : !values
    %j = arith.subi %last, %i : !values
    ttg.local_store %x, %m : !values -> !buffer
    %y = ttg.local_gather %m[%j] {axis = 0 : i32} : !buffer, !values -> !values
    tt.return %y : !values
  }

  // So it is with scratch memory.
  // CHECK-LABEL: tt.func private @total
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: tt.reduce
  tt.func private @total(%x: !values) -> i32 attributes {noinline = true} {
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      tt.reduce.return %c : i32
    }) : (!values) -> i32
    tt.return %s : i32
  }

  // CHECK-LABEL: tt.func private @copy_out
  // CHECK: ttg.local_store
  // CHECK-NEXT: ttng.fence_async_shared
  // CHECK-NEXT: ttg.barrier local
  // CHECK-NEXT: ttng.async_tma_copy_local_to_global
  tt.func private @copy_out(%out: !tt.tensordesc<128xi32, #tile>, %t: !tile, %x: !values) attributes {noinline = true} {
    %zero = arith.constant 0 : i32
    ttg.local_store %x, %t : !values -> !tile
    ttng.async_tma_copy_local_to_global %out[%zero] %t : !tt.tensordesc<128xi32, #tile>, !tile
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    tt.return
  }
}
