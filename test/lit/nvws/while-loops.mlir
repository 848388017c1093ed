// A persistent kernel that takes over the work of clusters that have not started: its scf.while has partitions.
// RUN: kernelscope opt --nvws-to-ttgir %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: echo '{"grid": [3], "arguments": {"arg0": {"shape": [3]}, "arg1": {"shape": [3, 128]}}}' > %t.json
// RUN: kernelscope run %s --device cpu --sanitize=none --spec %t.json > %t.txt
// RUN: kernelscope run %t.mlir --device cpu --schedule late --spec %t.json >> %t.txt
// RUN: kernelscope run %t.mlir --device cpu --schedule seed:3 --spec %t.json >> %t.txt
// One cluster does the work of all three.
// RUN: kernelscope run %t.mlir --device sim --spec %t.json >> %t.txt
// RUN: FileCheck %s --check-prefix=SAME < %t.txt
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // SAME: checksum [[SUM:[0-9a-f]+]]
  // SAME: checksum [[SUM]]
  // SAME: checksum [[SUM]]
  // SAME: on sim
  // SAME: checksum [[SUM]]
  // CHECK-LABEL: @rows
  // A ring of two responses, each with two barriers.
  // CHECK: ttg.local_alloc : () -> !ttg.memdesc<2x2xi64
  // CHECK-COUNT-4: ttng.init_barrier
  // CHECK: ttg.warp_specialize(
  // CHECK: default
  // CHECK: scf.while
  // CHECK: tt.store
  // CHECK: ttng.wait_barrier
  // CHECK: ttng.clc_load_result
  // The second group has no tensors, but carries the row, too.
  // CHECK: partition0({{.*}}) num_warps(1)
  // CHECK: scf.while {{.*}} : (i32, i1{{.*}}) -> (i32, i1
  // CHECK: ttng.barrier_expect {{.*}}, 16,
  // CHECK-NEXT: ttng.clc_try_cancel
  // CHECK: ttng.clc_load_result
  tt.func public @rows(%from: !tt.ptr<f32>, %to: !tt.ptr<f32>) {
    %true = arith.constant true
    %length = arith.constant 128 : i32
    %first = tt.get_program_id x : i32
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #line>
    %end:2 = scf.while (%before = %first, %going = %true) : (i32, i1) -> (i32, i1) {
      scf.condition(%going) {ttg.partition = array<i32: 0, 1>} %before, %going : i32, i1
    } do {
    ^bb0(%row: i32, %goes: i1):
      %response = ttng.clc_try_cancel_sync {ttg.partition = array<i32: 1>} : tensor<2xi64, #line>
      %stored = ttg.local_alloc %response {ttg.partition = array<i32: 1>} : (tensor<2xi64, #line>) -> !ttg.memdesc<2xi64, #shared, #smem, mutable>
      %source = tt.addptr %from, %row {ttg.partition = array<i32: 0>} : !tt.ptr<f32>, i32
      %scale = tt.load %source {ttg.partition = array<i32: 0>} : !tt.ptr<f32>
      %scales = tt.splat %scale {ttg.partition = array<i32: 0>} : f32 -> tensor<128xf32, #line>
      %start = arith.muli %row, %length {ttg.partition = array<i32: 0>} : i32
      %place = tt.addptr %to, %start {ttg.partition = array<i32: 0>} : !tt.ptr<f32>, i32
      %places = tt.splat %place {ttg.partition = array<i32: 0>} : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #line>
      %each = tt.addptr %places, %i {ttg.partition = array<i32: 0>} : tensor<128x!tt.ptr<f32>, #line>, tensor<128xi32, #line>
      tt.store %each, %scales {ttg.partition = array<i32: 0>} : tensor<128x!tt.ptr<f32>, #line>
      %bits = ttng.clc_load_result %stored {ttg.partition = array<i32: 0, 1>} : !ttg.memdesc<2xi64, #shared, #smem, mutable> -> i128
      %more = ttng.clc_is_canceled %bits {ttg.partition = array<i32: 0, 1>} : i128 -> i1
      %other = ttng.clc_get_program_id %bits, x {ttg.partition = array<i32: 0, 1>} : i128 -> i32
      %next = arith.select %more, %other, %row {ttg.partition = array<i32: 0, 1>} : i32
      scf.yield {ttg.partition = array<i32: 0, 1>} %next, %more : i32, i1
    } attributes {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 0, 1>, array<i32: 0, 1>], ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}
