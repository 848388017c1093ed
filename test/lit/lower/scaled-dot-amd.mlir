// Products of microscaled operands on AMD: which byte or half of the scales each instruction takes, operands of two
// formats, and numbers on the wave simulator.
// RUN: split-file %s %t
// RUN: kernelscope preview %t/cdna4.ttgir --emit llvm | FileCheck %t/cdna4.ttgir
// RUN: kernelscope run %t/cdna4.ttgir --kernel=mixed --device sim --compare | FileCheck %s --check-prefix=SIM
// RUN: kernelscope preview %t/gfx1250.ttgir --emit llvm | FileCheck %t/gfx1250.ttgir
// RUN: kernelscope run %t/gfx1250.ttgir --kernel=mixed --device sim --compare | FileCheck %s --check-prefix=SIM
// RUN: not kernelscope opt %t/errors.ttgir --ttgir-to-llvm=arch=gfx950 2>&1 | FileCheck %t/errors.ttgir
// SIM: differs from the CPU executor by at most 0.000e+00

//--- cdna4.ttgir
#mma = #ttg.amd_mfma<{version = 4, warpsPerCTA = [1, 1], instrShape = [16, 16, 128], isTransposed = true}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>
#scales = #ttg.linear<{register = [[16, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 1], [0, 2]], warp = [], block = []}>
#columns = #ttg.linear<{register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 1], [0, 2]], warp = [], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  // A is e4m3, B is e2m1, two per byte. The product is transposed, so B comes first; rows 16 and on take byte 1.
  // CHECK-LABEL: @mixed
  // CHECK: call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v4i32.v8i32({{.*}}, i32 4, i32 0, i32 0, i32 %[[B:[0-9]+]], i32 0, i32 %[[A:[0-9]+]])
  // CHECK: call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v4i32.v8i32({{.*}}, i32 4, i32 0, i32 0, i32 %[[B]], i32 1, i32 %[[A]])
  // CHECK-NOT: call{{.*}}mfma
  tt.func public @mixed(%pa: !tt.ptr<i8>, %psa: !tt.ptr<i8>, %pb: !tt.ptr<i8>, %psb: !tt.ptr<i8>, %out: !tt.ptr<f32>) {
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
    // No exponent of all ones, which may be NaN.
    %mask = arith.constant dense<-65> : tensor<32x128xi8, #a>
    %kept = arith.andi %bytes, %mask : tensor<32x128xi8, #a>
    %x = tt.bitcast %kept : tensor<32x128xi8, #a> -> tensor<32x128xf8E4M3FN, #a>

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
    %d = tt.dot_scaled %x scale %scaleA, %y scale %scaleB, %zero lhs = e4m3 rhs = e2m1 {fastMath = false} : tensor<32x128xf8E4M3FN, #a>, tensor<32x4xi8, #scales> * tensor<64x16xi8, #b>, tensor<16x4xi8, #columns> -> tensor<32x16xf32, #mma>
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

//--- gfx1250.ttgir
#mma = #ttg.amd_wmma<{version = 3, isTranspose = true, warpsPerCTA = [1, 1], instrShape = [16, 16, 128]}>
#half = #ttg.amd_wmma<{version = 3, isTranspose = true, warpsPerCTA = [1, 1], instrShape = [16, 16, 64]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>
#b = #ttg.dot_op<{opIdx = 1, parent = #half, kWidth = 16}>
#scales = #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}>
#columns = #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 0]], warp = [], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  // Rows 16 and on take the scales of the lanes from 16 on.
  // CHECK-LABEL: @mixed
  // CHECK: call <8 x float> @llvm.amdgcn.wmma.scale.f32.16x16x128.f8f6f4.v8f32.v8i32.v16i32(i32 4, {{.*}}, i32 0, i32 0, i32 %[[B:[0-9]+]], i32 0, i32 0, i32 %[[A:[0-9]+]],
  // CHECK: call <8 x float> @llvm.amdgcn.wmma.scale.f32.16x16x128.f8f6f4.v8f32.v8i32.v16i32(i32 4, {{.*}}, i32 0, i32 0, i32 %[[B]], i32 1, i32 0, i32 %[[A]],
  // CHECK-NOT: call{{.*}}wmma
  tt.func public @mixed(%pa: !tt.ptr<i8>, %psa: !tt.ptr<i8>, %pb: !tt.ptr<i8>, %psb: !tt.ptr<i8>, %out: !tt.ptr<f32>) {
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
    // No exponent of all ones, which may be NaN.
    %mask = arith.constant dense<-65> : tensor<32x128xi8, #a>
    %kept = arith.andi %bytes, %mask : tensor<32x128xi8, #a>
    %x = tt.bitcast %kept : tensor<32x128xi8, #a> -> tensor<32x128xf8E4M3FN, #a>

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
    %d = tt.dot_scaled %x scale %scaleA, %y scale %scaleB, %zero lhs = e4m3 rhs = e2m1 {fastMath = false} : tensor<32x128xf8E4M3FN, #a>, tensor<32x4xi8, #scales> * tensor<64x16xi8, #b>, tensor<16x4xi8, #columns> -> tensor<32x16xf32, #mma>
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

//--- errors.ttgir
#mma = #ttg.amd_mfma<{version = 4, warpsPerCTA = [1, 1], instrShape = [16, 16, 128], isTransposed = true}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>
#scales = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 1], [0, 2]], warp = [], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  // CHECK: 'tt.dot_scaled' op has scales in the layout #ttg.blocked<{{.*}}>, which does not match the instructions of gfx950; it must be #ttg.linear<{register = [], lane = {{\[\[1, 0\], \[2, 0\], \[4, 0\], \[8, 0\], \[0, 1\], \[0, 2\]\]}}, warp = [], block = []}>
  tt.func public @layout(%x: tensor<16x128xf8E4M3FN, #a>, %s: tensor<16x4xi8, #scales>, %y: tensor<128x16xf8E4M3FN, #b>, %t: tensor<16x4xi8, #linear>, %c: tensor<16x16xf32, #mma>) {
    %d = tt.dot_scaled %x scale %s, %y scale %t, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<16x128xf8E4M3FN, #a>, tensor<16x4xi8, #scales> * tensor<128x16xf8E4M3FN, #b>, tensor<16x4xi8, #linear> -> tensor<16x16xf32, #mma>
    tt.return
  }
}
