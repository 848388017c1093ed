// The tensor core of each pair of CTAs reads the scales of all columns along K, which a layout may split over four CTAs: a sum of
// 128 products of ones is 128 in each element.
// RUN: kernelscope run %s --device cpu | FileCheck %s
// RUN: kernelscope run %s --device cpu --schedule seed:1 | FileCheck %s
// CHECK: minimum 128, maximum 128, mean 128
#a = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0], [0, 0]]}>
#b = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1], [0, 2]]}>
#d = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = [[128, 0], [0, 128]]}>
#as = #ttg.linear<{register = [[0, 1], [0, 2], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]], block = [[128, 0], [0, 0]]}>
#bs = #ttg.linear<{register = [[32, 0], [64, 0], [128, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]], block = [[0, 1], [0, 2]]}>
#am = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, CGALayout = [[1, 0], [0, 0]]}>
#bm = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8, CGALayout = [[0, 1], [0, 2]]}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1], [2]]}>
#smem = #ttg.shared_memory
#dm = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1, CGALayout = [[1, 0], [0, 1]], twoCTAs = true>
#asm = #ttng.tensor_memory_scales_encoding<CGALayout = [[1, 0], [0, 0]]>
#bsm = #ttng.tensor_memory_scales_encoding<CGALayout = [[0, 1], [0, 2]]>
!a = !ttg.memdesc<256x128xf8E5M2, #am, #smem, mutable>
!b = !ttg.memdesc<128x256xf8E5M2, #bm, #smem, mutable>
!d = !ttg.memdesc<256x256xf32, #dm, #ttng.tensor_memory, mutable>
!as = !ttg.memdesc<256x4xi8, #asm, #ttng.tensor_memory, mutable>
!bs = !ttg.memdesc<256x4xi8, #bsm, #ttng.tensor_memory, mutable>
!bar = !ttg.memdesc<4xi64, #bar, #smem, mutable>
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = true} {
  tt.func public @product(%out: !tt.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %false = arith.constant false
    %ones_a = arith.constant dense<1.0> : tensor<256x128xf8E5M2, #a>
    %ones_b = arith.constant dense<1.0> : tensor<128x256xf8E5M2, #b>
    %unit_a = arith.constant dense<127> : tensor<256x4xi8, #as>
    %unit_b = arith.constant dense<127> : tensor<256x4xi8, #bs>
    %width = arith.constant dense<256> : tensor<256x1xi32, #d>
    %a = ttg.local_alloc %ones_a : (tensor<256x128xf8E5M2, #a>) -> !a
    %b = ttg.local_alloc %ones_b : (tensor<128x256xf8E5M2, #b>) -> !b
    %as = ttng.tmem_alloc : () -> !as
    %bs = ttng.tmem_alloc : () -> !bs
    %d = ttng.tmem_alloc : () -> !d
    ttng.tmem_store %unit_a, %as, %true : tensor<256x4xi8, #as> -> !as
    ttng.tmem_store %unit_b, %bs, %true : tensor<256x4xi8, #bs> -> !bs
    %bar = ttg.local_alloc : () -> !bar
    ttng.init_barrier %bar, 2 : !bar
    ttng.fence_async_shared {bCluster = true}
    ttng.cluster_barrier
    %token = ttng.tc_gen5_mma_scaled %a, %b, %d[], %as, %bs, %false, %true lhs = e5m2 rhs = e5m2, %bar[%true] {is_async, multicast, two_ctas} : !a, !b, !d, !as, !bs, !bar
    ttng.wait_barrier %bar, %c0, %true : !bar
    %x = ttng.tmem_load %d : !d -> tensor<256x256xf32, #d>
    %i = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #d}>>
    %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #d}>> -> tensor<256x1xi32, #d>
    %j = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 0, parent = #d}>>
    %columns = tt.expand_dims %j {axis = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 0, parent = #d}>> -> tensor<1x256xi32, #d>
    %down = arith.muli %rows, %width : tensor<256x1xi32, #d>
    %y = tt.broadcast %down : tensor<256x1xi32, #d> -> tensor<256x256xi32, #d>
    %z = tt.broadcast %columns : tensor<1x256xi32, #d> -> tensor<256x256xi32, #d>
    %at = arith.addi %y, %z : tensor<256x256xi32, #d>
    %base = tt.splat %out : !tt.ptr<f32> -> tensor<256x256x!tt.ptr<f32>, #d>
    %to = tt.addptr %base, %at : tensor<256x256x!tt.ptr<f32>, #d>, tensor<256x256xi32, #d>
    tt.store %to, %x : tensor<256x256x!tt.ptr<f32>, #d>
    tt.return
  }
}
