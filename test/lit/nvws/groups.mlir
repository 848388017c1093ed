// Loops marked with partitions become groups of warps, and those ttg.warp_specialize; tokens become mbarriers.
// RUN: kernelscope opt %s --partition-loops --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=GROUP
// RUN: kernelscope opt %s --partition-loops --nvws-lower-token --nvws-lower-warp-group --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=WARPS

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
!ring = !ttg.memdesc<2x128xi32, #shared, #ttg.shared_memory, mutable>
!one = !ttg.memdesc<128xi32, #shared, #ttg.shared_memory, mutable>
!tokens = tensor<2x!nvws.token>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // GROUP-LABEL: @split
  // WARPS-LABEL: @split
  tt.func @split(%n: i32, %ring: !ring, %p: !tt.ptr<i32>, %x: i32) -> i32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    // A tensor that each warp has a part of: a partition computes its own.
    %splat = tt.splat %x : i32 -> tensor<128xi32, #blocked>
    %tokens = nvws.create_token {loadType = 3 : i32, numBuffers = 2 : i32} : !tokens
    // GROUP: %[[SUM:[a-z0-9_]+]] = nvws.warp_group
    // GROUP: partition0 num_warps(4)
    // GROUP: scf.for {{.*}} iter_args(%[[A:[a-z0-9_]+]] = %{{.*}}) -> (i32)
    // GROUP: arith.remui
    // GROUP: consumer_wait
    // GROUP-NOT: producer_acquire
    // GROUP: consumer_release
    // GROUP: nvws.warp_group.yield %{{.*}} : i32
    // GROUP: partition1 num_warps(4)
    // GROUP: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} : i32 {
    // GROUP: arith.remui
    // GROUP: producer_acquire
    // GROUP-NOT: consumer_wait
    // GROUP: nvws.warp_group.return
    // GROUP: tt.return %[[SUM]]

    // WARPS: %[[FULL:[a-z0-9_]+]] = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64,
    // WARPS: ttng.init_barrier %{{.*}}, 1
    // WARPS: %[[EMPTY:[a-z0-9_]+]] = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64,
    // WARPS: %[[SUM:[a-z0-9_]+]] = ttg.warp_specialize(
    // WARPS: default {
    // WARPS: ttng.wait_barrier
    // WARPS: ttng.fence_async_shared
    // WARPS: ttng.arrive_barrier %{{.*}}, 1
    // WARPS: ttg.warp_yield
    // WARPS: partition0(
    // WARPS: tt.splat
    // WARPS: scf.for
    // WARPS: %[[OTHER:[a-z0-9_]+]] = arith.xori
    // WARPS: ttng.wait_barrier %{{.*}}, %[[OTHER]]
    // WARPS: ttg.local_store
    // WARPS: ttng.arrive_barrier %{{.*}}, 1
    // WARPS: ttg.warp_return
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (i32) : i32 {
      %index = arith.remui %i, %c2 {ttg.partition = array<i32: 0, 1>} : i32
      %round = arith.divui %i, %c2 {ttg.partition = array<i32: 0, 1>} : i32
      %phase = arith.trunci %round {ttg.partition = array<i32: 0, 1>} : i32 to i1
      nvws.producer_acquire %tokens, %index, %phase {ttg.partition = array<i32: 1>} : !tokens, i32, i1
      %w = ttg.memdesc_index %ring[%index] {ttg.partition = array<i32: 1>} : !ring -> !one
      ttg.local_store %splat, %w {ttg.partition = array<i32: 1>} : tensor<128xi32, #blocked> -> !one
      nvws.producer_commit %tokens, %index {ttg.partition = array<i32: 1>} : !tokens, i32
      nvws.consumer_wait %tokens, %index, %phase {ttg.partition = array<i32: 0>} : !tokens, i32, i1
      %r = ttg.memdesc_index %ring[%index] {ttg.partition = array<i32: 0>} : !ring -> !one
      %v = ttg.local_load %r {ttg.partition = array<i32: 0>} : !one -> tensor<128xi32, #blocked>
      nvws.consumer_release %tokens, %index {ttg.partition = array<i32: 0>} : !tokens, i32
      %s = "tt.reduce"(%v) <{axis = 0 : i32}> ({
      ^bb0(%l: i32, %m: i32):
        %t = arith.addi %l, %m {ttg.partition = array<i32: 0>} : i32
        tt.reduce.return %t {ttg.partition = array<i32: 0>} : i32
      }) {ttg.partition = array<i32: 0>} : (tensor<128xi32, #blocked>) -> i32
      %b = arith.addi %a, %s {ttg.partition = array<i32: 0>} : i32
      scf.yield {ttg.partition = array<i32: 0, 1>} %b : i32
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 0>], ttg.partition.stages = [0 : i32, 0 : i32]}
    tt.return %sum : i32
  }

  // A tensor from memory goes to the other warps through shared memory.
  // WARPS-LABEL: @tensor
  tt.func @tensor(%at: tensor<128x!tt.ptr<i32>, #blocked>) {
    // WARPS: %[[X:[a-z0-9_]+]] = tt.load
    // WARPS: %[[M:[a-z0-9_]+]] = ttg.local_alloc %[[X]]
    // WARPS: ttg.warp_specialize(%[[M]])
    // WARPS: partition0(%[[A:[a-z0-9_]+]]: !ttg.memdesc<128xi32
    // WARPS: ttg.local_load %[[A]]
    %p = tt.load %at : tensor<128x!tt.ptr<i32>, #blocked>
    nvws.warp_group
    partition0 num_warps(4) {
      nvws.warp_group.return
    }
    partition1 num_warps(4) {
      %q = ttg.local_alloc %p : (tensor<128xi32, #blocked>) -> !one
      nvws.warp_group.return
    }
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @crosses(%n: i32, %p: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      // expected-note @below {{computed here}}
      %x = tt.load %p {ttg.partition = array<i32: 1>} : !tt.ptr<i32>
      // expected-error @below {{is in partition 0 and uses a value of other partitions; it must be passed through a reference}}
      tt.store %p, %x {ttg.partition = array<i32: 0>} : !tt.ptr<i32>
      scf.yield {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>}
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 32, colStride = 1>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
!acc = !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tensor_memory(%n: i32, %x: tensor<128x32xf32, #linear>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %acc, %token = ttng.tmem_alloc : () -> (!acc, !ttg.async.token)
    scf.for %i = %c0 to %n step %c1 : i32 {
      // expected-note @below {{after this access}}
      %stored = ttng.tmem_store %x, %acc[%token], %true {ttg.partition = array<i32: 1>} : tensor<128x32xf32, #linear> -> !acc
      // expected-error @below {{is in partition 0 and comes after an access of another partition to tensor memory; the memory must be passed through a reference: run nvws-insert-tmem-aref first}}
      %y, %loaded = ttng.tmem_load %acc[%stored] {ttg.partition = array<i32: 0>} : !acc -> tensor<128x32xf32, #linear>
      scf.yield {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>}
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @passes_on_others(%n: i32, %p: !tt.ptr<i32>) {
    %c1 = arith.constant 1 : i32
    // expected-error @below {{has partitions, but its condition forwards values other than its arguments; compute them at the end of the loop's body}}
    %end = scf.while (%i = %n) : (i32) -> i32 {
      %less = arith.subi %i, %c1 {ttg.partition = array<i32: 0, 1>} : i32
      %goes = arith.cmpi sgt, %less, %c1 {ttg.partition = array<i32: 0, 1>} : i32
      scf.condition(%goes) {ttg.partition = array<i32: 0, 1>} %less : i32
    } do {
    ^bb0(%i: i32):
      tt.store %p, %i {ttg.partition = array<i32: 1>} : !tt.ptr<i32>
      scf.yield {ttg.partition = array<i32: 0, 1>} %i : i32
    } attributes {tt.warp_specialize, ttg.partition = array<i32: 0, 1>}
    tt.return
  }
}

// -----

// Two loops with the same tag: each is split by itself.
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  // GROUP-LABEL: @same_tag
  // GROUP-COUNT-2: nvws.warp_group
  // GROUP: tt.return
  tt.func @same_tag(%n: i32, %p: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      tt.store %p, %i {ttg.partition = array<i32: 0>} : !tt.ptr<i32>
      scf.yield {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.warp_specialize.tag = 0 : i32}
    scf.for %i = %c0 to %n step %c1 : i32 {
      tt.store %p, %i {ttg.partition = array<i32: 1>} : !tt.ptr<i32>
      scf.yield {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}

// -----

// Of a tensor from outside each CTA hands its part over; bits are bytes in memory.
#split = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
// WARPS: #shared = #ttg.swizzled_shared<{{.*}}CGALayout = {{\[\[}}1]]
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // WARPS-LABEL: @clusters
  // WARPS: %[[BYTES:.*]] = arith.extui %arg1
  // WARPS: ttg.local_alloc %[[BYTES]] : {{.*}} -> !ttg.memdesc<256xi8, #shared, #smem, mutable>
  // WARPS: partition0(
  // WARPS: %[[GOT:.*]] = ttg.local_load {{.*}} -> tensor<256xi8, #blocked>
  // WARPS: %[[BITS:.*]] = arith.trunci %[[GOT]] {{.*}} to tensor<256xi1, #blocked>
  // WARPS: tt.store %{{.*}}, %{{.*}}, %[[BITS]]
  tt.func @clusters(%p: !tt.ptr<i32>, %mask: tensor<256xi1, #split>) {
    nvws.warp_group
    partition0 num_warps(4) {
      nvws.warp_group.return
    }
    partition1 num_warps(4) {
      %x = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #split>
      %s = tt.splat %p : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #split>
      %a = tt.addptr %s, %x : tensor<256x!tt.ptr<i32>, #split>, tensor<256xi32, #split>
      tt.store %a, %x, %mask : tensor<256x!tt.ptr<i32>, #split>
      nvws.warp_group.return
    }
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @numbers(%p: !tt.ptr<i32>, %n: i32, %c0: i32, %c1: i32) {
    scf.for %i = %c0 to %n step %c1 : i32 {
      // expected-error @below {{'tt.store' op is in partition 2147483646; partitions are numbered from 0 to 31}}
      tt.store %p, %i {ttg.partition = array<i32: 2147483646>} : !tt.ptr<i32>
    } {tt.warp_specialize}
    tt.return
  }
}

// -----

// A tensor that only one group uses is not laid out over the warps of another.
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // WARPS-LABEL: @one_warp_beside
  tt.func @one_warp_beside(%p: tensor<128x!tt.ptr<i32>, #blocked>, %q: !tt.ptr<i32>) {
    %c1 = arith.constant 1 : i32
    %x = tt.load %p : tensor<128x!tt.ptr<i32>, #blocked>
    nvws.warp_group
    partition0 num_warps(4) {
      nvws.warp_group.return
    }
    // WARPS: partition0(
    // WARPS: ttg.local_load
    partition1 num_warps(4) {
      tt.store %p, %x : tensor<128x!tt.ptr<i32>, #blocked>
      nvws.warp_group.return
    }
    // WARPS: num_warps(1)
    // WARPS-NOT: ttg.local_load
    // WARPS: tt.return
    partition2 num_warps(1) {
      tt.store %q, %c1 : !tt.ptr<i32>
      nvws.warp_group.return
    }
    tt.return
  }
}
