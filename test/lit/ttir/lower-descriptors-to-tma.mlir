// Blocks of tensors that descriptors of the host describe are copied by TMA, each before the next op.
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=sm_90a | FileCheck %s
// RUN: kernelscope preview --arch sm_90a %s --kernel copy | FileCheck %s --check-prefix=PTX
// RUN: kernelscope run %s --kernel few_rows --device sim --arch sm_90a | FileCheck %s --check-prefix=SIM
// RUN: kernelscope run %s --kernel in_parts --device sim --arch sm_90a --num-ctas 2 | FileCheck %s --check-prefix=PARTS
// RUN: not kernelscope preview --arch sm_80 %s --kernel copy 2>&1 | FileCheck %s --check-prefix=OLD

// CHECK-DAG: #[[ROWS:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: #[[NARROW:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 32}>
// CHECK-DAG: #[[PLAIN:.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: #[[BARRIER:.*]] = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>

// OLD: error: 'tt.func' op takes a descriptor as argument 0, which sm_80 cannot copy with
// PTX: mbarrier.init.shared::cta.b64
// PTX: cp.async.bulk.tensor.2d.shared::c{{.*}}.global
// PTX: fence.proxy.async.shared::cta
// PTX: cp.async.bulk.tensor.2d.global.shared::cta
// PTX: cp.async.bulk.wait_group
// CHECK-LABEL: @copy
// CHECK-SAME: (%{{.*}}: !tt.tensordesc<16x64xf16, #[[ROWS]]>, %{{.*}}: !tt.tensordesc<16x64xf16, #[[ROWS]]>
tt.func public @copy(%from: !tt.tensordesc<16x64xf16>, %to: !tt.tensordesc<16x64xf16>, %i: i32, %j: i32) {
  // CHECK: %[[BUFFER:.*]] = ttg.local_alloc : () -> !ttg.memdesc<16x64xf16, #[[ROWS]], #smem, mutable>
  // CHECK: %[[BAR:.*]] = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #[[BARRIER]], #smem, mutable>
  // CHECK: ttng.init_barrier %[[BAR]], 1
  // CHECK: ttng.barrier_expect %[[BAR]], 2048, %[[YES:.*]] :
  // CHECK: ttng.async_tma_copy_global_to_local %{{.*}}[%{{.*}}, %{{.*}}] %[[BUFFER]], %[[BAR]], %[[YES]]
  // CHECK: ttng.wait_barrier %[[BAR]]
  // CHECK: ttng.inval_barrier %[[BAR]]
  // CHECK: %[[V:.*]] = ttg.local_load %[[BUFFER]]
  %v = tt.descriptor_load %from[%i, %j] : !tt.tensordesc<16x64xf16> -> tensor<16x64xf16>
  %w = arith.addf %v, %v : tensor<16x64xf16>
  // CHECK: %[[OUT:.*]] = ttg.local_alloc %{{.*}} : (tensor<16x64xf16, #{{.*}}>) -> !ttg.memdesc<16x64xf16, #[[ROWS]], #smem, mutable>
  // CHECK: ttng.fence_async_shared {bCluster = false}
  // CHECK: ttng.async_tma_copy_local_to_global %{{.*}}[%{{.*}}, %{{.*}}] %[[OUT]]
  // CHECK: ttng.async_tma_store_wait {pendings = 0 : i32}
  tt.descriptor_store %to[%i, %j], %w : !tt.tensordesc<16x64xf16>, tensor<16x64xf16>
  tt.return
}

// Blocks in which a swizzle would not repeat have none.
// CHECK-LABEL: @few_rows
// CHECK-SAME: !tt.tensordesc<4x512xf16, #[[PLAIN]]>
// SIM: differs from the CPU executor by at most 0.000e+00
tt.func public @few_rows(%from: !tt.tensordesc<4x512xf16>, %to: !tt.tensordesc<4x512xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %v = tt.descriptor_load %from[%c1, %c0] : !tt.tensordesc<4x512xf16> -> tensor<4x512xf16>
  tt.descriptor_store %to[%c0, %c0], %v : !tt.tensordesc<4x512xf16>, tensor<4x512xf16>
  tt.return
}

// A descriptor goes through loops and calls with its layout; updates are TMA's reductions.
// CHECK-LABEL: @update
// CHECK-SAME: !tt.tensordesc<16x8xf32, #[[NARROW]]>
tt.func public @update(%to: !tt.tensordesc<16x8xf32>, %i: i32, %n: i32) {
  %one = arith.constant dense<1.0> : tensor<16x8xf32>
  %zero = arith.constant 0 : i32
  %step = arith.constant 16 : i32
  // CHECK: scf.for {{.*}} -> (!tt.tensordesc<16x8xf32, #[[NARROW]]>)
  %end = scf.for %j = %zero to %n step %step iter_args(%d = %to) -> (!tt.tensordesc<16x8xf32>) : i32 {
    // CHECK: ttng.async_tma_reduce add
    tt.descriptor_reduce add, %d[%i, %j], %one : !tt.tensordesc<16x8xf32>, tensor<16x8xf32>
    scf.yield %d : !tt.tensordesc<16x8xf32>
  }
  tt.return
}

// Each CTA adds its own four rows, in which a swizzle would not repeat.
// PARTS: clusters of 2
// PARTS: differs from the CPU executor by at most 0.000e+00
tt.func public @in_parts(%to: !tt.tensordesc<8x32xf16>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant dense<1.0> : tensor<8x32xf16>
  tt.descriptor_reduce max, %to[%zero, %zero], %one : !tt.tensordesc<8x32xf16>, tensor<8x32xf16>
  tt.return
}
