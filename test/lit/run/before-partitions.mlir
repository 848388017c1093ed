// While a loop is only marked with partitions, one agent is all of them: it has computed a value itself.
// RUN: kernelscope run %s --device cpu | FileCheck %s
// CHECK: outputs
// CHECK: out {{ *}}i32[1]
// CHECK-NEXT: first 5
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%out: !tt.ptr<i32> loc("out")) {
    %local = arith.constant {ttg.partition = array<i32: 0>} 5 : i32
    %remote = arith.addi %local, %local {ttg.partition = array<i32: 1>} : i32
    %value = nvws.aref.phi %local, %remote {ttg.partition = array<i32: 0, 1>} : i32
    tt.store %out, %value : !tt.ptr<i32>
    tt.return
  }
}
