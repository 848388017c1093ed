// RUN: kernelscope opt %s --nvws-lower-token --split-input-file --verify-diagnostics

// Each stage needs two mbarriers: a number from a mistake must not become millions of ops.
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @many(%phase: i1, %stage: i32) {
    // expected-error @below {{has 20000000 stages, and the mbarriers of each take 16 bytes of shared memory; 232448 bytes allow at most 14528}}
    %t = nvws.create_token {loadType = 1 : i32, numBuffers = 20000000 : i32} : tensor<20000000x!nvws.token>
    nvws.producer_acquire %t, %stage, %phase : tensor<20000000x!nvws.token>, i32, i1
    tt.return
  }
}
