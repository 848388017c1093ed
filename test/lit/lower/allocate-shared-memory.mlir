// Buffers that never live at once share bytes; the module says how many there are in all.
// RUN: kernelscope opt --allocate-shared-memory %s | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#pairs = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#padded = #ttg.padded_shared<[64:+4] {order = [0], shape = [128]}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<128xf32, #shared, #smem, mutable>
!ring = !ttg.memdesc<3x128xf32, #shared, #smem, mutable>
// CHECK: module attributes {{.*}}ttg.shared = 2048 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @one_after_the_other
  tt.func public @one_after_the_other(%x: tensor<128xf32, #blocked>) {
    // CHECK: ttg.local_alloc {{.*}}allocation.offset = 0
    %m = ttg.local_alloc : () -> !buffer
    ttg.local_store %x, %m : tensor<128xf32, #blocked> -> !buffer
    ttg.local_dealloc %m : !buffer
    // CHECK: ttg.local_alloc {{.*}}allocation.offset = 0
    %n = ttg.local_alloc : () -> !buffer
    ttg.local_store %x, %n : tensor<128xf32, #blocked> -> !buffer
    tt.return
  }

  // A ring of three and one beside it.
  // CHECK-LABEL: @both
  tt.func public @both(%x: tensor<128xf32, #blocked>, %i: i32) {
    // CHECK: ttg.local_alloc {{.*}}allocation.offset = 1536
    // CHECK: ttg.local_alloc {{.*}}allocation.offset = 0
    %m = ttg.local_alloc : () -> !buffer
    %ring = ttg.local_alloc : () -> !ring
    %n = ttg.memdesc_index %ring[%i] : !ring -> !buffer
    ttg.local_store %x, %n : tensor<128xf32, #blocked> -> !buffer
    ttg.local_store %x, %m : tensor<128xf32, #blocked> -> !buffer
    tt.return
  }

  // A buffer from before a loop lives until the loop ends, whatever its last use in the text.
  // CHECK-LABEL: @loop
  tt.func public @loop(%x: tensor<128xf32, #blocked>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    // CHECK: ttg.local_alloc {{.*}}allocation.offset = [[OUTER:[0-9]+]]
    %m = ttg.local_alloc : () -> !buffer
    scf.for %i = %zero to %n step %one : i32 {
      ttg.local_store %x, %m : tensor<128xf32, #blocked> -> !buffer
      // CHECK-NOT: allocation.offset = [[OUTER]] :
      // CHECK: ttg.local_alloc
      %inner = ttg.local_alloc %x : (tensor<128xf32, #blocked>) -> !ttg.memdesc<128xf32, #shared, #smem>
      %y = ttg.local_load %inner : !ttg.memdesc<128xf32, #shared, #smem> -> tensor<128xf32, #blocked>
    }
    tt.return
  }

  // Within the memory that is taken anyway, exchanges use two places in turn: the barrier in the middle of one is the
  // other's, too.
  // CHECK-LABEL: @exchanges_in_turn
  tt.func public @exchanges_in_turn(%x: tensor<128xf32, #blocked>, %y: tensor<256xf32, #blocked>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    // CHECK: allocation.offset = 0 : i32} : tensor<256xf32
    %a = ttg.convert_layout %y : tensor<256xf32, #blocked> -> tensor<256xf32, #pairs>
    // CHECK: scf.for
    scf.for %i = %zero to %n step %one : i32 {
      // CHECK: ttg.convert_layout {{.*}}allocation.offset = [[FIRST:[0-9]+]] : i32} : tensor<128xf32
      %b = ttg.convert_layout %x : tensor<128xf32, #blocked> -> tensor<128xf32, #pairs>
      // CHECK-NOT: allocation.offset = [[FIRST]] : i32
      // CHECK: ttg.convert_layout
      %c = ttg.convert_layout %x : tensor<128xf32, #blocked> -> tensor<128xf32, #pairs>
    }
    tt.return
  }

  // A loop may not run, so that its barriers are not sure to be between what is before and after it. The first exchange can
  // take the loop's place, which needs a barrier anyway.
  // CHECK-LABEL: @around_a_loop
  tt.func public @around_a_loop(%x: tensor<128xf32, #blocked>, %y: tensor<256xf32, #blocked>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    // CHECK: ttg.convert_layout {{.*}}allocation.offset = [[LOOP:[0-9]+]] : i32} : tensor<128xf32
    %a = ttg.convert_layout %x : tensor<128xf32, #blocked> -> tensor<128xf32, #pairs>
    scf.for %i = %zero to %n step %one : i32 {
      // CHECK: ttg.local_alloc {{.*}}allocation.offset = [[LOOP]] : i32
      %m = ttg.local_alloc %x : (tensor<128xf32, #blocked>) -> !ttg.memdesc<128xf32, #shared, #smem>
      %v = ttg.local_load %m : !ttg.memdesc<128xf32, #shared, #smem> -> tensor<128xf32, #pairs>
    }
    // CHECK-NOT: allocation.offset = [[LOOP]] : i32} : tensor<128xf32
    // CHECK: ttg.convert_layout
    %b = ttg.convert_layout %x : tensor<128xf32, #blocked> -> tensor<128xf32, #pairs>
    // CHECK: ttg.convert_layout
    %c = ttg.convert_layout %y : tensor<256xf32, #blocked> -> tensor<256xf32, #pairs>
    tt.return
  }

  // After an early return, buffers that do not live at once share their place.
  // CHECK-LABEL: @early_return
  tt.func public @early_return(%x: tensor<128xf32, #blocked>, %stop: i1) {
    cf.cond_br %stop, ^end, ^work
  ^end:
    tt.return
  ^work:
    // CHECK: ttg.local_alloc {{.*}}allocation.offset = [[PLACE:[0-9]+]]
    // CHECK: ttg.local_alloc {{.*}}allocation.offset = [[PLACE]] :
    %m = ttg.local_alloc %x : (tensor<128xf32, #blocked>) -> !ttg.memdesc<128xf32, #shared, #smem>
    %y = ttg.local_load %m : !ttg.memdesc<128xf32, #shared, #smem> -> tensor<128xf32, #blocked>
    %n = ttg.local_alloc %y : (tensor<128xf32, #blocked>) -> !ttg.memdesc<128xf32, #shared, #smem>
    %z = ttg.local_load %n : !ttg.memdesc<128xf32, #shared, #smem> -> tensor<128xf32, #blocked>
    tt.return
  }

  // A gap of 4 elements after the first 64 of 128, none at the end: 528 bytes, so the next starts there.
  // CHECK-LABEL: @gaps
  tt.func public @gaps(%x: tensor<128xf32, #blocked>) {
    // CHECK: ttg.local_alloc {{.*}}allocation.offset = 0
    // CHECK: ttg.local_alloc {{.*}}allocation.offset = 528
    %m = ttg.local_alloc : () -> !ttg.memdesc<128xf32, #padded, #smem, mutable>
    %n = ttg.local_alloc : () -> !buffer
    ttg.local_store %x, %m : tensor<128xf32, #blocked> -> !ttg.memdesc<128xf32, #padded, #smem, mutable>
    ttg.local_store %x, %n : tensor<128xf32, #blocked> -> !buffer
    tt.return
  }

  // Each of three barriers has 8 bytes, so the next ring begins 24 bytes later.
  // CHECK-LABEL: @barriers
  tt.func public @barriers() {
    // CHECK: ttg.local_alloc {{.*}}allocation.offset = 0
    // CHECK: ttg.local_alloc {{.*}}allocation.offset = 24
    %full = ttg.local_alloc : () -> !ttg.memdesc<3x1xi64, #shared, #smem, mutable>
    %empty = ttg.local_alloc : () -> !ttg.memdesc<3x1xi64, #shared, #smem, mutable>
    ttg.local_dealloc %full : !ttg.memdesc<3x1xi64, #shared, #smem, mutable>
    ttg.local_dealloc %empty : !ttg.memdesc<3x1xi64, #shared, #smem, mutable>
    tt.return
  }

  // Partitions run at once, but each does one thing after the other: the first has 512 bytes for two buffers.
  // CHECK-LABEL: @partitions
  tt.func public @partitions() {
    ttg.warp_specialize()
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      %x = arith.constant dense<1.0> : tensor<128xf32, #blocked>
      // CHECK: ttg.local_alloc {{.*}}allocation.offset = [[FIRST:[0-9]+]] :
      %m = ttg.local_alloc %x : (tensor<128xf32, #blocked>) -> !ttg.memdesc<128xf32, #shared, #smem>
      %y = ttg.local_load %m : !ttg.memdesc<128xf32, #shared, #smem> -> tensor<128xf32, #blocked>
      // CHECK: ttg.local_alloc {{.*}}allocation.offset = [[FIRST]] :
      %n = ttg.local_alloc %y : (tensor<128xf32, #blocked>) -> !ttg.memdesc<128xf32, #shared, #smem>
      %z = ttg.local_load %n : !ttg.memdesc<128xf32, #shared, #smem> -> tensor<128xf32, #blocked>
      ttg.warp_return
    }
    partition1() num_warps(4) {
      %x = arith.constant dense<2.0> : tensor<128xf32, #blocked>
      // CHECK-NOT: allocation.offset = [[FIRST]] :
      %m = ttg.local_alloc %x : (tensor<128xf32, #blocked>) -> !ttg.memdesc<128xf32, #shared, #smem>
      %y = ttg.local_load %m : !ttg.memdesc<128xf32, #shared, #smem> -> tensor<128xf32, #blocked>
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}
