// A function that partitions call is copied for the warps of each; so is what it calls, and its shared memory.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_90a | FileCheck %s

#two = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
// CHECK: "ttg.total-num-warps" = 8
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func ptx_kernelcc @kernel(
  tt.func public @kernel(%p: !tt.ptr<i32>) {
    ttg.warp_specialize(%p)
    default {
      tt.call @sync() : () -> ()
      ttg.warp_yield
    }
    partition0(%q: !tt.ptr<i32>) num_warps(2) {
      tt.call @total(%q) : (!tt.ptr<i32>) -> ()
      ttg.warp_return
    }
    partition1(%q: !tt.ptr<i32>) num_warps(2) {
      tt.call @total(%q) : (!tt.ptr<i32>) -> ()
      ttg.warp_return
    } : (!tt.ptr<i32>) -> ()
    tt.return
  }
  // CHECK: llvm.func internal @kernel_specialize0_partition0
  // CHECK: llvm.call @total_warps_4_5
  // CHECK: llvm.func internal @kernel_specialize0_partition1
  // CHECK: llvm.call @total_warps_6_7

  // The default region's copy is the function itself.
  // CHECK-LABEL: llvm.func internal @sync()
  // CHECK: %[[ID:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: %[[THREADS:.*]] = llvm.mlir.constant(128 : i32)
  // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.count"(%[[ID]], %[[THREADS]])
  tt.func private @sync() attributes {noinline = true} {
    ttg.barrier local
    tt.return
  }

  // Only partitions call it: the original is gone.
  // CHECK-NOT: @total(
  tt.func private @total(%p: !tt.ptr<i32>) attributes {noinline = true, "ttg.num-warps" = 2 : i32} {
    %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #two>
    %s = "tt.reduce"(%r) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      tt.reduce.return %c : i32
    }) : (tensor<64xi32, #two>) -> i32
    tt.store %p, %s : !tt.ptr<i32>
    tt.call @sync() : () -> ()
    tt.return
  }

  // CHECK-LABEL: llvm.func internal @total_warps_4_5
  // CHECK-LABEL: llvm.func internal @total_warps_6_7
}
