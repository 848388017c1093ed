// A product of a pair of CTAs as Triton 3.6 wrote it: nothing in the text orders the copies of the operands and the barrier of the other CTA
// before the product, and each CTA has a barrier of its own.
// RUN: kernelscope run %s --device sim --arch sm_100a --compare | FileCheck %s
// A commit signals both CTAs, too.
// RUN: sed -E 's/^( *)(ttng.tc_gen5_mma .*), .bar\[.true\] [{]is_async, two_ctas[}](.*), !barrier$/\1\2 {two_ctas}\3\n\1ttng.tc_gen5_commit %bar {two_ctas} : !barrier/' %s > %t.mlir
// RUN: kernelscope run %t.mlir --device sim --arch sm_100a --compare | FileCheck %s
// RUN: kernelscope run %t.mlir --device cpu --sanitize all --schedule late | FileCheck %s --check-prefix=CLEAN
// CLEAN: checksum
// CHECK: differs from the CPU executor by at most {{.*}}: within

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1]]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [0, 32]], block = [[64, 0]]}>
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#b = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1]]}>
#barrier = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1, CTASplitM = 2, twoCTAs = true>
!sum = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
!barrier = !ttg.memdesc<1xi64, #barrier, #smem, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @pair(%pa: !tt.ptr<f16>, %pb: !tt.ptr<f16>, %pd: !tt.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %false = arith.constant false
    %k = arith.constant dense<32> : tensor<128x1xi32, #blocked>
    %n = arith.constant dense<64> : tensor<32x1xi32, #blocked1>
    %nd = arith.constant dense<64> : tensor<128x1xi32, #linear>
    %ai = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %aj = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %a0 = tt.expand_dims %ai {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %a1 = arith.muli %a0, %k : tensor<128x1xi32, #blocked>
    %a2 = tt.expand_dims %aj {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %a3 = tt.broadcast %a1 : tensor<128x1xi32, #blocked> -> tensor<128x32xi32, #blocked>
    %a4 = tt.broadcast %a2 : tensor<1x32xi32, #blocked> -> tensor<128x32xi32, #blocked>
    %a5 = arith.addi %a3, %a4 : tensor<128x32xi32, #blocked>
    %a6 = tt.splat %pa : !tt.ptr<f16> -> tensor<128x32x!tt.ptr<f16>, #blocked>
    %a7 = tt.addptr %a6, %a5 : tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>
    %a8 = tt.load %a7 : tensor<128x32x!tt.ptr<f16>, #blocked>
    %bi = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %bj = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %b0 = tt.expand_dims %bi {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %b1 = arith.muli %b0, %n : tensor<32x1xi32, #blocked1>
    %b2 = tt.expand_dims %bj {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %b3 = tt.broadcast %b1 : tensor<32x1xi32, #blocked1> -> tensor<32x64xi32, #blocked1>
    %b4 = tt.broadcast %b2 : tensor<1x64xi32, #blocked1> -> tensor<32x64xi32, #blocked1>
    %b5 = arith.addi %b3, %b4 : tensor<32x64xi32, #blocked1>
    %b6 = tt.splat %pb : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %b7 = tt.addptr %b6, %b5 : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
    %b8 = tt.load %b7 : tensor<32x64x!tt.ptr<f16>, #blocked1>
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    %a = ttg.local_alloc %a8 : (tensor<128x32xf16, #blocked>) -> !ttg.memdesc<128x32xf16, #a, #smem>
    %b = ttg.local_alloc %b8 : (tensor<32x64xf16, #blocked1>) -> !ttg.memdesc<32x64xf16, #b, #smem>
    ttng.fence_async_shared {bCluster = false}
    %d = ttng.tmem_alloc : () -> !sum
    ttng.tc_gen5_mma %a, %b, %d, %false, %true, %bar[%true] {is_async, two_ctas} : !ttg.memdesc<128x32xf16, #a, #smem>, !ttg.memdesc<32x64xf16, #b, #smem>, !sum, !barrier
    ttng.wait_barrier %bar, %c0 : !barrier
    ttng.inval_barrier %bar : !barrier
    %r = ttng.tmem_load %d : !sum -> tensor<128x64xf32, #linear>
    %di = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #linear}>>
    %dj = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #linear}>>
    %d0 = tt.expand_dims %di {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #linear}>> -> tensor<128x1xi32, #linear>
    %d1 = arith.muli %d0, %nd : tensor<128x1xi32, #linear>
    %d2 = tt.expand_dims %dj {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #linear}>> -> tensor<1x64xi32, #linear>
    %d3 = tt.broadcast %d1 : tensor<128x1xi32, #linear> -> tensor<128x64xi32, #linear>
    %d4 = tt.broadcast %d2 : tensor<1x64xi32, #linear> -> tensor<128x64xi32, #linear>
    %d5 = arith.addi %d3, %d4 : tensor<128x64xi32, #linear>
    %d6 = tt.splat %pd : !tt.ptr<f32> -> tensor<128x64x!tt.ptr<f32>, #linear>
    %d7 = tt.addptr %d6, %d5 : tensor<128x64x!tt.ptr<f32>, #linear>, tensor<128x64xi32, #linear>
    tt.store %d7, %r : tensor<128x64x!tt.ptr<f32>, #linear>
    tt.return
  }
}
