// Tensor memory that partitions access in turn becomes a reference.
// RUN: kernelscope opt %s --nvws-insert-tmem-aref --split-input-file --verify-diagnostics | FileCheck %s

#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
!a = !ttg.memdesc<128x64xf16, #shared, #smem>
!b = !ttg.memdesc<64x64xf16, #shared, #smem>
!acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
!sum = tensor<128x64xf32, #linear>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // One partition adds up; the code after the loop reads. What is stored before the loop is done when the partitions start.
  // CHECK-LABEL: @after_loop
  tt.func @after_loop(%a: !a, %b: !b, %zero: !sum, %n: i32) -> !sum {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    // CHECK: ttng.tmem_alloc : () -> !ttg.memdesc<1x128x64xf32
    // CHECK: %[[AREF:.*]] = nvws.aref.create
    // CHECK: %[[W:.*]], %[[PUT:.*]] = nvws.aref.put.enter %[[AREF]] :
    // CHECK: ttng.tmem_store %{{.*}}, %[[W]][]
    %acc, %t0 = ttng.tmem_alloc : () -> (!acc, !ttg.async.token)
    %t1 = ttng.tmem_store %zero, %acc[%t0], %true : !sum -> !acc
    // CHECK: %[[LOOP:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %[[PUT]])
    %t2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %t1) -> (!ttg.async.token) : i32 {
      // CHECK: %[[D:.*]] = nvws.aref.buffer %[[AREF]], %[[T]] {ttg.partition = array<i32: 1>}
      // CHECK: ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %[[D]][]
      // CHECK-NEXT: scf.yield {{.*}} %[[T]]
      %next = ttng.tc_gen5_mma %a, %b, %acc[%t], %true, %true {ttg.partition = array<i32: 1>} : !a, !b, !acc
      scf.yield {ttg.partition = array<i32: 1, 2>} %next : !ttg.async.token
    } {tt.warp_specialize, ttg.partition = array<i32: 1, 2>, ttg.partition.outputs = [array<i32: 1>], ttg.partition.stages = [0 : i32, 0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    // CHECK: nvws.aref.put.exit %[[AREF]], %[[LOOP]] [#nvws.async_op<tc5mma>] {ttg.partition = array<i32: 1>, ttg.warp_specialize.tag = 0 : i32}
    // CHECK: %[[R:.*]], %[[GET:.*]] = nvws.aref.get.enter %[[AREF]] :
    // CHECK: ttng.tmem_load %[[R]][]
    // CHECK: nvws.aref.get.exit %[[AREF]], %[[GET]] [#nvws.async_op<none>] :
    %sum, %t3 = ttng.tmem_load %acc[%t2] : !acc -> !sum
    tt.return %sum : !sum
  }

  // A while loop carries the token. The partition that adds gets the sum back at the end of each turn, as its condition does not need it.
  // CHECK-LABEL: @while_loop
  tt.func @while_loop(%a: !a, %b: !b, %zero: !sum, %out: !ttg.memdesc<128x64xf32, #shared, #smem, mutable>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    // CHECK: %[[AREF:.*]] = nvws.aref.create
    // CHECK: %{{.*}}, %[[PUT:.*]] = nvws.aref.put.enter %[[AREF]] :
    %acc, %t0 = ttng.tmem_alloc %zero : (!sum) -> (!acc, !ttg.async.token)
    // CHECK: %[[LOOP:.*]]:2 = scf.while (%{{.*}} = %{{.*}}, %[[BEFORE:.*]] = %[[PUT]])
    %end:2 = scf.while (%before = %n, %tb = %t0) : (i32, !ttg.async.token) -> (i32, !ttg.async.token) {
      %goes = arith.cmpi sgt, %before, %c0 {ttg.partition = array<i32: 0, 1>} : i32
      // CHECK: scf.condition(%{{.*}}) {{.*}} %{{.*}}, %[[BEFORE]]
      scf.condition(%goes) {ttg.partition = array<i32: 0, 1>} %before, %tb : i32, !ttg.async.token
    } do {
    // CHECK: ^bb0(%{{.*}}: i32, %[[AFTER:.*]]: !ttg.async.token)
    ^bb0(%i: i32, %t: !ttg.async.token):
      // CHECK: %[[D:.*]] = nvws.aref.buffer %[[AREF]], %[[AFTER]] {ttg.partition = array<i32: 1>}
      // CHECK-NEXT: ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %[[D]][]
      // CHECK-NEXT: nvws.aref.put.exit %[[AREF]], %[[AFTER]] [#nvws.async_op<tc5mma>]
      // CHECK-NEXT: %[[R:.*]], %[[GET:.*]] = nvws.aref.get.enter %[[AREF]] {ttg.partition = array<i32: 0>}
      // CHECK-NEXT: ttng.tmem_load %[[R]][]
      // CHECK-NEXT: nvws.aref.get.exit %[[AREF]], %[[GET]]
      %t1 = ttng.tc_gen5_mma %a, %b, %acc[%t], %true, %true {ttg.partition = array<i32: 1>} : !a, !b, !acc
      %sum, %t2 = ttng.tmem_load %acc[%t1] {ttg.partition = array<i32: 0>} : !acc -> !sum
      ttg.local_store %sum, %out {ttg.partition = array<i32: 0>} : !sum -> !ttg.memdesc<128x64xf32, #shared, #smem, mutable>
      %less = arith.subi %i, %c1 {ttg.partition = array<i32: 0, 1>} : i32
      // CHECK: %{{.*}}, %[[BACK:.*]] = nvws.aref.put.enter %[[AREF]] {ttg.partition = array<i32: 1>}
      // CHECK-NEXT: scf.yield {{.*}} %{{.*}}, %[[BACK]]
      scf.yield {ttg.partition = array<i32: 0, 1>} %less, %t2 : i32, !ttg.async.token
    } attributes {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 0, 1>, array<i32: 1>], ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    // CHECK: nvws.aref.put.exit %[[AREF]], %[[LOOP]]#1
    tt.return
  }

  // A product in each turn, read by another partition. It starts from zero, so that there are two stages; the last get
  // takes the last put.
  // CHECK-LABEL: @two_stages
  tt.func @two_stages(%a: !a, %b: !b, %out: !ttg.memdesc<128x64xf32, #shared, #smem, mutable>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %false = arith.constant false
    // CHECK: ttng.tmem_alloc : () -> !ttg.memdesc<2x128x64xf32
    %acc, %t0 = ttng.tmem_alloc : () -> (!acc, !ttg.async.token)
    // CHECK: %[[LOOP:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}})
    %t1 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %t0) -> (!ttg.async.token) : i32 {
      // CHECK: ttng.tc_gen5_mma
      // CHECK-NEXT: nvws.aref.put.exit %{{.*}}, %[[T]] [#nvws.async_op<tc5mma>] {loop.stage = 2 : i32, ttg.partition = array<i32: 1>}
      %done = ttng.tc_gen5_mma %a, %b, %acc[%t], %false, %true {loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : !a, !b, !acc
      // CHECK: nvws.aref.get.enter {{.*}}ttg.partition = array<i32: 0>
      // CHECK: ttng.tmem_load
      // CHECK: nvws.aref.get.exit {{.*}}[#nvws.async_op<none>] {ttg.partition = array<i32: 0>}
      %sum, %read = ttng.tmem_load %acc[%done] {ttg.partition = array<i32: 0>} : !acc -> !sum
      ttg.local_store %sum, %out {ttg.partition = array<i32: 0>} : !sum -> !ttg.memdesc<128x64xf32, #shared, #smem, mutable>
      // CHECK: %{{.*}}, %[[NEXT:.*]] = nvws.aref.put.enter {{.*}}loop.stage = 2 : i32, ttg.partition = array<i32: 1>
      // CHECK-NEXT: scf.yield {{.*}} %[[NEXT]]
      scf.yield {ttg.partition = array<i32: 0, 1>} %read : !ttg.async.token
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 1>], ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    // CHECK: nvws.aref.put.exit %{{.*}}, %[[LOOP]] [#nvws.async_op<none>] {ttg.partition = array<i32: 1>, ttg.warp_specialize.tag = 0 : i32}
    // CHECK: nvws.aref.get.enter {{.*}}{ttg.partition = array<i32: 0>, ttg.warp_specialize.tag = 0 : i32}
    // CHECK: nvws.aref.get.exit {{.*}}{ttg.partition = array<i32: 0>, ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }

  // Handed over under a condition, and with it the product starts from zero again.
  // CHECK-LABEL: @under_condition
  tt.func @under_condition(%a: !a, %b: !b, %out: !ttg.memdesc<128x64xf32, #shared, #smem, mutable>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %true = arith.constant true
    %false = arith.constant false
    // CHECK: ttng.tmem_alloc : () -> !ttg.memdesc<2x128x64xf32
    %acc, %t0 = ttng.tmem_alloc : () -> (!acc, !ttg.async.token)
    // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[T:.*]] = %{{.*}})
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%adds = %false, %t = %t0) -> (i1, !ttg.async.token) : i32 {
      %done = ttng.tc_gen5_mma %a, %b, %acc[%t], %adds, %true {ttg.partition = array<i32: 1>} : !a, !b, !acc
      %rest = arith.remsi %i, %c3 {ttg.partition = array<i32: 0, 1>} : i32
      // CHECK: %[[ENDS:.*]] = arith.cmpi
      %ends = arith.cmpi eq, %rest, %c0 {ttg.partition = array<i32: 0, 1>} : i32
      %next = arith.select %ends, %false, %true {ttg.partition = array<i32: 1>} : i1
      // CHECK: scf.if %[[ENDS]] {
      // CHECK-NEXT: nvws.aref.put.exit {{.*}} %[[T]] [#nvws.async_op<tc5mma>] {ttg.partition = array<i32: 1>}
      // CHECK: } {ttg.partition = array<i32: 1>}
      // CHECK: scf.if %[[ENDS]]
      // CHECK: nvws.aref.get.enter
      // CHECK: nvws.aref.get.exit
      %read = scf.if %ends -> (!ttg.async.token) {
        %sum, %loaded = ttng.tmem_load %acc[%done] {ttg.partition = array<i32: 0>} : !acc -> !sum
        ttg.local_store %sum, %out {ttg.partition = array<i32: 0>} : !sum -> !ttg.memdesc<128x64xf32, #shared, #smem, mutable>
        scf.yield {ttg.partition = array<i32: 0>} %loaded : !ttg.async.token
      } else {
        scf.yield {ttg.partition = array<i32: 0>} %done : !ttg.async.token
      } {ttg.partition = array<i32: 0>, ttg.partition.outputs = [array<i32: 0>]}
      // CHECK: %[[BACK:.*]] = scf.if %[[ENDS]]
      // CHECK-NEXT: %{{.*}}, %[[PUT:.*]] = nvws.aref.put.enter
      // CHECK-NEXT: scf.yield {{.*}} %[[PUT]]
      // CHECK: scf.yield {{.*}} %[[T]]
      // CHECK: scf.yield {{.*}} %{{.*}}, %[[BACK]]
      scf.yield {ttg.partition = array<i32: 0, 1>} %next, %read : i1, !ttg.async.token
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 1>, array<i32: 1>], ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }

  // Two partitions add to it in turn: what is there stays in one stage.
  // CHECK-LABEL: @one_stage
  tt.func @one_stage(%a: !a, %b: !b, %x: !sum, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    // CHECK: ttng.tmem_alloc : () -> !ttg.memdesc<1x128x64xf32
    %acc, %t0 = ttng.tmem_alloc %x : (!sum) -> (!acc, !ttg.async.token)
    // CHECK: nvws.aref.put.enter
    // CHECK: ttng.tmem_store
    %t1 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %t0) -> (!ttg.async.token) : i32 {
      // CHECK: %[[D:.*]] = nvws.aref.buffer
      // CHECK: ttng.tmem_load %[[D]]
      // CHECK: ttng.tmem_store %{{.*}}, %[[D]]
      // CHECK: nvws.aref.put.exit {{.*}}[#nvws.async_op<none>] {ttg.partition = array<i32: 0>}
      %sum, %read = ttng.tmem_load %acc[%t] {ttg.partition = array<i32: 0>} : !acc -> !sum
      %twice = arith.addf %sum, %sum {ttg.partition = array<i32: 0>} : !sum
      %stored = ttng.tmem_store %twice, %acc[%read], %true {ttg.partition = array<i32: 0>} : !sum -> !acc
      // CHECK: nvws.aref.get.enter
      // CHECK: ttng.tc_gen5_mma
      // CHECK: nvws.aref.get.exit {{.*}}[#nvws.async_op<tc5mma>] {ttg.partition = array<i32: 1>}
      %done = ttng.tc_gen5_mma %a, %b, %acc[%stored], %true, %true {ttg.partition = array<i32: 1>} : !a, !b, !acc
      scf.yield {ttg.partition = array<i32: 0, 1>} %done : !ttg.async.token
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 0>], ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }

  // Only one partition has it: nothing to hand over.
  // CHECK-LABEL: @one_partition
  // CHECK-NOT: nvws
  // CHECK: tt.return
  tt.func @one_partition(%a: !a, %b: !b, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    scf.for %i = %c0 to %n step %c1 : i32 {
      %acc, %t0 = ttng.tmem_alloc {ttg.partition = array<i32: 1>} : () -> (!acc, !ttg.async.token)
      %done = ttng.tc_gen5_mma %a, %b, %acc[%t0], %true, %true {ttg.partition = array<i32: 1>} : !a, !b, !acc
      scf.yield {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}

// -----

#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
!acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
!sum = tensor<128x64xf32, #linear>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @three(%x: !sum, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    // expected-note @below {{allocated here}}
    %acc, %t0 = ttng.tmem_alloc : () -> (!acc, !ttg.async.token)
    %t1 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %t0) -> (!ttg.async.token) : i32 {
      %a = ttng.tmem_store %x, %acc[%t], %true {ttg.partition = array<i32: 0>} : !sum -> !acc
      %b = ttng.tmem_store %x, %acc[%a], %true {ttg.partition = array<i32: 1>} : !sum -> !acc
      // expected-error @below {{passes tensor memory among more than two partitions; a reference connects only two}}
      %c = ttng.tmem_store %x, %acc[%b], %true {ttg.partition = array<i32: 2>} : !sum -> !acc
      scf.yield {ttg.partition = array<i32: 0, 1, 2>} %c : !ttg.async.token
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1, 2>, ttg.partition.outputs = [array<i32: 0>], ttg.partition.stages = [0 : i32, 0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}

// -----

#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
!acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
!sum = tensor<128x64xf32, #linear>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @without_token(%x: !sum, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    // expected-note @below {{allocated here}}
    %acc, %t0 = ttng.tmem_alloc : () -> (!acc, !ttg.async.token)
    %t1 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %t0) -> (!ttg.async.token) : i32 {
      %a = ttng.tmem_store %x, %acc[%t], %true {ttg.partition = array<i32: 0>} : !sum -> !acc
      // expected-error @below {{accesses tensor memory that partitions share without a token; it must take the token of the access before it}}
      %y = ttng.tmem_load %acc {ttg.partition = array<i32: 1>} : !acc -> !sum
      scf.yield {ttg.partition = array<i32: 0, 1>} %a : !ttg.async.token
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 0>], ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}
