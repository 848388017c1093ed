// What was inlined from no known place is where it was inlined to, and a call from no known place is where its function is.
// RUN: kernelscope opt --ttgir-to-llvm=arch=sm_90a --mlir-print-debuginfo %s | FileCheck %s

// CHECK: #[[CALLER:loc[0-9]+]] = loc("kernel.py":20:1)
// CHECK: llvm.mlir.global internal constant @text_0("inlined\00") {{.*}} loc(#[[UNKNOWN:loc[0-9]*]])
// CHECK: llvm.add {{.*}} loc(#[[SUM:loc[0-9]+]])
// CHECK: llvm.call @helper({{.*}} loc(#[[CALLER]])
// CHECK-DAG: #[[UNKNOWN]] = loc(unknown)
// CHECK-DAG: "kernel.py":12:3
// CHECK-DAG: "kernel.py":13:3
// CHECK-DAG: #[[SUM]] = loc(fused<{{.*}}>[#{{loc[0-9]+}}])
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @k(%p: !tt.ptr<i32>, %x: i32) {
    %0 = arith.addi %x, %x : i32 loc(callsite(unknown at "kernel.py":12:3))
    tt.store %p, %0 : !tt.ptr<i32> loc(callsite("inlined"(unknown) at callsite("f"("lib.py":1:1) at "kernel.py":13:3)))
    %true = arith.constant true
    tt.assert %true, "inlined" : i1 loc(callsite("g"("lib.py":2:1) at "kernel.py":14:3))
    tt.return
  }
  tt.func private @helper(%x: i32) -> i32 attributes {noinline = true} {
    %0 = arith.addi %x, %x : i32
    tt.return %0 : i32
  }
  tt.func public @caller(%p: !tt.ptr<i32>, %x: i32) {
    %0 = tt.call @helper(%x) : (i32) -> i32 loc(unknown)
    tt.store %p, %0 : !tt.ptr<i32>
    tt.return
  } loc("kernel.py":20:1)
}
