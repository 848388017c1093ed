// Until 3.7 an op initialises one barrier, also in a cluster.
// RUN: kernelscope opt --release=3.7 %s 2>&1 >/dev/null | FileCheck %s --implicit-check-not=warning
// RUN: kernelscope opt --release=3.8 %s 2>&1 >/dev/null | FileCheck %s --check-prefix=SINCE38 --allow-empty
// SINCE38-NOT: warning
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func @f() {
    %barriers = ttg.local_alloc : () -> !ttg.memdesc<2xi64, #shared, #smem, mutable>
    // CHECK: several-barriers.mlir:[[@LINE+1]]: warning: Triton 3.7 rejects this 'ttng.init_barrier': it initialises one barrier, '1xi64'
    ttng.init_barrier %barriers, 1 : !ttg.memdesc<2xi64, #shared, #smem, mutable>
    tt.return
  }
}
