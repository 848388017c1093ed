// Columns count code points, so the one of `%q` is 18, not 19.
// RUN: not kernelscope check --format=json %s | FileCheck %s
module {
  tt.func @f() {
    tt.call @"ä"(%q) : (i32) -> ()
    tt.return
  }
}
// CHECK: {
// CHECK-NEXT:   "files": [
// CHECK-NEXT:     {
// CHECK-NEXT:       "path": "{{.*}}json.mlir",
// CHECK-NEXT:       "diagnostics": [
// CHECK-NEXT:         {
// CHECK-NEXT:           "line": 5,
// CHECK-NEXT:           "column": 18,
// CHECK-NEXT:           "end_line": 5,
// CHECK-NEXT:           "end_column": 20,
// CHECK-NEXT:           "severity": "error",
// CHECK-NEXT:           "code": "undeclared-value",
// CHECK-NEXT:           "message": "nothing defines '%q'"
// CHECK-NEXT:         }
// CHECK-NEXT:       ]
// CHECK-NEXT:     }
// CHECK-NEXT:   ]
// CHECK-NEXT: }
