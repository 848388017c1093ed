// Operands of microscaled products as Triton 3.6 converts them on chips without such products: the scales lie in any
// layout, a right operand's are transposed, and elements are bytes of two or already of 16 bits.
// RUN: kernelscope opt %s --place-scales | FileCheck %s --check-prefix=PLACED
// RUN: kernelscope run %s --kernel=right_fp4 --device sim --compare | FileCheck %s
// RUN: kernelscope run %s --kernel=left_wide --device sim --compare | FileCheck %s
// CHECK: differs from the CPU executor by at most 0.000e+00

#mma = #ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 2], instrShape = [16, 16, 16], isTransposed = true}>
#pairs = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
#right = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 2], warpsPerCTA = [2, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  // PLACED-LABEL: @right_fp4
  // PLACED: %[[SCALES:.*]] = ttg.convert_layout {{.*}} -> tensor<32x2xi8, #linear
  // PLACED: amdg.upcast_mxfp %{{.*}}, %[[SCALES]] fp_type = e2m1
  tt.func public @right_fp4(%x: !tt.ptr<i8>, %s: !tt.ptr<i8>, %out: !tt.ptr<bf16>) {
    %k = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #pairs}>>
    %k1 = tt.expand_dims %k {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #pairs}>> -> tensor<32x1xi32, #pairs>
    %n = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #pairs}>>
    %n1 = tt.expand_dims %n {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #pairs}>> -> tensor<1x32xi32, #pairs>
    %width = arith.constant dense<32> : tensor<32x1xi32, #pairs>
    %rows = arith.muli %k1, %width : tensor<32x1xi32, #pairs>
    %rows1 = tt.broadcast %rows : tensor<32x1xi32, #pairs> -> tensor<32x32xi32, #pairs>
    %columns = tt.broadcast %n1 : tensor<1x32xi32, #pairs> -> tensor<32x32xi32, #pairs>
    %at = arith.addi %rows1, %columns : tensor<32x32xi32, #pairs>
    %bytes = amdg.buffer_load %x[%at] : tensor<32x32xi8, #pairs>
    %scales = tt.call @scales(%s) : (!tt.ptr<i8>) -> tensor<32x2xi8, #blocked>
    %y = amdg.upcast_mxfp %bytes, %scales fp_type = e2m1 {fastMath = false} : tensor<32x32xi8, #pairs>, tensor<32x2xi8, #blocked> -> tensor<64x32xbf16, #right>
    %z = ttg.convert_layout %y : tensor<64x32xbf16, #right> -> tensor<64x32xbf16, #blocked>
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %c = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %w = arith.constant dense<32> : tensor<64x1xi32, #blocked>
    %p = arith.muli %r1, %w : tensor<64x1xi32, #blocked>
    %p1 = tt.broadcast %p : tensor<64x1xi32, #blocked> -> tensor<64x32xi32, #blocked>
    %q1 = tt.broadcast %c1 : tensor<1x32xi32, #blocked> -> tensor<64x32xi32, #blocked>
    %to = arith.addi %p1, %q1 : tensor<64x32xi32, #blocked>
    amdg.buffer_store %z, %out[%to] : tensor<64x32xbf16, #blocked>
    tt.return
  }

  // PLACED-LABEL: @left_wide
  // PLACED: amdg.upcast_mxfp {{.*}} fp_type = e5m2
  tt.func public @left_wide(%x: !tt.ptr<f16>, %s: !tt.ptr<i8>, %out: !tt.ptr<f16>) {
    %m = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #left}>>
    %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #left}>> -> tensor<32x1xi32, #left>
    %k = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #left}>>
    %k1 = tt.expand_dims %k {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #left}>> -> tensor<1x64xi32, #left>
    %width = arith.constant dense<64> : tensor<32x1xi32, #left>
    %rows = arith.muli %m1, %width : tensor<32x1xi32, #left>
    %rows1 = tt.broadcast %rows : tensor<32x1xi32, #left> -> tensor<32x64xi32, #left>
    %columns = tt.broadcast %k1 : tensor<1x64xi32, #left> -> tensor<32x64xi32, #left>
    %at = arith.addi %rows1, %columns : tensor<32x64xi32, #left>
    %wide = amdg.buffer_load %x[%at] : tensor<32x64xf16, #left>
    %scales = tt.call @scales(%s) : (!tt.ptr<i8>) -> tensor<32x2xi8, #blocked>
    %y = amdg.upcast_mxfp %wide, %scales fp_type = e5m2 {fastMath = false} : tensor<32x64xf16, #left>, tensor<32x2xi8, #blocked> -> tensor<32x64xf16, #left>
    amdg.buffer_store %y, %out[%at] : tensor<32x64xf16, #left>
    tt.return
  }

  // Exponents from 124 to 131: 1/8 to 16.
  tt.func private @scales(%s: !tt.ptr<i8>) -> tensor<32x2xi8, #blocked> {
    %n = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %n1 = tt.expand_dims %n {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %b = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %b1 = tt.expand_dims %b {axis = 0 : i32} : tensor<2xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x2xi32, #blocked>
    %two = arith.constant dense<2> : tensor<32x1xi32, #blocked>
    %rows = arith.muli %n1, %two : tensor<32x1xi32, #blocked>
    %rows1 = tt.broadcast %rows : tensor<32x1xi32, #blocked> -> tensor<32x2xi32, #blocked>
    %columns = tt.broadcast %b1 : tensor<1x2xi32, #blocked> -> tensor<32x2xi32, #blocked>
    %at = arith.addi %rows1, %columns : tensor<32x2xi32, #blocked>
    %bytes = amdg.buffer_load %s[%at] : tensor<32x2xi8, #blocked>
    %near = arith.constant dense<7> : tensor<32x2xi8, #blocked>
    %bias = arith.constant dense<124> : tensor<32x2xi8, #blocked>
    %low = arith.andi %bytes, %near : tensor<32x2xi8, #blocked>
    %scales = arith.addi %low, %bias : tensor<32x2xi8, #blocked>
    tt.return %scales : tensor<32x2xi8, #blocked>
  }
}
