// On Blackwell products take tcgen05.mma where their shape fits: operands in shared memory, the accumulator in tensor memory.
// RUN: kernelscope opt %s --ttir-to-ttgir="arch=sm_100a num-warps=4" | FileCheck %s
// RUN: kernelscope opt %s --ttir-to-ttgir="arch=sm_100a num-warps=8" | FileCheck %s --check-prefix=GROUPS
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=sm_120a | FileCheck %s --check-prefix=OTHER
// RUN: kernelscope preview %s --kernel loop --arch sm_100a --emit ptx | FileCheck %s --check-prefix=PTX

// CHECK-DAG: #[[ROWS:linear[0-9]*]] = #ttg.linear<{register = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = {{\[\[}}32, 0], [64, 0]], block = []}>
// CHECK-DAG: #[[HALVES:linear[0-9]*]] = #ttg.linear<{register = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [0, 32]], warp = {{\[\[}}16, 0], [32, 0]], block = []}>
// CHECK-DAG: #[[ALONG_N:shared[0-9]*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
// CHECK-DAG: #[[ALONG_K:shared[0-9]*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
// GROUPS-DAG: #[[ROWS:linear[0-9]*]] = #ttg.linear<{register = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = {{\[\[}}32, 0], [64, 0], [0, 32]], block = []}>

// The accumulator of a loop stays in tensor memory until the loop has ended, and operands that do not change are stored before it.
// CHECK-LABEL: @loop
// CHECK: %[[SUM:.*]] = ttng.tmem_alloc %{{.*}} : (tensor<128x64xf32, #[[ROWS]]>) -> !ttg.memdesc<128x64xf32, #{{.*}}, #ttng.tensor_memory, mutable>
// CHECK: %[[A:.*]] = ttg.local_alloc
// CHECK: %[[B:.*]] = ttg.local_alloc
// CHECK: ttng.fence_async_shared
// CHECK: scf.for
// CHECK: ttng.tc_gen5_mma %[[A]], %[[B]], %[[SUM]], %true
// CHECK-NOT: ttng.tmem_load
// CHECK: scf.yield
// CHECK: ttng.tmem_load %[[SUM]] {{.*}} -> tensor<128x64xf32, #[[ROWS]]>
// GROUPS-LABEL: @loop
// GROUPS: ttng.tmem_load {{.*}} -> tensor<128x64xf32, #[[ROWS]]>
// OTHER-LABEL: @loop
// OTHER-NOT: tc_gen5_mma
// PTX-LABEL: .entry loop
// PTX: tcgen05.mma.cta_group::1.kind::f16
// PTX: tcgen05.ld
tt.func public @loop(%a: tensor<128x32xf16>, %b: tensor<32x64xf16>, %rounds: i32) -> tensor<128x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = scf.for %i = %c0 to %rounds step %c1 iter_args(%c = %zero) -> (tensor<128x64xf32>) : i32 {
    %d = tt.dot %a, %b, %c : tensor<128x32xf16> * tensor<32x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  tt.return %sum : tensor<128x64xf32>
}

// An accumulator that each round scales goes there and back. With 64 rows the upper lanes of a warp have further columns.
// CHECK-LABEL: @scaled
// CHECK: scf.for
// CHECK: arith.mulf
// CHECK: ttng.tmem_alloc %{{.*}} : (tensor<64x64xf32, #[[HALVES]]>)
// CHECK: ttng.tc_gen5_mma
// CHECK: ttng.tmem_load {{.*}} -> tensor<64x64xf32, #[[HALVES]]>
// CHECK: scf.yield
tt.func public @scaled(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %rounds: i32, %by: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum = scf.for %i = %c0 to %rounds step %c1 iter_args(%c = %zero) -> (tensor<64x64xf32>) : i32 {
    %s = arith.mulf %c, %by : tensor<64x64xf32>
    %d = tt.dot %a, %b, %s : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tt.return %sum : tensor<64x64xf32>
}

// Too few rows, f32 as it is, sums in f16: not on this unit.
// CHECK-LABEL: @others
// CHECK-NOT: tc_gen5_mma
// CHECK: tt.return
tt.func public @others(%a: tensor<32x64xf16>, %b: tensor<64x64xf16>, %c: tensor<32x64xf32>,
                       %f: tensor<64x64xf32>, %h: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %d = tt.dot %a, %b, %c : tensor<32x64xf16> * tensor<64x64xf16> -> tensor<32x64xf32>
  %g = tt.dot %f, %f, %f : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
  %i = tt.dot %b, %b, %h : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf16>
  tt.return %g : tensor<64x64xf32>
}

// Rows of 8-bit operands lie as threads load them, here along N; those of f32 go along K.
// CHECK-LABEL: @rows
// CHECK: ttg.local_alloc %{{.*}} -> !ttg.memdesc<64x128xf8E5M2, #[[ALONG_N]], #smem>
// CHECK: ttng.tc_gen5_mma
// CHECK: ttg.local_alloc %{{.*}} -> !ttg.memdesc<32x64xf32, #[[ALONG_K]], #smem>
// CHECK: ttng.tc_gen5_mma
tt.func public @rows(%a: tensor<128x64xf8E5M2>, %b: tensor<64x128xf8E5M2>, %c: tensor<128x128xf32>,
                     %e: tensor<128x32xf32>, %f: tensor<32x64xf32>, %g: tensor<128x64xf32>) -> (tensor<128x128xf32>, tensor<128x64xf32>) {
  %d = tt.dot %a, %b, %c : tensor<128x64xf8E5M2> * tensor<64x128xf8E5M2> -> tensor<128x128xf32>
  %h = tt.dot %e, %f, %g, inputPrecision = tf32 : tensor<128x32xf32> * tensor<32x64xf32> -> tensor<128x64xf32>
  tt.return %d, %h : tensor<128x128xf32>, tensor<128x64xf32>
}

// Two accumulators of 256 columns fill tensor memory; the third product takes mma.sync.
// CHECK-LABEL: @full
// CHECK-COUNT-2: ttng.tc_gen5_mma
// CHECK-NOT: ttng.tc_gen5_mma
// CHECK: tt.dot
// CHECK: tt.return
tt.func public @full(%a: tensor<128x32xf16>, %b: tensor<32x256xf16>, %c: tensor<128x256xf32>)
    -> (tensor<128x256xf32>, tensor<128x256xf32>, tensor<128x256xf32>) {
  %x = tt.dot %a, %b, %c : tensor<128x32xf16> * tensor<32x256xf16> -> tensor<128x256xf32>
  %y = tt.dot %a, %b, %c : tensor<128x32xf16> * tensor<32x256xf16> -> tensor<128x256xf32>
  %z = tt.dot %a, %b, %c : tensor<128x32xf16> * tensor<32x256xf16> -> tensor<128x256xf32>
  tt.return %x, %y, %z : tensor<128x256xf32>, tensor<128x256xf32>, tensor<128x256xf32>
}
