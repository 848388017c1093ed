// The CTAs of a cluster split a product's columns, then its rows; each loads and multiplies its part on the matrix unit.
// RUN: kernelscope opt %s --ttir-to-ttgir="arch=sm_90a num-ctas=2" | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: kernelscope opt %s --ttir-to-ttgir="arch=sm_90a num-ctas=4" | FileCheck %s --check-prefixes=CHECK,FOUR
// RUN: kernelscope opt %s --ttir-to-ttgir="arch=sm_100a num-ctas=2" | FileCheck %s --check-prefix=MMA
// RUN: kernelscope run %s --kernel product --device sim --arch sm_90a --num-ctas 2 | FileCheck %s --check-prefix=SIM
// RUN: kernelscope run %s --kernel product --device sim --arch sm_90a --num-ctas 4 | FileCheck %s --check-prefix=SIM
// RUN: kernelscope run %s --kernel product --device sim --arch sm_100a --num-ctas 2 | FileCheck %s --check-prefix=SIM
// RUN: kernelscope run %s --kernel described --device sim --arch sm_90a --num-ctas 2 | FileCheck %s --check-prefix=SIM
// RUN: kernelscope run %s --kernel sums --device sim --arch sm_90a --num-ctas 1 | grep 'to .*checksum' > %t.one
// RUN: kernelscope run %s --kernel sums --device sim --arch sm_90a --num-ctas 2 | grep 'to .*checksum' > %t.two
// RUN: diff %t.one %t.two

// RUN: kernelscope preview %s --kernel precise --arch sm_90a --num-ctas 4 --emit ptx | FileCheck %s --check-prefix=PTX
// RUN: kernelscope run %s --kernel precise --device sim --arch sm_90a --num-ctas 4 | FileCheck %s --check-prefix=SIM

// SIM: differs from the CPU executor {{.*}}: within
// TWO-DAG: #[[SUM:mma]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], CGALayout = {{\[\[0, 1\]\]}}, instrShape = [16, 64, 16]}>
// FOUR-DAG: #[[SUM:mma]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], CGALayout = {{\[\[0, 1\], \[1, 0\]\]}}, instrShape = [16, 64, 16]}>
// FOUR-DAG: #[[FMA:blocked[0-9]*]] = #ttg.blocked<{sizePerThread = [4, 2], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = {{\[\[0, 1\], \[1, 0\]\]}}}>
// MMA-DAG: #[[SUM:mma]] = #ttg.nvidia_mma<{versionMajor = 2, {{.*}}CGALayout = {{\[\[0, 1\]\]}}, instrShape = [16, 8]}>
// CHECK-LABEL: @product
// MMA-LABEL: @product
tt.func public @product(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %k = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %long = tt.expand_dims %i {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %wide = tt.expand_dims %i {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
  %down = tt.expand_dims %k {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %along = tt.expand_dims %k {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %c32 = arith.constant dense<32> : tensor<128x1xi32>
  %c128 = arith.constant dense<128> : tensor<32x1xi32>
  %c128l = arith.constant dense<128> : tensor<128x1xi32>
  %a0 = arith.muli %long, %c32 : tensor<128x1xi32>
  %a1 = tt.broadcast %a0 : tensor<128x1xi32> -> tensor<128x32xi32>
  %a2 = tt.broadcast %along : tensor<1x32xi32> -> tensor<128x32xi32>
  %a3 = arith.addi %a1, %a2 : tensor<128x32xi32>
  %a4 = tt.splat %a : !tt.ptr<f16> -> tensor<128x32x!tt.ptr<f16>>
  %a5 = tt.addptr %a4, %a3 : tensor<128x32x!tt.ptr<f16>>, tensor<128x32xi32>
  %b0 = arith.muli %down, %c128 : tensor<32x1xi32>
  %b1 = tt.broadcast %b0 : tensor<32x1xi32> -> tensor<32x128xi32>
  %b2 = tt.broadcast %wide : tensor<1x128xi32> -> tensor<32x128xi32>
  %b3 = arith.addi %b1, %b2 : tensor<32x128xi32>
  %b4 = tt.splat %b : !tt.ptr<f16> -> tensor<32x128x!tt.ptr<f16>>
  %b5 = tt.addptr %b4, %b3 : tensor<32x128x!tt.ptr<f16>>, tensor<32x128xi32>
  // What a CTA loads is what it multiplies.
  // CHECK: %[[A:.*]] = tt.load
  // CHECK-NEXT: %[[X:.*]] = ttg.local_alloc %[[A]]
  // CHECK-NEXT: %[[B:.*]] = tt.load
  // CHECK-NEXT: %[[Y:.*]] = ttg.local_alloc %[[B]]
  // CHECK: ttng.warp_group_dot %[[X]], %[[Y]], {{.*}} -> tensor<128x128xf32, #[[SUM]]>
  // MMA: tt.dot {{.*}} -> tensor<128x128xf32, #[[SUM]]>
  %x = tt.load %a5 : tensor<128x32x!tt.ptr<f16>>
  %y = tt.load %b5 : tensor<32x128x!tt.ptr<f16>>
  %d = tt.dot %x, %y, %none : tensor<128x32xf16> * tensor<32x128xf16> -> tensor<128x128xf32>
  %c0 = arith.muli %long, %c128l : tensor<128x1xi32>
  %c1 = tt.broadcast %c0 : tensor<128x1xi32> -> tensor<128x128xi32>
  %c2 = tt.broadcast %wide : tensor<1x128xi32> -> tensor<128x128xi32>
  %c3 = arith.addi %c1, %c2 : tensor<128x128xi32>
  %c4 = tt.splat %c : !tt.ptr<f32> -> tensor<128x128x!tt.ptr<f32>>
  %c5 = tt.addptr %c4, %c3 : tensor<128x128x!tt.ptr<f32>>, tensor<128x128xi32>
  tt.store %c5, %d : tensor<128x128x!tt.ptr<f32>>
  tt.return
}

// Each CTA adds its part of a block, and has what a load through such a descriptor gives it from the others.
// CHECK-LABEL: @sums
// TWO-SAME: !tt.tensordesc<32x16xf32, #[[PART:[a-z0-9]+]]>
// TWO: ttng.async_tma_copy_global_to_local
// TWO: ttg.local_load
// TWO: ttng.async_tma_reduce add, %{{.*}}[%{{.*}}, %{{.*}}] %{{.*}} : !tt.tensordesc<32x16xf32, #[[PART]]>
tt.func public @sums(%to: !tt.tensordesc<32x16xf32>, %from: !tt.tensordesc<32x16xf32>) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %x = tt.get_program_id x : i32
  %i = arith.muli %x, %c32 : i32
  %v = tt.descriptor_load %from[%i, %c0] : !tt.tensordesc<32x16xf32> -> tensor<32x16xf32>
  tt.descriptor_reduce add, %to[%c0, %c0], %v : !tt.tensordesc<32x16xf32>, tensor<32x16xf32>
  tt.return
}

// Operands through descriptors of the host: each CTA has the whole block, and takes its part.
// CHECK-LABEL: @described
// TWO: ttng.warp_group_dot
// FOUR: tt.dot
tt.func public @described(%a: !tt.tensordesc<64x64xf16>, %b: !tt.tensordesc<64x64xf16>, %c: !tt.tensordesc<64x64xf32>) {
  %c0 = arith.constant 0 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tt.descriptor_load %a[%c0, %c0] : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16>
  %y = tt.descriptor_load %b[%c0, %c0] : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16>
  %d = tt.dot %x, %y, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  tt.descriptor_store %c[%c0, %c0], %d : !tt.tensordesc<64x64xf32>, tensor<64x64xf32>
  tt.return
}

// So they do with one on the FMA units: no CTA needs what another has.
// FOUR-LABEL: @precise
// FOUR: tt.dot {{.*}} -> tensor<64x64xf32, #[[FMA]]>
// PTX-LABEL: .entry precise
// PTX-NOT: barrier.cluster
// PTX: bar.sync
// PTX-NOT: bar.sync
// PTX-NOT: barrier.cluster
// PTX: ret;
tt.func public @precise(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tt.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %stride = arith.constant dense<64> : tensor<64x1xi32>
  %starts = arith.muli %rows, %stride : tensor<64x1xi32>
  %down = tt.broadcast %starts : tensor<64x1xi32> -> tensor<64x64xi32>
  %across = tt.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %offsets = arith.addi %down, %across : tensor<64x64xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %ap = tt.addptr %as, %offsets : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  %bs = tt.splat %b : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %bp = tt.addptr %bs, %offsets : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %cp = tt.addptr %cs, %offsets : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  %x = tt.load %ap : tensor<64x64x!tt.ptr<f32>>
  %y = tt.load %bp : tensor<64x64x!tt.ptr<f32>>
  %d = tt.dot %x, %y, %none : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
  tt.store %cp, %d : tensor<64x64x!tt.ptr<f32>>
  tt.return
}
