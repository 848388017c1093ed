// On gfx950 and gfx1250 a microscaled product takes MFMA or WMMA with scales, each lane with the scales that the instruction
// reads from it. Formats that no instruction has are computed in 16 bits.
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=gfx950 | FileCheck %s --check-prefixes=CHECK,MFMA
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=gfx1250 | FileCheck %s --check-prefixes=CHECK,WMMA
// RUN: kernelscope preview %s --kernel loop --arch gfx950 | FileCheck %s --check-prefix=CDNA
// RUN: kernelscope preview %s --kernel loop --arch gfx1250 | FileCheck %s --check-prefix=GFX1250
// RUN: kernelscope run %s --kernel loop --device sim --arch gfx950 --compare | FileCheck %s --check-prefix=SIM
// RUN: kernelscope run %s --kernel loop --device sim --arch gfx1250 --compare | FileCheck %s --check-prefix=SIM
// RUN: kernelscope run %s --kernel shallow --device sim --arch gfx950 --compare | FileCheck %s --check-prefix=SIM
// RUN: kernelscope run %s --kernel shallow --device sim --arch gfx1250 --compare | FileCheck %s --check-prefix=SIM
// RUN: kernelscope run %s --kernel pairs --device sim --arch gfx950 --compare | FileCheck %s --check-prefix=SIM
// RUN: kernelscope run %s --kernel pairs --device sim --arch gfx1250 --compare | FileCheck %s --check-prefix=SIM
// RUN: kernelscope preview %s --kernel pairs --arch gfx950 | FileCheck %s --check-prefix=PAIRS950
// RUN: kernelscope preview %s --kernel pairs --arch gfx1250 | FileCheck %s --check-prefix=PAIRS1250
// SIM: differs from the CPU executor by at most 0.000e+00

// MFMA-DAG: #[[SUM:mma[0-9]*]] = #ttg.amd_mfma<{version = 4, warpsPerCTA = [2, 2], instrShape = [32, 32, 64], isTransposed = true}>
// A lane has the scales of its row, and of every other 32 elements.
// MFMA-DAG: #[[LEFT:linear[0-9]*]] = #ttg.linear<{register = {{\[\[}}0, 2]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 1]], warp = {{\[\[}}0, 0], [32, 0]], block = []}>
// MFMA-DAG: #[[RIGHT:linear[0-9]*]] = #ttg.linear<{register = {{\[\[}}0, 2]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 1]], warp = {{\[\[}}32, 0], [0, 0]], block = []}>
// WMMA-DAG: #[[SUM:mma[0-9]*]] = #ttg.amd_wmma<{version = 3, isTranspose = true, ctaLayout = {warp = {{\[\[}}0, 1], [1, 0]]}, instrShape = [16, 16, 128]}>
// WMMA-DAG: #[[PAIRS:mma[0-9]*]] = #ttg.amd_wmma<{version = 3, isTranspose = true, ctaLayout = {warp = {{\[\[}}0, 1], [1, 0]]}, instrShape = [16, 16, 64]}>
// A lane has all scales of its row; the second 16 lanes have those of the next tile.
// WMMA-DAG: #[[LEFT:linear[0-9]*]] = #ttg.linear<{register = {{\[\[}}0, 1], [0, 2]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [32, 0]], warp = {{\[\[}}0, 0], [16, 0]], block = []}>
// WMMA-DAG: #[[RIGHT:linear[0-9]*]] = #ttg.linear<{register = {{\[\[}}0, 1], [0, 2]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [32, 0]], warp = {{\[\[}}16, 0], [0, 0]], block = []}>

// e4m3 by e2m1, copied to LDS ahead; the scales are loaded by the lanes that need them.
// CHECK-LABEL: @loop
// CHECK: scf.for
// CHECK-DAG: ttg.local_load {{.*}} -> tensor<64x128xf8E4M3FN, #ttg.dot_op<{opIdx = 0, parent = #[[SUM]], kWidth = 16}>>
// MFMA-DAG: ttg.local_load {{.*}} -> tensor<64x64xi8, #ttg.dot_op<{opIdx = 1, parent = #[[SUM]], kWidth = 16}>>
// WMMA-DAG: ttg.local_load {{.*}} -> tensor<64x64xi8, #ttg.dot_op<{opIdx = 1, parent = #[[PAIRS]], kWidth = 16}>>
// CHECK: tt.dot_scaled {{.*}} lhs = e4m3 rhs = e2m1 {fastMath = false} : {{.*}}, tensor<64x4xi8, #[[LEFT]]> * {{.*}}, tensor<64x4xi8, #[[RIGHT]]> -> tensor<64x64xf32, #[[SUM]]>
// CDNA-LABEL: loop:
// CDNA-NOT: ds_write
// CDNA: v_mfma_scale_f32_32x32x64_f8f6f4
// GFX1250-LABEL: loop:
// An address in scalars and an offset of 32 bits.
// GFX1250: global_load_async_to_lds_b128 v{{[0-9]+}}, v{{[0-9]+}}, s[
// GFX1250-NOT: ds_store
// GFX1250: v_wmma_scale_f32_16x16x128_f8f6f4
tt.func public @loop(%a: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}, %b: !tt.ptr<i8> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}, %as: !tt.ptr<i8> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}, %bs: !tt.ptr<i8> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %ids = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %depth = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %blocks = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %rows = tt.expand_dims %ids {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tt.expand_dims %ids {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %alongA = tt.expand_dims %depth {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
  %alongS = tt.expand_dims %blocks {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
  %s384 = arith.constant dense<384> : tensor<64x1xi32>
  %s192 = arith.constant dense<192> : tensor<1x64xi32>
  %s12 = arith.constant dense<12> : tensor<64x1xi32>
  %s64 = arith.constant dense<64> : tensor<64x1xi32>
  %ra = arith.muli %rows, %s384 : tensor<64x1xi32>
  %rb = arith.muli %columns, %s192 : tensor<1x64xi32>
  %rs = arith.muli %rows, %s12 : tensor<64x1xi32>
  %rc = arith.muli %rows, %s64 : tensor<64x1xi32>
  %ra1 = tt.broadcast %ra : tensor<64x1xi32> -> tensor<64x128xi32>
  %ra2 = tt.broadcast %alongA : tensor<1x128xi32> -> tensor<64x128xi32>
  %oa = arith.addi %ra1, %ra2 : tensor<64x128xi32>
  %rb1 = tt.broadcast %rb : tensor<1x64xi32> -> tensor<64x64xi32>
  %rb2 = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x64xi32>
  %ob = arith.addi %rb1, %rb2 : tensor<64x64xi32>
  %rs1 = tt.broadcast %rs : tensor<64x1xi32> -> tensor<64x4xi32>
  %rs2 = tt.broadcast %alongS : tensor<1x4xi32> -> tensor<64x4xi32>
  %os = arith.addi %rs1, %rs2 : tensor<64x4xi32>
  %rc1 = tt.broadcast %rc : tensor<64x1xi32> -> tensor<64x64xi32>
  %rc2 = tt.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %oc = arith.addi %rc1, %rc2 : tensor<64x64xi32>
  %nextA = arith.constant dense<128> : tensor<64x128xi32>
  %nextB = arith.constant dense<64> : tensor<64x64xi32>
  %nextS = arith.constant dense<4> : tensor<64x4xi32>
  %sa = tt.splat %a : !tt.ptr<f8E4M3FN> -> tensor<64x128x!tt.ptr<f8E4M3FN>>
  %pa0 = tt.addptr %sa, %oa : tensor<64x128x!tt.ptr<f8E4M3FN>>, tensor<64x128xi32>
  %sb = tt.splat %b : !tt.ptr<i8> -> tensor<64x64x!tt.ptr<i8>>
  %pb0 = tt.addptr %sb, %ob : tensor<64x64x!tt.ptr<i8>>, tensor<64x64xi32>
  %sas = tt.splat %as : !tt.ptr<i8> -> tensor<64x4x!tt.ptr<i8>>
  %pas0 = tt.addptr %sas, %os : tensor<64x4x!tt.ptr<i8>>, tensor<64x4xi32>
  %sbs = tt.splat %bs : !tt.ptr<i8> -> tensor<64x4x!tt.ptr<i8>>
  %pbs0 = tt.addptr %sbs, %os : tensor<64x4x!tt.ptr<i8>>, tensor<64x4xi32>
  %product:5 = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %zero, %pa = %pa0, %pb = %pb0, %pas = %pas0, %pbs = %pbs0) -> (tensor<64x64xf32>, tensor<64x128x!tt.ptr<f8E4M3FN>>, tensor<64x64x!tt.ptr<i8>>, tensor<64x4x!tt.ptr<i8>>, tensor<64x4x!tt.ptr<i8>>) : i32 {
    %x = tt.load %pa : tensor<64x128x!tt.ptr<f8E4M3FN>>
    %y = tt.load %pb : tensor<64x64x!tt.ptr<i8>>
    %s = tt.load %pas : tensor<64x4x!tt.ptr<i8>>
    %t = tt.load %pbs : tensor<64x4x!tt.ptr<i8>>
    %d = tt.dot_scaled %x scale %s, %y scale %t, %acc lhs = e4m3 rhs = e2m1 {fastMath = false} : tensor<64x128xf8E4M3FN>, tensor<64x4xi8> * tensor<64x64xi8>, tensor<64x4xi8> -> tensor<64x64xf32>
    %pa1 = tt.addptr %pa, %nextA : tensor<64x128x!tt.ptr<f8E4M3FN>>, tensor<64x128xi32>
    %pb1 = tt.addptr %pb, %nextB : tensor<64x64x!tt.ptr<i8>>, tensor<64x64xi32>
    %pas1 = tt.addptr %pas, %nextS : tensor<64x4x!tt.ptr<i8>>, tensor<64x4xi32>
    %pbs1 = tt.addptr %pbs, %nextS : tensor<64x4x!tt.ptr<i8>>, tensor<64x4xi32>
    scf.yield %d, %pa1, %pb1, %pas1, %pbs1 : tensor<64x64xf32>, tensor<64x128x!tt.ptr<f8E4M3FN>>, tensor<64x64x!tt.ptr<i8>>, tensor<64x4x!tt.ptr<i8>>, tensor<64x4x!tt.ptr<i8>>
  }
  %base = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %places = tt.addptr %base, %oc : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  tt.store %places, %product#0 : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// Less deep than an instruction, and only the right operand has scales.
// CHECK-LABEL: @shallow
// CHECK: tt.dot_scaled {{.*}} lhs = e5m2 rhs = e5m2
tt.func public @shallow(%out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %ids = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %rows = tt.expand_dims %ids {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %columns = tt.expand_dims %ids {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %down = tt.broadcast %rows : tensor<32x1xi32> -> tensor<32x32xi32>
  %across = tt.broadcast %columns : tensor<1x32xi32> -> tensor<32x32xi32>
  %all = arith.constant dense<32> : tensor<32x32xi32>
  %start = arith.muli %down, %all : tensor<32x32xi32>
  %offsets = arith.addi %start, %across : tensor<32x32xi32>
  %seven = arith.constant dense<7> : tensor<32x32xi32>
  %sum = arith.addi %down, %across : tensor<32x32xi32>
  %cut = arith.andi %sum, %seven : tensor<32x32xi32>
  %number = arith.sitofp %cut : tensor<32x32xi32> to tensor<32x32xf32>
  %half = arith.truncf %number : tensor<32x32xf32> to tensor<32x32xf16>
  %a = tt.fp_to_fp %half, rounding = rtne : tensor<32x32xf16> -> tensor<32x32xf8E5M2>
  %three = arith.constant dense<3> : tensor<32x1xi32>
  %bias = arith.constant dense<125> : tensor<32x1xi32>
  %exponent = arith.andi %rows, %three : tensor<32x1xi32>
  %biased = arith.addi %exponent, %bias : tensor<32x1xi32>
  %scales = arith.trunci %biased : tensor<32x1xi32> to tensor<32x1xi8>
  %d = tt.dot_scaled %a, %a scale %scales, %zero lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<32x32xf8E5M2> * tensor<32x32xf8E5M2>, tensor<32x1xi8> -> tensor<32x32xf32>
  %base = tt.splat %out : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  %places = tt.addptr %base, %offsets : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
  tt.store %places, %d : tensor<32x32x!tt.ptr<f32>>
  tt.return
}

// Pairs of 4-bit values along M and N are packed along K by reads of LDS that transpose. A row of 8 bytes, which no copy of gfx950
// takes at once, is copied by two lanes next to each other, so that the read finds it together.
// CHECK-LABEL: @pairs
// CHECK-COUNT-2: amdg.local_load_packed_transposed
// CHECK: tt.dot_scaled {{.*}} lhs = e2m1 rhs = e2m1 {fastMath = false} :
// PAIRS950-LABEL: pairs:
// PAIRS950: buffer_load_dword {{.*}} lds
// PAIRS950: ds_read_b64_tr_b4
// PAIRS950-NOT: ds_read_u8
// PAIRS1250-LABEL: pairs:
// PAIRS1250: global_load_async_to_lds_b64
// PAIRS1250: ds_load_tr4_b64
// PAIRS1250-NOT: ds_load_u8
tt.func public @pairs(%a: !tt.ptr<i8> {tt.divisibility = 8 : i32, tt.pointer_range = 32 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %ids = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %depth = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %bytes = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %rows = tt.expand_dims %ids {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tt.expand_dims %ids {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %m = tt.expand_dims %bytes {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %n = tt.expand_dims %bytes {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %ka = tt.expand_dims %depth {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
  %kb = tt.expand_dims %depth {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %wa = arith.constant dense<40> : tensor<1x128xi32>
  %wb = arith.constant dense<40> : tensor<128x1xi32>
  %w64 = arith.constant dense<64> : tensor<64x1xi32>
  %fa = arith.muli %ka, %wa : tensor<1x128xi32>
  %fb = arith.muli %kb, %wb : tensor<128x1xi32>
  %fc = arith.muli %rows, %w64 : tensor<64x1xi32>
  %a1 = tt.broadcast %m : tensor<32x1xi32> -> tensor<32x128xi32>
  %a2 = tt.broadcast %fa : tensor<1x128xi32> -> tensor<32x128xi32>
  %oa = arith.addi %a1, %a2 : tensor<32x128xi32>
  %b1 = tt.broadcast %n : tensor<1x32xi32> -> tensor<128x32xi32>
  %b2 = tt.broadcast %fb : tensor<128x1xi32> -> tensor<128x32xi32>
  %ob = arith.addi %b1, %b2 : tensor<128x32xi32>
  %c1d = tt.broadcast %fc : tensor<64x1xi32> -> tensor<64x64xi32>
  %c2d = tt.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %oc = arith.addi %c1d, %c2d : tensor<64x64xi32>
  %sa = tt.splat %a : !tt.ptr<i8> -> tensor<32x128x!tt.ptr<i8>>
  %pa0 = tt.addptr %sa, %oa : tensor<32x128x!tt.ptr<i8>>, tensor<32x128xi32>
  %sb = tt.splat %a : !tt.ptr<i8> -> tensor<128x32x!tt.ptr<i8>>
  %pb0 = tt.addptr %sb, %ob : tensor<128x32x!tt.ptr<i8>>, tensor<128x32xi32>
  %nextA = arith.constant dense<5120> : tensor<32x128xi32>
  %nextB = arith.constant dense<5120> : tensor<128x32xi32>
  %product:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %zero, %pa = %pa0, %pb = %pb0) -> (tensor<64x64xf32>, tensor<32x128x!tt.ptr<i8>>, tensor<128x32x!tt.ptr<i8>>) : i32 {
    %x = tt.load %pa : tensor<32x128x!tt.ptr<i8>>
    %y = tt.load %pb : tensor<128x32x!tt.ptr<i8>>
    %d = tt.dot_scaled %x, %y, %acc lhs = e2m1 rhs = e2m1 {fastMath = false, lhs_k_pack = false, rhs_k_pack = false} : tensor<32x128xi8> * tensor<128x32xi8> -> tensor<64x64xf32>
    %pa1 = tt.addptr %pa, %nextA : tensor<32x128x!tt.ptr<i8>>, tensor<32x128xi32>
    %pb1 = tt.addptr %pb, %nextB : tensor<128x32x!tt.ptr<i8>>, tensor<128x32xi32>
    scf.yield %d, %pa1, %pb1 : tensor<64x64xf32>, tensor<32x128x!tt.ptr<i8>>, tensor<128x32x!tt.ptr<i8>>
  }
  %base = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %places = tt.addptr %base, %oc : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  tt.store %places, %product#0 : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// No instruction multiplies bf16 with scales; sums are in f32; of 16 elements that share a scale gfx1250 has one.
// CHECK-LABEL: @others
// CHECK-NOT: tt.dot_scaled
// CHECK: tt.dot
// MFMA-NOT: tt.dot_scaled
// WMMA: tt.dot_scaled
// CHECK: tt.return
tt.func public @others(%a: tensor<64x128xbf16>, %b: tensor<128x64xf8E5M2>, %bs: tensor<64x4xi8>, %c: tensor<64x64xf32>, %e: tensor<64x64xi8>, %es: tensor<64x8xf8E4M3FN>) -> tensor<64x64xf32> {
  %1 = tt.dot_scaled %a, %b scale %bs, %c lhs = bf16 rhs = e5m2 {fastMath = false} : tensor<64x128xbf16> * tensor<128x64xf8E5M2>, tensor<64x4xi8> -> tensor<64x64xf32>
  %2 = tt.dot_scaled %e scale %es, %e scale %es, %1 lhs = e2m1 rhs = e2m1 {fastMath = false} : tensor<64x64xi8>, tensor<64x8xf8E4M3FN> * tensor<64x64xi8>, tensor<64x8xf8E4M3FN> -> tensor<64x64xf32>
  tt.return %2 : tensor<64x64xf32>
}
