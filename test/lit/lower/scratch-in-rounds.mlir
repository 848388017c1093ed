// A conversion whose scratch memory makes the kernel's total what it is does with less of it, in as many rounds as leave full
// vectors of registers that both layouts share, or full words where a chip moves tiles; one that fits beside larger buffers has
// one round.
// RUN: kernelscope opt --allocate-shared-memory --split-input-file %s | FileCheck %s
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
// SMALL-LABEL: @large
// SMALL-COUNT-127: "llvm.nvvm.bar.warp.sync
// SMALL-NOT: "llvm.nvvm.bar.warp.sync
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: ttg.convert_layout {{.*}}allocation.rounds = 64
  tt.func public @large(%x: tensor<256x256xf32, #mma>) -> tensor<256x256xf32, #rows> {
    %y = ttg.convert_layout %x : tensor<256x256xf32, #mma> -> tensor<256x256xf32, #rows>
    tt.return %y : tensor<256x256xf32, #rows>
  }
}
