// What passes may meet when they run one by one, on any file.
// RUN: kernelscope opt %s --cse 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: bad-input.mlir:[[# @LINE + 7]]:1: remark: has ttg.target = "foo", which is not the name of a known chip
// RUN: not kernelscope opt %s --allocate-shared-memory=arch=sm_90a 2>&1 | FileCheck %s --check-prefix=LAYOUT
// RUN: not kernelscope opt %s --insert-barriers 2>&1 | FileCheck %s --check-prefix=LAYOUT
// RUN: not kernelscope opt %s --convert-combined-operands 2>&1 | FileCheck %s --check-prefix=LAYOUT
// RUN: not kernelscope opt %s --pipeline-loops=arch=sm_90a 2>&1 | FileCheck %s --check-prefix=LAYOUT
// RUN: kernelscope opt %s --nvws-buffer-aref
// LAYOUT: bad-input.mlir:[[# @LINE + 3]]:10: error: 'tt.make_range' op has a 'tensor<128xi32, #gluon.auto_encoding>', but #gluon.auto_encoding is not a layout; every tensor needs one here
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "foo"} {
  tt.func public @k(%p: !tt.ptr<i32>) {
    %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #gluon.auto_encoding>
    %sum = "tt.reduce"(%r) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %t = arith.addi %a, %b : i32
      tt.reduce.return %t : i32
    }) : (tensor<128xi32, #gluon.auto_encoding>) -> i32
    tt.store %p, %sum : !tt.ptr<i32>
    tt.return
  }
}
