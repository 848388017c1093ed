// The bit of the register that chooses between the two values of a byte is the third.
// RUN: kernelscope run %s --device sim --arch sm_90a | FileCheck %s
// CHECK: differs from the CPU executor by at most 0.000e+00

#bytes = #ttg.linear<{register = [[0, 1], [0, 2], [16, 0]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}>
#values = #ttg.linear<{register = [[0, 2], [0, 4], [0, 1], [16, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @unpack(%from: !tt.ptr<i8>, %to: !tt.ptr<f16>) {
    %row = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #bytes}>>
    %column = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #bytes}>>
    %width = arith.constant dense<32> : tensor<32x1xi32, #bytes>
    %r = tt.expand_dims %row {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #bytes}>> -> tensor<32x1xi32, #bytes>
    %c = tt.expand_dims %column {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #bytes}>> -> tensor<1x32xi32, #bytes>
    %start = arith.muli %r, %width : tensor<32x1xi32, #bytes>
    %starts = tt.broadcast %start : tensor<32x1xi32, #bytes> -> tensor<32x32xi32, #bytes>
    %columns = tt.broadcast %c : tensor<1x32xi32, #bytes> -> tensor<32x32xi32, #bytes>
    %offsets = arith.addi %starts, %columns : tensor<32x32xi32, #bytes>
    %froms = tt.splat %from : !tt.ptr<i8> -> tensor<32x32x!tt.ptr<i8>, #bytes>
    %source = tt.addptr %froms, %offsets : tensor<32x32x!tt.ptr<i8>, #bytes>, tensor<32x32xi32, #bytes>
    %x = tt.load %source : tensor<32x32x!tt.ptr<i8>, #bytes>
    %y = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<32x32xi8, #bytes> -> tensor<32x64xf16, #values>
    %row2 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #values}>>
    %column2 = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #values}>>
    %width2 = arith.constant dense<64> : tensor<32x1xi32, #values>
    %r2 = tt.expand_dims %row2 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #values}>> -> tensor<32x1xi32, #values>
    %c2 = tt.expand_dims %column2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #values}>> -> tensor<1x64xi32, #values>
    %start2 = arith.muli %r2, %width2 : tensor<32x1xi32, #values>
    %starts2 = tt.broadcast %start2 : tensor<32x1xi32, #values> -> tensor<32x64xi32, #values>
    %columns2 = tt.broadcast %c2 : tensor<1x64xi32, #values> -> tensor<32x64xi32, #values>
    %offsets2 = arith.addi %starts2, %columns2 : tensor<32x64xi32, #values>
    %tos = tt.splat %to : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #values>
    %target = tt.addptr %tos, %offsets2 : tensor<32x64x!tt.ptr<f16>, #values>, tensor<32x64xi32, #values>
    tt.store %target, %y : tensor<32x64x!tt.ptr<f16>, #values>
    tt.return
  }
}
