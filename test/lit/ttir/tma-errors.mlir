// Blocks that TMA does not move.
// RUN: not kernelscope opt %s --ttir-to-ttgir="arch=sm_90a num-ctas=2" 2>&1 | FileCheck %s --check-prefix=CLUSTER

// CLUSTER: error: 'tt.descriptor_reduce' op updates memory with a block of 'tensor<4xi32>', which the 2 CTAs of a cluster cannot share: each needs a part of its own, of at least 16 bytes of a row
tt.func public @few(%to: !tt.tensordesc<4xi32>) {
  %c0 = arith.constant 0 : i32
  %v = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32>
  tt.descriptor_reduce max, %to[%c0], %v : !tt.tensordesc<4xi32>, tensor<4xi32>
  tt.return
}
