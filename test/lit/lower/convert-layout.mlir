// How far data moves decides how a conversion is done: by nothing, by selects, by one shuffle for each
// register, or through shared memory with one barrier. There ldmatrix and stmatrix move tiles where that is cheaper.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_90a | FileCheck %s
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_80 | FileCheck %s --check-prefix=SM80

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#permuted = #ttg.linear<{register = [[0, 2], [0, 1]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]],
                         warp = [[2, 0], [4, 0]], block = []}>
#turned = #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[0, 8], [0, 4], [0, 16], [0, 32], [1, 0]],
                       warp = [[2, 0], [4, 0]], block = []}>
#swapped = #ttg.linear<{register = [[0, 4], [0, 2]], lane = [[0, 1], [0, 8], [0, 16], [0, 32], [1, 0]],
                        warp = [[2, 0], [4, 0]], block = []}>
#swapped_tall = #ttg.linear<{register = [[0, 4], [0, 2], [8, 0], [16, 0], [32, 0], [64, 0]], lane = [[0, 1], [0, 8], [0, 16], [0, 32], [1, 0]],
                             warp = [[2, 0], [4, 0]], block = []}>
#turned_tall = #ttg.linear<{register = [[0, 4], [0, 8], [8, 0], [16, 0], [32, 0], [64, 0]], lane = [[0, 1], [0, 2], [0, 16], [0, 32], [1, 0]],
                            warp = [[2, 0], [4, 0]], block = []}>
#transposed = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [2, 16], warpsPerCTA = [1, 4], order = [0, 1]}>
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#single = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#fours = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#everywhere = #ttg.linear<{register = [[1], [2], [4], [8]], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]], block = []}>
#spread = #ttg.linear<{register = [], lane = [[1], [2], [0], [0], [0]], warp = [[4], [8]], block = []}>
#eights = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#pairs = #ttg.linear<{register = [[0, 1], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]],
                      warp = [[8, 0], [16, 0]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @within_thread
  tt.func @within_thread(%x: tensor<8x64xf32, #blocked>) -> tensor<8x64xf32, #permuted> {
    // CHECK-DAG: %[[E1:.*]] = llvm.extractvalue %{{.*}}[1]
    // CHECK-DAG: %[[E2:.*]] = llvm.extractvalue %{{.*}}[2]
    // CHECK: llvm.insertvalue %[[E2]], %{{.*}}[1]
    // CHECK: llvm.insertvalue %[[E1]], %{{.*}}[2]
    // CHECK-NOT: shfl
    // CHECK: llvm.return
    %y = ttg.convert_layout %x : tensor<8x64xf32, #blocked> -> tensor<8x64xf32, #permuted>
    tt.return %y : tensor<8x64xf32, #permuted>
  }

  // Only lanes change places: four registers, four shuffles, no selects.
  // CHECK-LABEL: @lanes
  tt.func @lanes(%x: tensor<8x64xf32, #blocked>) -> tensor<8x64xf32, #turned> {
    // CHECK-NOT: llvm.select
    // CHECK-COUNT-4: "llvm.nvvm.shfl.sync.idx
    // CHECK-NOT: shfl
    // CHECK: llvm.return
    %y = ttg.convert_layout %x : tensor<8x64xf32, #blocked> -> tensor<8x64xf32, #turned>
    tt.return %y : tensor<8x64xf32, #turned>
  }

  // A register and a lane change places: a select on each side of the same four shuffles.
  // CHECK-LABEL: @registers_and_lanes
  tt.func @registers_and_lanes(%x: tensor<8x64xf32, #blocked>) -> tensor<8x64xf32, #swapped> {
    // CHECK-COUNT-4: llvm.select
    // CHECK-COUNT-2: "llvm.nvvm.shfl.sync
    // CHECK-NOT: llvm.store
    // CHECK-COUNT-4: llvm.select
    // CHECK: llvm.return
    %y = ttg.convert_layout %x : tensor<8x64xf32, #blocked> -> tensor<8x64xf32, #swapped>
    tt.return %y : tensor<8x64xf32, #swapped>
  }

  // Two halves of a word that stay together take one shuffle.
  // CHECK-LABEL: @halves
  tt.func @halves(%x: tensor<32x32xf16, #eights>) -> tensor<32x32xf16, #pairs> {
    // CHECK-COUNT-4: "llvm.nvvm.shfl.sync
    // CHECK-NOT: "llvm.nvvm.shfl.sync
    // CHECK: llvm.return
    %y = ttg.convert_layout %x : tensor<32x32xf16, #eights> -> tensor<32x32xf16, #pairs>
    tt.return %y : tensor<32x32xf16, #pairs>
  }

  // So it is with 64 registers; two registers and two lanes are too many selects for as many shuffles.
  // CHECK-LABEL: @many_registers
  tt.func @many_registers(%x: tensor<128x64xf32, #blocked>) -> tensor<128x64xf32, #swapped_tall> {
    // CHECK-COUNT-32: "llvm.nvvm.shfl.sync
    // CHECK-NOT: "llvm.nvvm.shfl.sync
    // CHECK-NOT: llvm.store
    // CHECK: llvm.return
    %y = ttg.convert_layout %x : tensor<128x64xf32, #blocked> -> tensor<128x64xf32, #swapped_tall>
    tt.return %y : tensor<128x64xf32, #swapped_tall>
  }
  // CHECK-LABEL: @many_selects
  tt.func @many_selects(%x: tensor<128x64xf32, #blocked>) -> tensor<128x64xf32, #turned_tall> {
    // CHECK-NOT: "llvm.nvvm.shfl.sync
    // CHECK: llvm.store
    // CHECK: llvm.return
    %y = ttg.convert_layout %x : tensor<128x64xf32, #blocked> -> tensor<128x64xf32, #turned_tall>
    tt.return %y : tensor<128x64xf32, #turned_tall>
  }

  // Every thread has all of it: each picks its own, by lane and warp.
  // CHECK-LABEL: @copies
  tt.func @copies(%x: tensor<16xf32, #everywhere>) -> tensor<16xf32, #spread> {
    // CHECK: llvm.select
    // CHECK-NOT: shfl
    // CHECK-NOT: llvm.store
    // CHECK: llvm.return
    %y = ttg.convert_layout %x : tensor<16xf32, #everywhere> -> tensor<16xf32, #spread>
    tt.return %y : tensor<16xf32, #spread>
  }

  // Between warps: stores, a barrier, loads. Without stmatrix: both sides have rows 8 and 16 in registers, so these go
  // together; a store takes two columns besides. With it, all four registers of a word go at once.
  // SM80-LABEL: @between_warps
  // CHECK-LABEL: @between_warps
  tt.func @between_warps(%x: tensor<32x64xf16, #blocked>) -> tensor<32x64xf16, #transposed> {
    // SM80-COUNT-2: llvm.store {{.*}} : vector<4xi32>, !llvm.ptr<3>
    // SM80-NOT: llvm.store
    // SM80: llvm.nvvm.barrier
    // SM80-COUNT-4: llvm.load {{.*}} !llvm.ptr<3> -> vector<2xi32>
    // SM80-NOT: llvm.load
    // SM80-NOT: llvm.nvvm.barrier
    // SM80: llvm.return
    // CHECK-COUNT-2: stmatrix.sync.aligned.m8n8.x4.shared.b16
    // CHECK: llvm.nvvm.barrier
    // CHECK-COUNT-2: llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3
    // CHECK-NOT: llvm.load
    // CHECK: llvm.return
    %y = ttg.convert_layout %x : tensor<32x64xf16, #blocked> -> tensor<32x64xf16, #transposed>
    tt.return %y : tensor<32x64xf16, #transposed>
  }

  // Rows to columns: the lanes that ldmatrix transposes have what a thread stored as one vector.
  // SM80-LABEL: @rows_to_columns
  tt.func @rows_to_columns(%x: tensor<64x64xf16, #rows>) -> tensor<64x64xf16, #columns> {
    // SM80-COUNT-4: llvm.store {{.*}} : vector<4xi32>, !llvm.ptr<3>
    // SM80-NOT: llvm.store
    // SM80: llvm.nvvm.barrier
    // SM80-COUNT-4: llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3
    // SM80-NOT: llvm.load
    // SM80: llvm.return
    %y = ttg.convert_layout %x : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #columns>
    tt.return %y : tensor<64x64xf16, #columns>
  }

  // An instruction of a product takes four words of the left operand in order, as ldmatrix loads them: an access of 16 bytes to
  // what a thread stored would have two words of each of two instructions.
  // SM80-LABEL: @to_operand
  // CHECK-LABEL: @to_operand
  tt.func @to_operand(%x: tensor<16x64xf16, #mma>) -> tensor<16x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> {
    // SM80: llvm.nvvm.barrier
    // SM80-COUNT-4: llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3
    // SM80-NOT: llvm.load
    // SM80: llvm.return
    // CHECK: stmatrix.sync.aligned.m8n8.x4.shared.b16
    // CHECK-COUNT-4: llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3
    // CHECK: llvm.return
    %y = ttg.convert_layout %x : tensor<16x64xf16, #mma> -> tensor<16x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    tt.return %y : tensor<16x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
  }

  // One element in each thread, four in each of a quarter of them: the wide side is the one that loads.
  // CHECK-LABEL: @to_vectors
  tt.func @to_vectors(%x: tensor<128xf32, #single>) -> tensor<128xf32, #fours> {
    // CHECK-COUNT-1: llvm.store
    // CHECK-COUNT-1: llvm.load {{.*}} !llvm.ptr<3> -> vector<4xi32>
    // CHECK-NOT: llvm.load
    // CHECK: llvm.return
    %y = ttg.convert_layout %x : tensor<128xf32, #single> -> tensor<128xf32, #fours>
    tt.return %y : tensor<128xf32, #fours>
  }

  // Masks go as bytes, pointers as words of 64 bits.
  // CHECK-LABEL: @other_types
  tt.func @other_types(%p: tensor<32x64xi1, #blocked>, %q: tensor<32x64x!tt.ptr<f32>, #blocked>)
      -> (tensor<32x64xi1, #transposed>, tensor<32x64x!tt.ptr<f32>, #transposed>) {
    // CHECK: llvm.zext %{{.*}} : i1 to i8
    // CHECK: llvm.trunc %{{.*}} : i8 to i1
    %y = ttg.convert_layout %p : tensor<32x64xi1, #blocked> -> tensor<32x64xi1, #transposed>
    // CHECK: llvm.ptrtoint
    // CHECK: llvm.inttoptr
    %z = ttg.convert_layout %q : tensor<32x64x!tt.ptr<f32>, #blocked> -> tensor<32x64x!tt.ptr<f32>, #transposed>
    tt.return %y, %z : tensor<32x64xi1, #transposed>, tensor<32x64x!tt.ptr<f32>, #transposed>
  }
}
