// A long line is cut around the column, and the caret stands below its word.
// RUN: not kernelscope check %s > %t
// RUN: FileCheck %s --input-file=%t
// RUN: awk 'length > 170 { long = 1 } END { exit long }' %t

// CHECK: [[@LINE+4]]:{{[0-9]+}}: error: nothing defines '%nothing'
// CHECK-NEXT: {{^ *}}...{{.*}} %nothing {{.*}}...{{$}}
// CHECK-NEXT: {{^ +\^~+$}}
module {
  tt.func @f(%x: i32) { %0 = arith.addi %x, %x {a = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"} : i32 %1 = arith.negf %nothing {b = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"} : f32 tt.return }
}
