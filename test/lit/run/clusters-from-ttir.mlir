// TTIR for clusters of two CTAs: each computes its part of the tensors. A block that is stored through a descriptor is whole in
// each CTA, and so is one that is loaded.
// RUN: kernelscope run %s --device sim --arch sm_90a --num-ctas 2 --num-warps 2 --compare | FileCheck %s
// RUN: kernelscope preview %s --arch sm_90a --num-ctas 2 --num-warps 2 --emit ttgir | FileCheck %s --check-prefix=LAYOUTS
// CHECK: 64 threads
// CHECK-SAME: clusters of 2
// CHECK: differs from the CPU executor by at most 0
// LAYOUTS: CGALayout = {{\[}}[0, 1]]
// LAYOUTS: "ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 2 : i32

module {
  tt.func public @sums(%in: !tt.tensordesc<16x32xi32>, %out: !tt.tensordesc<16x32xi32>) {
    %zero = arith.constant 0 : i32
    %x = tt.descriptor_load %in[%zero, %zero] : !tt.tensordesc<16x32xi32> -> tensor<16x32xi32>
    %sums = "tt.scan"(%x) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      tt.scan.return %c : i32
    }) : (tensor<16x32xi32>) -> tensor<16x32xi32>
    tt.descriptor_store %out[%zero, %zero], %sums : !tt.tensordesc<16x32xi32>, tensor<16x32xi32>
    tt.return
  }
}
