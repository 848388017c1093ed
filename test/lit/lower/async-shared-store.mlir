// Stores to the shared memory of a cluster that complete on a barrier.
// RUN: kernelscope opt %s --split-input-file --ttgir-to-llvm=arch=sm_90a --verify-diagnostics | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
!barriers = !ttg.memdesc<2xi64, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  // Four elements in one store; memory and barrier are mapped to the CTA that has them.
  // CHECK-LABEL: @own
  tt.func public @own(%x: tensor<1024xf32, #blocked>, %m: !ttg.memdesc<1024xf32, #shared, #smem, mutable>, %b: !barriers) {
    // CHECK: mapa.shared::cluster.u32
    // CHECK: mapa.shared::cluster.u32
    // CHECK: "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [$0], {$1, $2, $3, $4}, [$5];", "r,r,r,r,r,r"
    // CHECK-NOT: st.async
    ttng.async_shared_store %x, %m, %b : tensor<1024xf32, #blocked> -> !ttg.memdesc<1024xf32, #shared, #smem, mutable>, !barriers
    tt.return
  }
}

// -----

// Each warp has a copy of what another has, and each CTA of all: one thread stores, to the CTA that an element belongs to.
#copies = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[0]]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
!barriers = !ttg.memdesc<2xi64, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  // CHECK-LABEL: @copies
  tt.func public @copies(%x: tensor<128xf16, #copies>, %m: !ttg.memdesc<128xf16, #shared, #smem, mutable>, %b: !barriers) {
    // CHECK: llvm.icmp "eq"
    // CHECK: "@$3 st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [$0], $1, [$2];", "r,r,r,b"
    // CHECK-NOT: st.async
    ttng.async_shared_store %x, %m, %b : tensor<128xf16, #copies> -> !ttg.memdesc<128xf16, #shared, #smem, mutable>, !barriers
    tt.return
  }
}
