// On Hopper products take wgmma where their shape fits: operands in shared memory, with a fence between the stores and the unit.
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=sm_90a | FileCheck %s
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=sm_80 | FileCheck %s --check-prefix=AMPERE
// RUN: kernelscope preview %s --arch sm_90a --emit ptx | FileCheck %s --check-prefix=PTX

// CHECK-DAG: #[[WIDE:mma[0-9]*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
// CHECK-DAG: #[[ROWS:shared[0-9]*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: #[[COLUMNS:shared[0-9]*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
// CHECK-DAG: #[[ALONG_K:shared[0-9]*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>

// CHECK-LABEL: @half
// CHECK: %[[A:.*]] = ttg.local_alloc %{{.*}} -> !ttg.memdesc<64x64xf16, #[[ROWS]], #smem>
// CHECK: %[[B:.*]] = ttg.local_alloc %{{.*}} -> !ttg.memdesc<64x128xf16, #[[ROWS]], #smem>
// CHECK: ttng.fence_async_shared
// CHECK: ttng.warp_group_dot %[[A]], %[[B]], %{{.*}} -> tensor<64x128xf32, #[[WIDE]]>
// AMPERE-LABEL: @half
// AMPERE-NOT: warp_group_dot
// PTX-LABEL: .entry half
// PTX: fence.proxy.async
// PTX-COUNT-4: wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16
// PTX-NOT: wgmma.mma_async
// PTX: wgmma.wait_group.sync.aligned 0
tt.func public @half(%a: tensor<64x64xf16>, %b: tensor<64x128xf16>, %c: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %d = tt.dot %a, %b, %c : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
  tt.return %d : tensor<64x128xf32>
}

// Of 8-bit elements the unit reads rows along K only.
// CHECK-LABEL: @bytes
// CHECK: ttg.local_alloc %{{.*}} -> !ttg.memdesc<64x32xi8, #[[ALONG_K]], #smem>
tt.func public @bytes(%a: tensor<64x64xi8>, %b: tensor<64x32xi8>, %c: tensor<64x32xi32>) -> tensor<64x32xi32> {
  %d = tt.dot %a, %b, %c : tensor<64x64xi8> * tensor<64x32xi8> -> tensor<64x32xi32>
  tt.return %d : tensor<64x32xi32>
}

// Threads that unpack pairs along K have two elements next to each other there, so the rows of B go along K.
// CHECK-LABEL: @unpacked
// CHECK: %[[B:.*]] = ttg.local_alloc %{{.*}} -> !ttg.memdesc<64x64xf16, #[[COLUMNS]], #smem>
// CHECK: ttng.warp_group_dot %{{.*}}, %[[B]],
tt.func public @unpacked(%a: tensor<64x64xf16>, %b: tensor<64x32xi8>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %t = tt.trans %b {order = array<i32: 1, 0>} : tensor<64x32xi8> -> tensor<32x64xi8>
  %f = ttg.fp4_to_fp %t {axis = 0 : i32} : tensor<32x64xi8> -> tensor<64x64xf16>
  %d = tt.dot %a, %f, %c : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  tt.return %d : tensor<64x64xf32>
}

// A left operand computed from another product stays in registers.
// CHECK-LABEL: @chain
// CHECK: ttng.warp_group_dot
// CHECK: %[[P:.*]] = arith.truncf
// CHECK: %[[HELD:.*]] = ttg.convert_layout %[[P]] {{.*}} -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #{{mma[0-9]*}}, kWidth = 2}>>
// CHECK: ttng.warp_group_dot %[[HELD]],
tt.func public @chain(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %s = tt.dot %a, %b, %c : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
  %d = tt.dot %p, %b, %c : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  tt.return %d : tensor<64x64xf32>
}

// Too few rows, sums of 8-bit floats that are to be exact, f32 as it is: not on this unit.
// CHECK-LABEL: @others
// CHECK-NOT: warp_group_dot
// CHECK: tt.return
tt.func public @others(%a: tensor<32x64xf16>, %b: tensor<64x64xf16>, %c: tensor<32x64xf32>,
                       %e: tensor<64x64xf8E5M2>, %f: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %d = tt.dot %a, %b, %c : tensor<32x64xf16> * tensor<64x64xf16> -> tensor<32x64xf32>
  %g = tt.dot %e, %e, %f {maxNumImpreciseAcc = 0 : i32} : tensor<64x64xf8E5M2> * tensor<64x64xf8E5M2> -> tensor<64x64xf32>
  %h = tt.dot %f, %f, %g : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
  tt.return %h : tensor<64x64xf32>
}
