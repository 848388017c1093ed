// A scan combines what comes before: a thread's own elements one by one, lanes by shuffles, warps by their
// totals in shared memory.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_90a | FileCheck %s

#one = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#line = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @lanes
  tt.func @lanes(%x: tensor<128xi32, #one>) -> tensor<128xi32, #one> {
    // Three sums in the thread, then one shuffle for each bit of the lane.
    // CHECK-COUNT-3: llvm.add
    // CHECK-COUNT-5: shfl.sync.bfly
    // CHECK-NOT: shfl.sync.bfly
    // CHECK-NOT: llvm.nvvm.barrier
    // CHECK: llvm.return
    %sum = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      tt.scan.return %c : i32
    }) : (tensor<128xi32, #one>) -> tensor<128xi32, #one>
    tt.return %sum : tensor<128xi32, #one>
  }

  // The tile repeats: registers 2 and 3 come after all lanes of registers 0 and 1.
  // CHECK-LABEL: @repeated
  tt.func @repeated(%x: tensor<128xf32, #line>) -> tensor<128xf32, #line> {
    // CHECK-COUNT-2: llvm.fadd
    // CHECK-COUNT-10: shfl.sync.bfly
    // CHECK-NOT: shfl.sync.bfly
    // CHECK: llvm.return
    %sum = "tt.scan"(%x) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.scan.return %c : f32
    }) : (tensor<128xf32, #line>) -> tensor<128xf32, #line>
    tt.return %sum : tensor<128xf32, #line>
  }
}
