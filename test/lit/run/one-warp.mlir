// Warps run as one, so that the id of a warp has a value where there is one warp.
// RUN: kernelscope run %s --kernel alone --device cpu | FileCheck %s
// RUN: not kernelscope run %s --kernel several --device cpu 2>&1 | FileCheck %s --check-prefix=SEVERAL
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: outputs
  // CHECK: out {{ *}}i32[1]
  // CHECK-NEXT: first 7
  tt.func public @alone(%out: !tt.ptr<i32> loc("out")) {
    ttg.warp_specialize(%out)
    default {
      ttg.warp_yield
    }
    partition0(%to: !tt.ptr<i32>) num_warps(1) {
      %w = ttg.warp_id
      %7 = arith.constant 7 : i32
      %sum = arith.addi %w, %7 : i32
      tt.store %to, %sum : !tt.ptr<i32>
      ttg.warp_return
    } : (!tt.ptr<i32>) -> ()
    tt.return
  }

  // SEVERAL: error: the CPU executor runs 4 warps as one, so that 'ttg.warp_id' has no one value; it needs a kernel or a partition of one warp
  tt.func public @several(%out: !tt.ptr<i32>) {
    %w = ttg.warp_id
    tt.store %out, %w : !tt.ptr<i32>
    tt.return
  }
}
