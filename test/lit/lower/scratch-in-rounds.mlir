// A conversion whose scratch memory makes the kernel's total what it is does with less of it, in as many rounds as leave full
// vectors of registers that both layouts share, or full words where a chip moves tiles, or nothing where it transposes tiles; one
// that fits beside larger buffers has one round. So does a reduction with what warps exchange, in full vectors of results.
// RUN: kernelscope opt --allocate-shared-memory --split-input-file %s | FileCheck %s
// RUN: sed 's/^module attributes {/&kernelscope.own_layouts, /' %s > %t.own && kernelscope opt --allocate-shared-memory --split-input-file %t.own | FileCheck %s --check-prefix=GROW
// RUN: kernelscope opt --ttgir-to-llvm=arch=sm_90a --split-input-file %s | FileCheck %s --check-prefix=CODE
// RUN: kernelscope opt --ttgir-to-llvm=arch=sm_120a --split-input-file %s | FileCheck %s --check-prefix=SMALL

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK: ttg.shared = 8192 : i32
module attributes {ttg.target = "cuda:90", "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: ttg.convert_layout {{.*}}allocation.rounds = 4
  // CODE-LABEL: @alone
  // CODE-COUNT-7: "llvm.nvvm.barrier
  // CODE-NOT: "llvm.nvvm.barrier
  // CODE: llvm.return
  tt.func public @alone(%x: tensor<128x128xf16, #mma>) -> tensor<128x128xf16, #rows> {
    %y = ttg.convert_layout %x : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #rows>
    tt.return %y : tensor<128x128xf16, #rows>
  }
}

// -----
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// Without tiles the three bits that the registers share are a vector.
// CHECK: ttg.shared = 32768 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-NOT: allocation.rounds
  tt.func public @vectors(%x: tensor<128x128xf16, #mma>) -> tensor<128x128xf16, #rows> {
    %y = ttg.convert_layout %x : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #rows>
    tt.return %y : tensor<128x128xf16, #rows>
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
// CHECK: ttg.shared = 65536 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-NOT: allocation.rounds
  tt.func public @beside(%x: tensor<128x128xf16, #mma>, %z: tensor<128x128xf32, #rows>) -> tensor<128x128xf16, #rows> {
    %m = ttg.local_alloc : () -> !ttg.memdesc<128x128xf32, #shared, #smem, mutable>
    ttg.local_store %z, %m : tensor<128x128xf32, #rows> -> !ttg.memdesc<128x128xf32, #shared, #smem, mutable>
    ttg.local_dealloc %m : !ttg.memdesc<128x128xf32, #shared, #smem, mutable>
    %y = ttg.convert_layout %x : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #rows>
    tt.return %y : tensor<128x128xf16, #rows>
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>
#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 1], order = [1, 0]}>
// CHECK: ttg.shared = 4096 : i32
// CODE-LABEL: @large
// CODE-COUNT-127: "llvm.nvvm.bar.warp.sync
// CODE-NOT: "llvm.nvvm.bar.warp.sync
// CODE: llvm.return
// SMALL-LABEL: @large
// SMALL-COUNT-127: "llvm.nvvm.bar.warp.sync
// SMALL-NOT: "llvm.nvvm.bar.warp.sync
// SMALL: llvm.return
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: ttg.convert_layout {{.*}}allocation.rounds = 64
  tt.func public @large(%x: tensor<256x256xf32, #mma>) -> tensor<256x256xf32, #rows> {
    %y = ttg.convert_layout %x : tensor<256x256xf32, #mma> -> tensor<256x256xf32, #rows>
    tt.return %y : tensor<256x256xf32, #rows>
  }
}

// -----

#vectors = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 1], order = [1, 0]}>
// What a lane stores as a row of a transposed tile, it loads as a vector: a round has one of either.
// CHECK: ttg.shared = 512 : i32
// CODE-LABEL: @transposed
// CODE: stmatrix{{.*}}trans
// CODE: llvm.load {{.*}} -> vector<4xi32>
module attributes {ttg.target = "cuda:90", "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: ttg.convert_layout {{.*}}allocation.rounds = 64
  tt.func public @transposed(%x: tensor<128x128xf16, #vectors>) -> tensor<128x128xf16, #rows> {
    %y = ttg.convert_layout %x : tensor<128x128xf16, #vectors> -> tensor<128x128xf16, #rows>
    tt.return %y : tensor<128x128xf16, #rows>
  }
}

// -----

#columns = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [2, 1], order = [1, 0]}>
// Sixteen sums of a thread, from two warps: four rounds of a vector, or one where the layouts were chosen here.
// CHECK: ttg.shared = 1024 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: allocation.rounds = 4
  // GROW: @sums(
  // GROW: }) {allocation.offset = 0 : i32} :
  // CODE-LABEL: @sums
  // CODE-COUNT-1: llvm.store {{.*}} : vector<4xi32>, !llvm.ptr<3>
  // CODE: "llvm.nvvm.barrier
  // CODE-COUNT-2: llvm.load {{.*}} !llvm.ptr<3> -> vector<4xi32>
  // CODE-COUNT-4: llvm.fadd
  // CODE-COUNT-6: "llvm.nvvm.barrier
  // CODE-NOT: "llvm.nvvm.barrier
  // CODE: llvm.return
  tt.func public @sums(%x: tensor<2x512xf32, #columns>) -> tensor<512xf32, #ttg.slice<{dim = 0, parent = #columns}>> {
    %y = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<2x512xf32, #columns>) -> tensor<512xf32, #ttg.slice<{dim = 0, parent = #columns}>>
    tt.return %y : tensor<512xf32, #ttg.slice<{dim = 0, parent = #columns}>>
  }
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
// In as many rounds as Triton's: rounds of 64 bytes would cost eight barriers more.
// CHECK: ttg.shared = 128 : i32
module attributes {ttg.target = "cuda:90", "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  // CHECK: allocation.rounds = 4
  tt.func public @sums_of_rows(%x: tensor<32x128xf32, #row>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #row}>> {
    %sums = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %both = arith.addf %a, %b : f32
      tt.reduce.return %both : f32
    }) : (tensor<32x128xf32, #row>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #row}>>
    tt.return %sums : tensor<32xf32, #ttg.slice<{dim = 1, parent = #row}>>
  }
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
// Dumps of Triton 3.7 and older take the bytes for all sums at once.
// CHECK: ttg.shared = 512 : i32
// CODE-LABEL: @sums_at_once
// CODE-COUNT-1: "llvm.nvvm.barrier
// CODE-NOT: "llvm.nvvm.barrier
// CODE: llvm.return
module attributes {ttg.target = "cuda:90", "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-NOT: allocation.rounds
  tt.func public @sums_at_once(%x: tensor<32x128xf32, #row>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #row}>> {
    %sums = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %both = arith.addf %a, %b : f32
      tt.reduce.return %both : f32
    }) : (tensor<32x128xf32, #row>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #row}>>
    tt.return %sums : tensor<32xf32, #ttg.slice<{dim = 1, parent = #row}>>
  } loc("kernel.py":3:0)
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
// Only rows that choose a row of the banks take turns, and the warps have taken those here.
// CHECK: ttg.shared = 256 : i32
module attributes {ttg.target = "cuda:90", "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  // CHECK-NOT: allocation.rounds
  tt.func public @sums_of_few_warps(%x: tensor<32x256xf32, #row>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #row}>> {
    %sums = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %both = arith.addf %a, %b : f32
      tt.reduce.return %both : f32
    }) : (tensor<32x256xf32, #row>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #row}>>
    tt.return %sums : tensor<32xf32, #ttg.slice<{dim = 1, parent = #row}>>
  }
}

// -----

#fma = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1]]}>
#wide = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [16, 2], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1]]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #fma}>
#b = #ttg.dot_op<{opIdx = 1, parent = #fma}>
// A kernel whose layouts were chosen here may take what Triton's has for a product of a cluster, all of the left operand and half
// of the right one, and needs no rounds; nor do the operands take each other's place.
// CHECK: ttg.shared = 1024 : i32
// GROW: ttg.shared = 6144 : i32
module attributes {ttg.target = "cuda:90", "ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-COUNT-3: allocation.rounds = 2
  // GROW: ttg.convert_layout {{.*}}allocation.offset = [[LEFT:[0-9]+]] : i32}
  // GROW-NOT: allocation.offset = [[LEFT]] : i32}
  // GROW: ttg.convert_layout {{.*}}allocation.offset
  // GROW: tt.dot
  // GROW-NOT: allocation.rounds
  tt.func public @product(%x: tensor<32x32xf32, #wide>, %y: tensor<32x32xf32, #wide>, %zero: tensor<32x32xf32, #fma>) -> tensor<32x32xf32, #wide> {
    %left = ttg.convert_layout %x : tensor<32x32xf32, #wide> -> tensor<32x32xf32, #a>
    %right = ttg.convert_layout %y : tensor<32x32xf32, #wide> -> tensor<32x32xf32, #b>
    %sums = tt.dot %left, %right, %zero : tensor<32x32xf32, #a> * tensor<32x32xf32, #b> -> tensor<32x32xf32, #fma>
    %result = ttg.convert_layout %sums : tensor<32x32xf32, #fma> -> tensor<32x32xf32, #wide>
    tt.return %result : tensor<32x32xf32, #wide>
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#right = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
// What a loop converts for a product has memory for one round beside the loop's buffers, however large these are.
// CHECK: ttg.shared = 34816 : i32
// GROW: ttg.shared = 36864 : i32
module attributes {ttg.target = "cuda:80", "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: ttg.convert_layout {{.*}}allocation.rounds = 2
  // GROW-NOT: allocation.rounds
  // GROW: tt.return
  tt.func public @in_loop(%p: tensor<32x64xf16, #mma>, %start: tensor<32x64xf32, #mma>, %n: i32) -> tensor<32x64xf32, #mma> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable>
    %result:2 = scf.for %i = %zero to %n step %one iter_args(%sum = %start, %left = %p) -> (tensor<32x64xf32, #mma>, tensor<32x64xf16, #mma>) : i32 {
      %slot = ttg.memdesc_index %ring[%i] : !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %b = ttg.local_load %slot : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #right>
      %a = ttg.convert_layout %left : tensor<32x64xf16, #mma> -> tensor<32x64xf16, #left>
      %d = tt.dot %a, %b, %sum : tensor<32x64xf16, #left> * tensor<64x64xf16, #right> -> tensor<32x64xf32, #mma>
      %next = arith.truncf %d : tensor<32x64xf32, #mma> to tensor<32x64xf16, #mma>
      scf.yield %d, %next : tensor<32x64xf32, #mma>, tensor<32x64xf16, #mma>
    }
    ttg.local_dealloc %ring : !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable>
    tt.return %result#0 : tensor<32x64xf32, #mma>
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#right = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#rows = #ttg.slice<{dim = 1, parent = #mma}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
// A reduction in the loop is apart from it, in memory that Triton's kernel has for an operand from before the loop.
// CHECK: ttg.shared = 34816 : i32
// GROW: ttg.shared = 37376 : i32
module attributes {ttg.target = "cuda:80", "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // GROW: }) {allocation.offset = 36864 : i32}
  // GROW: ttg.convert_layout {{.*}}allocation.offset = 32768 : i32}
  tt.func public @attention(%q: tensor<32x64xf16, #left>, %start: tensor<32x64xf32, #mma>, %lowest: tensor<32xf32, #rows>, %n: i32) -> (tensor<32x64xf32, #mma>, tensor<32xf32, #rows>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<32x64xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable>
    %result:2 = scf.for %i = %zero to %n step %one iter_args(%sum = %start, %before = %lowest) -> (tensor<32x64xf32, #mma>, tensor<32xf32, #rows>) : i32 {
      %slot = ttg.memdesc_index %ring[%i] : !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %b = ttg.local_load %slot : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #right>
      %s = tt.dot %q, %b, %none : tensor<32x64xf16, #left> * tensor<64x64xf16, #right> -> tensor<32x64xf32, #mma>
      %largest = "tt.reduce"(%s) <{axis = 1 : i32}> ({
      ^bb0(%x: f32, %y: f32):
        %m = arith.maxnumf %x, %y : f32
        tt.reduce.return %m : f32
      }) : (tensor<32x64xf32, #mma>) -> tensor<32xf32, #rows>
      %most = arith.maxnumf %before, %largest : tensor<32xf32, #rows>
      %p = arith.truncf %s : tensor<32x64xf32, #mma> to tensor<32x64xf16, #mma>
      %a = ttg.convert_layout %p : tensor<32x64xf16, #mma> -> tensor<32x64xf16, #left>
      %d = tt.dot %a, %b, %sum : tensor<32x64xf16, #left> * tensor<64x64xf16, #right> -> tensor<32x64xf32, #mma>
      scf.yield %d, %most : tensor<32x64xf32, #mma>, tensor<32xf32, #rows>
    }
    ttg.local_dealloc %ring : !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable>
    tt.return %result#0, %result#1 : tensor<32x64xf32, #mma>, tensor<32xf32, #rows>
  }
}
