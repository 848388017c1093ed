// tti.dot_i8, of which FPSan makes products: bytes with signs or without, whose sums wrap around.
// RUN: kernelscope preview %s --emit ptx | FileCheck %s
// RUN: kernelscope run %s --device sim --arch sm_90a --kernel signed | FileCheck %s --check-prefix=SIM
// RUN: kernelscope run %s --device sim --arch sm_90a --kernel mixed | FileCheck %s --check-prefix=SIM
// SIM: d {{.*}}i32[512]
// SIM: differs from the CPU executor by at most 0.000e+00

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
#row = #ttg.slice<{dim = 1, parent = #mma}>
#column = #ttg.slice<{dim = 0, parent = #mma}>
#rowA = #ttg.slice<{dim = 1, parent = #a}>
#columnA = #ttg.slice<{dim = 0, parent = #a}>
#rowB = #ttg.slice<{dim = 1, parent = #b}>
#columnB = #ttg.slice<{dim = 0, parent = #b}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func private @left(%from: !tt.ptr<i8>) -> tensor<32x64xi8, #a> {
    %r = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #rowA>
    %c = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #columnA>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<32xi32, #rowA> -> tensor<32x1xi32, #a>
    %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32, #columnA> -> tensor<1x64xi32, #a>
    %width = arith.constant dense<64> : tensor<32x1xi32, #a>
    %start = arith.muli %r1, %width : tensor<32x1xi32, #a>
    %rows = tt.broadcast %start : tensor<32x1xi32, #a> -> tensor<32x64xi32, #a>
    %columns = tt.broadcast %c1 : tensor<1x64xi32, #a> -> tensor<32x64xi32, #a>
    %i = arith.addi %rows, %columns : tensor<32x64xi32, #a>
    %p = tt.splat %from : !tt.ptr<i8> -> tensor<32x64x!tt.ptr<i8>, #a>
    %q = tt.addptr %p, %i : tensor<32x64x!tt.ptr<i8>, #a>, tensor<32x64xi32, #a>
    %x = tt.load %q : tensor<32x64x!tt.ptr<i8>, #a>
    tt.return %x : tensor<32x64xi8, #a>
  }
  tt.func private @right(%from: !tt.ptr<i8>) -> tensor<64x16xi8, #b> {
    %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #rowB>
    %c = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #columnB>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32, #rowB> -> tensor<64x1xi32, #b>
    %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<16xi32, #columnB> -> tensor<1x16xi32, #b>
    %width = arith.constant dense<16> : tensor<64x1xi32, #b>
    %start = arith.muli %r1, %width : tensor<64x1xi32, #b>
    %rows = tt.broadcast %start : tensor<64x1xi32, #b> -> tensor<64x16xi32, #b>
    %columns = tt.broadcast %c1 : tensor<1x16xi32, #b> -> tensor<64x16xi32, #b>
    %i = arith.addi %rows, %columns : tensor<64x16xi32, #b>
    %p = tt.splat %from : !tt.ptr<i8> -> tensor<64x16x!tt.ptr<i8>, #b>
    %q = tt.addptr %p, %i : tensor<64x16x!tt.ptr<i8>, #b>, tensor<64x16xi32, #b>
    %x = tt.load %q : tensor<64x16x!tt.ptr<i8>, #b>
    tt.return %x : tensor<64x16xi8, #b>
  }
  tt.func private @store(%to: !tt.ptr<i32>, %value: tensor<32x16xi32, #mma>) {
    %r = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #row>
    %c = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #column>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<32xi32, #row> -> tensor<32x1xi32, #mma>
    %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<16xi32, #column> -> tensor<1x16xi32, #mma>
    %width = arith.constant dense<16> : tensor<32x1xi32, #mma>
    %start = arith.muli %r1, %width : tensor<32x1xi32, #mma>
    %rows = tt.broadcast %start : tensor<32x1xi32, #mma> -> tensor<32x16xi32, #mma>
    %columns = tt.broadcast %c1 : tensor<1x16xi32, #mma> -> tensor<32x16xi32, #mma>
    %i = arith.addi %rows, %columns : tensor<32x16xi32, #mma>
    %p = tt.splat %to : !tt.ptr<i32> -> tensor<32x16x!tt.ptr<i32>, #mma>
    %q = tt.addptr %p, %i : tensor<32x16x!tt.ptr<i32>, #mma>, tensor<32x16xi32, #mma>
    tt.store %q, %value : tensor<32x16x!tt.ptr<i32>, #mma>
    tt.return
  }

  // CHECK-LABEL: .entry signed
  // CHECK: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32
  tt.func public @signed(%a: !tt.ptr<i8>, %b: !tt.ptr<i8>, %d: !tt.ptr<i32>) {
    %x = tt.call @left(%a) : (!tt.ptr<i8>) -> tensor<32x64xi8, #a>
    %y = tt.call @right(%b) : (!tt.ptr<i8>) -> tensor<64x16xi8, #b>
    // Some sums pass the largest number.
    %c = arith.constant dense<2147483640> : tensor<32x16xi32, #mma>
    %s = tti.dot_i8 %x, %y, %c, aSigned = true, bSigned = true : tensor<32x64xi8, #a> * tensor<64x16xi8, #b> -> tensor<32x16xi32, #mma>
    tt.call @store(%d, %s) : (!tt.ptr<i32>, tensor<32x16xi32, #mma>) -> ()
    tt.return
  }
  // CHECK-LABEL: .entry mixed
  // CHECK: mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32
  tt.func public @mixed(%a: !tt.ptr<i8>, %b: !tt.ptr<i8>, %d: !tt.ptr<i32>) {
    %x = tt.call @left(%a) : (!tt.ptr<i8>) -> tensor<32x64xi8, #a>
    %y = tt.call @right(%b) : (!tt.ptr<i8>) -> tensor<64x16xi8, #b>
    %c = arith.constant dense<0> : tensor<32x16xi32, #mma>
    %s = tti.dot_i8 %x, %y, %c, aSigned = false, bSigned = true : tensor<32x64xi8, #a> * tensor<64x16xi8, #b> -> tensor<32x16xi32, #mma>
    tt.call @store(%d, %s) : (!tt.ptr<i32>, tensor<32x16xi32, #mma>) -> ()
    tt.return
  }
}
