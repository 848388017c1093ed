// What several CTAs hold and one keeps, and what the lowering's meeting of CTAs after the initialisation of barriers orders.
// RUN: kernelscope run %s --kernel copies --device cpu | FileCheck %s --check-prefix=COPIES
// RUN: kernelscope run %s --kernel scatters --device cpu | FileCheck %s --check-prefix=COPIES
// RUN: kernelscope run %s --kernel adds --device cpu | FileCheck %s --check-prefix=ADDS
// RUN: not kernelscope run %s --kernel rounds --device cpu 2>&1 | FileCheck %s --check-prefix=ROUNDS
// RUN: kernelscope run %s --kernel multicast --device cpu --spec %s.json | FileCheck %s --check-prefix=MULTICAST
#both = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[0]]}>
#split = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#tile = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 0]]}>
#same = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 32, CGALayout = [[0, 0]]}>
#smem = #ttg.shared_memory
!halves = !ttg.memdesc<256xi32, #s, #smem, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // Both CTAs hold all elements and write them to the memory of the one that keeps them: the same values.
  // COPIES: outputs
  // COPIES: out {{ *}}i32[256]
  // COPIES-NEXT: first 0 1 2 3
  // COPIES-NEXT: minimum 0, maximum 255
  tt.func public @copies(%out: !tt.ptr<i32> loc("out")) {
    %x = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #both>
    %m = ttg.local_alloc %x : (tensor<256xi32, #both>) -> !halves
    ttng.cluster_barrier
    %v = ttg.local_load %m : !halves -> tensor<256xi32, #split>
    tt.call @store(%out, %v) : (!tt.ptr<i32>, tensor<256xi32, #split>) -> ()
    tt.return
  }

  tt.func public @scatters(%out: !tt.ptr<i32> loc("out")) {
    %x = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #both>
    %m = ttg.local_alloc : () -> !halves
    ttg.local_scatter %m[%x], %x {axis = 0 : i32} : !halves, tensor<256xi32, #both>, tensor<256xi32, #both>
    ttng.cluster_barrier
    %v = ttg.local_load %m : !halves -> tensor<256xi32, #split>
    tt.call @store(%out, %v) : (!tt.ptr<i32>, tensor<256xi32, #split>) -> ()
    tt.return
  }

  // An atomic access is executed once, and each CTA that holds its result gets it. An address that is not accessed may point anywhere.
  // ADDS: outputs
  // ADDS: out {{ *}}i32[256]
  // ADDS-NEXT: first 0 1 2 3
  // ADDS-NEXT: minimum 0, maximum 128, mean 32.25
  tt.func public @adds(%out: !tt.ptr<i32> loc("out")) {
    %x = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #both>
    %zero = arith.constant dense<0> : tensor<256xi32, #both>
    %one = arith.constant dense<1> : tensor<256xi32, #both>
    %half = arith.constant dense<128> : tensor<256xi32, #both>
    %m = ttg.local_alloc %zero : (tensor<256xi32, #both>) -> !halves
    ttng.cluster_barrier
    %isFirst = arith.cmpi slt, %x, %half : tensor<256xi32, #both>
    %far = arith.muli %x, %half : tensor<256xi32, #both>
    %place = arith.constant dense<200> : tensor<256xi32, #both>
    %at = arith.select %isFirst, %place, %far : tensor<256xi1, #both>, tensor<256xi32, #both>
    %old = ttg.local_atomic_scatter_rmw add, %m[%at], %one, %isFirst {axis = 0 : i32} : (!halves, tensor<256xi32, #both>, tensor<256xi32, #both>, tensor<256xi1, #both>) -> tensor<256xi32, #both>
    ttng.cluster_barrier
    %sum = ttg.local_load %m : !halves -> tensor<256xi32, #split>
    %mine = ttg.convert_layout %old : tensor<256xi32, #both> -> tensor<256xi32, #split>
    %i = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #split>
    %all = arith.constant dense<128> : tensor<256xi32, #split>
    %isOld = arith.cmpi slt, %i, %all : tensor<256xi32, #split>
    %shown = arith.select %isOld, %mine, %sum : tensor<256xi1, #split>, tensor<256xi32, #split>
    tt.call @store(%out, %shown) : (!tt.ptr<i32>, tensor<256xi32, #split>) -> ()
    tt.return
  }

  // The write of one CTA may come after the next one of another.
  // ROUNDS: [[@LINE+8]]:7: error: program (0, 0, 0) writes shared memory that another CTA writes, and no barrier orders the two
  tt.func public @rounds(%out: !tt.ptr<i32> loc("out")) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %m = ttg.local_alloc : () -> !halves
    scf.for %k = %c0 to %c2 step %c1 : i32 {
      %x = tt.splat %k : i32 -> tensor<256xi32, #both>
      ttg.local_store %x, %m : tensor<256xi32, #both> -> !halves
    }
    tt.return
  }

  tt.func private @store(%out: !tt.ptr<i32>, %v: tensor<256xi32, #split>) {
    %i = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #split>
    %base = tt.splat %out : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #split>
    %to = tt.addptr %base, %i : tensor<256x!tt.ptr<i32>, #split>, tensor<256xi32, #split>
    tt.store %to, %v : tensor<256x!tt.ptr<i32>, #split>
    tt.return
  }

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
