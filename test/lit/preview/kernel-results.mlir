// Nobody would get what a kernel returns, and LLVM's AMD back end rejects it without saying where.
// RUN: not kernelscope preview --arch gfx1100 %s 2>&1 | FileCheck %s

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: kernel-results.mlir:[[# @LINE + 1]]:3: error: a kernel returns nothing, but 'twice' returns a value; store it to global memory
  tt.func public @twice(%x: tensor<128xf32, #line>) -> tensor<128xf32, #line> {
    %y = arith.addf %x, %x : tensor<128xf32, #line>
    tt.return %y : tensor<128xf32, #line>
  }
}
