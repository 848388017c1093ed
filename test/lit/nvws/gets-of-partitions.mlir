// Several partitions get a buffer by the same ops, as Triton's passes write it, and nvws.aref.phi gives those that compute the value their
// own: each partition that gets arrives on the barrier for itself.
// RUN: kernelscope opt --nvws-insert-aref --nvws-assign-stage-phase --nvws-lower-aref %s | FileCheck %s --check-prefix=BARRIERS
// RUN: kernelscope opt --nvws-to-ttgir %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: kernelscope run %s --device cpu --schedule late > %t.txt
// RUN: kernelscope run %t.mlir --device cpu --schedule late >> %t.txt
// RUN: kernelscope run %t.mlir --device cpu --schedule eager >> %t.txt
// RUN: kernelscope run %t.mlir --device cpu --schedule seed:3 >> %t.txt
// RUN: kernelscope run %t.mlir --device sim >> %t.txt
// RUN: FileCheck %s --check-prefix=SAME < %t.txt
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!ring = !ttg.memdesc<1x128xi32, #shared, #smem, mutable>
!row = !ttg.memdesc<128xi32, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // SAME: checksum [[SUM:[0-9a-f]+]]
  // SAME: checksum [[SUM]]
  // SAME: checksum [[SUM]]
  // SAME: checksum [[SUM]]
  // SAME: on sim
  // SAME: checksum [[SUM]]

  // The barrier of those that got the row, and that of those that put it.
  // BARRIERS: ttng.init_barrier %{{.*}}, 2 :
  // BARRIERS: ttng.init_barrier %{{.*}}, 1 :
  // BARRIERS: ttng.wait_barrier {{.*}} {ttg.partition = array<i32: 0, 2>}
  // BARRIERS: ttng.arrive_barrier {{.*}} {ttg.partition = array<i32: 0>}
  // BARRIERS: ttng.arrive_barrier {{.*}} {ttg.partition = array<i32: 2>}

  // The partitions 1 and 3 compute the sum before, 0 and 2 get it.
  // CHECK-LABEL: @sums
  // CHECK: ttg.warp_specialize
  // CHECK: default
  // CHECK: ttng.wait_barrier
  // CHECK: ttg.local_load
  // CHECK: partition0
  // CHECK: ttg.local_store
  // CHECK-NOT: ttg.local_load
  // CHECK: partition1
  // CHECK: ttg.local_load
  // CHECK: partition2
  // CHECK-NOT: ttg.local_load
  tt.func public @sums(%in: !tt.ptr<i32> loc("in"), %out: !tt.ptr<i32> loc("out")) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %n = arith.constant 7 : i32
    %size = arith.constant 128 : i32
    %zero = arith.constant dense<0> : tensor<128xi32, #line>
    %lane = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #line>
    %outs = tt.splat %out : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #line>
    %ins = tt.splat %in : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #line>
    %thousand = arith.constant dense<1024> : tensor<128xi32, #line>
    %memory = ttg.local_alloc : () -> !ring
    %aref = nvws.aref.create %memory : <[!ring]>
    %total = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (tensor<128xi32, #line>) : i32 {
      %start = arith.muli %i, %size {ttg.partition = array<i32: 0, 1, 2, 3>} : i32
      %starts = tt.splat %start {ttg.partition = array<i32: 0, 1, 2, 3>} : i32 -> tensor<128xi32, #line>
      %index = arith.addi %starts, %lane {ttg.partition = array<i32: 0, 1, 2, 3>} : tensor<128xi32, #line>
      %p = tt.addptr %ins, %index {ttg.partition = array<i32: 1, 3>} : tensor<128x!tt.ptr<i32>, #line>, tensor<128xi32, #line>
      %x = tt.load %p {ttg.partition = array<i32: 1, 3>} : tensor<128x!tt.ptr<i32>, #line>
      %w, %put = nvws.aref.put.enter %aref {ttg.partition = array<i32: 1>} : <[!ring]> -> !row, !ttg.async.token
      ttg.local_store %sum, %w {ttg.partition = array<i32: 1>} : tensor<128xi32, #line> -> !row
      nvws.aref.put.exit %aref, %put [#nvws.async_op<none>] {ttg.partition = array<i32: 1>} : <[!ring]>, !ttg.async.token
      %r, %get = nvws.aref.get.enter %aref {ttg.partition = array<i32: 0, 2>} : <[!ring]> -> !row, !ttg.async.token
      %got = ttg.local_load %r {ttg.partition = array<i32: 0, 2>} : !row -> tensor<128xi32, #line>
      nvws.aref.get.exit %aref, %get [#nvws.async_op<none>] {ttg.partition = array<i32: 0, 2>} : <[!ring]>, !ttg.async.token
      %before = nvws.aref.phi %sum, %got {ttg.partition = array<i32: 0, 1, 2, 3>} : tensor<128xi32, #line>
      %value = arith.addi %before, %index {ttg.partition = array<i32: 0, 1, 2, 3>} : tensor<128xi32, #line>
      %q = tt.addptr %outs, %index {ttg.partition = array<i32: 0>} : tensor<128x!tt.ptr<i32>, #line>, tensor<128xi32, #line>
      tt.store %q, %value {ttg.partition = array<i32: 0>} : tensor<128x!tt.ptr<i32>, #line>
      %behind = arith.addi %index, %thousand {ttg.partition = array<i32: 2>} : tensor<128xi32, #line>
      %s = tt.addptr %outs, %behind {ttg.partition = array<i32: 2>} : tensor<128x!tt.ptr<i32>, #line>, tensor<128xi32, #line>
      tt.store %s, %value {ttg.partition = array<i32: 2>} : tensor<128x!tt.ptr<i32>, #line>
      %next = arith.addi %sum, %x {ttg.partition = array<i32: 1, 3>} : tensor<128xi32, #line>
      scf.yield {ttg.partition = array<i32: 0, 1, 2, 3>} %next : tensor<128xi32, #line>
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1, 2, 3>, ttg.partition.outputs = [array<i32: 1, 3>], ttg.partition.stages = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}
