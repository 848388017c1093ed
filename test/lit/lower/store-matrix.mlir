// Tensors to shared memory by stmatrix, where each lane's registers are in tiles of 8 x 8.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_90a | FileCheck %s
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_80 | FileCheck %s --check-prefix=SM80

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#columns = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#smem = #ttg.shared_memory
// SM80-NOT: stmatrix
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // 64 x 64 elements are 16 tiles for each warp.
  // CHECK-LABEL: @rows
  tt.func public @rows(%x: tensor<64x64xf16, #mma>) {
    // CHECK-COUNT-4: "stmatrix.sync.aligned.m8n8.x4.shared.b16 [$0], {$1, $2, $3, $4};", "r,r,r,r,r"
    // CHECK-NOT: stmatrix
    // CHECK-NOT: llvm.store
    %m = ttg.local_alloc %x : (tensor<64x64xf16, #mma>) -> !ttg.memdesc<64x64xf16, #rows, #smem>
    tt.return
  }
  // CHECK-LABEL: @columns
  tt.func public @columns(%x: tensor<64x64xf16, #mma>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #columns, #smem, mutable>
    // CHECK-COUNT-4: stmatrix.sync.aligned.m8n8.x4.trans.shared.b16
    // CHECK-NOT: stmatrix
    ttg.local_store %x, %m : tensor<64x64xf16, #mma> -> !ttg.memdesc<64x64xf16, #columns, #smem, mutable>
    tt.return
  }
  // Lanes that hold whole rows store them as they are.
  // CHECK-LABEL: @blocked
  tt.func public @blocked(%x: tensor<64x64xf16, #blocked>) {
    // CHECK-NOT: stmatrix
    // CHECK: llvm.store
    %m = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #rows, #smem>
    tt.return
  }
}
