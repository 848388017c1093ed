// Products of f32 by parts of their operands that a matrix unit takes, the smallest products first.
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=sm_80 | FileCheck %s
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=sm_90a | FileCheck %s --check-prefix=HOPPER
// RUN: kernelscope opt %s --ttir-to-ttgir="arch=sm_90a num-ctas=2" | FileCheck %s --check-prefix=CLUSTER

// CHECK-LABEL: @tf32x3
// Threads hold the parts of the left operand; the third product reads what the first two have stored of the right one, each
// part as soon as it is there.
// HOPPER-LABEL: @tf32x3
// HOPPER-COUNT-2: ttg.convert_layout %{{.*}} -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
// HOPPER: ttg.local_alloc
// HOPPER: arith.subf
// HOPPER-NEXT: ttg.local_alloc
// HOPPER: ttng.fence_async_shared
// HOPPER-NEXT: ttng.warp_group_dot
// HOPPER-NOT: ttg.local_alloc
// HOPPER-NOT: ttng.fence_async_shared
// HOPPER-COUNT-2: ttng.warp_group_dot
// CLUSTER-LABEL: @tf32x3
// CLUSTER-COUNT-3: ttng.warp_group_dot
tt.func public @tf32x3(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // CHECK: %[[BITS:.*]] = arith.andi %{{.*}}, %{{.*}} : tensor<64x64xi32
  // CHECK: %[[X:.*]] = arith.bitcast %[[BITS]]
  // CHECK: %[[XREST:.*]] = arith.subf %{{.*}}, %[[X]]
  // CHECK: %[[YREST:.*]] = arith.subf
  // CHECK: %[[FIRST:.*]] = tt.dot {{.*}} -> tensor<64x64xf32
  // CHECK: %[[SECOND:.*]] = tt.dot %{{.*}}, %{{.*}}, %[[FIRST]]
  // Parts of an infinity are NaN: only the largest decide.
  // CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[SECOND]], %[[SECOND]]
  // CHECK: %[[SUM:.*]] = arith.select %[[NAN]], %{{.*}}, %[[SECOND]]
  // CHECK: %[[THIRD:.*]] = tt.dot %{{.*}}, %{{.*}}, %[[SUM]]
  // CHECK: arith.addf %[[THIRD]]
  // CHECK: tt.return
  %d = tt.dot %x, %y, %c, inputPrecision = tf32x3 : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
  tt.return %d : tensor<64x64xf32>
}

// CHECK-LABEL: @bf16x6
// HOPPER-LABEL: @bf16x6
// HOPPER-COUNT-6: ttng.warp_group_dot
tt.func public @bf16x6(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // CHECK-COUNT-6: arith.truncf {{.*}} to tensor<64x64xbf16
  // CHECK-COUNT-6: tt.dot {{.*}} tensor<64x64xbf16,{{.*}}> * tensor<64x64xbf16,{{.*}}> -> tensor<64x64xf32
  // CHECK-NOT: tt.dot
  // CHECK: tt.return
  %d = tt.dot %x, %y, %c, inputPrecision = bf16x6 : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
  tt.return %d : tensor<64x64xf32>
}

// CHECK-LABEL: @bf16x3
tt.func public @bf16x3(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // CHECK-COUNT-4: arith.truncf {{.*}} to tensor<64x64xbf16
  // CHECK-COUNT-3: tt.dot
  // CHECK-NOT: tt.dot
  // CHECK: tt.return
  %d = tt.dot %x, %y, %c, inputPrecision = bf16x3 : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
  tt.return %d : tensor<64x64xf32>
}
