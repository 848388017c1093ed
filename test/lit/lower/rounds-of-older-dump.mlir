// Triton 3.7 and older reduce in one round. The column of the kernel's `def` in Python, 0 there and 1 later, tells their dumps.
// RUN: kernelscope opt --ttgir-to-llvm --mlir-print-local-scope %s | FileCheck %s --check-prefix=BYTES
// RUN: kernelscope preview --emit llvm %s | FileCheck %s
// RUN: sed 's/:7:0/:7:1/' %s | kernelscope opt --ttgir-to-llvm - | FileCheck %s --check-prefix=NEWER-BYTES
// RUN: sed 's/:7:0/:7:1/' %s | kernelscope preview --emit llvm - | FileCheck %s --check-prefix=NEWER

#row = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
// BYTES: ttg.shared = 512 : i32
// NEWER-BYTES: ttg.shared = 128 : i32
// CHECK-COUNT-1: call void @llvm.amdgcn.s.barrier()
// CHECK-NOT: call void @llvm.amdgcn.s.barrier()
// NEWER-COUNT-7: call void @llvm.amdgcn.s.barrier()
// NEWER-NOT: call void @llvm.amdgcn.s.barrier()
module attributes {ttg.target = "hip:gfx1100", "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sums(%x: !tt.ptr<f32>) {
    %values = arith.constant dense<1.0> : tensor<32x128xf32, #row>
    %sums = "tt.reduce"(%values) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %both = arith.addf %a, %b : f32
      tt.reduce.return %both : f32
    }) : (tensor<32x128xf32, #row>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #row}>>
    %places = tt.splat %x : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #row}>>
    tt.store %places, %sums : tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #row}>>
    tt.return
  } loc("kernel.py":7:0)
}
