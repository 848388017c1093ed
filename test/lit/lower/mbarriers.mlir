// Barriers in shared memory: one thread acts for all that execute the op, and all of them wait.
// RUN: kernelscope opt %s --split-input-file --ttgir-to-llvm=arch=sm_90a --verify-diagnostics | FileCheck %s

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
    // CHECK: fence.proxy.async.shared::cta;
    ttng.fence_async_shared {bCluster = false}
    // CHECK: fence.proxy.async.shared::cluster;
    ttng.fence_async_shared {bCluster = true}
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @of_two(%b: !ttg.memdesc<2xi64, #shared, #smem, mutable>) {
    // expected-error @below {{is on a barrier of 2 CTAs, which is not lowered yet; it must be of 1}}
    ttng.init_barrier %b, 1 : !ttg.memdesc<2xi64, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @multicast(%b: !ttg.memdesc<2xi64, #shared, #smem, mutable>) {
    // expected-error @below {{arrives at barriers of other CTAs, which is not lowered yet}}
    ttng.arrive_barrier %b, 1 {multicastCTA = 1 : i32} : !ttg.memdesc<2xi64, #shared, #smem, mutable>
    tt.return
  }
}
