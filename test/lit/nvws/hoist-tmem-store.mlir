// An accumulator that the first product of each tile overwrites is filled once, before the partitions.
// RUN: kernelscope opt %s --nvws-hoist-tmem-store | FileCheck %s

#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
!a = !ttg.memdesc<128x64xf16, #shared, #smem>
!b = !ttg.memdesc<64x64xf16, #shared, #smem>
!acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
!out = !ttg.memdesc<128x64xf32, #shared, #smem, mutable>
!sum = tensor<128x64xf32, #linear>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // Equally many products for each tile, and what they leave is only read: a tile without products reads the fill.
  // CHECK-LABEL: @same_count
  tt.func @same_count(%a: !a, %b: !b, %out: !out, %tiles: i32, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %false = arith.constant false
    // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00>
    // CHECK: %[[ACC:.*]], %[[T:.*]] = ttng.tmem_alloc %[[ZERO]] :
    // CHECK-NEXT: scf.for {{.*}} iter_args(%[[OUTER:.*]] = %[[T]]) -> (!ttg.async.token)
    scf.for %tile = %c0 to %tiles step %c1 : i32 {
      // CHECK-NOT: ttng.tmem_alloc
      // CHECK-NOT: ttng.tmem_store
      // CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[INNER:.*]] = %[[OUTER]])
      %zero = arith.constant dense<0.0> : !sum
      %acc, %t0 = ttng.tmem_alloc {ttg.partition = array<i32: 0, 1>} : () -> (!acc, !ttg.async.token)
      %t1 = ttng.tmem_store %zero, %acc[%t0], %true {ttg.partition = array<i32: 0>} : !sum -> !acc
      %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%adds = %false, %t = %t1) -> (i1, !ttg.async.token) : i32 {
        // CHECK: ttng.tc_gen5_mma %{{.*}}, %{{.*}}, %[[ACC]][%[[INNER]]]
        %next = ttng.tc_gen5_mma %a, %b, %acc[%t], %adds, %true {ttg.partition = array<i32: 1>} : !a, !b, !acc
        scf.yield {ttg.partition = array<i32: 1>} %true, %next : i1, !ttg.async.token
      } {ttg.partition = array<i32: 1>, ttg.partition.outputs = [array<i32: 1>, array<i32: 1>]}
      // CHECK: %{{.*}}, %[[READ:.*]] = ttng.tmem_load %[[ACC]][%[[LOOP]]#1]
      %sum, %t2 = ttng.tmem_load %acc[%r#1] {ttg.partition = array<i32: 0>} : !acc -> !sum
      ttg.local_store %sum, %out {ttg.partition = array<i32: 0>} : !sum -> !out
      // CHECK: scf.yield {{.*}}%[[READ]] : !ttg.async.token
      scf.yield {ttg.partition = array<i32: 0, 1>}
    // CHECK: ttg.partition.outputs = [array<i32: 1>]
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }

  // Each tile has its own number of products, of which an assumption says that it is at least one.
  // CHECK-LABEL: @assumed
  // CHECK: ttng.tmem_alloc %{{.*}} :
  // CHECK: scf.for
  // CHECK-NOT: ttng.tmem_store
  tt.func @assumed(%a: !a, %b: !b, %zero: !sum, %out: !out, %tiles: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %false = arith.constant false
    scf.for %tile = %c0 to %tiles step %c1 : i32 {
      %some = arith.cmpi slt, %c0, %tile {ttg.partition = array<i32: 1>} : i32
      llvm.intr.assume %some : i1 {ttg.partition = array<i32: 1>}
      %acc, %t0 = ttng.tmem_alloc %zero {ttg.partition = array<i32: 0>} : (!sum) -> (!acc, !ttg.async.token)
      %t1 = scf.for %k = %c0 to %tile step %c1 iter_args(%t = %t0) -> (!ttg.async.token) : i32 {
        %next = ttng.tc_gen5_mma %a, %b, %acc[%t], %false, %true {ttg.partition = array<i32: 1>} : !a, !b, !acc
        scf.yield {ttg.partition = array<i32: 1>} %next : !ttg.async.token
      } {ttg.partition = array<i32: 1>, ttg.partition.outputs = [array<i32: 1>]}
      %sum, %t2 = ttng.tmem_load %acc[%t1] {ttg.partition = array<i32: 0>} : !acc -> !sum
      ttg.local_store %sum, %out {ttg.partition = array<i32: 0>} : !sum -> !out
      scf.yield {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }

  // Without it a tile without products would read another's sum. The partition of the products fills.
  // CHECK-LABEL: @own_count
  // CHECK: scf.for
  // CHECK: ttng.tmem_alloc %{{.*}} {ttg.partition = array<i32: 1>}
  // CHECK-NOT: ttng.tmem_store
  tt.func @own_count(%a: !a, %b: !b, %zero: !sum, %out: !out, %tiles: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %false = arith.constant false
    scf.for %tile = %c0 to %tiles step %c1 : i32 {
      %acc, %t0 = ttng.tmem_alloc {ttg.partition = array<i32: 0, 1>} : () -> (!acc, !ttg.async.token)
      %t1 = ttng.tmem_store %zero, %acc[%t0], %true {ttg.partition = array<i32: 0>} : !sum -> !acc
      %t2 = scf.for %k = %c0 to %tile step %c1 iter_args(%t = %t1) -> (!ttg.async.token) : i32 {
        %next = ttng.tc_gen5_mma %a, %b, %acc[%t], %false, %true {ttg.partition = array<i32: 1>} : !a, !b, !acc
        scf.yield {ttg.partition = array<i32: 1>} %next : !ttg.async.token
      } {ttg.partition = array<i32: 1>, ttg.partition.outputs = [array<i32: 1>]}
      %sum, %t3 = ttng.tmem_load %acc[%t2] {ttg.partition = array<i32: 0>} : !acc -> !sum
      ttg.local_store %sum, %out {ttg.partition = array<i32: 0>} : !sum -> !out
      scf.yield {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }

  // What the products add to is not overwritten; and a product that a predicate may leave out overwrites nothing.
  // CHECK-LABEL: @needed
  // CHECK: scf.for
  // CHECK: ttng.tmem_store {{.*}} {ttg.partition = array<i32: 0>}
  // CHECK: ttng.tmem_store {{.*}} {ttg.partition = array<i32: 0>}
  tt.func @needed(%a: !a, %b: !b, %zero: !sum, %out: !out, %tiles: i32, %n: i32, %maybe: i1) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %false = arith.constant false
    scf.for %tile = %c0 to %tiles step %c1 : i32 {
      %acc, %t0 = ttng.tmem_alloc {ttg.partition = array<i32: 0, 1>} : () -> (!acc, !ttg.async.token)
      %t1 = ttng.tmem_store %zero, %acc[%t0], %true {ttg.partition = array<i32: 0>} : !sum -> !acc
      %t2 = scf.for %k = %c0 to %n step %c1 iter_args(%t = %t1) -> (!ttg.async.token) : i32 {
        %next = ttng.tc_gen5_mma %a, %b, %acc[%t], %true, %true {ttg.partition = array<i32: 1>} : !a, !b, !acc
        scf.yield {ttg.partition = array<i32: 1>} %next : !ttg.async.token
      } {ttg.partition = array<i32: 1>, ttg.partition.outputs = [array<i32: 1>]}
      %other, %o0 = ttng.tmem_alloc {ttg.partition = array<i32: 0, 1>} : () -> (!acc, !ttg.async.token)
      %o1 = ttng.tmem_store %zero, %other[%o0], %true {ttg.partition = array<i32: 0>} : !sum -> !acc
      %o2 = scf.for %k = %c0 to %n step %c1 iter_args(%t = %o1) -> (!ttg.async.token) : i32 {
        %next = ttng.tc_gen5_mma %a, %b, %other[%t], %false, %maybe {ttg.partition = array<i32: 1>} : !a, !b, !acc
        scf.yield {ttg.partition = array<i32: 1>} %next : !ttg.async.token
      } {ttg.partition = array<i32: 1>, ttg.partition.outputs = [array<i32: 1>]}
      scf.yield {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }

  // The loop of partitions is a while loop, which carries the token of the fill as another argument.
  // CHECK-LABEL: @while_loop
  tt.func @while_loop(%a: !a, %b: !b, %zero: !sum, %out: !out, %run: i1, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %false = arith.constant false
    // CHECK: %[[ACC:.*]], %[[T:.*]] = ttng.tmem_alloc %{{.*}} :
    // CHECK-NEXT: scf.while (%[[GO:.*]] = %{{.*}}, %[[BEFORE:.*]] = %[[T]]) : (i1, !ttg.async.token) -> (i1, !ttg.async.token)
    // CHECK-NEXT: scf.condition(%[[GO]]) {{.*}} %[[GO]], %[[BEFORE]]
    %end = scf.while (%before = %run) : (i1) -> i1 {
      scf.condition(%before) {ttg.partition = array<i32: 0, 1>} %before : i1
    } do {
    // CHECK: ^bb0(%{{.*}}: i1, %[[AFTER:.*]]: !ttg.async.token)
    ^bb0(%goes: i1):
      // CHECK-NOT: ttng.tmem_alloc
      // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[AFTER]])
      %acc, %t0 = ttng.tmem_alloc %zero {ttg.partition = array<i32: 0>} : (!sum) -> (!acc, !ttg.async.token)
      %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%adds = %false, %t = %t0) -> (i1, !ttg.async.token) : i32 {
        %next = ttng.tc_gen5_mma %a, %b, %acc[%t], %adds, %true {ttg.partition = array<i32: 1>} : !a, !b, !acc
        scf.yield {ttg.partition = array<i32: 1>} %true, %next : i1, !ttg.async.token
      } {ttg.partition = array<i32: 1>, ttg.partition.outputs = [array<i32: 1>, array<i32: 1>]}
      // CHECK: %{{.*}}, %[[READ:.*]] = ttng.tmem_load %[[ACC]]
      %sum, %t2 = ttng.tmem_load %acc[%r#1] {ttg.partition = array<i32: 0>} : !acc -> !sum
      ttg.local_store %sum, %out {ttg.partition = array<i32: 0>} : !sum -> !out
      // CHECK: scf.yield {{.*}} %{{.*}}, %[[READ]] : i1, !ttg.async.token
      scf.yield {ttg.partition = array<i32: 0, 1>} %false : i1
    // CHECK: ttg.partition.outputs = [array<i32: 0, 1>, array<i32: 1>]
    } attributes {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 0, 1>], ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }

  // In each turn the while loop carries another number of products, which may be none.
  // CHECK-LABEL: @carried_count
  // CHECK: scf.while
  // CHECK: ttng.tmem_alloc %{{.*}} {ttg.partition = array<i32: 1>}
  tt.func @carried_count(%a: !a, %b: !b, %zero: !sum, %out: !out, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %false = arith.constant false
    %end = scf.while (%before = %n) : (i32) -> i32 {
      %goes = arith.cmpi sge, %before, %c0 {ttg.partition = array<i32: 0, 1>} : i32
      scf.condition(%goes) {ttg.partition = array<i32: 0, 1>} %before : i32
    } do {
    ^bb0(%count: i32):
      %acc, %t0 = ttng.tmem_alloc %zero {ttg.partition = array<i32: 0>} : (!sum) -> (!acc, !ttg.async.token)
      %r:2 = scf.for %k = %c0 to %count step %c1 iter_args(%adds = %false, %t = %t0) -> (i1, !ttg.async.token) : i32 {
        %next = ttng.tc_gen5_mma %a, %b, %acc[%t], %adds, %true {ttg.partition = array<i32: 1>} : !a, !b, !acc
        scf.yield {ttg.partition = array<i32: 1>} %true, %next : i1, !ttg.async.token
      } {ttg.partition = array<i32: 1>, ttg.partition.outputs = [array<i32: 1>, array<i32: 1>]}
      %sum, %t2 = ttng.tmem_load %acc[%r#1] {ttg.partition = array<i32: 0>} : !acc -> !sum
      ttg.local_store %sum, %out {ttg.partition = array<i32: 0>} : !sum -> !out
      %less = arith.subi %count, %c1 {ttg.partition = array<i32: 0, 1>} : i32
      scf.yield {ttg.partition = array<i32: 0, 1>} %less : i32
    } attributes {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 0, 1>], ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}
