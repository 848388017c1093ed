// All errors of a file are reported, with the other places that they refer to.
// RUN: not kernelscope check %s | FileCheck %s --check-prefix=TEXT
// RUN: not kernelscope check --format=json %s | FileCheck %s --check-prefix=JSON
// RUN: not kernelscope check --format=sarif %s | FileCheck %s --check-prefix=SARIF

// TEXT: related.mlir:[[@LINE+2]]:41: error: nothing defines the alias '#none'
// TEXT: related.mlir:[[@LINE+1]]:67: note: and here
  tt.func @f(%x: i32, %y: tensor<8xi32, #none>, %z: tensor<8xi32, #none>) {
    // TEXT: related.mlir:[[@LINE+2]]:21: error: '%x' is used as 'f32', but its type is 'i32'
    // TEXT: related.mlir:[[@LINE-2]]:14: note: it is defined here
    %0 = arith.addf %x, %x : f32
    tt.return
  }
  tt.func @g() {
    // TEXT: related.mlir:[[@LINE+2]]:10: error: 'tt.make_range' op
    // TEXT: x.py:7:3: note: from here
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<32xi32> loc("x.py":7:3)
    tt.return
  }
// TEXT: 3 errors{{$}}

// JSON: "code": "undeclared-alias"
// JSON: "related": [
// JSON-NEXT: {
// JSON-NEXT: "line": 8,
// JSON-NEXT: "column": 67,
// JSON-NEXT: "end_line": 8,
// JSON-NEXT: "end_column": 72,
// JSON-NEXT: "message": "and here"
// JSON: "code": "verify.tt.make_range"
// JSON: "path": "x.py",
// JSON-NEXT: "line": 7,
// JSON-NEXT: "column": 3,
// JSON-NEXT: "message": "from here"

// SARIF: "relatedLocations": [
// SARIF: "startLine": 8,
// SARIF-NEXT: "startColumn": 67,
// SARIF: "text": "and here"
// SARIF: "uri": "x.py"
// SARIF: "region": {
// SARIF-NEXT: "startLine": 7,
// SARIF-NEXT: "startColumn": 3
