// The pipeliner's masks become branches, whose results are zero where the predicate is false.
// RUN: kernelscope opt %s --lower-masks | FileCheck %s
// RUN: kernelscope run %s --device cpu | FileCheck %s --check-prefix=VALUES
// RUN: kernelscope opt %s --lower-masks | kernelscope run - --device cpu | FileCheck %s --check-prefix=VALUES
// RUN: kernelscope preview %s --emit ptx -o /dev/null

// VALUES: first 1 2 3 0
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @k
  tt.func public @k(%out: !tt.ptr<i32>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %end = arith.constant 4 : i32
    scf.for %i = %zero to %end step %one : i32 {
      // CHECK: %[[I:.*]] = arith.extsi %{{.*}} : i32 to i64
      // CHECK: %[[FAR:.*]] = arith.constant 1 : i64
      // CHECK: %[[STEPS:.*]] = arith.muli %{{.*}}, %[[FAR]]
      // CHECK: %[[AT:.*]] = arith.addi %[[I]], %[[STEPS]]
      // CHECK: %[[RUNS:.*]] = arith.cmpi slt, %[[AT]]
      %p = ttg.predicate_stage %i, %end, %one maxStage 2 stage 1 : i32 -> i1
      // CHECK: %[[V:.*]] = scf.if %[[RUNS]] -> (i32)
      // CHECK: else
      // CHECK: %[[NONE:.*]] = arith.constant 0 : i32
      // CHECK: scf.yield %[[NONE]]
      %v = "ttg.mask"(%p) ({
        %next = arith.addi %i, %one : i32
        ttg.mask.return %next : i32
      }) : (i1) -> i32
      %to = tt.addptr %out, %i : !tt.ptr<i32>, i32
      tt.store %to, %v : !tt.ptr<i32>
      // CHECK: scf.if %[[RUNS]] {
      // CHECK-NEXT: ttg.barrier
      // CHECK-NEXT: }
      "ttg.mask"(%p) ({
        ttg.barrier local
        "ttg.mask.return"() : () -> ()
      }) : (i1) -> ()
    }
    tt.return
  }
}
