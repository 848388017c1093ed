// The work of a cluster that has not started: the first CTA requests it, and each CTA gets the response. A program is a cluster.
// RUN: kernelscope opt %s --to-llvm=arch=sm_100a --split-input-file | FileCheck %s
// RUN: not kernelscope opt %s --to-llvm=arch=sm_90a --split-input-file 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: error: 'ttng.clc_try_cancel' has no instruction on sm_90a; it has one on sm_100a

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!response = !ttg.memdesc<2xi64, #shared, #smem, mutable>
!barrier = !ttg.memdesc<1xi64, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @one_cta
  tt.func public @one_cta(%out: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %response = ttg.local_alloc : () -> !response
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    ttng.barrier_expect %bar, 16, %true : !barrier
    // CHECK: @$2 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [$0], [$1];
    ttng.clc_try_cancel %response, %bar : !response, !barrier
    ttng.wait_barrier %bar, %c0, %true : !barrier
    // CHECK: %[[R:.*]] = llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> i128
    %r = ttng.clc_load_result %response : !response -> i128
    // CHECK: "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 $0, $1;", "=b,q" %[[R]] : (i128) -> i1
    %is = ttng.clc_is_canceled %r : i128 -> i1
    // CHECK: "clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 $0, $1;", "=r,q" %[[R]] : (i128) -> i32
    // CHECK-NOT: udiv
    // CHECK: "clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128
    %x = ttng.clc_get_program_id %r, x : i128 -> i32
    %y = ttng.clc_get_program_id %r, y : i128 -> i32
    %sum = arith.addi %x, %y : i32
    %value = arith.select %is, %sum, %c0 : i32
    tt.store %out, %value : !tt.ptr<i32>
    tt.return
  }
}

// -----

// Without a barrier of its own, the op waits for the response.
#flat = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @waits
  // CHECK: mbarrier.init.shared::cta.b64 [$0], 1;
  // CHECK: mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], 16;
  // CHECK: clusterlaunchcontrol.try_cancel.async
  // CHECK: mbarrier.try_wait.parity
  // CHECK: llvm.load {{.*}} !llvm.ptr<3> -> vector<2xi64>
  // CHECK: mbarrier.inval.shared::cta.b64
  tt.func public @waits() -> tensor<2xi64, #flat> {
    %response = ttng.clc_try_cancel_sync : tensor<2xi64, #flat>
    tt.return %response : tensor<2xi64, #flat>
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#each = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
!response = !ttg.memdesc<2xi64, #shared, #smem, mutable>
!barrier = !ttg.memdesc<2xi64, #each, #smem, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @pair
  tt.func public @pair(%out: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %response = ttg.local_alloc : () -> !response
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    ttng.barrier_expect %bar, 16, %true : !barrier
    // CHECK: clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128
    ttng.clc_try_cancel %response, %bar : !response, !barrier
    ttng.wait_barrier %bar, %c0, %true : !barrier
    %r = ttng.clc_load_result %response : !response -> i128
    // CHECK: %[[CTA:.*]] = llvm.inline_asm {{.*}}get_first_ctaid::x
    // CHECK: llvm.udiv %[[CTA]]
    %x = ttng.clc_get_program_id %r, x : i128 -> i32
    tt.store %out, %x : !tt.ptr<i32>
    tt.return
  }
}
