// A left operand of 4-bit floats in tensor memory, one in each byte: 1.0 in even columns and 2.0 in odd ones, times 1.0 in even rows
// and 0.0 in odd ones. The sum of 128 products is 64.
// RUN: kernelscope run %s --device cpu | FileCheck %s
// CHECK: outputs
// CHECK: out {{ *}}f32[16384]
// CHECK-NEXT: first 64 64 64 64
// CHECK-NEXT: minimum 64, maximum 64
#row = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#scale = #ttg.linear<{register = [[0, 1], [0, 2], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]], block = []}>
#b = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#padded = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, fp4Padded = true>
#scales = #ttng.tensor_memory_scales_encoding<>
!a = !ttg.memdesc<128x128xi8, #tmem, #ttng.tensor_memory, mutable>
!packed = !ttg.memdesc<128x64xi8, #padded, #ttng.tensor_memory, mutable>
!b = !ttg.memdesc<128x128xf8E4M3FN, #b, #smem, mutable>
!d = !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
!s = !ttg.memdesc<128x4xi8, #scales, #ttng.tensor_memory, mutable>
!bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @product(%out: !tt.ptr<f32> loc("out")) {
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %false = arith.constant false
    %c1 = arith.constant dense<1> : tensor<1x128xi32, #row>
    %r1 = arith.constant dense<1> : tensor<128x1xi32, #row>
    %j0 = arith.constant dense<0> : tensor<1x128xi32, #row>
    %i0 = arith.constant dense<0> : tensor<128x1xi32, #row>
    %one = arith.constant dense<8> : tensor<128x128xi8, #row>
    %two = arith.constant dense<16> : tensor<128x128xi8, #row>
    %bone = arith.constant dense<1.0> : tensor<128x128xf8E4M3FN, #row>
    %bzero = arith.constant dense<0.0> : tensor<128x128xf8E4M3FN, #row>
    %unit = arith.constant dense<127> : tensor<128x4xi8, #scale>
    %width = arith.constant dense<128> : tensor<128x1xi32, #row>
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #row}>>
    %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<128x1xi32, #row>
    %j = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #row}>>
    %columns = tt.expand_dims %j {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #row}>> -> tensor<1x128xi32, #row>
    %odd_column = arith.andi %columns, %c1 : tensor<1x128xi32, #row>
    %even_columns = arith.cmpi eq, %odd_column, %j0 : tensor<1x128xi32, #row>
    %odd_row = arith.andi %rows, %r1 : tensor<128x1xi32, #row>
    %even_rows = arith.cmpi eq, %odd_row, %i0 : tensor<128x1xi32, #row>
    %in_a = tt.broadcast %even_columns : tensor<1x128xi1, #row> -> tensor<128x128xi1, #row>
    %in_b = tt.broadcast %even_rows : tensor<128x1xi1, #row> -> tensor<128x128xi1, #row>
    %va = arith.select %in_a, %one, %two : tensor<128x128xi1, #row>, tensor<128x128xi8, #row>
    %vb = arith.select %in_b, %bone, %bzero : tensor<128x128xi1, #row>, tensor<128x128xf8E4M3FN, #row>
    %a = ttng.tmem_alloc %va : (tensor<128x128xi8, #row>) -> !a
    %packed = ttg.memdesc_reinterpret %a : !a -> !packed
    %b = ttg.local_alloc %vb : (tensor<128x128xf8E4M3FN, #row>) -> !b
    %d = ttng.tmem_alloc : () -> !d
    %as = ttng.tmem_alloc %unit : (tensor<128x4xi8, #scale>) -> !s
    %bs = ttng.tmem_alloc %unit : (tensor<128x4xi8, #scale>) -> !s
    ttng.fence_async_shared {bCluster = false}
    %bar = ttg.local_alloc : () -> !bar
    ttng.init_barrier %bar, 1 : !bar
    %token = ttng.tc_gen5_mma_scaled %packed, %b, %d[], %as, %bs, %false, %true lhs = e2m1 rhs = e4m3, %bar[%true] {is_async} : !packed, !b, !d, !s, !s, !bar
    ttng.wait_barrier %bar, %c0 : !bar
    ttng.inval_barrier %bar : !bar
    %v = ttng.tmem_load %d : !d -> tensor<128x128xf32, #row>
    %down = arith.muli %rows, %width : tensor<128x1xi32, #row>
    %x = tt.broadcast %down : tensor<128x1xi32, #row> -> tensor<128x128xi32, #row>
    %y = tt.broadcast %columns : tensor<1x128xi32, #row> -> tensor<128x128xi32, #row>
    %place = arith.addi %x, %y : tensor<128x128xi32, #row>
    %base = tt.splat %out : !tt.ptr<f32> -> tensor<128x128x!tt.ptr<f32>, #row>
    %to = tt.addptr %base, %place : tensor<128x128x!tt.ptr<f32>, #row>, tensor<128x128xi32, #row>
    tt.store %to, %v : tensor<128x128x!tt.ptr<f32>, #row>
    tt.return
  }
}
