// gfx1250's tensor data mover: blocks, rows, descriptors of the host, and numbers on the wave simulator.
// RUN: split-file %s %t
// RUN: kernelscope preview %t/copies.ttgir --emit llvm | FileCheck %t/copies.ttgir
// RUN: kernelscope run %t/copies.ttgir --kernel=padded --device sim --compare | FileCheck %s --check-prefix=SIM
// RUN: kernelscope run %t/copies.ttgir --kernel=rows --device sim --compare | FileCheck %s --check-prefix=SIM
// RUN: not kernelscope preview %t/errors.ttgir 2>&1 | FileCheck %t/errors.ttgir
// RUN: not kernelscope preview %t/nan.ttgir 2>&1 | FileCheck %t/nan.ttgir
// SIM: differs from the CPU executor by at most 0.000e+00

//--- copies.ttgir
#padded = #ttg.padded_shared<[32:+8] {order = [1, 0], shape = [16, 32]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [2, 1], order = [1, 0]}>
#indices = #ttg.linear<{register = [[1], [2], [4], [8]], lane = [[0], [0], [0], [0], [0]], warp = [[0]], block = []}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  // Each of two warps moves 8 rows. The bytes between rows are skipped by the load's descriptor; the store's rows reach
  // over them: tiles of 32 and of 40 columns.
  // CHECK-LABEL: define amdgpu_kernel void @padded(
  // CHECK: <8 x i32> <i32 114360320, i32 1572864, i32 poison, i32 2097152, i32 8, i32 40,
  // CHECK: call void @llvm.amdgcn.tensor.load.to.lds.d2(
  // CHECK: call void @llvm.amdgcn.s.wait.tensorcnt(i16 0)
  // CHECK: <8 x i32> <i32 65536, i32 1572864, i32 poison, i32 2621440, i32 8, i32 40,
  // CHECK: call void @llvm.amdgcn.tensor.store.from.lds.d2(
  tt.func public @padded(%src: !tt.ptr<f16>, %dst: !tt.ptr<f16>) {
    %rows = arith.constant 27 : i32
    %columns = arith.constant 40 : i32
    %stride = arith.constant 40 : i64
    %one = arith.constant 1 : i64
    %x = arith.constant 16 : i32
    %from = tt.make_tensor_descriptor %src, [%rows, %columns], [%stride, %one] : <f16>, <16x32xf16, #padded>
    %to = tt.make_tensor_descriptor %dst, [%rows, %columns], [%stride, %one] : <f16>, <16x32xf16, #padded>
    %first = amdg.update_tensor_descriptor %from add_offsets = [%x, %x] {clamp_bounds} : !tt.tensordesc<16x32xf16, #padded>
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<16x32xf16, #padded, #smem, mutable>
    %t = amdg.async_tdm_copy_global_to_local %first into %buffer : !tt.tensordesc<16x32xf16, #padded> -> !ttg.memdesc<16x32xf16, #padded, #smem, mutable>
    %w = amdg.async_tdm_wait %t {num = 0 : i32}
    %v = ttg.local_load %buffer : !ttg.memdesc<16x32xf16, #padded, #smem, mutable> -> tensor<16x32xf16, #b>
    %sum = arith.addf %v, %v : tensor<16x32xf16, #b>
    ttg.local_store %sum, %buffer : tensor<16x32xf16, #b> -> !ttg.memdesc<16x32xf16, #padded, #smem, mutable>
    %second = amdg.update_tensor_descriptor %to add_offsets = [%x, %x] {clamp_bounds} : !tt.tensordesc<16x32xf16, #padded>
    %s = amdg.async_tdm_copy_local_to_global %second from %buffer : !ttg.memdesc<16x32xf16, #padded, #smem, mutable> -> !tt.tensordesc<16x32xf16, #padded>
    %u = amdg.async_tdm_wait %s {num = 0 : i32}
    tt.return
  }

  // 16 rows with indices of 32 bits are two messages, which only the first warp sends.
  // CHECK-LABEL: define amdgpu_kernel void @rows(
  // CHECK-COUNT-2: call void @llvm.amdgcn.tensor.load.to.lds(
  // CHECK-COUNT-2: call void @llvm.amdgcn.tensor.store.from.lds(
  // CHECK-NOT: call void @llvm.amdgcn.tensor
  tt.func public @rows(%src: !tt.ptr<f16>, %dst: !tt.ptr<f16>) {
    %rows = arith.constant 60 : i32
    %columns = arith.constant 32 : i32
    %stride = arith.constant 32 : i64
    %one = arith.constant 1 : i64
    %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #indices>
    %five = arith.constant dense<5> : tensor<16xi32, #indices>
    %last = arith.constant dense<59> : tensor<16xi32, #indices>
    %skip = arith.muli %i, %five : tensor<16xi32, #indices>
    %back = arith.subi %last, %i : tensor<16xi32, #indices>
    %from = tt.make_tensor_descriptor %src, [%rows, %columns], [%stride, %one] : <f16>, <1x32xf16, #plain>
    %to = tt.make_tensor_descriptor %dst, [%rows, %columns], [%stride, %one] : <f16>, <1x32xf16, #plain>
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<16x32xf16, #plain, #smem, mutable>
    %t = amdg.async_tdm_gather %from[%skip] to %buffer : tensor<16xi32, #indices>, !ttg.memdesc<16x32xf16, #plain, #smem, mutable> -> !tt.tensordesc<1x32xf16, #plain>
    %w = amdg.async_tdm_wait %t {num = 0 : i32}
    %s = amdg.async_tdm_scatter %to[%back] from %buffer : tensor<16xi32, #indices>, !ttg.memdesc<16x32xf16, #plain, #smem, mutable> -> !tt.tensordesc<1x32xf16, #plain>
    %u = amdg.async_tdm_wait %s {num = 0 : i32}
    tt.return
  }
}

//--- errors.ttgir
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: error: 'amdg.async_tdm_copy_global_to_local' op accesses memory whose rows are not consecutive along the last dimension
  tt.func public @order(%src: !tt.ptr<f16>, %n: i32) {
    %one = arith.constant 1 : i64
    %from = tt.make_tensor_descriptor %src, [%n, %n], [%one, %one] : <f16>, <16x32xf16, #plain>
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<16x32xf16, #plain, #smem, mutable>
    %t = amdg.async_tdm_copy_global_to_local %from into %buffer : !tt.tensordesc<16x32xf16, #plain> -> !ttg.memdesc<16x32xf16, #plain, #smem, mutable>
    %w = amdg.async_tdm_wait %t {num = 0 : i32}
    tt.return
  }
}

//--- nan.ttgir
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: error: 'tt.make_tensor_descriptor' op needs NaN outside the tensor; the tensor data mover can only write zeros there
  tt.func public @padding(%src: !tt.ptr<f16>, %n: i32, %stride: i64) {
    %one = arith.constant 1 : i64
    %from = tt.make_tensor_descriptor %src, [%n, %n], [%stride, %one] {padding = 2 : i32} : <f16>, <16x32xf16, #plain>
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<16x32xf16, #plain, #smem, mutable>
    %t = amdg.async_tdm_copy_global_to_local %from into %buffer : !tt.tensordesc<16x32xf16, #plain> -> !ttg.memdesc<16x32xf16, #plain, #smem, mutable>
    %w = amdg.async_tdm_wait %t {num = 0 : i32}
    tt.return
  }
}
