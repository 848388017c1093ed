// Products of TTIR get layouts that a matrix unit takes; the accumulator of a loop has them all along.
// RUN: kernelscope opt %s --ttir-to-ttgir="arch=sm_80 num-stages=1" | FileCheck %s --check-prefixes=CHECK,AMPERE
// RUN: kernelscope opt %s --ttir-to-ttgir="arch=gfx942 num-stages=1" | FileCheck %s --check-prefixes=CHECK,CDNA
// RUN: kernelscope opt %s --ttir-to-ttgir="arch=gfx1100 num-stages=1" | FileCheck %s --check-prefixes=CHECK,RDNA
// RUN: kernelscope opt %s --ttir-to-ttgir="arch=gfx1250 num-stages=1" | FileCheck %s --check-prefix=GFX1250
// RUN: kernelscope preview %s --arch sm_80 --kernel loop | FileCheck %s --check-prefix=PTX
// RUN: kernelscope preview %s --arch gfx1201 --kernel loop | FileCheck %s --check-prefix=GCN

// AMPERE-DAG: #[[SUM:mma]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// AMPERE-DAG: #[[CHAIN:mma[0-9]+]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
// AMPERE-DAG: #[[ACROSS:mma[0-9]+]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
// CDNA-DAG: #[[COPIES:mma[0-9]+]] = #ttg.amd_mfma<{version = 3, warpsPerCTA = [4, 1], instrShape = [16, 16, 16], isTransposed = true}>
// CDNA-DAG: #[[OWN:mma[0-9]+]] = #ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 4], instrShape = [16, 16, 16], isTransposed = true}>
// A thread computes more rows than columns: the lanes of a row load the same of the left operand.
// AMPERE-DAG: #[[TALL:blocked[0-9]*]] = #ttg.blocked<{sizePerThread = [4, 2], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
// CDNA-DAG: #[[SUM:mma]] = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>
// RDNA-DAG: #[[SUM:mma]] = #ttg.amd_wmma<{version = 1, isTranspose = true, ctaLayout = {warp = {{\[\[0, 1\], \[1, 0\]\]}}}}>

// CHECK-LABEL: @loop
// PTX-LABEL: .entry loop
// PTX: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// GCN: v_wmma_f32_16x16x16_f16
tt.func public @loop(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tt.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %stride = arith.constant dense<64> : tensor<64x1xi32>
  %starts = arith.muli %rows, %stride : tensor<64x1xi32>
  %a = tt.broadcast %starts : tensor<64x1xi32> -> tensor<64x64xi32>
  %b = tt.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %offsets = arith.addi %a, %b : tensor<64x64xi32>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %q = tt.addptr %ps, %offsets : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
  // CHECK: scf.for {{.*}} -> (tensor<64x64xf32, #[[SUM]]>)
  %sum = scf.for %k = %zero to %n step %one iter_args(%acc = %none) -> (tensor<64x64xf32>) : i32 {
    %x = tt.load %q : tensor<64x64x!tt.ptr<f16>>
    // AMPERE: tt.dot {{.*}} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #[[SUM]], kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #[[SUM]], kWidth = 2}>> -> tensor<64x64xf32, #[[SUM]]>
    // CDNA: tt.dot {{.*}} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #[[SUM]], kWidth = 4}>>
    // RDNA: tt.dot {{.*}} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #[[SUM]], kWidth = 16}>>
    // CHECK-NOT: convert_layout
    // CHECK: scf.yield
    %next = tt.dot %x, %x, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %to = tt.addptr %outs, %offsets : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  tt.store %to, %sum : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// 8-bit floats without an instruction are multiplied as f16. On AMD sums of f16 are made in f32, also where WMMA could make them in f16.
// CHECK-LABEL: @widened
tt.func public @widened(%x: tensor<32x32xf8E5M2>, %y: tensor<32x32xf16>, %c: tensor<32x32xf16>) -> tensor<32x32xf16> {
  // CHECK-COUNT-2: tt.fp_to_fp %{{.*}} : tensor<32x32xf8E5M2, {{.*}} -> tensor<32x32xf16,
  // AMPERE: tt.dot {{.*}} -> tensor<32x32xf16, #
  // CDNA: tt.dot {{.*}} -> tensor<32x32xf32, #
  // CDNA: tt.fp_to_fp {{.*}}, rounding = rtne : tensor<32x32xf32, {{.*}} -> tensor<32x32xf16,
  // RDNA: tt.dot {{.*}} -> tensor<32x32xf32, #
  // RDNA: tt.fp_to_fp {{.*}}, rounding = rtne : tensor<32x32xf32, {{.*}} -> tensor<32x32xf16,
  %d = tt.dot %x, %x, %c : tensor<32x32xf8E5M2> * tensor<32x32xf8E5M2> -> tensor<32x32xf16>
  // AMPERE: tt.dot {{.*}} -> tensor<32x32xf16, #
  // CDNA: tt.dot {{.*}} -> tensor<32x32xf32, #
  // RDNA: tt.dot {{.*}} -> tensor<32x32xf32, #
  %e = tt.dot %y, %y, %d : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf16>
  tt.return %e : tensor<32x32xf16>
}

// A product that is too shallow for the instruction takes it on AMD, with zeros beyond the end of K.
// GFX1250-LABEL: @shallow
tt.func public @shallow(%x: tensor<64x16xf16>, %y: tensor<16x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // GFX1250: tt.dot {{.*}} -> tensor<64x64xf32, #mma>
  %d = tt.dot %x, %y, %c : tensor<64x16xf16> * tensor<16x64xf16> -> tensor<64x64xf32>
  tt.return %d : tensor<64x64xf32>
}

// Full precision of f32 has no instruction on NVIDIA: fused multiply-adds.
// CHECK-LABEL: @precise
// AMPERE: tt.dot {{.*}} #ttg.dot_op<{opIdx = 0, parent = #[[TALL]]}>
// CDNA: tt.dot {{.*}} #ttg.dot_op<{opIdx = 0, parent = #mma{{.*}}
tt.func public @precise(%x: tensor<32x32xf32>, %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %d = tt.dot %x, %x, %c : tensor<32x32xf32> * tensor<32x32xf32> -> tensor<32x32xf32>
  tt.return %d : tensor<32x32xf32>
}

// Of a chain of 32 rows, pairs of warps compute copies: none needs what another has of a row.
// AMPERE-LABEL: @short_chain
// AMPERE: tt.dot {{.*}} -> tensor<32x32xf32, #[[CHAIN]]>
// AMPERE-NEXT: %[[P:.*]] = arith.truncf
// AMPERE-NEXT: %[[LEFT:.*]] = ttg.convert_layout %[[P]]
// AMPERE: tt.dot %[[LEFT]], {{.*}} -> tensor<32x32xf32, #[[CHAIN]]>
tt.func public @short_chain(%a: tensor<32x32xf16>) -> tensor<32x32xf32> {
  %none = arith.constant dense<0.0> : tensor<32x32xf32>
  %scores = tt.dot %a, %a, %none : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
  %p = arith.truncf %scores : tensor<32x32xf32> to tensor<32x32xf16>
  %sum = tt.dot %p, %a, %none : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
  tt.return %sum : tensor<32x32xf32>
}

// On NVIDIA the warps share the columns of a chain with few long rows, rather than to compute copies. On AMD all compute
// the scores, which are in the registers of each then, and each a part of the sums.
// AMPERE-LABEL: @few_long_rows
// AMPERE: tt.dot {{.*}} -> tensor<16x64xf32, #[[ACROSS]]>
// AMPERE: tt.dot {{.*}} -> tensor<16x64xf32, #[[ACROSS]]>
// CDNA-LABEL: @few_long_rows
// CDNA: tt.dot {{.*}} -> tensor<16x64xf32, #[[COPIES]]>
// CDNA: tt.dot {{.*}} -> tensor<16x64xf32, #[[OWN]]>
tt.func public @few_long_rows(%a: tensor<16x64xf16>, %b: tensor<64x64xf16>) -> tensor<16x64xf32> {
  %none = arith.constant dense<0.0> : tensor<16x64xf32>
  %scores = tt.dot %a, %b, %none : tensor<16x64xf16> * tensor<64x64xf16> -> tensor<16x64xf32>
  %p = arith.truncf %scores : tensor<16x64xf32> to tensor<16x64xf16>
  %sum = tt.dot %p, %b, %none : tensor<16x64xf16> * tensor<64x64xf16> -> tensor<16x64xf32>
  tt.return %sum : tensor<16x64xf32>
}
