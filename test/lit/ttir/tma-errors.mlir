// Blocks that TMA does not move.
// RUN: not kernelscope opt %s --ttir-to-ttgir="arch=sm_90a num-ctas=2" 2>&1 | FileCheck %s --check-prefix=CLUSTER
// RUN: not kernelscope preview %s --kernel made --arch sm_90a 2>&1 | FileCheck %s --check-prefix=STRIDE
// By pointers, it is no error.
// RUN: kernelscope preview %s --kernel made --arch sm_80

// CLUSTER: error: 'tt.descriptor_reduce' op updates memory with a block of 'tensor<4xi32>', which the 2 CTAs of a cluster cannot share: each needs a part of its own, of at least 16 bytes of a row
tt.func public @few(%to: !tt.tensordesc<4xi32>) {
  %c0 = arith.constant 0 : i32
  %v = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32>
  tt.descriptor_reduce max, %to[%c0], %v : !tt.tensordesc<4xi32>, tensor<4xi32>
  tt.return
}

// STRIDE: error: 'tt.make_tensor_descriptor' op has a stride of 126 bytes along dimension 0; TMA needs a multiple of 16
tt.func public @made(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c63 = arith.constant 63 : i32
  %s63 = arith.constant 63 : i64
  %s1 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%c16, %c63], [%s63, %s1] : <f16>, <16x32xf16>
  %v = tt.descriptor_load %d[%c0, %c0] : !tt.tensordesc<16x32xf16> -> tensor<16x32xf16>
  %i = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %r = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f16, %b: f16):
    %s = arith.addf %a, %b : f16
    tt.reduce.return %s : f16
  }) : (tensor<16x32xf16>) -> tensor<32xf16>
  %os = tt.splat %o : !tt.ptr<f16> -> tensor<32x!tt.ptr<f16>>
  %to = tt.addptr %os, %i : tensor<32x!tt.ptr<f16>>, tensor<32xi32>
  tt.store %to, %r : tensor<32x!tt.ptr<f16>>
  tt.return
}
