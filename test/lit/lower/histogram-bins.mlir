// What becomes of values outside of the bins: Triton 3.9 for NVIDIA drops them, 3.6 and AMD look at the low bits only.
// RUN: kernelscope opt %s --split-input-file --ttgir-to-llvm=arch=sm_90a | FileCheck %s

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  // CHECK-LABEL: @newest
  // CHECK: llvm.icmp "ult"
  // CHECK: llvm.return
  tt.func @newest(%x: tensor<128xi32, #line>) -> tensor<64xi32, #line> {
    %counts = tt.histogram %x : tensor<128xi32, #line> -> tensor<64xi32, #line>
    tt.return %counts : tensor<64xi32, #line>
  }
}

// -----

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @older
  // CHECK-NOT: llvm.icmp "ult"
  // CHECK: llvm.return
  tt.func @older(%x: tensor<128xi32, #line>) -> tensor<64xi32, #line> {
    %counts = tt.histogram %x : tensor<128xi32, #line> -> tensor<64xi32, #line>
    tt.return %counts : tensor<64xi32, #line>
  }

  // As many low bits as number the lanes: what is between the bins and those is in none.
  // CHECK-LABEL: @few_bins
  // CHECK: %[[LOW:.*]] = llvm.mlir.constant(31 : i32)
  // CHECK: llvm.and %{{.*}}, %[[LOW]]
  // CHECK: llvm.icmp "ult"
  // CHECK: llvm.return
  tt.func @few_bins(%x: tensor<128xi32, #line>) -> tensor<8xi32, #line> {
    %counts = tt.histogram %x : tensor<128xi32, #line> -> tensor<8xi32, #line>
    tt.return %counts : tensor<8xi32, #line>
  }
}
