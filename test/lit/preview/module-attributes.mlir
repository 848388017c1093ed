// The triple and the data layout are those of --arch, whatever the module has.
// RUN: kernelscope preview %s --arch sm_80 | FileCheck %s
// CHECK: .target sm_80
module attributes {"ttg.num-warps" = 4 : i32, llvm.target_triple = 5 : i32, llvm.data_layout = "e-m:e"} {
  tt.func public @k() {
    tt.return
  }
}
