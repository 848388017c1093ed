// Operands from shared memory: ldmatrix where tiles of 8 x 8 fit, else ordinary loads.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_80 | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#a1 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#a2 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#a4 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#b2 = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#b4 = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
#swizzled = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#bytes = #ttg.swizzled_shared<{vec = 16, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#doubles = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#tma = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Each warp has 32 rows: four instructions of 16 x 16.
  // CHECK-LABEL: @rows
  // CHECK-COUNT-4: ldmatrix.sync.aligned.m8n8.x4.b16.p3
  // CHECK-NOT: ldmatrix
  // CHECK-NOT: llvm.load
  // CHECK: llvm.return
  tt.func public @rows(%m: !ttg.memdesc<64x32xf16, #swizzled, #smem>) -> tensor<64x32xf16, #a2> {
    %x = ttg.local_load %m : !ttg.memdesc<64x32xf16, #swizzled, #smem> -> tensor<64x32xf16, #a2>
    tt.return %x : tensor<64x32xf16, #a2>
  }

  // CHECK-LABEL: @columns
  // CHECK-COUNT-4: ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3
  // CHECK-NOT: ldmatrix
  // CHECK-NOT: llvm.load
  // CHECK: llvm.return
  tt.func public @columns(%m: !ttg.memdesc<32x64xf16, #tma, #smem>) -> tensor<32x64xf16, #b2> {
    %x = ttg.local_load %m : !ttg.memdesc<32x64xf16, #tma, #smem> -> tensor<32x64xf16, #b2>
    tt.return %x : tensor<32x64xf16, #b2>
  }

  // What is transposed in memory is not on the way.
  // CHECK-LABEL: @columns_of_columns
  // CHECK-COUNT-4: ldmatrix.sync.aligned.m8n8.x4.b16.p3
  // CHECK-NOT: ldmatrix
  tt.func public @columns_of_columns(%m: !ttg.memdesc<64x32xf16, #swizzled, #smem>) {
    %t = ttg.memdesc_trans %m {order = array<i32: 1, 0>} : !ttg.memdesc<64x32xf16, #swizzled, #smem> -> !ttg.memdesc<32x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [0, 1]}>, #smem>
    %x = ttg.local_load %t : !ttg.memdesc<32x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [0, 1]}>, #smem> -> tensor<32x64xf16, #b2>
    tt.return
  }

  // Four bytes are one word of a row; across the rows there is no instruction.
  // CHECK-LABEL: @eight_bits
  // CHECK-COUNT-2: ldmatrix.sync.aligned.m8n8.x4.b16.p3
  // CHECK-NOT: ldmatrix
  // CHECK: llvm.load
  // CHECK: llvm.return
  tt.func public @eight_bits(%m: !ttg.memdesc<32x64xi8, #bytes, #smem>, %n: !ttg.memdesc<64x32xi8, #bytes, #smem>) -> (tensor<32x64xi8, #a4>, tensor<64x32xi8, #b4>) {
    %x = ttg.local_load %m : !ttg.memdesc<32x64xi8, #bytes, #smem> -> tensor<32x64xi8, #a4>
    %y = ttg.local_load %n : !ttg.memdesc<64x32xi8, #bytes, #smem> -> tensor<64x32xi8, #b4>
    tt.return %x, %y : tensor<32x64xi8, #a4>, tensor<64x32xi8, #b4>
  }

  // CHECK-LABEL: @sixty_four_bits
  // CHECK-NOT: ldmatrix
  // CHECK: llvm.load
  // CHECK: llvm.return
  tt.func public @sixty_four_bits(%m: !ttg.memdesc<32x16xf64, #doubles, #smem>) -> tensor<32x16xf64, #a1> {
    %x = ttg.local_load %m : !ttg.memdesc<32x16xf64, #doubles, #smem> -> tensor<32x16xf64, #a1>
    tt.return %x : tensor<32x16xf64, #a1>
  }
}
