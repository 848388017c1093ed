// A value that a histogram has no bin for is an error: Triton's compilers count it in another bin, or not at all. Masked ones
// do not matter.
// RUN: not kernelscope run %s --device cpu 2>&1 | FileCheck %s
// RUN: kernelscope run %s --device cpu --sanitize=none | FileCheck %s --check-prefix=COUNTS

// CHECK: :[[@LINE+11]]:{{[0-9]+}}: error: program (0, 0, 0) has a value of 12, but its bins are 0 to 7; Triton's compiler for this target does not count it, but other targets differ, so the value must be masked
// CHECK-NOT: error
// COUNTS: first 0 8 0 0 0 0 0 0
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  tt.func public @k(%out: !tt.ptr<i32>) {
    %one = arith.constant dense<1> : tensor<8xi32, #b>
    %beyond = arith.constant dense<12> : tensor<8xi32, #b>
    %no = arith.constant dense<false> : tensor<8xi1, #b>
    %h = tt.histogram %one : tensor<8xi32, #b> -> tensor<8xi32, #b>
    %masked = tt.histogram %beyond, %no : tensor<8xi32, #b> -> tensor<8xi32, #b>
    %lost = tt.histogram %beyond : tensor<8xi32, #b> -> tensor<8xi32, #b>
    %i = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32, #b>
    %base = tt.splat %out : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>, #b>
    %to = tt.addptr %base, %i : tensor<8x!tt.ptr<i32>, #b>, tensor<8xi32, #b>
    %sum = arith.addi %h, %lost : tensor<8xi32, #b>
    %all = arith.addi %sum, %masked : tensor<8xi32, #b>
    tt.store %to, %all : tensor<8x!tt.ptr<i32>, #b>
    tt.return
  }
}
