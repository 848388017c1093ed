// A descriptor that the kernel makes is a tensor map in scratch memory.
// RUN: kernelscope opt --lower-descriptors-to-tma=arch=sm_90a %s | FileCheck %s
// RUN: kernelscope opt --lower-descriptors-to-tma=arch=sm_90a --ttgir-to-llvm=arch=sm_90a %s | FileCheck %s --check-prefix=LLVM

#block = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The fastest dimension comes first; a message is as wide as the swizzle: 64 elements of the 128.
  // CHECK-LABEL: @make
  // CHECK-SAME: %[[BASE:.*]]: !tt.ptr<f16>, %[[M:.*]]: i32, %[[N:.*]]: i32, %[[STRIDE:.*]]: i64
  // CHECK: %[[MAP:.*]] = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32}
  // CHECK-DAG: %[[ROWS:.*]] = arith.constant 32 : i32
  // CHECK-DAG: %[[COLUMNS:.*]] = arith.constant 64 : i32
  // CHECK: %[[BYTES:.*]] = arith.muli %[[STRIDE]]
  // CHECK: ttng.tensormap_create %[[MAP]], %[[BASE]], [%[[COLUMNS]], %[[ROWS]]], [%[[N]], %[[M]]], [%[[BYTES]]], {{.*}}elem_type = 6 : i32, fill_mode = 1 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32
  // CHECK: ttng.tensormap_fenceproxy_acquire %[[MAP]]
  // CHECK: %[[DESC:.*]] = ttng.reinterpret_tensor_descriptor %[[MAP]]
  // CHECK: ttng.async_tma_copy_global_to_local %[[DESC]]
  // LLVM: tensormap.replace.tile.box_dim
  // LLVM: cp.async.bulk.tensor.2d
  tt.func public @make(%base: !tt.ptr<f16>, %m: i32, %n: i32, %stride: i64, %out: tensor<32x128x!tt.ptr<f16>, #block>) {
    %one = arith.constant 1 : i64
    %zero = arith.constant 0 : i32
    %desc = tt.make_tensor_descriptor %base, [%m, %n], [%stride, %one] {padding = 2 : i32} : !tt.ptr<f16>, !tt.tensordesc<32x128xf16>
    %x = tt.descriptor_load %desc[%zero, %zero] : !tt.tensordesc<32x128xf16> -> tensor<32x128xf16, #block>
    tt.store %out, %x : tensor<32x128x!tt.ptr<f16>, #block>
    tt.return
  }
}
