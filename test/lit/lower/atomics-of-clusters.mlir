// One thread performs an atomic on a scalar for all CTAs of its cluster, which therefore wait for each other before a
// release and after an acquire.
// RUN: kernelscope opt --insert-barriers --split-input-file %s | FileCheck %s
// RUN: kernelscope opt --allocate-shared-memory --split-input-file %s | FileCheck %s --check-prefix=BYTES

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1], [2]]}>
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @scalar
  // CHECK: tt.store
  // CHECK-NEXT: ttng.cluster_barrier
  // CHECK-NEXT: tt.atomic_rmw
  // CHECK-NEXT: ttng.cluster_barrier
  // CHECK-NEXT: tt.store
  tt.func public @scalar(%flag: !tt.ptr<i32>, %data: !tt.ptr<i32>, %one: i32) {
    tt.store %data, %one : !tt.ptr<i32>
    %old = tt.atomic_rmw add, acq_rel, gpu, %flag, %one : (!tt.ptr<i32>, i32) -> i32
    tt.store %data, %one : !tt.ptr<i32>
    tt.return
  }

  // A barrier of the CTA is not enough.
  // CHECK-LABEL: @after_barrier
  // CHECK: ttg.barrier
  // CHECK-NEXT: ttng.cluster_barrier
  // CHECK-NEXT: tt.atomic_rmw
  // CHECK-NEXT: tt.return
  tt.func public @after_barrier(%flag: !tt.ptr<i32>, %data: !tt.ptr<i32>, %one: i32) {
    tt.store %data, %one : !tt.ptr<i32>
    ttg.barrier all
    %old = tt.atomic_rmw add, release, gpu, %flag, %one : (!tt.ptr<i32>, i32) -> i32
    tt.return
  }

  // Results go to the threads of a CTA through its own shared memory, which has room for those of one CTA.
  // BYTES: module {{.*}}ttg.shared = 4 : i32
  // CHECK-LABEL: @shared_results
  // CHECK: tt.atomic_cas
  // CHECK-NEXT: ttng.cluster_barrier
  // CHECK-NEXT: tt.store
  tt.func public @shared_results(%flags: tensor<4x!tt.ptr<i32>, #line>, %to: tensor<4x!tt.ptr<i32>, #line>, %x: tensor<4xi32, #line>) {
    %old = tt.atomic_cas acquire, gpu, %flags, %x, %x {allocation.offset = 0 : i32} : (tensor<4x!tt.ptr<i32>, #line>, tensor<4xi32, #line>, tensor<4xi32, #line>) -> tensor<4xi32, #line>
    tt.store %to, %old : tensor<4x!tt.ptr<i32>, #line>
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @amd
  // CHECK: tt.atomic_rmw
  // CHECK-NEXT: amdg.cluster_barrier_arrive
  // CHECK-NEXT: amdg.cluster_barrier_wait
  tt.func public @amd(%flag: !tt.ptr<i32>, %data: !tt.ptr<i32>, %one: i32) {
    %old = tt.atomic_rmw add, acquire, gpu, %flag, %one : (!tt.ptr<i32>, i32) -> i32
    tt.store %data, %one : !tt.ptr<i32>
    tt.return
  }
}

// -----

// A poll without a timeout ends with the value found: its result needs no memory, but all threads wait for it.
// BYTES: module {{.*}}ttg.shared = 0 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @poll
  // CHECK-NEXT: tt.atomic_poll
  // CHECK-NEXT: ttg.barrier
  // CHECK-NEXT: tt.store
  tt.func public @poll(%flag: !tt.ptr<i32>, %one: i32, %to: !tt.ptr<i1>) {
    %found = tt.atomic_poll relaxed, gpu, %flag, %one : !tt.ptr<i32>, i32 -> i1
    tt.store %to, %found : !tt.ptr<i1>
    tt.return
  }
}
