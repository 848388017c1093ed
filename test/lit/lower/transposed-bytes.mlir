// Tiles of bytes are transposed between shared memory and registers by the chips that can.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_120a | FileCheck %s
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_100a | FileCheck %s
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_90a | FileCheck %s --check-prefix=SM90

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#across = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#right = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
#rightAcross = #ttg.dot_op<{opIdx = 1, parent = #across, kWidth = 4}>
#rows = #ttg.swizzled_shared<{vec = 16, perPhase = 1, maxPhase = 2, order = [1, 0]}>
#columns = #ttg.swizzled_shared<{vec = 16, perPhase = 1, maxPhase = 4, order = [0, 1]}>
#smem = #ttg.shared_memory
// SM90-NOT: {{(ld|st)}}matrix{{.*}}b8
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // A lane has 64 bytes; four words go at once.
  // CHECK-LABEL: @load
  // CHECK-COUNT-4: ldmatrix.sync.aligned.m16n16.x2.trans.b8.p3
  // CHECK-NOT: ldmatrix
  // CHECK-NOT: llvm.load
  // CHECK: llvm.return
  tt.func public @load(%m: !ttg.memdesc<64x32xi8, #rows, #smem>) -> tensor<64x32xi8, #right> {
    %x = ttg.local_load %m : !ttg.memdesc<64x32xi8, #rows, #smem> -> tensor<64x32xi8, #right>
    tt.return %x : tensor<64x32xi8, #right>
  }

  // Half of each row is another warp's.
  // CHECK-LABEL: @load_across_warps
  // CHECK-NOT: ldmatrix
  // CHECK: llvm.return
  tt.func public @load_across_warps(%m: !ttg.memdesc<64x32xi8, #rows, #smem>) -> tensor<64x32xi8, #rightAcross> {
    %x = ttg.local_load %m : !ttg.memdesc<64x32xi8, #rows, #smem> -> tensor<64x32xi8, #rightAcross>
    tt.return %x : tensor<64x32xi8, #rightAcross>
  }

  // CHECK-LABEL: @store
  tt.func public @store(%x: tensor<64x64xf8E4M3FN, #mma>, %m: !ttg.memdesc<64x64xf8E4M3FN, #columns, #smem, mutable>) {
    // CHECK-COUNT-2: stmatrix.sync.aligned.m16n8.x4.trans.shared.b8
    // CHECK-NOT: stmatrix
    // CHECK-NOT: llvm.store
    // CHECK: llvm.return
    ttg.local_store %x, %m : tensor<64x64xf8E4M3FN, #mma> -> !ttg.memdesc<64x64xf8E4M3FN, #columns, #smem, mutable>
    tt.return
  }
}
