// Messages look as a compiler's do, and stand on the line of the IR.
// RUN: not kernelscope check %s | FileCheck %s

module {
  tt.func public @f() {
    // CHECK: text.mlir:[[@LINE+4]]:10: error: 'tt.make_range' op needs {{.*}} [verify.tt.make_range]
    // CHECK-NEXT: %0 = tt.make_range
    // CHECK-NEXT: {{^}}           ^~~~~~~~~~~~~{{$}}
    // CHECK-NEXT: x.py:51:4: note: from here
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<512xi32> loc("x.py":51:4)
    // CHECK: text.mlir:[[@LINE+1]]:5: error: dialect 'tt' has no operation 'tt.retrn'; did you mean 'tt.return'? [unknown-op]
    tt.retrn
  }
}
// CHECK: 2 errors{{$}}
