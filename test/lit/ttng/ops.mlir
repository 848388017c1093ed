// Every op and layout of ttng reads, and prints the same.
// RUN: kernelscope opt --release=main %s | FileCheck %s
// RUN: kernelscope opt --release=main %s | kernelscope opt --release=main | FileCheck %s
// RUN: kernelscope opt --release=main --mlir-print-op-generic %s | kernelscope opt --release=main | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#rows = #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>}>
#flat = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#line = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = true, elementBitWidth = 16, rank = 1}>
#shared32 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#shared8 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#shared8t = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 8}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tmem64 = #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>
#tmemh = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 2>
#scales = #ttng.tensor_memory_scales_encoding<>
#scales1 = #ttng.tensor_memory_scales_encoding<blockRepOrder = kThenMn>
!barrier = !ttg.memdesc<1xi64, #bar, #smem, mutable>
!tile = !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
!square = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
!scale = !ttg.memdesc<128x4xi8, #scales, #ttng.tensor_memory, mutable>

// CHECK-DAG: #[[$ACC:tmem.*]] = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
// CHECK-DAG: #tmem{{[0-9]*}} = #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>
// CHECK-DAG: #tmem{{[0-9]*}} = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 2>
// CHECK-DAG: #tmem_scales{{[0-9]*}} = #ttng.tensor_memory_scales_encoding<>
// CHECK-DAG: #tmem_scales{{[0-9]*}} = #ttng.tensor_memory_scales_encoding<blockRepOrder = kThenMn>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:100", "ttng.two-ctas" = false} {

// CHECK-LABEL: @barriers
tt.func @barriers(%b: !barrier, %phase: i32, %p: i1, %tile: !tile) {
  // CHECK: ttng.init_barrier %{{.*}}, 1 : !ttg.memdesc<1xi64, #{{.*}}, #smem, mutable>
  ttng.init_barrier %b, 1 : !barrier
  // CHECK: ttng.barrier_expect %{{.*}}, 16384, %{{.*}} : !ttg.memdesc
  ttng.barrier_expect %b, 16384, %p : !barrier
  // CHECK: ttng.wait_barrier %{{.*}}, %{{.*}} : !ttg.memdesc
  ttng.wait_barrier %b, %phase : !barrier
  // CHECK: ttng.wait_barrier %{{.*}}, %{{.*}}, %{{.*}} deps %{{.*}} : !ttg.memdesc<1xi64, #{{.*}}, #smem, mutable>, !ttg.memdesc<128x64xf16, #{{.*}}, #smem, mutable>
  ttng.wait_barrier %b, %phase, %p deps %tile : !barrier, !tile
  // CHECK: ttng.arrive_barrier %{{.*}}, 2 : !ttg.memdesc
  ttng.arrive_barrier %b, 2 : !barrier
  // CHECK: ttng.arrive_barrier %{{.*}}, 1, %{{.*}} : !ttg.memdesc
  ttng.arrive_barrier %b, 1, %p : !barrier
  // CHECK: ttng.async_copy_mbarrier_arrive %{{.*}} {noIncrement} : !ttg.memdesc
  ttng.async_copy_mbarrier_arrive %b {noIncrement} : !barrier
  // CHECK: ttng.inval_barrier %{{.*}} : !ttg.memdesc
  ttng.inval_barrier %b : !barrier
  // CHECK: ttng.fence_async_shared {bCluster = false}
  ttng.fence_async_shared {bCluster = false}
  tt.return
}

// CHECK-LABEL: @tma
tt.func @tma(%d: !tt.tensordesc<128x64xf16, #shared>, %row: !tt.tensordesc<1x64xf16, #shared>, %i: !ttng.tensordesc_im2col<128x64xf16, #shared>, %w: !tt.tensordesc<32x32xi32, #shared32>,
             %b: !barrier, %tile: !tile, %words: !ttg.memdesc<32x32xi32, #shared32, #smem, mutable>, %x: i32, %o: i16, %p: i1, %r: tensor<128xi32, #rows>,
             %d1: !tt.tensordesc<128xf16, #line>, %line: !ttg.memdesc<128xf16, #line, #smem, mutable>) {
  // CHECK: ttng.async_tma_copy_global_to_local %{{.*}}[%{{.*}}, %{{.*}}] %{{.*}}, %{{.*}}, %{{.*}} : !tt.tensordesc<128x64xf16, #{{.*}}>, !ttg.memdesc<1xi64, #{{.*}}, #smem, mutable> -> !ttg.memdesc<128x64xf16, #{{.*}}, #smem, mutable>
  ttng.async_tma_copy_global_to_local %d[%x, %x] %tile, %b, %p : !tt.tensordesc<128x64xf16, #shared>, !barrier -> !tile
  // CHECK: ttng.async_tma_copy_global_to_local %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] offsets = [%{{.*}}, %{{.*}}] %{{.*}}, %{{.*}}, %{{.*}} cacheModifier = cg evictionPolicy = evict_last : !ttng.tensordesc_im2col<128x64xf16, #{{.*}}>
  ttng.async_tma_copy_global_to_local %i[%x, %x, %x, %x] offsets = [%o, %o] %tile, %b, %p cacheModifier = cg evictionPolicy = evict_last : !ttng.tensordesc_im2col<128x64xf16, #shared>, !barrier -> !tile
  // CHECK: ttng.async_tma_copy_local_to_global %{{.*}}[%{{.*}}, %{{.*}}] %{{.*}} : !tt.tensordesc<128x64xf16, #{{.*}}>, !ttg.memdesc<128x64xf16
  ttng.async_tma_copy_local_to_global %d[%x, %x] %tile : !tt.tensordesc<128x64xf16, #shared>, !tile
  // Of one dimension, Triton's memory is transposed.
  // CHECK: ttng.async_tma_copy_local_to_global %{{.*}}[%{{.*}}] %{{.*}} : !tt.tensordesc<128xf16, #{{.*}}>
  ttng.async_tma_copy_local_to_global %d1[%x] %line : !tt.tensordesc<128xf16, #line>, !ttg.memdesc<128xf16, #line, #smem, mutable>
  // CHECK: ttng.async_tma_reduce add, %{{.*}}[%{{.*}}, %{{.*}}] %{{.*}} : !tt.tensordesc<32x32xi32, #{{.*}}>
  ttng.async_tma_reduce add, %w[%x, %x] %words : !tt.tensordesc<32x32xi32, #shared32>, !ttg.memdesc<32x32xi32, #shared32, #smem, mutable>
  // CHECK: ttng.async_tma_gather %{{.*}}[%{{.*}}, %{{.*}}] %{{.*}}, %{{.*}}, %{{.*}} : !tt.tensordesc<1x64xf16, #{{.*}}>, tensor<128xi32, #ttg.slice
  ttng.async_tma_gather %row[%r, %x] %tile, %b, %p : !tt.tensordesc<1x64xf16, #shared>, tensor<128xi32, #rows>, i32, !barrier, !tile, i1
  // CHECK: ttng.async_tma_scatter %{{.*}}[%{{.*}}, %{{.*}}] %{{.*}} : !tt.tensordesc<1x64xf16
  ttng.async_tma_scatter %row[%r, %x] %tile : !tt.tensordesc<1x64xf16, #shared>, tensor<128xi32, #rows>, i32, !tile
  // CHECK: ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
  ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
  tt.return
}

// CHECK-LABEL: @descriptors
tt.func @descriptors(%p: !tt.ptr<i8>, %g: !tt.ptr<f16>, %n: i32, %s: i64) {
  // CHECK: ttng.tensormap_create %{{.*}}, %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}], [%{{.*}}], [%{{.*}}, %{{.*}}] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
  ttng.tensormap_create %p, %g, [%n, %n], [%n, %n], [%s], [%n, %n] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
  // CHECK: ttng.tensormap_fenceproxy_acquire %{{.*}} : !tt.ptr<i8>
  ttng.tensormap_fenceproxy_acquire %p : !tt.ptr<i8>
  // CHECK: ttng.reinterpret_tensor_descriptor %{{.*}} : !tt.ptr<i8> to !tt.tensordesc<128x64xf16, #{{.*}}>
  %0 = ttng.reinterpret_tensor_descriptor %p : !tt.ptr<i8> to !tt.tensordesc<128x64xf16, #shared>
  tt.return
}

// CHECK-LABEL: @wgmma
tt.func @wgmma(%a: !square, %b: !square, %c: tensor<64x64xf32, #mma>, %u: i1, %r: tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>) {
  // CHECK: ttng.warp_group_dot %{{.*}}, %{{.*}}, %{{.*}} {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #{{.*}}, #smem, mutable> * !ttg.memdesc<64x64xf16, #{{.*}}, #smem, mutable> -> tensor<64x64xf32, #mma>
  %0 = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !square * !square -> tensor<64x64xf32, #mma>
  // CHECK: ttng.warp_group_dot %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc
  %1 = ttng.warp_group_dot %r, %b, %c, %u : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !square -> tensor<64x64xf32, #mma>
  // CHECK: ttng.warp_group_dot_wait %{{.*}}, %{{.*}} {pendings = 1 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc
  %2:2 = ttng.warp_group_dot_wait %0, %a {pendings = 1 : i32} : tensor<64x64xf32, #mma>, !square
  tt.return
}

// CHECK-LABEL: @tcgen05
tt.func @tcgen05(%a: !tile, %b: !square, %d: !acc, %bar: !barrier, %t: i1, %tok: !ttg.async.token,
                 %a8: !ttg.memdesc<128x128xi8, #shared8, #smem, mutable>, %b8: !ttg.memdesc<128x64xi8, #shared8t, #smem, mutable>, %sa: !scale, %sb: !ttg.memdesc<64x4xi8, #scales, #ttng.tensor_memory, mutable>) {
  // CHECK: ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : !ttg.memdesc<128x64xf16, #{{.*}}, #smem, mutable>, !ttg.memdesc<64x64xf16, #{{.*}}, #smem, mutable>, !ttg.memdesc<128x64xf32, #[[$ACC]], #ttng.tensor_memory, mutable>
  ttng.tc_gen5_mma %a, %b, %d, %t, %t : !tile, !square, !acc
  // CHECK: %{{.*}} = ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %{{.*}}[%{{.*}}], %{{.*}}, %{{.*}}, %{{.*}}[%{{.*}}] {is_async, multicast} : !ttg.memdesc
  %0 = ttng.tc_gen5_mma %a, %b, %d[%tok], %t, %t, %bar[%t] {is_async, multicast} : !tile, !square, !acc, !barrier
  // CHECK: ttng.tc_gen5_mma_scaled %{{.*}}, %{{.*}}, %{{.*}}[], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} lhs = e4m3 rhs = e5m2, %{{.*}}[%{{.*}}] {is_async} : !ttg.memdesc
  %1 = ttng.tc_gen5_mma_scaled %a8, %b8, %d[], %sa, %sb, %t, %t lhs = e4m3 rhs = e5m2, %bar[%t] {is_async} : !ttg.memdesc<128x128xi8, #shared8, #smem, mutable>, !ttg.memdesc<128x64xi8, #shared8t, #smem, mutable>, !acc, !scale, !ttg.memdesc<64x4xi8, #scales, #ttng.tensor_memory, mutable>, !barrier
  // CHECK: ttng.tc_gen5_commit %{{.*}} : !ttg.memdesc
  ttng.tc_gen5_commit %bar : !barrier
  // CHECK: ttng.tc_gen5_commit %{{.*}}, %{{.*}} descs %{{.*}}, %{{.*}} : !ttg.memdesc<1xi64, #{{.*}}, #smem, mutable>, !ttg.memdesc<128x64xf16, #{{.*}}, #smem, mutable>, !ttg.memdesc<64x64xf16
  ttng.tc_gen5_commit %bar, %t descs %a, %b : !barrier, !tile, !square
  tt.return
}

// CHECK-LABEL: @tensor_memory
tt.func @tensor_memory(%x: tensor<128x64xf32, #blocked>, %t: i1, %words: !ttg.memdesc<128x64xf32, #shared32, #smem, mutable>, %h: !ttg.memdesc<128x64xf16, #tmemh, #ttng.tensor_memory, mutable>,
                       %q: !ttg.memdesc<64x64xf32, #tmem64, #ttng.tensor_memory, mutable>, %s: !ttg.memdesc<256x8xi8, #scales1, #ttng.tensor_memory, mutable>) {
  // CHECK: ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #[[$ACC]], #ttng.tensor_memory, mutable>
  %0 = ttng.tmem_alloc : () -> !acc
  // CHECK: %{{.*}}, %{{.*}} = ttng.tmem_alloc %{{.*}} : (tensor<128x64xf32, #{{.*}}>) -> (!ttg.memdesc<128x64xf32, #[[$ACC]], #ttng.tensor_memory, mutable>, !ttg.async.token)
  %1, %tok = ttng.tmem_alloc %x : (tensor<128x64xf32, #blocked>) -> (!acc, !ttg.async.token)
  // CHECK: ttng.tmem_load %{{.*}} : !ttg.memdesc<128x64xf32, #[[$ACC]], #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #{{.*}}>
  %2 = ttng.tmem_load %0 : !acc -> tensor<128x64xf32, #blocked>
  // CHECK: %{{.*}}, %{{.*}}, %{{.*}} = ttng.tmem_load %{{.*}}[%{{.*}}] {NaN = true, abs = true, redOp = #ttng.redOp<max>} : !ttg.memdesc<128x64xf32, #[[$ACC]], #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #{{.*}}>, tensor<128xf32, #ttg.slice
  %3, %tok1, %red = ttng.tmem_load %1[%tok] {NaN = true, abs = true, redOp = #ttng.redOp<max>} : !acc -> tensor<128x64xf32, #blocked>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
  // CHECK: ttng.tmem_store %{{.*}}, %{{.*}}[%{{.*}}], %{{.*}} : tensor<128x64xf32, #{{.*}}> -> !ttg.memdesc
  %4 = ttng.tmem_store %x, %1[%tok], %t : tensor<128x64xf32, #blocked> -> !acc
  // CHECK: ttng.tmem_subslice %{{.*}} {offset = 32 : i32} : !ttg.memdesc<128x64xf32, #[[$ACC]], #ttng.tensor_memory, mutable> -> !ttg.memdesc<128x32xf32, #[[$ACC]], #ttng.tensor_memory, mutable, 128x64>
  %5 = ttng.tmem_subslice %0 {offset = 32 : i32} : !acc -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable, 128x64>
  // CHECK: ttng.tmem_copy %{{.*}}, %{{.*}} : !ttg.memdesc<128x64xf32, #{{.*}}, #smem, mutable>, !ttg.memdesc<128x64xf32, #[[$ACC]], #ttng.tensor_memory, mutable>
  ttng.tmem_copy %words, %0 : !ttg.memdesc<128x64xf32, #shared32, #smem, mutable>, !acc
  tt.return
}

// CHECK-LABEL: @launch_control
tt.func @launch_control(%r: !ttg.memdesc<2xi64, #bar, #smem, mutable>, %b: !barrier) {
  // CHECK: ttng.clc_try_cancel %{{.*}}, %{{.*}} : !ttg.memdesc<2xi64, #{{.*}}, #smem, mutable>, !ttg.memdesc<1xi64
  ttng.clc_try_cancel %r, %b : !ttg.memdesc<2xi64, #bar, #smem, mutable>, !barrier
  // CHECK: ttng.clc_load_result %{{.*}} : !ttg.memdesc<2xi64, #{{.*}}, #smem, mutable> -> i128
  %0 = ttng.clc_load_result %r : !ttg.memdesc<2xi64, #bar, #smem, mutable> -> i128
  // CHECK: ttng.clc_is_canceled %{{.*}} : i128 -> i1
  %1 = ttng.clc_is_canceled %0 : i128 -> i1
  // CHECK: ttng.clc_get_program_id %{{.*}}, y : i128 -> i32
  %2 = ttng.clc_get_program_id %0, y : i128 -> i32
  // CHECK: ttng.clc_try_cancel_sync : tensor<2xi64, #{{.*}}>
  %3 = ttng.clc_try_cancel_sync : tensor<2xi64, #flat>
  tt.return
}

// CHECK-LABEL: @packed
tt.func @packed(%x: tensor<128x64xf32, #blocked>, %h: tensor<128x64xf16, #blocked>) {
  // CHECK: ttng.packed_arith fma %{{.*}}, %{{.*}}, %{{.*}} : (tensor<128x64xf32, #{{.*}}>, tensor<128x64xf32, #{{.*}}>, tensor<128x64xf32, #{{.*}}>) -> tensor<128x64xf32, #{{.*}}>
  %0 = ttng.packed_arith fma %x, %x, %x : (tensor<128x64xf32, #blocked>, tensor<128x64xf32, #blocked>, tensor<128x64xf32, #blocked>) -> tensor<128x64xf32, #blocked>
  // CHECK: ttng.packed_arith add %{{.*}}, %{{.*}} : (tensor<128x64xf16, #{{.*}}>, tensor<128x64xf32, #{{.*}}>) -> tensor<128x64xf32
  %1 = ttng.packed_arith add %h, %x : (tensor<128x64xf16, #blocked>, tensor<128x64xf32, #blocked>) -> tensor<128x64xf32, #blocked>
  tt.return
}

}
