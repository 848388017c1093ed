// A persistent kernel that takes over the work of programs that have not started, on the wave simulator.
// RUN: kernelscope run %s --device sim --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope preview %s --emit llvm -o %t.ll
// What is asked of a response that no program was taken over is no number of one.
// RUN: sed -e 's/query_cancel.is_canceled.pred.b128 $0, $1;/query_cancel.is_canceled.pred.b128 $0, $1; mov.pred $0, 1;/' %t.ll > %t.always.ll
// RUN: not kernelscope run %s --device sim --code %t.always.ll 2>&1 | FileCheck %s --check-prefix=ALWAYS
#flat = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#pair = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!response = !ttg.memdesc<2xi64, #plain, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // RIGHT: persistent on sim: the wave simulator (sm_100a), {{.*}}grid
  // RIGHT: differs from the CPU executor by at most 0
  // ALWAYS: error: CTA
  tt.func public @persistent(%in: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
    %size = arith.constant 128 : i32
    %lane = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #flat>
    %first = tt.get_program_id x : i32
    %true = arith.constant true
    %last = scf.while (%program = %first, %has = %true) : (i32, i1) -> i32 {
      scf.condition(%has) %program : i32
    } do {
    ^bb0(%program: i32):
      %at = arith.muli %program, %size : i32
      %ats = tt.splat %at : i32 -> tensor<128xi32, #flat>
      %index = arith.addi %ats, %lane : tensor<128xi32, #flat>
      %froms = tt.splat %in : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #flat>
      %from = tt.addptr %froms, %index : tensor<128x!tt.ptr<i32>, #flat>, tensor<128xi32, #flat>
      %x = tt.load %from : tensor<128x!tt.ptr<i32>, #flat>
      %y = arith.addi %x, %index : tensor<128xi32, #flat>
      %tos = tt.splat %out : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #flat>
      %to = tt.addptr %tos, %index : tensor<128x!tt.ptr<i32>, #flat>, tensor<128xi32, #flat>
      tt.store %to, %y : tensor<128x!tt.ptr<i32>, #flat>
      %answer = ttng.clc_try_cancel_sync : tensor<2xi64, #pair>
      %memory = ttg.local_alloc %answer : (tensor<2xi64, #pair>) -> !response
      %bits = ttng.clc_load_result %memory : !response -> i128
      %more = ttng.clc_is_canceled %bits : i128 -> i1
      %next = ttng.clc_get_program_id %bits, x : i128 -> i32
      scf.yield %next, %more : i32, i1
    }
    tt.return
  }
}
