// The operands of a product that are moved between warps are both stored before either is loaded, and so are other pairs.
// RUN: sed 's/^module attributes {/&kernelscope.own_layouts, /' %s > %t.own && kernelscope opt %t.own --split-input-file --store-operands-together | FileCheck %s
// RUN: kernelscope opt %s --split-input-file --store-operands-together | FileCheck %s --check-prefix=SAME

#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#turned = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#sums = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], order = [1, 0]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #sums}>
#right = #ttg.dot_op<{opIdx = 1, parent = #sums}>
#tall = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#tallleft = #ttg.dot_op<{opIdx = 0, parent = #tall}>
#tallright = #ttg.dot_op<{opIdx = 1, parent = #tall}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // For both there must be more memory than either takes.
  // SAME-LABEL: @once
  // SAME-NEXT: ttg.convert_layout
  // SAME-NEXT: ttg.convert_layout
  // SAME-NEXT: tt.splat
  // SAME-NEXT: tt.dot
  // CHECK-LABEL: @once
  // CHECK-NEXT: %[[A:.*]] = ttg.local_alloc %{{.*}} : (tensor<32x32xf32, #{{.*}}>) -> !ttg.memdesc<32x32xf32, #
  // CHECK-NEXT: %[[B:.*]] = ttg.local_alloc %{{.*}} : (tensor<32x32xf32, #{{.*}}>) -> !ttg.memdesc<32x32xf32, #
  // CHECK-NEXT: tt.splat
  // CHECK-NEXT: %[[LEFT:.*]] = ttg.local_load %[[A]]
  // CHECK-NEXT: %[[RIGHT:.*]] = ttg.local_load %[[B]]
  // CHECK-NEXT: tt.dot %[[LEFT]], %[[RIGHT]]
  tt.func public @once(%a: tensor<32x32xf32, #rows>, %b: tensor<32x32xf32, #rows>, %c: f32) -> tensor<32x32xf32, #sums> {
    %left = ttg.convert_layout %a : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #left>
    %right = ttg.convert_layout %b : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #right>
    %none = tt.splat %c : f32 -> tensor<32x32xf32, #sums>
    %d = tt.dot %left, %right, %none : tensor<32x32xf32, #left> * tensor<32x32xf32, #right> -> tensor<32x32xf32, #sums>
    tt.return %d : tensor<32x32xf32, #sums>
  }

  // So is one that needs no barrier because it stays within warps: the other would wait before it takes its place.
  // SAME-LABEL: @one_within_warps
  // SAME-NEXT: ttg.convert_layout
  // SAME-NEXT: ttg.convert_layout
  // SAME-NEXT: tt.dot
  // CHECK-LABEL: @one_within_warps
  // CHECK-NEXT: ttg.local_alloc
  // CHECK-NEXT: ttg.local_alloc
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: tt.dot
  tt.func public @one_within_warps(%a: tensor<32x32xf32, #rows>, %b: tensor<32x32xf32, #rows>, %c: tensor<32x32xf32, #tall>) -> tensor<32x32xf32, #tall> {
    %left = ttg.convert_layout %a : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #tallleft>
    %right = ttg.convert_layout %b : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #tallright>
    %d = tt.dot %left, %right, %c : tensor<32x32xf32, #tallleft> * tensor<32x32xf32, #tallright> -> tensor<32x32xf32, #tall>
    tt.return %d : tensor<32x32xf32, #tall>
  }

  // The one operand is loaded after the wait for copies of the other, with the same barrier.
  // SAME-LABEL: @beside_copies
  // SAME-NEXT: ttg.convert_layout
  // CHECK-LABEL: @beside_copies
  // CHECK-NEXT: %[[A:.*]] = ttg.local_alloc
  // CHECK-NEXT: %[[WAIT:.*]] = ttg.async_wait
  // CHECK-NEXT: %[[RIGHT:.*]] = ttg.local_load %{{.*}} token %[[WAIT]]
  // CHECK-NEXT: %[[LEFT:.*]] = ttg.local_load %[[A]]
  // CHECK-NEXT: tt.dot %[[LEFT]], %[[RIGHT]]
  tt.func public @beside_copies(%a: tensor<32x32xf32, #rows>, %b: !ttg.memdesc<32x32xf32, #shared, #smem, mutable>, %c: tensor<32x32xf32, #sums>) -> tensor<32x32xf32, #sums> {
    %left = ttg.convert_layout %a : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #left>
    %wait = ttg.async_wait {num = 0 : i32}
    %right = ttg.local_load %b token %wait : !ttg.memdesc<32x32xf32, #shared, #smem, mutable> -> tensor<32x32xf32, #right>
    %d = tt.dot %left, %right, %c : tensor<32x32xf32, #left> * tensor<32x32xf32, #right> -> tensor<32x32xf32, #sums>
    tt.return %d : tensor<32x32xf32, #sums>
  }

  // A buffer takes as much anyway.
  // SAME-LABEL: @within_what_is_taken
  // SAME: tt.trans
  // SAME-NEXT: ttg.local_alloc
  // SAME-NEXT: ttg.local_alloc
  // SAME-NEXT: ttg.local_load
  // SAME-NEXT: ttg.local_load
  // SAME-NEXT: tt.dot
  // CHECK-LABEL: @within_what_is_taken
  tt.func public @within_what_is_taken(%a: tensor<32x32xf32, #rows>, %big: tensor<64x64xf32, #rows>, %c: tensor<32x32xf32, #sums>) -> (tensor<32x32xf32, #sums>, tensor<64x64xf32, #sums>) {
    %buffer = ttg.local_alloc %big : (tensor<64x64xf32, #rows>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    %taken = ttg.local_load %buffer : !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #sums>
    %b = tt.trans %a {order = array<i32: 1, 0>} : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #turned>
    %left = ttg.convert_layout %a : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #left>
    %right = ttg.convert_layout %b : tensor<32x32xf32, #turned> -> tensor<32x32xf32, #right>
    %d = tt.dot %left, %right, %c : tensor<32x32xf32, #left> * tensor<32x32xf32, #right> -> tensor<32x32xf32, #sums>
    tt.return %d, %taken : tensor<32x32xf32, #sums>, tensor<64x64xf32, #sums>
  }

  // So are conversions of one value, whatever uses them.
  // CHECK-LABEL: @pair
  // CHECK-NEXT: %[[A:.*]] = ttg.local_alloc
  // CHECK-NEXT: %[[B:.*]] = ttg.local_alloc
  // CHECK-NEXT: %[[LEFT:.*]] = ttg.local_load %[[A]]
  // CHECK-NEXT: ttg.local_load %[[B]]
  tt.func public @pair(%a: tensor<32x32xf32, #rows>, %c: tensor<32x32xf32, #sums>) -> (tensor<32x32xf32, #left>, tensor<32x32xf32, #sums>) {
    %left = ttg.convert_layout %a : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #left>
    %right = ttg.convert_layout %a : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #right>
    %d = tt.dot %left, %right, %c : tensor<32x32xf32, #left> * tensor<32x32xf32, #right> -> tensor<32x32xf32, #sums>
    tt.return %left, %d : tensor<32x32xf32, #left>, tensor<32x32xf32, #sums>
  }

  // What makes the second one moves up, past a store, and a load does unless memory is written in between.
  // CHECK-LABEL: @past_store
  // CHECK: arith.addf
  // CHECK-NEXT: %[[A:.*]] = ttg.local_alloc
  // CHECK-NEXT: %[[B:.*]] = ttg.local_alloc
  // CHECK-NEXT: ttg.local_load %[[A]]
  // CHECK-NEXT: tt.store
  // CHECK-NEXT: ttg.local_load %[[B]]
  tt.func public @past_store(%a: tensor<32x32xf32, #rows>, %to: tensor<32x32x!tt.ptr<f32>, #sums>) -> tensor<32x32xf32, #sums> {
    %first = ttg.convert_layout %a : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #sums>
    tt.store %to, %first : tensor<32x32x!tt.ptr<f32>, #sums>
    %twice = arith.addf %a, %a : tensor<32x32xf32, #rows>
    %second = ttg.convert_layout %twice : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #sums>
    tt.return %second : tensor<32x32xf32, #sums>
  }

  // CHECK-LABEL: @loaded
  // CHECK-NEXT: tt.load
  // CHECK-NEXT: ttg.local_alloc
  // CHECK-NEXT: ttg.local_alloc
  tt.func public @loaded(%a: tensor<32x32xf32, #rows>, %from: tensor<32x32x!tt.ptr<f32>, #rows>) -> (tensor<32x32xf32, #sums>, tensor<32x32xf32, #sums>) {
    %first = ttg.convert_layout %a : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #sums>
    %x = tt.load %from : tensor<32x32x!tt.ptr<f32>, #rows>
    %second = ttg.convert_layout %x : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #sums>
    tt.return %first, %second : tensor<32x32xf32, #sums>, tensor<32x32xf32, #sums>
  }

  // CHECK-LABEL: @written
  // CHECK-NEXT: ttg.convert_layout
  // CHECK-NEXT: tt.store
  // CHECK-NEXT: tt.load
  // CHECK-NEXT: ttg.convert_layout
  tt.func public @written(%a: tensor<32x32xf32, #rows>, %to: tensor<32x32x!tt.ptr<f32>, #sums>, %from: tensor<32x32x!tt.ptr<f32>, #rows>) -> tensor<32x32xf32, #sums> {
    %first = ttg.convert_layout %a : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #sums>
    tt.store %to, %first : tensor<32x32x!tt.ptr<f32>, #sums>
    %x = tt.load %from : tensor<32x32x!tt.ptr<f32>, #rows>
    %second = ttg.convert_layout %x : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #sums>
    tt.return %second : tensor<32x32xf32, #sums>
  }

  // Not where the second needs the first.
  // CHECK-LABEL: @dependent
  // CHECK-NOT: ttg.local_alloc
  // CHECK: tt.return
  tt.func public @dependent(%a: tensor<32x32xf32, #rows>) -> tensor<32x32xf32, #rows> {
    %first = ttg.convert_layout %a : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #sums>
    %twice = arith.addf %first, %first : tensor<32x32xf32, #sums>
    %second = ttg.convert_layout %twice : tensor<32x32xf32, #sums> -> tensor<32x32xf32, #rows>
    tt.return %second : tensor<32x32xf32, #rows>
  }

  // Operands that need more memory than there is are converted.
  // CHECK-LABEL: @large
  // CHECK-NOT: ttg.local_alloc
  // CHECK: tt.return
  tt.func public @large(%a: tensor<256x256xf32, #rows>, %c: tensor<256x256xf32, #sums>) -> tensor<256x256xf32, #sums> {
    %left = ttg.convert_layout %a : tensor<256x256xf32, #rows> -> tensor<256x256xf32, #left>
    %right = ttg.convert_layout %a : tensor<256x256xf32, #rows> -> tensor<256x256xf32, #right>
    %d = tt.dot %left, %right, %c : tensor<256x256xf32, #left> * tensor<256x256xf32, #right> -> tensor<256x256xf32, #sums>
    tt.return %d : tensor<256x256xf32, #sums>
  }
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#sums = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [8, 8], warpsPerCTA = [2, 2], order = [1, 0]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #sums}>
#right = #ttg.dot_op<{opIdx = 1, parent = #sums}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  // Four warps of the 32 that share a memory have an eighth of it, which is what both operands take.
  // CHECK-LABEL: @once
  // CHECK-COUNT-2: ttg.local_alloc
  // CHECK-COUNT-2: ttg.local_load
  // CHECK: tt.dot
  tt.func public @once(%a: tensor<32x32xf32, #rows>, %b: tensor<32x32xf32, #rows>, %c: f32) -> tensor<32x32xf32, #sums> {
    %left = ttg.convert_layout %a : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #left>
    %right = ttg.convert_layout %b : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #right>
    %none = tt.splat %c : f32 -> tensor<32x32xf32, #sums>
    %d = tt.dot %left, %right, %none : tensor<32x32xf32, #left> * tensor<32x32xf32, #right> -> tensor<32x32xf32, #sums>
    tt.return %d : tensor<32x32xf32, #sums>
  }

  // These take more: one operand after the other.
  // CHECK-LABEL: @large_once
  // CHECK-NEXT: %[[A:.*]] = ttg.local_alloc
  // CHECK-NEXT: %[[LEFT:.*]] = ttg.local_load %[[A]]
  // CHECK-NEXT: %[[B:.*]] = ttg.local_alloc
  // CHECK-NEXT: %[[RIGHT:.*]] = ttg.local_load %[[B]]
  tt.func public @large_once(%a: tensor<64x64xf32, #rows>, %b: tensor<64x64xf32, #rows>, %c: f32) -> tensor<64x64xf32, #sums> {
    %left = ttg.convert_layout %a : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #left>
    %right = ttg.convert_layout %b : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #right>
    %none = tt.splat %c : f32 -> tensor<64x64xf32, #sums>
    %d = tt.dot %left, %right, %none : tensor<64x64xf32, #left> * tensor<64x64xf32, #right> -> tensor<64x64xf32, #sums>
    tt.return %d : tensor<64x64xf32, #sums>
  }

  // In a loop, each barrier costs more.
  // CHECK-LABEL: @loop
  // CHECK-COUNT-2: ttg.local_alloc
  // CHECK-COUNT-2: ttg.local_load
  // CHECK-NEXT: tt.dot
  tt.func public @loop(%a: tensor<32x32xf32, #rows>, %b: tensor<32x32xf32, #rows>, %c: tensor<32x32xf32, #sums>, %n: i32) -> tensor<32x32xf32, #sums> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (tensor<32x32xf32, #sums>) : i32 {
      %left = ttg.convert_layout %a : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #left>
      %right = ttg.convert_layout %b : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #right>
      %d = tt.dot %left, %right, %acc : tensor<32x32xf32, #left> * tensor<32x32xf32, #right> -> tensor<32x32xf32, #sums>
      scf.yield %d : tensor<32x32xf32, #sums>
    }
    tt.return %sum : tensor<32x32xf32, #sums>
  }
}

// -----

// Outside a function, there is no memory.
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#sums = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], order = [1, 0]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #sums}>
#right = #ttg.dot_op<{opIdx = 1, parent = #sums}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: ttg.target = "cuda:80"
  // CHECK-NOT: ttg.local_alloc
  // CHECK: tt.dot
  %a = arith.constant dense<1.0> : tensor<32x32xf32, #rows>
  %none = arith.constant dense<0.0> : tensor<32x32xf32, #sums>
  %left = ttg.convert_layout %a : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #left>
  %right = ttg.convert_layout %a : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #right>
  %d = tt.dot %left, %right, %none : tensor<32x32xf32, #left> * tensor<32x32xf32, #right> -> tensor<32x32xf32, #sums>
}
