// Lanes of an operand that hold copies along K: the instruction is deeper than the tensor, and takes zeros from them.
// RUN: kernelscope run %s --kernel bytes --device sim --arch gfx942 --compare | FileCheck %s --check-prefix=BYTES
// RUN: kernelscope preview %s --kernel bytes --arch gfx942 --emit amdgcn | FileCheck %s --check-prefix=MFMA
#mma = #ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], instrShape = [16, 16, 32], isTransposed = true}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  // BYTES: differs from the CPU executor by at most 0.000e+00
  // 32 of K: twice 16 in each of two groups of lanes.
  // MFMA-COUNT-2: v_mfma_i32_16x16x32_i8
  // MFMA-NOT: v_mfma
  tt.func public @bytes(%x: !tt.ptr<i8>, %y: !tt.ptr<i8>, %out: !tt.ptr<i32>) {
    %rows = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #a}>>
    %depth = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #a}>>
    %re = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #a}>> -> tensor<16x1xi32, #a>
    %de = tt.expand_dims %depth {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #a}>> -> tensor<1x32xi32, #a>
    %c32 = arith.constant dense<32> : tensor<16x1xi32, #a>
    %r32 = arith.muli %re, %c32 : tensor<16x1xi32, #a>
    %rb = tt.broadcast %r32 : tensor<16x1xi32, #a> -> tensor<16x32xi32, #a>
    %db = tt.broadcast %de : tensor<1x32xi32, #a> -> tensor<16x32xi32, #a>
    %at = arith.addi %rb, %db : tensor<16x32xi32, #a>
    %xs = tt.splat %x : !tt.ptr<i8> -> tensor<16x32x!tt.ptr<i8>, #a>
    %xp = tt.addptr %xs, %at : tensor<16x32x!tt.ptr<i8>, #a>, tensor<16x32xi32, #a>
    %left = tt.load %xp : tensor<16x32x!tt.ptr<i8>, #a>
    %columns = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %depth2 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %ce = tt.expand_dims %columns {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x16xi32, #b>
    %de2 = tt.expand_dims %depth2 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<32x1xi32, #b>
    %c16 = arith.constant dense<16> : tensor<32x1xi32, #b>
    %d16 = arith.muli %de2, %c16 : tensor<32x1xi32, #b>
    %db2 = tt.broadcast %d16 : tensor<32x1xi32, #b> -> tensor<32x16xi32, #b>
    %cb = tt.broadcast %ce : tensor<1x16xi32, #b> -> tensor<32x16xi32, #b>
    %at2 = arith.addi %db2, %cb : tensor<32x16xi32, #b>
    %ys = tt.splat %y : !tt.ptr<i8> -> tensor<32x16x!tt.ptr<i8>, #b>
    %yp = tt.addptr %ys, %at2 : tensor<32x16x!tt.ptr<i8>, #b>, tensor<32x16xi32, #b>
    %right = tt.load %yp : tensor<32x16x!tt.ptr<i8>, #b>
    %zero = arith.constant dense<0> : tensor<16x16xi32, #mma>
    %d = tt.dot %left, %right, %zero : tensor<16x32xi8, #a> * tensor<32x16xi8, #b> -> tensor<16x16xi32, #mma>
    %i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %j = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %ie = tt.expand_dims %i {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<16x1xi32, #mma>
    %je = tt.expand_dims %j {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x16xi32, #mma>
    %k16 = arith.constant dense<16> : tensor<16x1xi32, #mma>
    %i16 = arith.muli %ie, %k16 : tensor<16x1xi32, #mma>
    %ib = tt.broadcast %i16 : tensor<16x1xi32, #mma> -> tensor<16x16xi32, #mma>
    %jb = tt.broadcast %je : tensor<1x16xi32, #mma> -> tensor<16x16xi32, #mma>
    %to = arith.addi %ib, %jb : tensor<16x16xi32, #mma>
    %os = tt.splat %out : !tt.ptr<i32> -> tensor<16x16x!tt.ptr<i32>, #mma>
    %op = tt.addptr %os, %to : tensor<16x16x!tt.ptr<i32>, #mma>, tensor<16x16xi32, #mma>
    tt.store %op, %d : tensor<16x16x!tt.ptr<i32>, #mma>
    tt.return
  }
}
