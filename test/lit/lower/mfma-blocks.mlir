// Products of fewer rows or columns than 16: an instruction of sixteen blocks of 4 x 4 for each step of four in K, which takes one block
// of the narrow operand for all of them.
// RUN: kernelscope preview %s --kernel narrow --emit amdgcn | FileCheck %s
// RUN: kernelscope run %s --kernel narrow --device sim --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel flat --device sim --compare | FileCheck %s --check-prefix=RIGHT
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 16], warpsPerCTA = [2, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [64, 1], warpsPerCTA = [2, 1], order = [1, 0]}>
#tall = #ttg.amd_mfma<{version = 4, warpsPerCTA = [2, 1], instrShape = [64, 4, 64], isTransposed = true}>
#wide = #ttg.amd_mfma<{version = 4, warpsPerCTA = [1, 2], instrShape = [4, 64, 16], isTransposed = false}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  // CHECK-LABEL: narrow:
  // CHECK-COUNT-16: v_mfma_f32_4x4x4_16b_f16 {{.*}} cbsz:4
  // CHECK-NOT: v_mfma
  // RIGHT: differs from the CPU executor by at most
  // RIGHT-SAME: within
  tt.func public @narrow(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %m = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    %k = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>>
    %me = tt.expand_dims %m {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<128x1xi32, #rows>
    %ke = tt.expand_dims %k {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x64xi32, #rows>
    %depth = arith.constant dense<64> : tensor<128x1xi32, #rows>
    %line = arith.muli %me, %depth : tensor<128x1xi32, #rows>
    %lines = tt.broadcast %line : tensor<128x1xi32, #rows> -> tensor<128x64xi32, #rows>
    %ks = tt.broadcast %ke : tensor<1x64xi32, #rows> -> tensor<128x64xi32, #rows>
    %at = arith.addi %lines, %ks : tensor<128x64xi32, #rows>
    %as = tt.splat %a : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #rows>
    %ap = tt.addptr %as, %at : tensor<128x64x!tt.ptr<f16>, #rows>, tensor<128x64xi32, #rows>
    %x = tt.load %ap : tensor<128x64x!tt.ptr<f16>, #rows>
    %j = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #columns}>>
    %n = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #columns}>>
    %je = tt.expand_dims %j {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #columns}>> -> tensor<64x1xi32, #columns>
    %ne = tt.expand_dims %n {axis = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #columns}>> -> tensor<1x4xi32, #columns>
    %width = arith.constant dense<4> : tensor<64x1xi32, #columns>
    %row = arith.muli %je, %width : tensor<64x1xi32, #columns>
    %rows = tt.broadcast %row : tensor<64x1xi32, #columns> -> tensor<64x4xi32, #columns>
    %ns = tt.broadcast %ne : tensor<1x4xi32, #columns> -> tensor<64x4xi32, #columns>
    %bt = arith.addi %rows, %ns : tensor<64x4xi32, #columns>
    %bs = tt.splat %b : !tt.ptr<f16> -> tensor<64x4x!tt.ptr<f16>, #columns>
    %bp = tt.addptr %bs, %bt : tensor<64x4x!tt.ptr<f16>, #columns>, tensor<64x4xi32, #columns>
    %y = tt.load %bp : tensor<64x4x!tt.ptr<f16>, #columns>
    %xd = ttg.convert_layout %x : tensor<128x64xf16, #rows> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #tall, kWidth = 4}>>
    %yd = ttg.convert_layout %y : tensor<64x4xf16, #columns> -> tensor<64x4xf16, #ttg.dot_op<{opIdx = 1, parent = #tall, kWidth = 4}>>
    %zero = arith.constant dense<0.0> : tensor<128x4xf32, #tall>
    %z = tt.dot %xd, %yd, %zero : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #tall, kWidth = 4}>> * tensor<64x4xf16, #ttg.dot_op<{opIdx = 1, parent = #tall, kWidth = 4}>> -> tensor<128x4xf32, #tall>
    %r = ttg.convert_layout %z : tensor<128x4xf32, #tall> -> tensor<128x4xf32, #columns>
    %o = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #columns}>>
    %oe = tt.expand_dims %o {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #columns}>> -> tensor<128x1xi32, #columns>
    %ow = arith.constant dense<4> : tensor<128x1xi32, #columns>
    %ol = arith.muli %oe, %ow : tensor<128x1xi32, #columns>
    %ols = tt.broadcast %ol : tensor<128x1xi32, #columns> -> tensor<128x4xi32, #columns>
    %ons = tt.broadcast %ne : tensor<1x4xi32, #columns> -> tensor<128x4xi32, #columns>
    %ot = arith.addi %ols, %ons : tensor<128x4xi32, #columns>
    %cs = tt.splat %c : !tt.ptr<f32> -> tensor<128x4x!tt.ptr<f32>, #columns>
    %cp = tt.addptr %cs, %ot : tensor<128x4x!tt.ptr<f32>, #columns>, tensor<128x4xi32, #columns>
    tt.store %cp, %r : tensor<128x4x!tt.ptr<f32>, #columns>
    tt.return
  }

  // f32, 4 x 128, of ones: sixteen instructions for a depth of 16.
  tt.func public @flat(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %j = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    %n = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #rows}>>
    %je = tt.expand_dims %j {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<16x1xi32, #rows>
    %ne = tt.expand_dims %n {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x128xi32, #rows>
    %width = arith.constant dense<128> : tensor<16x1xi32, #rows>
    %row = arith.muli %je, %width : tensor<16x1xi32, #rows>
    %rows = tt.broadcast %row : tensor<16x1xi32, #rows> -> tensor<16x128xi32, #rows>
    %ns = tt.broadcast %ne : tensor<1x128xi32, #rows> -> tensor<16x128xi32, #rows>
    %at = arith.addi %rows, %ns : tensor<16x128xi32, #rows>
    %as = tt.splat %a : !tt.ptr<f32> -> tensor<16x128x!tt.ptr<f32>, #rows>
    %ap = tt.addptr %as, %at : tensor<16x128x!tt.ptr<f32>, #rows>, tensor<16x128xi32, #rows>
    %y = tt.load %ap : tensor<16x128x!tt.ptr<f32>, #rows>
    %yd = ttg.convert_layout %y : tensor<16x128xf32, #rows> -> tensor<16x128xf32, #ttg.dot_op<{opIdx = 1, parent = #wide, kWidth = 1}>>
    %ones = arith.constant dense<1.0> : tensor<4x16xf32, #ttg.dot_op<{opIdx = 0, parent = #wide, kWidth = 1}>>
    %zero = arith.constant dense<0.0> : tensor<4x128xf32, #wide>
    %z = tt.dot %ones, %yd, %zero, inputPrecision = ieee : tensor<4x16xf32, #ttg.dot_op<{opIdx = 0, parent = #wide, kWidth = 1}>> * tensor<16x128xf32, #ttg.dot_op<{opIdx = 1, parent = #wide, kWidth = 1}>> -> tensor<4x128xf32, #wide>
    %r = ttg.convert_layout %z : tensor<4x128xf32, #wide> -> tensor<4x128xf32, #rows>
    %i = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    %ie = tt.expand_dims %i {axis = 1 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<4x1xi32, #rows>
    %iw = arith.constant dense<128> : tensor<4x1xi32, #rows>
    %il = arith.muli %ie, %iw : tensor<4x1xi32, #rows>
    %ils = tt.broadcast %il : tensor<4x1xi32, #rows> -> tensor<4x128xi32, #rows>
    %ins = tt.broadcast %ne : tensor<1x128xi32, #rows> -> tensor<4x128xi32, #rows>
    %ot = arith.addi %ils, %ins : tensor<4x128xi32, #rows>
    %cs = tt.splat %c : !tt.ptr<f32> -> tensor<4x128x!tt.ptr<f32>, #rows>
    %cp = tt.addptr %cs, %ot : tensor<4x128x!tt.ptr<f32>, #rows>, tensor<4x128xi32, #rows>
    tt.store %cp, %r : tensor<4x128x!tt.ptr<f32>, #rows>
    tt.return
  }
}
