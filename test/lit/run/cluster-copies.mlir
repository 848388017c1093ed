// What the lowering's meeting of CTAs after the initialisation of barriers orders.
// RUN: kernelscope run %s --kernel multicast --device cpu --spec %s.json | FileCheck %s --check-prefix=MULTICAST
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#tile = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 0]]}>
#same = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 32, CGALayout = [[0, 0]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CTA 0 writes into the memory of CTA 1, which that one has filled before it initialised the barrier of the copy.
  // MULTICAST: outputs
  // MULTICAST: out {{ *}}f32[64]
  // MULTICAST-NEXT: first 3 3 3 3
  tt.func public @multicast(%in: !tt.tensordesc<8x8xf32, #same> loc("in"), %out: !tt.ptr<f32> loc("out")) {
    %c0 = arith.constant 0 : i32
    %c8 = arith.constant dense<8> : tensor<8x1xi32, #tile>
    %true = arith.constant true
    %one = arith.constant dense<1.0> : tensor<8x8xf32, #tile>
    %m = ttg.local_alloc %one : (tensor<8x8xf32, #tile>) -> !ttg.memdesc<8x8xf32, #same, #smem, mutable>
    ttng.fence_async_shared {bCluster = true}
    %bar = ttg.local_alloc : () -> !ttg.memdesc<2xi64, #s, #smem, mutable>
    ttng.init_barrier %bar, 1 : !ttg.memdesc<2xi64, #s, #smem, mutable>
    ttng.barrier_expect %bar, 256, %true : !ttg.memdesc<2xi64, #s, #smem, mutable>
    ttng.async_tma_copy_global_to_local %in[%c0, %c0] %m, %bar, %true {multicast} : !tt.tensordesc<8x8xf32, #same>, !ttg.memdesc<2xi64, #s, #smem, mutable> -> !ttg.memdesc<8x8xf32, #same, #smem, mutable>
    ttng.wait_barrier %bar, %c0 : !ttg.memdesc<2xi64, #s, #smem, mutable>
    ttng.inval_barrier %bar : !ttg.memdesc<2xi64, #s, #smem, mutable>
    %v = ttg.local_load %m : !ttg.memdesc<8x8xf32, #same, #smem, mutable> -> tensor<8x8xf32, #tile>
    %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #tile}>>
    %j = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #ttg.slice<{dim = 0, parent = #tile}>>
    %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #tile}>> -> tensor<8x1xi32, #tile>
    %columns = tt.expand_dims %j {axis = 0 : i32} : tensor<8xi32, #ttg.slice<{dim = 0, parent = #tile}>> -> tensor<1x8xi32, #tile>
    %down = arith.muli %rows, %c8 : tensor<8x1xi32, #tile>
    %a = tt.broadcast %down : tensor<8x1xi32, #tile> -> tensor<8x8xi32, #tile>
    %b = tt.broadcast %columns : tensor<1x8xi32, #tile> -> tensor<8x8xi32, #tile>
    %place = arith.addi %a, %b : tensor<8x8xi32, #tile>
    %base = tt.splat %out : !tt.ptr<f32> -> tensor<8x8x!tt.ptr<f32>, #tile>
    %to = tt.addptr %base, %place : tensor<8x8x!tt.ptr<f32>, #tile>, tensor<8x8xi32, #tile>
    tt.store %to, %v : tensor<8x8x!tt.ptr<f32>, #tile>
    tt.return
  }
}
