// RUN: kernelscope opt --ttgir-to-llvm=arch=sm_89 --verify-diagnostics %s

// expected-error @below {{'ttg.num-ctas' = 2 cannot run on sm_89, which has no clusters}}
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func public @cluster() {
    tt.return
  }
}
