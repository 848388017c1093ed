// RUN: kernelscope opt %s --nvws-lower-token --split-input-file --verify-diagnostics | FileCheck %s

// Each stage needs two mbarriers: a number from a mistake must not become millions of ops.
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @many(%phase: i1, %stage: i32) {
    // expected-error @below {{has 20000000 stages, and the mbarriers of each take 16 bytes of shared memory; 232448 bytes allow at most 14528}}
    %t = nvws.create_token {loadType = 1 : i32, numBuffers = 20000000 : i32} : tensor<20000000x!nvws.token>
    nvws.producer_acquire %t, %stage, %phase : tensor<20000000x!nvws.token>, i32, i1
    tt.return
  }
}

// -----

// What cp.async fills is full when the copies of all threads are complete; other buffers when the producer says so.
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @copies
  tt.func @copies(%phase: i1, %stage: i32) {
    %t = nvws.create_token {loadType = 1 : i32, numBuffers = 2 : i32} : tensor<2x!nvws.token>
    // CHECK: ttng.wait_barrier
    nvws.producer_acquire %t, %stage, %phase : tensor<2x!nvws.token>, i32, i1
    // CHECK: ttng.async_copy_mbarrier_arrive %{{[^ ]*}} :
    // CHECK-NEXT: ttng.fence_async_shared
    // CHECK: ttng.arrive_barrier
    nvws.producer_commit %t, %stage : tensor<2x!nvws.token>, i32
    // CHECK: ttng.wait_barrier
    nvws.consumer_wait %t, %stage, %phase : tensor<2x!nvws.token>, i32, i1
    // CHECK-NOT: ttng.async_copy_mbarrier_arrive
    // CHECK: ttng.arrive_barrier
    nvws.consumer_release %t, %stage : tensor<2x!nvws.token>, i32
    tt.return
  }
  // CHECK-LABEL: @stores
  // CHECK-NOT: ttng.async_copy_mbarrier_arrive
  tt.func @stores(%stage: i32) {
    %t = nvws.create_token {loadType = 3 : i32, numBuffers = 2 : i32} : tensor<2x!nvws.token>
    nvws.producer_commit %t, %stage : tensor<2x!nvws.token>, i32
    tt.return
  }
}
