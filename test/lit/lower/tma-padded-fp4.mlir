// A tensor map of padded 4-bit floats counts them, indices count bytes of two: the coordinate is twice the index. Triton 3.6 wrote coordinates.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_100a | FileCheck %s

#padded = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, fp4Padded = true}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!padded = !ttg.memdesc<64x64xi8, #padded, #smem, mutable>
!bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  // CHECK-LABEL: @load
  // CHECK: %[[COLUMN:.*]] = llvm.mul %arg2, %{{.*}}
  // CHECK: cp.async.bulk.tensor.2d{{.*}} %[[COLUMN]], %{{.*}}
  tt.func public @load(%from: !tt.tensordesc<64x64xui8, #padded>, %row: i32, %byte: i32, %live: i1) {
    %m = ttg.local_alloc : () -> !padded
    %b = ttg.local_alloc : () -> !bar
    ttng.async_tma_copy_global_to_local %from[%row, %byte] %m, %b, %live : !tt.tensordesc<64x64xui8, #padded>, !bar -> !padded
    tt.return
  }
}
