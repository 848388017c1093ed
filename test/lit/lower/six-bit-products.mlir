// Products of 6-bit floats, one in each byte: by gfx950's instruction, and from TTIR in bf16 on chips without one.
// RUN: split-file %s %t
// RUN: kernelscope preview %t/cdna4.ttgir --emit llvm | FileCheck %t/cdna4.ttgir
// RUN: kernelscope run %t/cdna4.ttgir --device sim --compare | FileCheck %s --check-prefix=SIM
// RUN: kernelscope run %t/emulated.ttir --device sim --arch gfx942 --compare | FileCheck %s --check-prefix=SIM
// SIM: differs from the CPU executor by at most 0.000e+00

//--- cdna4.ttgir
#mma = #ttg.amd_mfma<{version = 4, warpsPerCTA = [1, 1], instrShape = [16, 16, 128], isTransposed = true}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 32}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>
#scales = #ttg.linear<{register = [[16, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 1], [0, 2]], warp = [], block = []}>
#columns = #ttg.linear<{register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 1], [0, 2]], warp = [], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  // A, which comes second since the product is transposed, is format 2 and fills six words of each lane.
  // CHECK: call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v4i32.v6i32({{.*}}, i32 4, i32 2,
  tt.func public @instruction(%pa: !tt.ptr<i8>, %psa: !tt.ptr<i8>, %pb: !tt.ptr<i8>, %psb: !tt.ptr<i8>, %out: !tt.ptr<f32>) {
    %m = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #a}>>
    %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #a}>> -> tensor<32x1xi32, #a>
    %k = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #a}>>
    %k1 = tt.expand_dims %k {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #a}>> -> tensor<1x128xi32, #a>
    %c128 = arith.constant dense<128> : tensor<32x1xi32, #a>
    %rows = arith.muli %m1, %c128 : tensor<32x1xi32, #a>
    %rows1 = tt.broadcast %rows : tensor<32x1xi32, #a> -> tensor<32x128xi32, #a>
    %k2 = tt.broadcast %k1 : tensor<1x128xi32, #a> -> tensor<32x128xi32, #a>
    %ofA = arith.addi %rows1, %k2 : tensor<32x128xi32, #a>
    %bytes = amdg.buffer_load %pa[%ofA] : tensor<32x128xi8, #a>

    %kb = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %kb1 = tt.expand_dims %kb {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<64x1xi32, #b>
    %n = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %n1 = tt.expand_dims %n {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x16xi32, #b>
    %c16 = arith.constant dense<16> : tensor<64x1xi32, #b>
    %rowsB = arith.muli %kb1, %c16 : tensor<64x1xi32, #b>
    %rowsB1 = tt.broadcast %rowsB : tensor<64x1xi32, #b> -> tensor<64x16xi32, #b>
    %n2 = tt.broadcast %n1 : tensor<1x16xi32, #b> -> tensor<64x16xi32, #b>
    %ofB = arith.addi %rowsB1, %n2 : tensor<64x16xi32, #b>
    %y = amdg.buffer_load %pb[%ofB] : tensor<64x16xi8, #b>

    %ms = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #scales}>>
    %ms1 = tt.expand_dims %ms {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #scales}>> -> tensor<32x1xi32, #scales>
    %ks = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #scales}>>
    %ks1 = tt.expand_dims %ks {axis = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #scales}>> -> tensor<1x4xi32, #scales>
    %c4 = arith.constant dense<4> : tensor<32x1xi32, #scales>
    %rowsS = arith.muli %ms1, %c4 : tensor<32x1xi32, #scales>
    %rowsS1 = tt.broadcast %rowsS : tensor<32x1xi32, #scales> -> tensor<32x4xi32, #scales>
    %ks2 = tt.broadcast %ks1 : tensor<1x4xi32, #scales> -> tensor<32x4xi32, #scales>
    %ofS = arith.addi %rowsS1, %ks2 : tensor<32x4xi32, #scales>
    %near = arith.constant dense<7> : tensor<32x4xi8, #scales>
    %bias = arith.constant dense<124> : tensor<32x4xi8, #scales>
    %s = amdg.buffer_load %psa[%ofS] : tensor<32x4xi8, #scales>
    %s1 = arith.andi %s, %near : tensor<32x4xi8, #scales>
    %scaleA = arith.addi %s1, %bias : tensor<32x4xi8, #scales>

    %ns = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #columns}>>
    %ns1 = tt.expand_dims %ns {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #columns}>> -> tensor<16x1xi32, #columns>
    %kc = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #columns}>>
    %kc1 = tt.expand_dims %kc {axis = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #columns}>> -> tensor<1x4xi32, #columns>
    %c4c = arith.constant dense<4> : tensor<16x1xi32, #columns>
    %rowsC = arith.muli %ns1, %c4c : tensor<16x1xi32, #columns>
    %rowsC1 = tt.broadcast %rowsC : tensor<16x1xi32, #columns> -> tensor<16x4xi32, #columns>
    %kc2 = tt.broadcast %kc1 : tensor<1x4xi32, #columns> -> tensor<16x4xi32, #columns>
    %ofC = arith.addi %rowsC1, %kc2 : tensor<16x4xi32, #columns>
    %nearC = arith.constant dense<7> : tensor<16x4xi8, #columns>
    %biasC = arith.constant dense<124> : tensor<16x4xi8, #columns>
    %t = amdg.buffer_load %psb[%ofC] : tensor<16x4xi8, #columns>
    %t1 = arith.andi %t, %nearC : tensor<16x4xi8, #columns>
    %scaleB = arith.addi %t1, %biasC : tensor<16x4xi8, #columns>

    %zero = arith.constant dense<0.0> : tensor<32x16xf32, #mma>
    %d = tt.dot_scaled %bytes scale %scaleA, %y scale %scaleB, %zero lhs = e2m3 rhs = e2m1 {fastMath = false} : tensor<32x128xi8, #a>, tensor<32x4xi8, #scales> * tensor<64x16xi8, #b>, tensor<16x4xi8, #columns> -> tensor<32x16xf32, #mma>
    %mo = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %mo1 = tt.expand_dims %mo {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<32x1xi32, #mma>
    %no = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %no1 = tt.expand_dims %no {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x16xi32, #mma>
    %c16o = arith.constant dense<16> : tensor<32x1xi32, #mma>
    %rowsO = arith.muli %mo1, %c16o : tensor<32x1xi32, #mma>
    %rowsO1 = tt.broadcast %rowsO : tensor<32x1xi32, #mma> -> tensor<32x16xi32, #mma>
    %no2 = tt.broadcast %no1 : tensor<1x16xi32, #mma> -> tensor<32x16xi32, #mma>
    %ofO = arith.addi %rowsO1, %no2 : tensor<32x16xi32, #mma>
    amdg.buffer_store %d, %out[%ofO] : tensor<32x16xf32, #mma>
    tt.return
  }
}

//--- emulated.ttir
module {
  tt.func public @six_bits(%pa: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %pb: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %m = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %m0 = tt.expand_dims %m {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %k = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %k0 = tt.expand_dims %k {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %k1 = tt.expand_dims %k {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %c64 = arith.constant dense<64> : tensor<16x1xi32>
    %rowsA = arith.muli %m1, %c64 : tensor<16x1xi32>
    %rowsA1 = tt.broadcast %rowsA : tensor<16x1xi32> -> tensor<16x64xi32>
    %columnsA = tt.broadcast %k0 : tensor<1x64xi32> -> tensor<16x64xi32>
    %ofA = arith.addi %rowsA1, %columnsA : tensor<16x64xi32>
    %pa1 = tt.splat %pa : !tt.ptr<i8> -> tensor<16x64x!tt.ptr<i8>>
    %atA = tt.addptr %pa1, %ofA : tensor<16x64x!tt.ptr<i8>>, tensor<16x64xi32>
    %a = tt.load %atA : tensor<16x64x!tt.ptr<i8>>
    %c16 = arith.constant dense<16> : tensor<64x1xi32>
    %rowsB = arith.muli %k1, %c16 : tensor<64x1xi32>
    %rowsB1 = tt.broadcast %rowsB : tensor<64x1xi32> -> tensor<64x16xi32>
    %columnsB = tt.broadcast %m0 : tensor<1x16xi32> -> tensor<64x16xi32>
    %ofB = arith.addi %rowsB1, %columnsB : tensor<64x16xi32>
    %pb1 = tt.splat %pb : !tt.ptr<i8> -> tensor<64x16x!tt.ptr<i8>>
    %atB = tt.addptr %pb1, %ofB : tensor<64x16x!tt.ptr<i8>>, tensor<64x16xi32>
    %b = tt.load %atB : tensor<64x16x!tt.ptr<i8>>
    %zero = arith.constant dense<0.0> : tensor<16x16xf32>
    %d = tt.dot_scaled %a, %b, %zero lhs = e2m3 rhs = e3m2 {fastMath = false} : tensor<16x64xi8> * tensor<64x16xi8> -> tensor<16x16xf32>
    %rowsO = arith.constant dense<16> : tensor<16x1xi32>
    %rowsO1 = arith.muli %m1, %rowsO : tensor<16x1xi32>
    %rowsO2 = tt.broadcast %rowsO1 : tensor<16x1xi32> -> tensor<16x16xi32>
    %columnsO = tt.broadcast %m0 : tensor<1x16xi32> -> tensor<16x16xi32>
    %ofO = arith.addi %rowsO2, %columnsO : tensor<16x16xi32>
    %out1 = tt.splat %out : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    %to = tt.addptr %out1, %ofO : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    tt.store %to, %d : tensor<16x16x!tt.ptr<f32>>
    tt.return
  }
}
