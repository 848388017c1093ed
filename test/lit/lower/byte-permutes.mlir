// Each thread transposes 4 x 4 bytes: eight v_perm_b32 instead of shifts and masks.
// RUN: kernelscope preview %s --emit amdgcn | FileCheck %s
// RUN: kernelscope preview %s --emit amdgcn --arch gfx942 | FileCheck %s
// RUN: kernelscope run %s --device sim --compare | FileCheck %s --check-prefix=SIM
// CHECK-COUNT-8: v_perm_b32
// CHECK-NOT: {{v_perm|v_lshl_or|v_and_or|v_bfi|v_or3}}
// CHECK: s_endpgm
// SIM: differs from the CPU executor by at most 0.000e+00
#rows = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [8, 8], warpsPerCTA = [2, 2], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [8, 8], warpsPerCTA = [2, 2], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @transpose(%p: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i8> {tt.divisibility = 16 : i32}) {
    %c = arith.constant dense<64> : tensor<64x1xi32, #rows>
    %m = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    %n = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>>
    %rows = tt.expand_dims %m {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<64x1xi32, #rows>
    %starts = arith.muli %rows, %c : tensor<64x1xi32, #rows>
    %cols = tt.expand_dims %n {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x64xi32, #rows>
    %i = tt.broadcast %starts : tensor<64x1xi32, #rows> -> tensor<64x64xi32, #rows>
    %j = tt.broadcast %cols : tensor<1x64xi32, #rows> -> tensor<64x64xi32, #rows>
    %at = arith.addi %i, %j : tensor<64x64xi32, #rows>
    %x = amdg.buffer_load %p[%at] : tensor<64x64xi8, #rows>
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<64x64xi8, #rows> -> tensor<64x64xi8, #columns>
    %c2 = arith.constant dense<64> : tensor<64x1xi32, #columns>
    %m2 = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #columns}>>
    %n2 = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #columns}>>
    %rows2 = tt.expand_dims %m2 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #columns}>> -> tensor<64x1xi32, #columns>
    %starts2 = arith.muli %rows2, %c2 : tensor<64x1xi32, #columns>
    %cols2 = tt.expand_dims %n2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #columns}>> -> tensor<1x64xi32, #columns>
    %i2 = tt.broadcast %starts2 : tensor<64x1xi32, #columns> -> tensor<64x64xi32, #columns>
    %j2 = tt.broadcast %cols2 : tensor<1x64xi32, #columns> -> tensor<64x64xi32, #columns>
    %at2 = arith.addi %i2, %j2 : tensor<64x64xi32, #columns>
    amdg.buffer_store %t, %q[%at2] : tensor<64x64xi8, #columns>
    tt.return
  }
}
