// Descriptors that a kernel makes go to TMA where the chip has it, by tensor maps in scratch memory.
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=sm_90a | FileCheck %s
// RUN: kernelscope opt %s --ttir-to-ttgir="arch=sm_90a num-ctas=2" | FileCheck %s --check-prefix=POINTERS
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=sm_80 | FileCheck %s --check-prefix=POINTERS
// RUN: kernelscope run %s --kernel groups --device sim --arch sm_90a | FileCheck %s --check-prefix=SIM
// RUN: kernelscope run %s --kernel groups --device sim --arch sm_100a | FileCheck %s --check-prefix=SIM
// RUN: kernelscope preview %s --kernel scattered --arch sm_120a | FileCheck %s --check-prefix=SCATTER
// POINTERS-NOT: tensormap_create
// POINTERS-NOT: async_tma

// Each round makes maps for a tensor of its own.
// CHECK-LABEL: @groups
// CHECK: scf.for
// CHECK: ttng.tensormap_create
// CHECK: ttng.tensormap_fenceproxy_acquire
// CHECK: ttng.async_tma_copy_global_to_local
// CHECK: ttng.async_tma_copy_local_to_global
// SIM: differs from the CPU executor by at most 0.000e+00
tt.func public @groups(%from: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %to: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %rounds = arith.constant 5 : i32
  %rows = arith.constant 13 : i32
  %columns = arith.constant 28 : i32
  %one = arith.constant 1 : i64
  %stride = arith.constant 32 : i64
  %size = arith.constant 512 : i32
  scf.for %i = %c0 to %rounds step %c1 : i32 {
    %offset = arith.muli %i, %size : i32
    %x = tt.addptr %from, %offset : !tt.ptr<f32>, i32
    %y = tt.addptr %to, %offset : !tt.ptr<f32>, i32
    %fewer = arith.subi %rows, %i : i32
    %in = tt.make_tensor_descriptor %x, [%fewer, %columns], [%stride, %one] : !tt.ptr<f32>, !tt.tensordesc<16x32xf32>
    %out = tt.make_tensor_descriptor %y, [%rows, %columns], [%stride, %one] : !tt.ptr<f32>, !tt.tensordesc<16x32xf32>
    %block = tt.descriptor_load %in[%c1, %c0] : !tt.tensordesc<16x32xf32> -> tensor<16x32xf32>
    %twice = arith.addf %block, %block : tensor<16x32xf32>
    tt.descriptor_store %out[%c0, %c0], %twice : !tt.tensordesc<16x32xf32>, tensor<16x32xf32>
  }
  tt.return
}

// TMA needs rows of 16 bytes, and elements that lie one after another.
// CHECK-LABEL: @narrow
// CHECK-NOT: ttng
// CHECK: tt.return
tt.func public @narrow(%p: !tt.ptr<f16>, %n: i32, %stride: i64) -> (tensor<16x4xf16>, tensor<16x16xf16>) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %x = tt.make_tensor_descriptor %p, [%n, %n], [%stride, %one] : !tt.ptr<f16>, !tt.tensordesc<16x4xf16>
  %a = tt.descriptor_load %x[%c0, %c0] : !tt.tensordesc<16x4xf16> -> tensor<16x4xf16>
  %y = tt.make_tensor_descriptor %p, [%n, %n], [%one, %stride] : !tt.ptr<f16>, !tt.tensordesc<16x16xf16>
  %b = tt.descriptor_load %y[%c0, %c0] : !tt.tensordesc<16x16xf16> -> tensor<16x16xf16>
  tt.return %a, %b : tensor<16x4xf16>, tensor<16x16xf16>
}

// sm_120 gathers by TMA, but does not scatter.
// CHECK-LABEL: @scattered
// SCATTER: tile::gather4
// SCATTER: st.global
tt.func public @scattered(%from: !tt.ptr<f32>, %to: !tt.ptr<f32>, %n: i32, %stride: i64, %rows: tensor<32xi32>) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %x = tt.make_tensor_descriptor %from, [%n, %n], [%stride, %one] : !tt.ptr<f32>, !tt.tensordesc<1x32xf32>
  %y = tt.make_tensor_descriptor %to, [%n, %n], [%stride, %one] : !tt.ptr<f32>, !tt.tensordesc<1x32xf32>
  %v = tt.descriptor_gather %x[%rows, %c0] : (!tt.tensordesc<1x32xf32>, tensor<32xi32>, i32) -> tensor<32x32xf32>
  tt.descriptor_scatter %y[%rows, %c0], %v : !tt.tensordesc<1x32xf32>, tensor<32xi32>, i32, tensor<32x32xf32>
  tt.return
}
