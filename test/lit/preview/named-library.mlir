// A function of a library that the op names by its path is linked; one that is nowhere is an error that says where it was looked for.
// RUN: echo 'define float @twice(float %%x) { %%y = fadd float %%x, %%x ret float %%y }' > %t.ll
// RUN: sed 's#LIBRARY#%t.ll#' %s > %t.mlir
// RUN: kernelscope preview %t.mlir --emit llvm | FileCheck %s
// RUN: kernelscope preview %t.mlir --emit ptx | FileCheck %s --check-prefix=PTX
// RUN: sed 's#twice#thrice#; s#LIBRARY#%t.ll#' %s > %t.other.mlir
// RUN: not kernelscope preview %t.other.mlir --emit ptx 2>&1 | FileCheck %s --check-prefix=OTHER -DLIBRARY=%t.ll
// RUN: sed 's#LIBRARY#/nowhere/lib.bc#' %s > %t.nowhere.mlir
// RUN: not kernelscope preview %t.nowhere.mlir --emit ptx 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: echo 'no LLVM IR' > %t.bad.ll
// RUN: sed 's#LIBRARY#%t.bad.ll#' %s > %t.bad.mlir
// RUN: not kernelscope preview %t.bad.mlir --emit ptx 2>&1 | FileCheck %s --check-prefix=BAD -DLIBRARY=%t.bad.ll
// CHECK: fadd float
// CHECK-NOT: @twice
// PTX: add{{.*}}.f32
// PTX-NOT: twice
// OTHER: [[#@LINE+6]]:{{[0-9]+}}: error: the device function 'thrice' was not found in '[[LIBRARY]]'
// NOWHERE: error: the device function 'twice' was not found in '/nowhere/lib.bc', which does not exist on this machine
// BAD: error: cannot link '[[LIBRARY]]': expected top-level entity
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%p: !tt.ptr<f32>) {
    %x = tt.load %p : !tt.ptr<f32>
    %y = tt.extern_elementwise %x {libname = "lib", libpath = "LIBRARY", pure = true, symbol = "twice"} : (f32) -> f32
    tt.store %p, %y : !tt.ptr<f32>
    tt.return
  }
}
