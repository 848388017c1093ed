// RUN: not kernelscope check --format=sarif %s | FileCheck %s

// CHECK: "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
// CHECK-NEXT: "version": "2.1.0",
// CHECK: "name": "kernelscope",
// CHECK-NEXT: "informationUri": "https://
// CHECK: "text": "An op that its dialect does not have"
// CHECK: "columnKind": "unicodeCodePoints",
// CHECK: "ruleId": "unknown-op",
// CHECK-NEXT: "level": "error",
// CHECK: "uri": "{{.*}}sarif.mlir"
// CHECK: "startLine": 18,
// CHECK-NEXT: "startColumn": 5,
// CHECK-NEXT: "endLine": 18,
// CHECK-NEXT: "endColumn": 11
module {
  tt.func @f() {
    tt.foo
    tt.return
  }
}

// The rules of docs/rules.md are named in words, with their page.
// RUN: kernelscope check --format=sarif %S/../lint/*.mlir > %t.sarif || true
// RUN: FileCheck %s --check-prefix=RULE --input-file=%t.sarif
// RULE: "id": "phase-parity",
// RULE-NEXT: "helpUri": "{{.*}}docs/rules.md#phase-parity",
// RULE: "text": "A wait names a phase that never completes then"
