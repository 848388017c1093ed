// CTAs that signal each other's barriers wait for each other: once the barriers are initialised, and before the kernel ends.
// RUN: kernelscope opt --insert-proxy-fences --insert-barriers --split-input-file %s | FileCheck %s

#own = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#pair = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#smem = #ttg.shared_memory
!own = !ttg.memdesc<2xi64, #own, #smem, mutable>
!pair = !ttg.memdesc<1xi64, #pair, #smem, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  // CHECK-LABEL: @shared
  tt.func public @shared(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK: ttng.init_barrier
    // CHECK-NOT: cluster
    // CHECK: ttng.init_barrier
    %a = ttg.local_alloc : () -> !pair
    ttng.init_barrier %a, 1 : !pair
    %b = ttg.local_alloc : () -> !pair
    ttng.init_barrier %b, 1 : !pair
    // CHECK: ttng.fence_mbarrier_init_release_cluster
    // CHECK-NEXT: ttng.cluster_barrier {relaxed = true}
    // CHECK: scf.for
    // CHECK-NOT: cluster
    // CHECK: }
    scf.for %i = %c0 to %n step %c1 : i32 {
      ttng.arrive_barrier %a, 1 : !pair
    }
    // CHECK: ttng.cluster_barrier
    // CHECK-NEXT: tt.return
    tt.return
  }

  // Each signals its own.
  // CHECK-LABEL: @own
  // CHECK-NOT: cluster
  // CHECK: tt.return
  tt.func public @own() {
    %a = ttg.local_alloc : () -> !own
    ttng.init_barrier %a, 1 : !own
    ttng.arrive_barrier %a, 1 : !own
    tt.return
  }

  // Those of the text stay, and are enough.
  // CHECK-LABEL: @written
  // CHECK: ttng.init_barrier
  // CHECK-NEXT: ttng.fence_mbarrier_init_release_cluster
  // CHECK-NEXT: ttng.cluster_barrier {relaxed = true}
  // CHECK-NEXT: ttng.arrive_barrier
  // CHECK-NEXT: ttng.cluster_barrier
  // CHECK-NEXT: tt.return
  tt.func public @written() {
    %a = ttg.local_alloc : () -> !pair
    ttng.init_barrier %a, 1 : !pair
    ttng.fence_mbarrier_init_release_cluster
    ttng.cluster_barrier {relaxed = true}
    ttng.arrive_barrier %a, 1 : !pair
    ttng.cluster_barrier
    tt.return
  }
}

// -----

#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#b = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1]]}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1, CGALayout = [[1, 0]], twoCTAs = true>
#row = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1], CGALayout = [[1, 0]]}>
#smem = #ttg.shared_memory
!a = !ttg.memdesc<256x64xf16, #a, #smem, mutable>
!b = !ttg.memdesc<64x128xf16, #b, #smem, mutable>
!d = !ttg.memdesc<256x128xf32, #tmem, #ttng.tensor_memory, mutable>
!bar = !ttg.memdesc<2xi64, #bar, #smem, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = true} {
  // The first CTA's product reads what threads of both have stored.
  // CHECK-LABEL: @stored_by_both
  tt.func public @stored_by_both(%x: tensor<256x64xf16, #row>) {
    %true = arith.constant true
    %a = ttg.local_alloc {allocation.offset = 0 : i32} : () -> !a
    %b = ttg.local_alloc {allocation.offset = 16384 : i32} : () -> !b
    %bar = ttg.local_alloc {allocation.offset = 32768 : i32} : () -> !bar
    %d = ttng.tmem_alloc {tensor_memory_col_offset = 0 : i32} : () -> !d
    // CHECK: ttg.local_store
    ttg.local_store %x, %a : tensor<256x64xf16, #row> -> !a
    // CHECK: ttng.fence_async_shared {bCluster = true}
    // CHECK-NEXT: ttng.cluster_barrier
    // CHECK: ttng.tc_gen5_mma
    ttng.tc_gen5_mma %a, %b, %d, %true, %true, %bar[%true] {is_async, two_ctas} : !a, !b, !d, !bar
    tt.return
  }
}

// -----

// In a dump of Triton 3.6 or older CTAs wait for each other before each product of pairs: the text does not say it.
#operand = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#other = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1]]}>
#barrier = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1, CTASplitM = 2, twoCTAs = true>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @older
  tt.func public @older(%a: !ttg.memdesc<128x32xf16, #operand, #smem>, %b: !ttg.memdesc<32x64xf16, #other, #smem>, %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>) {
    %true = arith.constant true
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #barrier, #smem, mutable>
    // CHECK: ttng.init_barrier
    // CHECK-NOT: cluster
    ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #barrier, #smem, mutable>
    // CHECK: ttng.cluster_barrier{{$}}
    // CHECK-NEXT: ttng.tc_gen5_mma
    ttng.tc_gen5_mma %a, %b, %d, %true, %true, %bar[%true] {is_async, two_ctas} : !ttg.memdesc<128x32xf16, #operand, #smem>, !ttg.memdesc<32x64xf16, #other, #smem>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #barrier, #smem, mutable>
    // CHECK-NOT: cluster
    // CHECK: tt.return
    tt.return
  }
}
