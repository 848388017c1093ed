// Products with block scales by mma.sync, of 8 bits and of 4.

// RUN: kernelscope run %s --device sim --arch sm_120a --compare | FileCheck %s
// RUN: kernelscope preview %s --emit ptx --arch sm_120a | FileCheck %s --check-prefix=PTX

// CHECK: bytes {{.*}}
// CHECK: differs from the CPU executor by at most {{.*}}: within
// CHECK: nibbles {{.*}}
// CHECK: differs from the CPU executor by at most {{.*}}: within

// PTX-DAG: mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e5m2.f32.ue8m0
// PTX-DAG: mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0

#l = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
#scaleA = #ttg.linear<{register = [[0, 1]], lane = [[8, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [], block = []}>
#scaleB = #ttg.linear<{register = [[0, 1]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:120", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%bytes: !tt.ptr<f32>, %nibbles: !tt.ptr<f32>, %x: !tt.ptr<f8E4M3FN>, %y: !tt.ptr<f8E5M2>, %p: !tt.ptr<i8>, %q: !tt.ptr<i8>, %s: !tt.ptr<i8>, %t: !tt.ptr<i8>) {
    %leftr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #l}>>
    %leftc = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #l}>>
    %leftr1 = tt.expand_dims %leftr {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #l}>> -> tensor<16x1xi32, #l>
    %leftc1 = tt.expand_dims %leftc {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #l}>> -> tensor<1x64xi32, #l>
    %leftw = arith.constant dense<64> : tensor<16x1xi32, #l>
    %leftm = arith.muli %leftr1, %leftw : tensor<16x1xi32, #l>
    %leftr2 = tt.broadcast %leftm : tensor<16x1xi32, #l> -> tensor<16x64xi32, #l>
    %leftc2 = tt.broadcast %leftc1 : tensor<1x64xi32, #l> -> tensor<16x64xi32, #l>
    %left = arith.addi %leftr2, %leftc2 : tensor<16x64xi32, #l>
    %rightr = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #l}>>
    %rightc = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #ttg.slice<{dim = 0, parent = #l}>>
    %rightr1 = tt.expand_dims %rightr {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #l}>> -> tensor<64x1xi32, #l>
    %rightc1 = tt.expand_dims %rightc {axis = 0 : i32} : tensor<8xi32, #ttg.slice<{dim = 0, parent = #l}>> -> tensor<1x8xi32, #l>
    %rightw = arith.constant dense<8> : tensor<64x1xi32, #l>
    %rightm = arith.muli %rightr1, %rightw : tensor<64x1xi32, #l>
    %rightr2 = tt.broadcast %rightm : tensor<64x1xi32, #l> -> tensor<64x8xi32, #l>
    %rightc2 = tt.broadcast %rightc1 : tensor<1x8xi32, #l> -> tensor<64x8xi32, #l>
    %right = arith.addi %rightr2, %rightc2 : tensor<64x8xi32, #l>
    %halfr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #l}>>
    %halfc = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #l}>>
    %halfr1 = tt.expand_dims %halfr {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #l}>> -> tensor<16x1xi32, #l>
    %halfc1 = tt.expand_dims %halfc {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #l}>> -> tensor<1x32xi32, #l>
    %halfw = arith.constant dense<32> : tensor<16x1xi32, #l>
    %halfm = arith.muli %halfr1, %halfw : tensor<16x1xi32, #l>
    %halfr2 = tt.broadcast %halfm : tensor<16x1xi32, #l> -> tensor<16x32xi32, #l>
    %halfc2 = tt.broadcast %halfc1 : tensor<1x32xi32, #l> -> tensor<16x32xi32, #l>
    %half = arith.addi %halfr2, %halfc2 : tensor<16x32xi32, #l>
    %belowr = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #l}>>
    %belowc = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #ttg.slice<{dim = 0, parent = #l}>>
    %belowr1 = tt.expand_dims %belowr {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #l}>> -> tensor<32x1xi32, #l>
    %belowc1 = tt.expand_dims %belowc {axis = 0 : i32} : tensor<8xi32, #ttg.slice<{dim = 0, parent = #l}>> -> tensor<1x8xi32, #l>
    %beloww = arith.constant dense<8> : tensor<32x1xi32, #l>
    %belowm = arith.muli %belowr1, %beloww : tensor<32x1xi32, #l>
    %belowr2 = tt.broadcast %belowm : tensor<32x1xi32, #l> -> tensor<32x8xi32, #l>
    %belowc2 = tt.broadcast %belowc1 : tensor<1x8xi32, #l> -> tensor<32x8xi32, #l>
    %below = arith.addi %belowr2, %belowc2 : tensor<32x8xi32, #l>
    %resultr = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #l}>>
    %resultc = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #ttg.slice<{dim = 0, parent = #l}>>
    %resultr1 = tt.expand_dims %resultr {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #l}>> -> tensor<16x1xi32, #l>
    %resultc1 = tt.expand_dims %resultc {axis = 0 : i32} : tensor<8xi32, #ttg.slice<{dim = 0, parent = #l}>> -> tensor<1x8xi32, #l>
    %resultw = arith.constant dense<8> : tensor<16x1xi32, #l>
    %resultm = arith.muli %resultr1, %resultw : tensor<16x1xi32, #l>
    %resultr2 = tt.broadcast %resultm : tensor<16x1xi32, #l> -> tensor<16x8xi32, #l>
    %resultc2 = tt.broadcast %resultc1 : tensor<1x8xi32, #l> -> tensor<16x8xi32, #l>
    %result = arith.addi %resultr2, %resultc2 : tensor<16x8xi32, #l>
    %scaler = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #l}>>
    %scalec = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32, #ttg.slice<{dim = 0, parent = #l}>>
    %scaler1 = tt.expand_dims %scaler {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #l}>> -> tensor<16x1xi32, #l>
    %scalec1 = tt.expand_dims %scalec {axis = 0 : i32} : tensor<2xi32, #ttg.slice<{dim = 0, parent = #l}>> -> tensor<1x2xi32, #l>
    %scalew = arith.constant dense<2> : tensor<16x1xi32, #l>
    %scalem = arith.muli %scaler1, %scalew : tensor<16x1xi32, #l>
    %scaler2 = tt.broadcast %scalem : tensor<16x1xi32, #l> -> tensor<16x2xi32, #l>
    %scalec2 = tt.broadcast %scalec1 : tensor<1x2xi32, #l> -> tensor<16x2xi32, #l>
    %scale = arith.addi %scaler2, %scalec2 : tensor<16x2xi32, #l>
    %otherr = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #l}>>
    %otherc = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32, #ttg.slice<{dim = 0, parent = #l}>>
    %otherr1 = tt.expand_dims %otherr {axis = 1 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #l}>> -> tensor<8x1xi32, #l>
    %otherc1 = tt.expand_dims %otherc {axis = 0 : i32} : tensor<2xi32, #ttg.slice<{dim = 0, parent = #l}>> -> tensor<1x2xi32, #l>
    %otherw = arith.constant dense<2> : tensor<8x1xi32, #l>
    %otherm = arith.muli %otherr1, %otherw : tensor<8x1xi32, #l>
    %otherr2 = tt.broadcast %otherm : tensor<8x1xi32, #l> -> tensor<8x2xi32, #l>
    %otherc2 = tt.broadcast %otherc1 : tensor<1x2xi32, #l> -> tensor<8x2xi32, #l>
    %other = arith.addi %otherr2, %otherc2 : tensor<8x2xi32, #l>
    %zero = arith.constant dense<0.0> : tensor<16x8xf32, #mma>
    %s0 = tt.splat %s : !tt.ptr<i8> -> tensor<16x2x!tt.ptr<i8>, #l>
    %s1 = tt.addptr %s0, %scale : tensor<16x2x!tt.ptr<i8>, #l>, tensor<16x2xi32, #l>
    %s2 = tt.load %s1 : tensor<16x2x!tt.ptr<i8>, #l>
    %s3 = ttg.convert_layout %s2 : tensor<16x2xi8, #l> -> tensor<16x2xi8, #scaleA>
    %t0 = tt.splat %t : !tt.ptr<i8> -> tensor<8x2x!tt.ptr<i8>, #l>
    %t1 = tt.addptr %t0, %other : tensor<8x2x!tt.ptr<i8>, #l>, tensor<8x2xi32, #l>
    %t2 = tt.load %t1 : tensor<8x2x!tt.ptr<i8>, #l>
    %t3 = ttg.convert_layout %t2 : tensor<8x2xi8, #l> -> tensor<8x2xi8, #scaleB>
    // Exponents from 40 to 139, as the inputs are from 0 to 99.
    %biasA = arith.constant dense<40> : tensor<16x2xi8, #scaleA>
    %biasB = arith.constant dense<40> : tensor<8x2xi8, #scaleB>
    %sa = arith.addi %s3, %biasA : tensor<16x2xi8, #scaleA>
    %sb = arith.addi %t3, %biasB : tensor<8x2xi8, #scaleB>
    %x0 = tt.splat %x : !tt.ptr<f8E4M3FN> -> tensor<16x64x!tt.ptr<f8E4M3FN>, #l>
    %x1 = tt.addptr %x0, %left : tensor<16x64x!tt.ptr<f8E4M3FN>, #l>, tensor<16x64xi32, #l>
    %x2 = tt.load %x1 : tensor<16x64x!tt.ptr<f8E4M3FN>, #l>
    %x3 = ttg.convert_layout %x2 : tensor<16x64xf8E4M3FN, #l> -> tensor<16x64xf8E4M3FN, #a>
    %y0 = tt.splat %y : !tt.ptr<f8E5M2> -> tensor<64x8x!tt.ptr<f8E5M2>, #l>
    %y1 = tt.addptr %y0, %right : tensor<64x8x!tt.ptr<f8E5M2>, #l>, tensor<64x8xi32, #l>
    %y2 = tt.load %y1 : tensor<64x8x!tt.ptr<f8E5M2>, #l>
    %y3 = ttg.convert_layout %y2 : tensor<64x8xf8E5M2, #l> -> tensor<64x8xf8E5M2, #b>
    %d = tt.dot_scaled %x3 scale %sa, %y3 scale %sb, %zero lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<16x64xf8E4M3FN, #a>, tensor<16x2xi8, #scaleA> * tensor<64x8xf8E5M2, #b>, tensor<8x2xi8, #scaleB> -> tensor<16x8xf32, #mma>
    %d0 = tt.splat %bytes : !tt.ptr<f32> -> tensor<16x8x!tt.ptr<f32>, #l>
    %d1 = tt.addptr %d0, %result : tensor<16x8x!tt.ptr<f32>, #l>, tensor<16x8xi32, #l>
    %d2 = ttg.convert_layout %d : tensor<16x8xf32, #mma> -> tensor<16x8xf32, #l>
    tt.store %d1, %d2 : tensor<16x8x!tt.ptr<f32>, #l>
    // Two elements of 4 bits in each byte.
    %p0 = tt.splat %p : !tt.ptr<i8> -> tensor<16x32x!tt.ptr<i8>, #l>
    %p1 = tt.addptr %p0, %half : tensor<16x32x!tt.ptr<i8>, #l>, tensor<16x32xi32, #l>
    %p2 = tt.load %p1 : tensor<16x32x!tt.ptr<i8>, #l>
    %p3 = ttg.convert_layout %p2 : tensor<16x32xi8, #l> -> tensor<16x32xi8, #a>
    %q0 = tt.splat %q : !tt.ptr<i8> -> tensor<32x8x!tt.ptr<i8>, #l>
    %q1 = tt.addptr %q0, %below : tensor<32x8x!tt.ptr<i8>, #l>, tensor<32x8xi32, #l>
    %q2 = tt.load %q1 : tensor<32x8x!tt.ptr<i8>, #l>
    %q3 = ttg.convert_layout %q2 : tensor<32x8xi8, #l> -> tensor<32x8xi8, #b>
    %e = tt.dot_scaled %p3 scale %sa, %q3 scale %sb, %zero lhs = e2m1 rhs = e2m1 {fastMath = false} : tensor<16x32xi8, #a>, tensor<16x2xi8, #scaleA> * tensor<32x8xi8, #b>, tensor<8x2xi8, #scaleB> -> tensor<16x8xf32, #mma>
    %e0 = tt.splat %nibbles : !tt.ptr<f32> -> tensor<16x8x!tt.ptr<f32>, #l>
    %e1 = tt.addptr %e0, %result : tensor<16x8x!tt.ptr<f32>, #l>, tensor<16x8xi32, #l>
    %e2 = ttg.convert_layout %e : tensor<16x8xf32, #mma> -> tensor<16x8xf32, #l>
    tt.store %e1, %e2 : tensor<16x8x!tt.ptr<f32>, #l>
    tt.return
  }
}
