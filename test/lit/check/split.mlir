// RUN: not kernelscope check %s | FileCheck %s
// RUN: cat %s | not kernelscope check - | FileCheck %s --check-prefix=STDIN

// STDIN: <stdin>:[[@LINE+4]]:15: error
// CHECK: split.mlir:[[@LINE+3]]:15: error: nothing defines '%a' [undeclared-value]
module {
  tt.func @f() {
    tt.return %a : i32
  }
}

// -----

module {
  tt.func @f() {
    tt.return
  }
}

// -----

// CHECK: split.mlir:[[@LINE+3]]:15: error: nothing defines '%b' [undeclared-value]
module {
  tt.func @f() {
    tt.return %b : i32
  }
}
// CHECK: 2 errors
