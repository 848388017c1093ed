// A file that says where buffers are: a place that another buffer has taken.
// RUN: not kernelscope run %s --device cpu 2>&1 | FileCheck %s
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {ttg.shared = 1024 : i32, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: error: program (0, 0, 0) reads shared memory that the compiler has given to another buffer
  // CHECK: note: the other buffer is allocated here
  tt.func public @is_still_used(%p: !tt.ptr<i32>) {
    %x = arith.constant dense<7> : tensor<128xi32, #b>
    %a = ttg.local_alloc %x {allocation.offset = 0 : i32} : (tensor<128xi32, #b>) -> !ttg.memdesc<128xi32, #s, #smem, mutable>
    %d = ttg.local_alloc %x {allocation.offset = 256 : i32} : (tensor<128xi32, #b>) -> !ttg.memdesc<128xi32, #s, #smem, mutable>
    %v = ttg.local_load %a : !ttg.memdesc<128xi32, #s, #smem, mutable> -> tensor<128xi32, #b>
    tt.return
  }
}
