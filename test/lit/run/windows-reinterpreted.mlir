// A window of a buffer that is a partition's, a loop's or a function's argument is reinterpreted where it begins in the buffer,
// also if it begins elsewhere in each round of a loop.
// RUN: kernelscope run %s --kernel partition --device cpu | FileCheck %s --check-prefix=SECOND
// RUN: kernelscope run %s --kernel loop --device cpu | FileCheck %s --check-prefix=SECOND
// RUN: kernelscope run %s --kernel calls --device cpu | FileCheck %s --check-prefix=SECOND
// RUN: kernelscope run %s --kernel two_places --device cpu --output %t && od -An -t d4 -w256 -v %t/out.npy | FileCheck %s --check-prefix=TWO
// RUN: kernelscope run %s --kernel element_of_ring --device cpu | FileCheck %s --check-prefix=RING
// SECOND: outputs
// SECOND: out {{ *}}i32[64]
// SECOND-NEXT: first 64 65 66 67
// TWO: 64 65 66 67
// TWO: 0 1 2 3
// RING: first 96 97 98 99
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!whole = !ttg.memdesc<128xi32, #s, #smem, mutable>
!window = !ttg.memdesc<64xi32, #s, #smem, mutable, 128>
!bytes = !ttg.memdesc<256xi8, #s, #smem, mutable>
!words = !ttg.memdesc<64xi32, #s, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func private @show(%part: !window, %out: !tt.ptr<i32>) attributes {noinline = true} {
    %bytes = ttg.memdesc_reinterpret %part : !window -> !bytes
    %words = ttg.memdesc_reinterpret %bytes : !bytes -> !words
    %v = ttg.local_load %words : !words -> tensor<64xi32, #b>
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #b>
    %base = tt.splat %out : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>, #b>
    %to = tt.addptr %base, %i : tensor<64x!tt.ptr<i32>, #b>, tensor<64xi32, #b>
    tt.store %to, %v : tensor<64x!tt.ptr<i32>, #b>
    tt.return
  }
  tt.func public @calls(%out: !tt.ptr<i32> loc("out")) {
    %x = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #b>
    %a = ttg.local_alloc %x : (tensor<128xi32, #b>) -> !whole
    %part = ttg.memdesc_subslice %a[64] : !whole -> !window
    tt.call @show(%part, %out) : (!window, !tt.ptr<i32>) -> ()
    tt.return
  }

  tt.func public @partition(%out: !tt.ptr<i32> loc("out")) {
    %x = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #b>
    %a = ttg.local_alloc %x : (tensor<128xi32, #b>) -> !whole
    %second = ttg.memdesc_subslice %a[64] : !whole -> !window
    ttg.warp_specialize(%second, %out)
    default {
      ttg.warp_yield
    }
    partition0(%part: !window, %o: !tt.ptr<i32>) num_warps(4) {
      %bytes = ttg.memdesc_reinterpret %part : !window -> !bytes
      %words = ttg.memdesc_reinterpret %bytes : !bytes -> !words
      %v = ttg.local_load %words : !words -> tensor<64xi32, #b>
      %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #b>
      %base = tt.splat %o : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>, #b>
      %to = tt.addptr %base, %i : tensor<64x!tt.ptr<i32>, #b>, tensor<64xi32, #b>
      tt.store %to, %v : tensor<64x!tt.ptr<i32>, #b>
      ttg.warp_return
    } : (!window, !tt.ptr<i32>) -> ()
    tt.return
  }

  tt.func public @loop(%out: !tt.ptr<i32> loc("out")) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %x = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #b>
    %a = ttg.local_alloc %x : (tensor<128xi32, #b>) -> !whole
    %second = ttg.memdesc_subslice %a[64] : !whole -> !window
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #b>
    %base = tt.splat %out : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>, #b>
    %to = tt.addptr %base, %i : tensor<64x!tt.ptr<i32>, #b>, tensor<64xi32, #b>
    %last = scf.for %k = %c0 to %c2 step %c1 iter_args(%part = %second) -> (!window) : i32 {
      %bytes = ttg.memdesc_reinterpret %part : !window -> !bytes
      %words = ttg.memdesc_reinterpret %bytes : !bytes -> !words
      %v = ttg.local_load %words : !words -> tensor<64xi32, #b>
      tt.store %to, %v : tensor<64x!tt.ptr<i32>, #b>
      scf.yield %part : !window
    }
    tt.return
  }

  // The window is the second half in the first round, and the first half in the second.
  tt.func public @two_places(%out: !tt.ptr<i32> loc("out")) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c64 = arith.constant 64 : i32
    %x = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #b>
    %a = ttg.local_alloc %x : (tensor<128xi32, #b>) -> !whole
    %first = ttg.memdesc_subslice %a[0] : !whole -> !window
    %second = ttg.memdesc_subslice %a[64] : !whole -> !window
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #b>
    %last = scf.for %k = %c0 to %c2 step %c1 iter_args(%part = %second) -> (!window) : i32 {
      %bytes = ttg.memdesc_reinterpret %part : !window -> !bytes
      %words = ttg.memdesc_reinterpret %bytes : !bytes -> !words
      %v = ttg.local_load %words : !words -> tensor<64xi32, #b>
      %row = arith.muli %k, %c64 : i32
      %at = tt.addptr %out, %row : !tt.ptr<i32>, i32
      %base = tt.splat %at : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>, #b>
      %to = tt.addptr %base, %i : tensor<64x!tt.ptr<i32>, #b>, tensor<64xi32, #b>
      tt.store %to, %v : tensor<64x!tt.ptr<i32>, #b>
      scf.yield %first : !window
    }
    tt.return
  }

  // The second half of the second of two buffers, which an index chooses.
  tt.func public @element_of_ring(%out: !tt.ptr<i32> loc("out")) {
    %c1 = arith.constant 1 : i32
    %ring = ttg.local_alloc : () -> !ttg.memdesc<2x64xi32, #s, #smem, mutable>
    %x = tt.make_range {end = 128 : i32, start = 64 : i32} : tensor<64xi32, #b>
    %element = ttg.memdesc_index %ring[%c1] : !ttg.memdesc<2x64xi32, #s, #smem, mutable> -> !words
    ttg.local_store %x, %element : tensor<64xi32, #b> -> !words
    %half = ttg.memdesc_subslice %element[32] : !words -> !ttg.memdesc<32xi32, #s, #smem, mutable, 64>
    %bytes = ttg.memdesc_reinterpret %half : !ttg.memdesc<32xi32, #s, #smem, mutable, 64> -> !ttg.memdesc<128xi8, #s, #smem, mutable>
    %words = ttg.memdesc_reinterpret %bytes : !ttg.memdesc<128xi8, #s, #smem, mutable> -> !ttg.memdesc<32xi32, #s, #smem, mutable>
    %v = ttg.local_load %words : !ttg.memdesc<32xi32, #s, #smem, mutable> -> tensor<32xi32, #b>
    %i = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #b>
    %base = tt.splat %out : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #b>
    %to = tt.addptr %base, %i : tensor<32x!tt.ptr<i32>, #b>, tensor<32xi32, #b>
    tt.store %to, %v : tensor<32x!tt.ptr<i32>, #b>
    tt.return
  }
}
