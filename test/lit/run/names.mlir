// Where Python has given two arguments the same name, they have those of the parameters.

// RUN: kernelscope run %s --device cpu | FileCheck %s
// CHECK: arguments
// CHECK-NEXT: x{{ +}}i32[1]
// CHECK-NEXT: y{{ +}}i32[1]
// CHECK-NEXT: last{{ +}}i32[1]

#x = loc("x"("kernel.py":1:1))
#y = loc("y"("kernel.py":1:1))
tt.func public @k(%base: !tt.ptr<i32> loc("base"(#x)), %base_0: !tt.ptr<i32> loc("base"(#y)), %z: !tt.ptr<i32> loc("last"("z"))) {
  %a = tt.load %base : !tt.ptr<i32>
  %b = tt.load %base_0 : !tt.ptr<i32>
  %c = arith.addi %a, %b : i32
  tt.store %z, %c : !tt.ptr<i32>
  tt.return
}
