// What copies and stores of a cluster, and its tensor memory, cannot do is an error on the op, before there is any code.
// RUN: kernelscope opt --ttgir-to-llvm=arch=sm_100a --split-input-file --verify-diagnostics %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#all = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#smem = #ttg.shared_memory
!barriers = !ttg.memdesc<2xi64, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  tt.func public @to_copies(%x: tensor<1024xf32, #blocked>, %m: !ttg.memdesc<1024xf32, #all, #smem, mutable>, %b: !barriers) {
    // expected-error @below {{stores a tensor that is not replicated across CTAs to memory that is, which is not lowered yet}}
    ttng.async_shared_store %x, %m, %b : tensor<1024xf32, #blocked> -> !ttg.memdesc<1024xf32, #all, #smem, mutable>, !barriers
    tt.return
  }
}

// -----

#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
!d = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // A warp sees the rows of its place in a group of four.
  tt.func public @second_half() {
    %d = ttng.tmem_alloc : () -> !d
    ttg.warp_specialize(%d) attributes {warpGroupStartIds = array<i32: 6>}
    default {
      ttg.warp_yield
    }
    partition0(%own: !d) num_warps(4) {
      // expected-error @below {{is run by warps from 6 on; the first must be a multiple of 4, because a warp can access only its own 32 rows of tensor memory}}
      %x = ttng.tmem_load %own : !d -> tensor<128x64xf32, #linear>
      ttg.warp_return
    } : (!d) -> ()
    tt.return
  }
}
