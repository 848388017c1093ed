// Barriers in shared memory: one thread acts for all that execute the op, and all of them wait.
// RUN: kernelscope opt %s --split-input-file --ttgir-to-llvm=arch=sm_90a | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @ring
  tt.func public @ring(%slot: i32, %phase: i32, %live: i1) {
    %ring = ttg.local_alloc : () -> !ttg.memdesc<3x1xi64, #shared, #smem, mutable>
    // CHECK: %[[BARRIER:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    %b = ttg.memdesc_index %ring[%slot] : !ttg.memdesc<3x1xi64, #shared, #smem, mutable> -> !barrier
    // CHECK: %[[THREAD:.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.x"
    // CHECK: llvm.icmp "eq" %[[THREAD]]
    // CHECK: "@$1 mbarrier.init.shared::cta.b64 [$0], 2;", "r,b"
    ttng.init_barrier %b, 2 : !barrier
    // What is announced and who arrives depends on the predicate, too.
    // CHECK: %[[FIRST:.*]] = llvm.icmp "eq"
    // CHECK: %[[ACTS:.*]] = llvm.and %[[FIRST]], %{{.*}} : i1
    // CHECK: "@$1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], 8192;", "r,b" %{{.*}}, %[[ACTS]]
    ttng.barrier_expect %b, 8192, %live : !barrier
    // CHECK: llvm.and
    // CHECK: "@$1 mbarrier.arrive.shared::cta.b64 _, [$0], 1;"
    ttng.arrive_barrier %b, 1, %live : !barrier
    // CHECK: again: mbarrier.try_wait.parity.shared::cta.b64 complete, [$0], $1;
    // CHECK-NOT: bra done
    ttng.wait_barrier %b, %phase : !barrier
    // CHECK: @!$2 bra done;
    ttng.wait_barrier %b, %phase, %live : !barrier
    // CHECK: "@$1 mbarrier.inval.shared::cta.b64 [$0];"
    ttng.inval_barrier %b : !barrier
    tt.return
  }

  // Every thread arrives for the copies of its own.
  // CHECK-LABEL: @copies
  tt.func public @copies() {
    %b = ttg.local_alloc : () -> !barrier
    // CHECK: "cp.async.mbarrier.arrive.shared::cta.b64 [$0];", "r" %{{[^,]*}} :
    ttng.async_copy_mbarrier_arrive %b : !barrier
    // CHECK: "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [$0];"
    ttng.async_copy_mbarrier_arrive %b {noIncrement} : !barrier
    tt.return
  }

  // CHECK-LABEL: @fences
  tt.func public @fences() {
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    // CHECK: fence.proxy.async.shared::cta;
    ttng.fence_async_shared {bCluster = false}
    // CHECK: fence.proxy.async.shared::cluster;
    ttng.fence_async_shared {bCluster = true}
    tt.return
  }
}

// -----

// Each CTA of a cluster has a barrier; arrivals go from one to the others' by their addresses in the cluster.
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1], [2]]}>
#smem = #ttg.shared_memory
!barriers = !ttg.memdesc<4xi64, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  // CHECK-LABEL: @cluster
  tt.func public @cluster(%b: !barriers, %phase: i32) {
    // CHECK: mbarrier.init.shared::cta.b64 [$0], 1;
    ttng.init_barrier %b, 1 : !barriers
    // CHECK: fence.mbarrier_init.release.cluster;
    ttng.fence_mbarrier_init_release_cluster
    // CHECK: barrier.cluster.arrive.relaxed.aligned;\0Abarrier.cluster.wait.aligned;
    ttng.cluster_barrier {relaxed = true}
    // CHECK: mbarrier.arrive.shared::cta.b64 _, [$0], 1;
    ttng.arrive_barrier %b, 1 : !barriers
    // CHECK: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64
    ttng.wait_barrier %b, %phase : !barriers
    // CHECK: barrier.cluster.arrive.aligned;\0Abarrier.cluster.wait.aligned;
    ttng.cluster_barrier
    tt.return
  }

  // Along bit 1 each CTA arrives at its own barrier and at that of one other.
  // CHECK-LABEL: @multicast
  tt.func public @multicast(%b: !barriers) {
    // CHECK: %[[SELF:.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.cluster.ctarank"
    // CHECK: "mapa.shared::cluster.u32 $0, $1, $2;", "=r,r,r" %{{.*}}, %[[SELF]]
    // CHECK: "@$1 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [$0], 1;"
    // CHECK: %[[OTHER:.*]] = llvm.xor %[[SELF]], %{{.*}} : i32
    // CHECK: "mapa.shared::cluster.u32 $0, $1, $2;", "=r,r,r" %{{.*}}, %[[OTHER]]
    // CHECK: mbarrier.arrive.release.cluster.shared::cluster.b64
    // CHECK-NOT: mapa
    ttng.arrive_barrier %b, 1 {multicastCTA = 2 : i32} : !barriers
    tt.return
  }

  // Each barrier takes the bytes that CTA 0 announces: it arrives at all four, the others at none.
  // CHECK-LABEL: @from
  tt.func public @from(%b: !barriers, %true: i1) {
    // CHECK: llvm.and %{{.*}}, %{{.*}} : i32
    // CHECK: llvm.icmp "eq"
    // CHECK-COUNT-4: mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [$0], 64;
    ttng.barrier_expect %b, 64 {fromCTA = 0 : i32}, %true : !barriers
    tt.return
  }
}

// -----

// A barrier that a pair shares is in its even CTA, which alone initialises it and waits. Both CTAs arrive.
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = true} {
  // CHECK-LABEL: @pair
  tt.func public @pair(%b: !barrier, %phase: i32) {
    // CHECK: %[[CTA:.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.cluster.ctarank"
    // CHECK: llvm.icmp "eq"
    // CHECK: mbarrier.init.shared::cta.b64 [$0], 4;
    ttng.init_barrier %b, 2 : !barrier
    // CHECK: mapa.shared::cluster.u32
    // CHECK: mbarrier.arrive.release.cluster.shared::cluster.b64 _, [$0], 1;
    ttng.arrive_barrier %b, 1 : !barrier
    // CHECK: @!$2 bra done;
    ttng.wait_barrier %b, %phase : !barrier
    tt.return
  }
}
