// AMD's compiler makes warps drift apart by barriers of a part of them: nothing else depends on a thread's id.
// RUN: kernelscope run %s --kernel drift --device cpu | FileCheck %s
// RUN: not kernelscope run %s --kernel stores_it --device cpu 2>&1 | FileCheck %s --check-prefix=STORES
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  // CHECK: outputs
  // CHECK: out {{ *}}i32[1]
  // CHECK-NEXT: first 7
  tt.func public @drift(%out: !tt.ptr<i32> loc("out")) {
    %c0 = arith.constant 0 : i32
    %c256 = arith.constant 256 : i32
    %c7 = arith.constant 7 : i32
    %thread = rocdl.workitem.id.x : i32
    %half = arith.divsi %thread, %c256 : i32
    %low = arith.cmpi eq, %half, %c0 : i32
    %high = arith.cmpi ne, %half, %c0 : i32
    %warp = ttg.warp_id
    %isFirst = arith.cmpi eq, %warp, %c0 : i32
    amdg.cond_barrier %high
    tt.store %out, %c7 : !tt.ptr<i32>
    amdg.cond_barrier %low
    amdg.cond_barrier %isFirst
    tt.return
  }

  // STORES: error: the CPU executor runs 8 warps as one, so 'rocdl.workitem.id.x' has no single value, which 'tt.store' needs; only 'tt.splat' and 'amdg.cond_barrier' may depend on it
  tt.func public @stores_it(%out: !tt.ptr<i32>) {
    %thread = rocdl.workitem.id.x : i32
    tt.store %out, %thread : !tt.ptr<i32>
    tt.return
  }
}
