// RDNA's buffer resources check the offset against the size, and say so in word 3.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=gfx1100 | FileCheck %s --check-prefixes=CHECK,RDNA3
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=gfx1201 | FileCheck %s --check-prefixes=CHECK,GFX12

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: %[[FLAGS:.*]] = llvm.mlir.constant(822243328 : i32)
  // CHECK: "llvm.amdgcn.make.buffer.rsrc.p8.p1"({{.*}}, %[[FLAGS]])
  // RDNA3: %[[POLICY:.*]] = llvm.mlir.constant(7 : i32)
  // GFX12: %[[POLICY:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: "llvm.amdgcn.raw.ptr.buffer.load.v4i32"({{.*}}, %[[POLICY]])
  tt.func public @streaming(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    %x = amdg.buffer_load %a[%r] cacheModifier = cs : tensor<512xf32, #blocked>
    amdg.buffer_store %x, %a[%r] : tensor<512xf32, #blocked>
    tt.return
  }
}
