// RUN: kernelscope opt %s --select-kernel=kernel=second | FileCheck %s
// RUN: not kernelscope opt %s --select-kernel=kernel=third 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not kernelscope opt %S/Inputs/no-kernel.mlir --select-kernel 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK-NOT: @first
// CHECK: tt.func public @second
// CHECK: tt.func private @helper
// UNKNOWN: error: the module has no kernel 'third'; it has first, second
// NONE: error: the module has no kernel; a kernel is a `tt.func public`

tt.func public @first() {
  tt.return
}
tt.func public @second() {
  tt.call @helper() : () -> ()
  tt.return
}
tt.func private @helper() {
  tt.return
}
