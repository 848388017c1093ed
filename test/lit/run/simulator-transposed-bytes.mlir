// Tiles of bytes, stored by columns and loaded across them, on the simulator.
// RUN: kernelscope run %s --device sim --arch sm_120a | FileCheck %s
// RUN: kernelscope run %s --device sim --arch sm_100a | FileCheck %s
// RUN: kernelscope preview %s --arch sm_120a --emit ptx | FileCheck %s --check-prefix=PTX
// CHECK: differs from the CPU executor by at most 0
// PTX: stmatrix.sync.aligned.m16n8.x4.trans.shared.b8
// PTX: ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#right = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
#rows = #ttg.swizzled_shared<{vec = 16, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#columns = #ttg.swizzled_shared<{vec = 16, perPhase = 1, maxPhase = 4, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:120", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @through_columns(%from: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %to: !tt.ptr<i8> {tt.divisibility = 16 : i32}) {
    %stride = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %rs = arith.muli %r1, %stride : tensor<64x1xi32, #blocked>
    %rb = tt.broadcast %rs : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %cb = tt.broadcast %c1 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %offset = arith.addi %rb, %cb : tensor<64x64xi32, #blocked>
    %p = tt.splat %from : !tt.ptr<i8> -> tensor<64x64x!tt.ptr<i8>, #blocked>
    %pp = tt.addptr %p, %offset : tensor<64x64x!tt.ptr<i8>, #blocked>, tensor<64x64xi32, #blocked>
    %x = tt.load %pp : tensor<64x64x!tt.ptr<i8>, #blocked>
    %y = ttg.convert_layout %x : tensor<64x64xi8, #blocked> -> tensor<64x64xi8, #mma>
    %m = ttg.local_alloc %y : (tensor<64x64xi8, #mma>) -> !ttg.memdesc<64x64xi8, #columns, #smem>
    %z = ttg.local_load %m : !ttg.memdesc<64x64xi8, #columns, #smem> -> tensor<64x64xi8, #blocked>
    %n = ttg.local_alloc %z : (tensor<64x64xi8, #blocked>) -> !ttg.memdesc<64x64xi8, #rows, #smem>
    %w = ttg.local_load %n : !ttg.memdesc<64x64xi8, #rows, #smem> -> tensor<64x64xi8, #right>
    %v = ttg.convert_layout %w : tensor<64x64xi8, #right> -> tensor<64x64xi8, #blocked>
    %q = tt.splat %to : !tt.ptr<i8> -> tensor<64x64x!tt.ptr<i8>, #blocked>
    %qq = tt.addptr %q, %offset : tensor<64x64x!tt.ptr<i8>, #blocked>, tensor<64x64xi32, #blocked>
    tt.store %qq, %v : tensor<64x64x!tt.ptr<i8>, #blocked>
    tt.return
  }
}
