// RUN: kernelscope opt %s --split-input-file --sink-operands | FileCheck %s

// A conversion whose result takes many registers goes before its first use, and small ones stay.
#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #rows}>
#right = #ttg.dot_op<{opIdx = 1, parent = #rows}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @product
  // CHECK: %[[LEFT:.*]] = ttg.convert_layout %{{.*}} -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 0,
  // CHECK: %[[SUMS:.*]] = tt.load
  // CHECK-NEXT: %[[RIGHT:.*]] = ttg.convert_layout %{{.*}} -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 1,
  // CHECK-NEXT: tt.dot %[[LEFT]], %[[RIGHT]], %[[SUMS]]
  tt.func public @product(%p: tensor<32x32x!tt.ptr<f32>, #rows>) -> tensor<32x32xf32, #rows> {
    %x = tt.load %p : tensor<32x32x!tt.ptr<f32>, #rows>
    %right = ttg.convert_layout %x : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #right>
    %left = ttg.convert_layout %x : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #left>
    %sums = tt.load %p : tensor<32x32x!tt.ptr<f32>, #rows>
    %d = tt.dot %left, %right, %sums : tensor<32x32xf32, #left> * tensor<32x32xf32, #right> -> tensor<32x32xf32, #rows>
    tt.return %d : tensor<32x32xf32, #rows>
  }

  // Not into a loop, where it would be done again and again.
  // CHECK-LABEL: @loop
  // CHECK-COUNT-2: tt.load
  // CHECK-NEXT: %[[RIGHT:.*]] = ttg.convert_layout
  // CHECK-NEXT: scf.for
  // CHECK: tt.dot %{{.*}}, %[[RIGHT]]
  tt.func public @loop(%p: tensor<32x32x!tt.ptr<f32>, #rows>, %left: tensor<32x32xf32, #left>, %n: i32) -> tensor<32x32xf32, #rows> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %x = tt.load %p : tensor<32x32x!tt.ptr<f32>, #rows>
    %right = ttg.convert_layout %x : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #right>
    %none = tt.load %p : tensor<32x32x!tt.ptr<f32>, #rows>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none) -> (tensor<32x32xf32, #rows>) : i32 {
      %d = tt.dot %left, %right, %acc : tensor<32x32xf32, #left> * tensor<32x32xf32, #right> -> tensor<32x32xf32, #rows>
      scf.yield %d : tensor<32x32xf32, #rows>
    }
    tt.return %sum : tensor<32x32xf32, #rows>
  }
}

// -----

// The left operand of a wgmma is made after the right one has been stored, but loaded before anything else is written.
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @wgmma
  // CHECK: %[[RIGHT:.*]] = ttg.local_alloc
  // CHECK-NEXT: %[[LEFT:.*]] = ttg.local_load
  // CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[LEFT]]
  // CHECK-NEXT: tt.splat
  // CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[WIDE]]
  // CHECK-NEXT: ttng.fence_async_shared
  // CHECK-NEXT: ttng.warp_group_dot %[[SCALED]], %[[RIGHT]]
  tt.func public @wgmma(%x: !ttg.memdesc<128x128xf8E5M2, #shared, #smem>, %y: tensor<128x64xf16, #blocked>, %scale: f16, %c: tensor<128x64xf32, #mma>) -> tensor<128x64xf32, #mma> {
    %narrow = ttg.local_load %x : !ttg.memdesc<128x128xf8E5M2, #shared, #smem> -> tensor<128x128xf8E5M2, #left>
    %wide = arith.extf %narrow : tensor<128x128xf8E5M2, #left> to tensor<128x128xf16, #left>
    %scales = tt.splat %scale : f16 -> tensor<128x128xf16, #left>
    %a = arith.mulf %wide, %scales : tensor<128x128xf16, #left>
    %twice = arith.addf %y, %y : tensor<128x64xf16, #blocked>
    %b = ttg.local_alloc %twice : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    %d = ttng.warp_group_dot %a, %b, %c : tensor<128x128xf16, #left> * !ttg.memdesc<128x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
    tt.return %d : tensor<128x64xf32, #mma>
  }

  // CHECK-LABEL: @written
  // CHECK: ttg.local_load
  // CHECK: ttg.local_store
  // CHECK: ttg.local_alloc
  // CHECK: arith.extf
  tt.func public @written(%x: !ttg.memdesc<128x128xf8E5M2, #shared, #smem, mutable>, %next: tensor<128x128xf8E5M2, #left>, %y: tensor<128x64xf16, #blocked>, %c: tensor<128x64xf32, #mma>) -> tensor<128x64xf32, #mma> {
    %narrow = ttg.local_load %x : !ttg.memdesc<128x128xf8E5M2, #shared, #smem, mutable> -> tensor<128x128xf8E5M2, #left>
    %a = arith.extf %narrow : tensor<128x128xf8E5M2, #left> to tensor<128x128xf16, #left>
    ttg.local_store %next, %x : tensor<128x128xf8E5M2, #left> -> !ttg.memdesc<128x128xf8E5M2, #shared, #smem, mutable>
    %b = ttg.local_alloc %y : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %a, %b, %c : tensor<128x128xf16, #left> * !ttg.memdesc<128x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
    tt.return %d : tensor<128x64xf32, #mma>
  }

  // Scales that move between warps do so before the right operand takes the memory; the rest comes after it.
  // CHECK-LABEL: @scaled
  // CHECK: %[[SCALES:.*]] = ttg.convert_layout
  // CHECK: ttg.local_alloc
  // CHECK-NEXT: ttg.local_load
  // CHECK-NEXT: arith.extf
  // CHECK-NEXT: tt.broadcast %[[SCALES]]
  // CHECK-NEXT: arith.mulf
  // CHECK-NEXT: ttng.warp_group_dot
  tt.func public @scaled(%x: !ttg.memdesc<128x128xf8E5M2, #shared, #smem>, %s: tensor<128x1xf16, #blocked>, %y: tensor<128x64xf16, #blocked>, %c: tensor<128x64xf32, #mma>) -> tensor<128x64xf32, #mma> {
    %narrow = ttg.local_load %x : !ttg.memdesc<128x128xf8E5M2, #shared, #smem> -> tensor<128x128xf8E5M2, #left>
    %wide = arith.extf %narrow : tensor<128x128xf8E5M2, #left> to tensor<128x128xf16, #left>
    %converted = ttg.convert_layout %s : tensor<128x1xf16, #blocked> -> tensor<128x1xf16, #left>
    %scales = tt.broadcast %converted : tensor<128x1xf16, #left> -> tensor<128x128xf16, #left>
    %a = arith.mulf %wide, %scales : tensor<128x128xf16, #left>
    %b = ttg.local_alloc %y : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %a, %b, %c : tensor<128x128xf16, #left> * !ttg.memdesc<128x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
    tt.return %d : tensor<128x64xf32, #mma>
  }

  // A buffer of the left operand stays before the right one, so that both take the same memory.
  // CHECK-LABEL: @buffer
  // CHECK: ttg.local_alloc
  // CHECK-NEXT: ttg.local_load
  // CHECK: ttg.local_alloc
  // CHECK-NEXT: arith.extf
  // CHECK-NEXT: ttng.warp_group_dot
  tt.func public @buffer(%x: tensor<128x128xf8E5M2, #blocked>, %y: tensor<128x64xf16, #blocked>, %c: tensor<128x64xf32, #mma>) -> tensor<128x64xf32, #mma> {
    %stored = ttg.local_alloc %x : (tensor<128x128xf8E5M2, #blocked>) -> !ttg.memdesc<128x128xf8E5M2, #shared, #smem>
    %narrow = ttg.local_load %stored : !ttg.memdesc<128x128xf8E5M2, #shared, #smem> -> tensor<128x128xf8E5M2, #left>
    %a = arith.extf %narrow : tensor<128x128xf8E5M2, #left> to tensor<128x128xf16, #left>
    %twice = arith.addf %y, %y : tensor<128x64xf16, #blocked>
    %b = ttg.local_alloc %twice : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %a, %b, %c : tensor<128x128xf16, #left> * !ttg.memdesc<128x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
    tt.return %d : tensor<128x64xf32, #mma>
  }

  // A conversion that takes more memory, but can do with less in rounds, changes nothing about that.
  // CHECK-LABEL: @before_a_conversion
  // CHECK: ttg.local_alloc
  // CHECK-NEXT: ttg.local_load
  // CHECK: ttg.local_alloc
  // CHECK-NEXT: arith.extf
  tt.func public @before_a_conversion(%x: tensor<128x128xf8E5M2, #blocked>, %y: tensor<128x64xf16, #blocked>, %c: tensor<128x64xf32, #mma>) -> tensor<128x64xf32, #blocked> {
    %stored = ttg.local_alloc %x : (tensor<128x128xf8E5M2, #blocked>) -> !ttg.memdesc<128x128xf8E5M2, #shared, #smem>
    %narrow = ttg.local_load %stored : !ttg.memdesc<128x128xf8E5M2, #shared, #smem> -> tensor<128x128xf8E5M2, #left>
    %a = arith.extf %narrow : tensor<128x128xf8E5M2, #left> to tensor<128x128xf16, #left>
    %twice = arith.addf %y, %y : tensor<128x64xf16, #blocked>
    %b = ttg.local_alloc %twice : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %a, %b, %c : tensor<128x128xf16, #left> * !ttg.memdesc<128x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
    %rows = ttg.convert_layout %d : tensor<128x64xf32, #mma> -> tensor<128x64xf32, #blocked>
    tt.return %rows : tensor<128x64xf32, #blocked>
  }

  // What is wider than the operand stays: the sums, of f32, would be live for longer.
  // CHECK-LABEL: @narrowed
  // CHECK: arith.truncf
  // CHECK: ttg.local_alloc
  // CHECK-NEXT: ttng.warp_group_dot
  tt.func public @narrowed(%p: tensor<128x128xf32, #left>, %y: tensor<128x64xf16, #blocked>, %c: tensor<128x64xf32, #mma>) -> tensor<128x64xf32, #mma> {
    %a = arith.truncf %p : tensor<128x128xf32, #left> to tensor<128x128xf16, #left>
    %b = ttg.local_alloc %y : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %a, %b, %c : tensor<128x128xf16, #left> * !ttg.memdesc<128x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
    tt.return %d : tensor<128x64xf32, #mma>
  }
}
