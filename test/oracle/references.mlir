// Modules at the level of references that references.py takes through our passes, each on its own. They are ours, not Triton's.

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // A tensor from one partition to another; nothing is said yet about how.
  tt.func public @tensor(%in: !tt.ptr<i32> loc("in"), %out: !tt.ptr<i32> loc("out")) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %n = arith.constant 7 : i32
    %size = arith.constant 128 : i32
    %lane = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %at = arith.muli %i, %size {ttg.partition = array<i32: 0, 1>} : i32
      %ats = tt.splat %at {ttg.partition = array<i32: 0, 1>} : i32 -> tensor<128xi32, #blocked>
      %index = arith.addi %ats, %lane {ttg.partition = array<i32: 0, 1>} : tensor<128xi32, #blocked>
      %from = tt.splat %in {ttg.partition = array<i32: 1>} : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
      %p = tt.addptr %from, %index {ttg.partition = array<i32: 1>} : tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>
      %x = tt.load %p {ttg.partition = array<i32: 1>} : tensor<128x!tt.ptr<i32>, #blocked>
      %y = arith.addi %x, %index {ttg.partition = array<i32: 0>} : tensor<128xi32, #blocked>
      %to = tt.splat %out {ttg.partition = array<i32: 0>} : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
      %q = tt.addptr %to, %index {ttg.partition = array<i32: 0>} : tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %q, %y {ttg.partition = array<i32: 0>} : tensor<128x!tt.ptr<i32>, #blocked>
      scf.yield {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // Two readers of one tensor; one of them carries a sum to the end, from where it is used.
  tt.func public @two_readers(%in: !tt.ptr<i32> loc("in"), %out: !tt.ptr<i32> loc("out")) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %n = arith.constant 5 : i32
    %size = arith.constant 128 : i32
    %zero = arith.constant dense<0> : tensor<128xi32, #blocked>
    %lane = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<128xi32, #blocked>) : i32 {
      %at = arith.muli %i, %size {ttg.partition = array<i32: 0, 1>} : i32
      %ats = tt.splat %at {ttg.partition = array<i32: 0, 1>} : i32 -> tensor<128xi32, #blocked>
      %index = arith.addi %ats, %lane {ttg.partition = array<i32: 0, 1>} : tensor<128xi32, #blocked>
      %from = tt.splat %in {ttg.partition = array<i32: 1>} : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
      %p = tt.addptr %from, %index {ttg.partition = array<i32: 1>} : tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>
      %x = tt.load %p {ttg.partition = array<i32: 1>} : tensor<128x!tt.ptr<i32>, #blocked>
      %to = tt.splat %out {ttg.partition = array<i32: 0>} : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
      %q = tt.addptr %to, %index {ttg.partition = array<i32: 0>} : tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %q, %x {ttg.partition = array<i32: 0>} : tensor<128x!tt.ptr<i32>, #blocked>
      %b = arith.addi %a, %x {ttg.partition = array<i32: 2>} : tensor<128xi32, #blocked>
      scf.yield {ttg.partition = array<i32: 0, 1, 2>} %b : tensor<128xi32, #blocked>
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1, 2>, ttg.partition.outputs = [array<i32: 2>], ttg.partition.stages = [0 : i32, 0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    %end = arith.constant 640 : i32
    %ends = tt.splat %end : i32 -> tensor<128xi32, #blocked>
    %last = arith.addi %ends, %lane : tensor<128xi32, #blocked>
    %outs = tt.splat %out : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
    %r = tt.addptr %outs, %last : tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %r, %sum : tensor<128x!tt.ptr<i32>, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // A number that one partition loads and an op of both uses; and the tensor before this one, around the loop.
  tt.func public @number(%in: !tt.ptr<i32> loc("in"), %out: !tt.ptr<i32> loc("out")) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %n = arith.constant 6 : i32
    %size = arith.constant 128 : i32
    %zero = arith.constant dense<0> : tensor<128xi32, #blocked>
    %lane = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%before = %zero) -> (tensor<128xi32, #blocked>) : i32 {
      %one = tt.addptr %in, %i {ttg.partition = array<i32: 1>} : !tt.ptr<i32>, i32
      %x = tt.load %one {ttg.partition = array<i32: 1>} : !tt.ptr<i32>
      %double = arith.addi %x, %x {ttg.partition = array<i32: 0, 1>} : i32
      %now = tt.splat %double {ttg.partition = array<i32: 1>} : i32 -> tensor<128xi32, #blocked>
      %own = tt.splat %double {ttg.partition = array<i32: 0>} : i32 -> tensor<128xi32, #blocked>
      %y = arith.subi %own, %before {ttg.partition = array<i32: 0>} : tensor<128xi32, #blocked>
      %at = arith.muli %i, %size {ttg.partition = array<i32: 0>} : i32
      %ats = tt.splat %at {ttg.partition = array<i32: 0>} : i32 -> tensor<128xi32, #blocked>
      %index = arith.addi %ats, %lane {ttg.partition = array<i32: 0>} : tensor<128xi32, #blocked>
      %to = tt.splat %out {ttg.partition = array<i32: 0>} : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
      %q = tt.addptr %to, %index {ttg.partition = array<i32: 0>} : tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %q, %y {ttg.partition = array<i32: 0>} : tensor<128x!tt.ptr<i32>, #blocked>
      scf.yield {ttg.partition = array<i32: 0, 1>} %now : tensor<128xi32, #blocked>
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 1>], ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // Two blocks by TMA, through buffers that are read together: one reference of several stages.
  tt.func public @loads(%a: !tt.ptr<f16> loc("a"), %out: !tt.ptr<f16> loc("out")) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %n = arith.constant 5 : i32
    %rows = arith.constant 64 : i32
    %columns = arith.constant 64 : i32
    %all = arith.constant 640 : i32
    %row = arith.constant 64 : i64
    %unit = arith.constant 1 : i64
    %da = tt.make_tensor_descriptor %a, [%all, %columns], [%row, %unit] : !tt.ptr<f16>, !tt.tensordesc<64x64xf16, #tile>
    %do = tt.make_tensor_descriptor %out, [%all, %columns], [%row, %unit] : !tt.ptr<f16>, !tt.tensordesc<64x64xf16, #tile>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %at = arith.muli %i, %rows {ttg.partition = array<i32: 0, 1>} : i32
      %x = tt.descriptor_load %da[%at, %c0] {loop.cluster = 0 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 1>} : !tt.tensordesc<64x64xf16, #tile> -> tensor<64x64xf16, #blocked>
      %mx = ttg.local_alloc %x {loop.cluster = 0 : i32, loop.stage = 1 : i32, ttg.partition = array<i32: 1>} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #tile, #smem>
      %y = tt.descriptor_load %da[%c0, %c0] {loop.cluster = 0 : i32, loop.stage = 0 : i32, ttg.partition = array<i32: 1>} : !tt.tensordesc<64x64xf16, #tile> -> tensor<64x64xf16, #blocked>
      %my = ttg.local_alloc %y {loop.cluster = 0 : i32, loop.stage = 1 : i32, ttg.partition = array<i32: 1>} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #tile, #smem>
      %rx = ttg.local_load %mx {loop.cluster = 0 : i32, loop.stage = 1 : i32, ttg.partition = array<i32: 0>} : !ttg.memdesc<64x64xf16, #tile, #smem> -> tensor<64x64xf16, #blocked>
      %ry = ttg.local_load %my {loop.cluster = 0 : i32, loop.stage = 1 : i32, ttg.partition = array<i32: 0>} : !ttg.memdesc<64x64xf16, #tile, #smem> -> tensor<64x64xf16, #blocked>
      %z = arith.addf %rx, %ry {ttg.partition = array<i32: 0>} : tensor<64x64xf16, #blocked>
      tt.descriptor_store %do[%at, %c0], %z {ttg.partition = array<i32: 0>} : !tt.tensordesc<64x64xf16, #tile>, tensor<64x64xf16, #blocked>
      scf.yield {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
!acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // Tensor memory: partition 1 multiplies, and adds up over three turns of which partition 0 stores the sum.
  tt.func public @sums(%in: !tt.ptr<f16> loc("in"), %out: !tt.ptr<f32> loc("out")) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %n = arith.constant 9 : i32
    %size = arith.constant 8192 : i32
    %true = arith.constant true
    %false = arith.constant false
    %rows = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %width = arith.constant dense<64> : tensor<128x1xi32, #blocked>
    %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %c = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %rw = arith.muli %r, %width : tensor<128x1xi32, #blocked>
    %rb = tt.broadcast %rw : tensor<128x1xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %cb = tt.broadcast %c : tensor<1x64xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %index = arith.addi %rb, %cb : tensor<128x64xi32, #blocked>
    %from = tt.splat %in : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %p = tt.addptr %from, %index : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %x = tt.load %p : tensor<128x64x!tt.ptr<f16>, #blocked>
    %a = ttg.local_alloc %x : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %b = ttg.memdesc_subslice %a[0, 0] : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared, #smem, 128x64>
    ttng.fence_async_shared {bCluster = false}
    %acc, %t0 = ttng.tmem_alloc : () -> (!acc, !ttg.async.token)
    %all:2 = scf.for %i = %c0 to %n step %c1 iter_args(%adds = %false, %t = %t0) -> (i1, !ttg.async.token) : i32 {
      %done = ttng.tc_gen5_mma %a, %b, %acc[%t], %adds, %true {ttg.partition = array<i32: 1>} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem, 128x64>, !acc
      %rest = arith.remsi %i, %c3 {ttg.partition = array<i32: 0, 1>} : i32
      %ends = arith.cmpi eq, %rest, %c2 {ttg.partition = array<i32: 0, 1>} : i32
      %next = arith.select %ends, %false, %true {ttg.partition = array<i32: 1>} : i1
      %read = scf.if %ends -> (!ttg.async.token) {
        %sum, %loaded = ttng.tmem_load %acc[%done] {ttg.partition = array<i32: 0>} : !acc -> tensor<128x64xf32, #linear>
        %tile = arith.divsi %i, %c3 {ttg.partition = array<i32: 0>} : i32
        %at = arith.muli %tile, %size {ttg.partition = array<i32: 0>} : i32
        %to = tt.addptr %out, %at {ttg.partition = array<i32: 0>} : !tt.ptr<f32>, i32
        %tos = tt.splat %to {ttg.partition = array<i32: 0>} : !tt.ptr<f32> -> tensor<128x64x!tt.ptr<f32>, #blocked>
        %q = tt.addptr %tos, %index {ttg.partition = array<i32: 0>} : tensor<128x64x!tt.ptr<f32>, #blocked>, tensor<128x64xi32, #blocked>
        %y = ttg.convert_layout %sum {ttg.partition = array<i32: 0>} : tensor<128x64xf32, #linear> -> tensor<128x64xf32, #blocked>
        tt.store %q, %y {ttg.partition = array<i32: 0>} : tensor<128x64x!tt.ptr<f32>, #blocked>
        scf.yield {ttg.partition = array<i32: 0>} %loaded : !ttg.async.token
      } else {
        scf.yield {ttg.partition = array<i32: 0>} %done : !ttg.async.token
      } {ttg.partition = array<i32: 0>, ttg.partition.outputs = [array<i32: 0>]}
      scf.yield {ttg.partition = array<i32: 0, 1>} %next, %read : i1, !ttg.async.token
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 1>, array<i32: 1>], ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}

// -----


#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
!acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // Three products for each tile, the first of which overwrites what was there: it is filled once.
  tt.func public @tiles(%in: !tt.ptr<f16> loc("in"), %out: !tt.ptr<f32> loc("out")) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %tiles = arith.constant 5 : i32
    %n = arith.constant 3 : i32
    %size = arith.constant 8192 : i32
    %true = arith.constant true
    %false = arith.constant false
    %zero = arith.constant dense<0.0> : tensor<128x64xf32, #linear>
    %rows = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %width = arith.constant dense<64> : tensor<128x1xi32, #blocked>
    %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %c = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %rw = arith.muli %r, %width : tensor<128x1xi32, #blocked>
    %rb = tt.broadcast %rw : tensor<128x1xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %cb = tt.broadcast %c : tensor<1x64xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %index = arith.addi %rb, %cb : tensor<128x64xi32, #blocked>
    %from = tt.splat %in : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %p = tt.addptr %from, %index : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %x = tt.load %p : tensor<128x64x!tt.ptr<f16>, #blocked>
    %a = ttg.local_alloc %x : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %b = ttg.memdesc_subslice %a[0, 0] : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared, #smem, 128x64>
    ttng.fence_async_shared {bCluster = false}
    scf.for %tile = %c0 to %tiles step %c1 : i32 {
      %acc, %t0 = ttng.tmem_alloc {ttg.partition = array<i32: 0, 1>} : () -> (!acc, !ttg.async.token)
      %t1 = ttng.tmem_store %zero, %acc[%t0], %true {ttg.partition = array<i32: 0>} : tensor<128x64xf32, #linear> -> !acc
      %s:2 = scf.for %k = %c0 to %n step %c1 iter_args(%adds = %false, %t = %t1) -> (i1, !ttg.async.token) : i32 {
        %done = ttng.tc_gen5_mma %a, %b, %acc[%t], %adds, %true {ttg.partition = array<i32: 1>} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem, 128x64>, !acc
        scf.yield {ttg.partition = array<i32: 1>} %true, %done : i1, !ttg.async.token
      } {ttg.partition = array<i32: 1>, ttg.partition.outputs = [array<i32: 1>, array<i32: 1>]}
      %sum, %loaded = ttng.tmem_load %acc[%s#1] {ttg.partition = array<i32: 0>} : !acc -> tensor<128x64xf32, #linear>
      %at = arith.muli %tile, %size {ttg.partition = array<i32: 0>} : i32
      %to = tt.addptr %out, %at {ttg.partition = array<i32: 0>} : !tt.ptr<f32>, i32
      %tos = tt.splat %to {ttg.partition = array<i32: 0>} : !tt.ptr<f32> -> tensor<128x64x!tt.ptr<f32>, #blocked>
      %q = tt.addptr %tos, %index {ttg.partition = array<i32: 0>} : tensor<128x64x!tt.ptr<f32>, #blocked>, tensor<128x64xi32, #blocked>
      %y = ttg.convert_layout %sum {ttg.partition = array<i32: 0>} : tensor<128x64xf32, #linear> -> tensor<128x64xf32, #blocked>
      tt.store %q, %y {ttg.partition = array<i32: 0>} : tensor<128x64x!tt.ptr<f32>, #blocked>
      scf.yield {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}

// -----


#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
!acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // A tile has no products, and its sum is what it was filled with.
  tt.func public @no_products(%in: !tt.ptr<f16> loc("in"), %out: !tt.ptr<f32> loc("out")) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %tiles = arith.constant 5 : i32
    %n = arith.constant 0 : i32
    %size = arith.constant 8192 : i32
    %true = arith.constant true
    %false = arith.constant false
    %zero = arith.constant dense<0.0> : tensor<128x64xf32, #linear>
    %rows = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %width = arith.constant dense<64> : tensor<128x1xi32, #blocked>
    %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %c = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %rw = arith.muli %r, %width : tensor<128x1xi32, #blocked>
    %rb = tt.broadcast %rw : tensor<128x1xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %cb = tt.broadcast %c : tensor<1x64xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %index = arith.addi %rb, %cb : tensor<128x64xi32, #blocked>
    %from = tt.splat %in : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %p = tt.addptr %from, %index : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %x = tt.load %p : tensor<128x64x!tt.ptr<f16>, #blocked>
    %a = ttg.local_alloc %x : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %b = ttg.memdesc_subslice %a[0, 0] : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared, #smem, 128x64>
    ttng.fence_async_shared {bCluster = false}
    scf.for %tile = %c0 to %tiles step %c1 : i32 {
      %acc, %t0 = ttng.tmem_alloc {ttg.partition = array<i32: 0, 1>} : () -> (!acc, !ttg.async.token)
      %t1 = ttng.tmem_store %zero, %acc[%t0], %true {ttg.partition = array<i32: 0>} : tensor<128x64xf32, #linear> -> !acc
      %s:2 = scf.for %k = %c0 to %n step %c1 iter_args(%adds = %false, %t = %t1) -> (i1, !ttg.async.token) : i32 {
        %done = ttng.tc_gen5_mma %a, %b, %acc[%t], %adds, %true {ttg.partition = array<i32: 1>} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem, 128x64>, !acc
        scf.yield {ttg.partition = array<i32: 1>} %true, %done : i1, !ttg.async.token
      } {ttg.partition = array<i32: 1>, ttg.partition.outputs = [array<i32: 1>, array<i32: 1>]}
      %sum, %loaded = ttng.tmem_load %acc[%s#1] {ttg.partition = array<i32: 0>} : !acc -> tensor<128x64xf32, #linear>
      %at = arith.muli %tile, %size {ttg.partition = array<i32: 0>} : i32
      %to = tt.addptr %out, %at {ttg.partition = array<i32: 0>} : !tt.ptr<f32>, i32
      %tos = tt.splat %to {ttg.partition = array<i32: 0>} : !tt.ptr<f32> -> tensor<128x64x!tt.ptr<f32>, #blocked>
      %q = tt.addptr %tos, %index {ttg.partition = array<i32: 0>} : tensor<128x64x!tt.ptr<f32>, #blocked>, tensor<128x64xi32, #blocked>
      %y = ttg.convert_layout %sum {ttg.partition = array<i32: 0>} : tensor<128x64xf32, #linear> -> tensor<128x64xf32, #blocked>
      tt.store %q, %y {ttg.partition = array<i32: 0>} : tensor<128x64x!tt.ptr<f32>, #blocked>
      scf.yield {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}

// -----


#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
!acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // Each tile has another number of products, the first none, so that each is filled.
  tt.func public @own_counts(%in: !tt.ptr<f16> loc("in"), %out: !tt.ptr<f32> loc("out")) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %tiles = arith.constant 5 : i32
    %size = arith.constant 8192 : i32
    %true = arith.constant true
    %false = arith.constant false
    %zero = arith.constant dense<0.0> : tensor<128x64xf32, #linear>
    %rows = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %width = arith.constant dense<64> : tensor<128x1xi32, #blocked>
    %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %c = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %rw = arith.muli %r, %width : tensor<128x1xi32, #blocked>
    %rb = tt.broadcast %rw : tensor<128x1xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %cb = tt.broadcast %c : tensor<1x64xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %index = arith.addi %rb, %cb : tensor<128x64xi32, #blocked>
    %from = tt.splat %in : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %p = tt.addptr %from, %index : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %x = tt.load %p : tensor<128x64x!tt.ptr<f16>, #blocked>
    %a = ttg.local_alloc %x : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %b = ttg.memdesc_subslice %a[0, 0] : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared, #smem, 128x64>
    ttng.fence_async_shared {bCluster = false}
    scf.for %tile = %c0 to %tiles step %c1 : i32 {
      %acc, %t0 = ttng.tmem_alloc {ttg.partition = array<i32: 0, 1>} : () -> (!acc, !ttg.async.token)
      %t1 = ttng.tmem_store %zero, %acc[%t0], %true {ttg.partition = array<i32: 0>} : tensor<128x64xf32, #linear> -> !acc
      %s:2 = scf.for %k = %c0 to %tile step %c1 iter_args(%adds = %false, %t = %t1) -> (i1, !ttg.async.token) : i32 {
        %done = ttng.tc_gen5_mma %a, %b, %acc[%t], %adds, %true {ttg.partition = array<i32: 1>} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem, 128x64>, !acc
        scf.yield {ttg.partition = array<i32: 1>} %true, %done : i1, !ttg.async.token
      } {ttg.partition = array<i32: 1>, ttg.partition.outputs = [array<i32: 1>, array<i32: 1>]}
      %sum, %loaded = ttng.tmem_load %acc[%s#1] {ttg.partition = array<i32: 0>} : !acc -> tensor<128x64xf32, #linear>
      %at = arith.muli %tile, %size {ttg.partition = array<i32: 0>} : i32
      %to = tt.addptr %out, %at {ttg.partition = array<i32: 0>} : !tt.ptr<f32>, i32
      %tos = tt.splat %to {ttg.partition = array<i32: 0>} : !tt.ptr<f32> -> tensor<128x64x!tt.ptr<f32>, #blocked>
      %q = tt.addptr %tos, %index {ttg.partition = array<i32: 0>} : tensor<128x64x!tt.ptr<f32>, #blocked>, tensor<128x64xi32, #blocked>
      %y = ttg.convert_layout %sum {ttg.partition = array<i32: 0>} : tensor<128x64xf32, #linear> -> tensor<128x64xf32, #blocked>
      tt.store %q, %y {ttg.partition = array<i32: 0>} : tensor<128x64x!tt.ptr<f32>, #blocked>
      scf.yield {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // Three partitions in a row: the middle one gets a tensor and puts another.
  tt.func public @chain(%in: !tt.ptr<i32> loc("in"), %out: !tt.ptr<i32> loc("out")) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %n = arith.constant 4 : i32
    %m = arith.constant 3 : i32
    %size = arith.constant 128 : i32
    %row = arith.constant 384 : i32
    %lane = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %at = arith.muli %i, %size {ttg.partition = array<i32: 0, 1>} : i32
      %fs = tt.splat %at {ttg.partition = array<i32: 1>} : i32 -> tensor<128xi32, #blocked>
      %fi = arith.addi %fs, %lane {ttg.partition = array<i32: 1>} : tensor<128xi32, #blocked>
      %fb = tt.splat %in {ttg.partition = array<i32: 1>} : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
      %fp = tt.addptr %fb, %fi {ttg.partition = array<i32: 1>} : tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>
      %x = tt.load %fp {ttg.partition = array<i32: 1>} : tensor<128x!tt.ptr<i32>, #blocked>
      %y = arith.muli %x, %x {ttg.partition = array<i32: 2>} : tensor<128xi32, #blocked>
      %z = arith.addi %y, %x {ttg.partition = array<i32: 2>} : tensor<128xi32, #blocked>
      %ts = tt.splat %at {ttg.partition = array<i32: 0>} : i32 -> tensor<128xi32, #blocked>
      %ti = arith.addi %ts, %lane {ttg.partition = array<i32: 0>} : tensor<128xi32, #blocked>
      %tb = tt.splat %out {ttg.partition = array<i32: 0>} : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
      %tp = tt.addptr %tb, %ti {ttg.partition = array<i32: 0>} : tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>
      %w = arith.subi %z, %y {ttg.partition = array<i32: 0>} : tensor<128xi32, #blocked>
      tt.store %tp, %w {ttg.partition = array<i32: 0>} : tensor<128x!tt.ptr<i32>, #blocked>
      scf.yield {ttg.partition = array<i32: 0, 1, 2>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1, 2>, ttg.partition.stages = [0 : i32, 0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // Nested loops; both partitions run the inner one, and a tensor is handed over in each of its turns.
  tt.func public @nested(%in: !tt.ptr<i32> loc("in"), %out: !tt.ptr<i32> loc("out")) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %n = arith.constant 4 : i32
    %m = arith.constant 3 : i32
    %size = arith.constant 128 : i32
    %row = arith.constant 384 : i32
    %lane = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %base = arith.muli %i, %row {ttg.partition = array<i32: 0, 1>} : i32
      scf.for %j = %c0 to %m step %c1 : i32 {
        %off = arith.muli %j, %size {ttg.partition = array<i32: 0, 1>} : i32
        %at = arith.addi %base, %off {ttg.partition = array<i32: 0, 1>} : i32
        %fs = tt.splat %at {ttg.partition = array<i32: 1>} : i32 -> tensor<128xi32, #blocked>
        %fi = arith.addi %fs, %lane {ttg.partition = array<i32: 1>} : tensor<128xi32, #blocked>
        %fb = tt.splat %in {ttg.partition = array<i32: 1>} : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
        %fp = tt.addptr %fb, %fi {ttg.partition = array<i32: 1>} : tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>
        %x = tt.load %fp {ttg.partition = array<i32: 1>} : tensor<128x!tt.ptr<i32>, #blocked>
        %ts = tt.splat %at {ttg.partition = array<i32: 0>} : i32 -> tensor<128xi32, #blocked>
        %ti = arith.addi %ts, %lane {ttg.partition = array<i32: 0>} : tensor<128xi32, #blocked>
        %tb = tt.splat %out {ttg.partition = array<i32: 0>} : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
        %tp = tt.addptr %tb, %ti {ttg.partition = array<i32: 0>} : tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>
        %w = arith.addi %x, %ti {ttg.partition = array<i32: 0>} : tensor<128xi32, #blocked>
        tt.store %tp, %w {ttg.partition = array<i32: 0>} : tensor<128x!tt.ptr<i32>, #blocked>
        scf.yield {ttg.partition = array<i32: 0, 1>}
      } {ttg.partition = array<i32: 0, 1>}
      scf.yield {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // The sum of an inner loop of one partition goes to another, which stores it on one path or the other.
  tt.func public @sum_of_inner(%in: !tt.ptr<i32> loc("in"), %out: !tt.ptr<i32> loc("out")) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %n = arith.constant 4 : i32
    %m = arith.constant 3 : i32
    %size = arith.constant 128 : i32
    %row = arith.constant 384 : i32
    %lane = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %zero = arith.constant dense<0> : tensor<128xi32, #blocked>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %base = arith.muli %i, %row {ttg.partition = array<i32: 1>} : i32
      %sum = scf.for %j = %c0 to %m step %c1 iter_args(%s = %zero) -> (tensor<128xi32, #blocked>) : i32 {
        %off = arith.muli %j, %size {ttg.partition = array<i32: 1>} : i32
        %at = arith.addi %base, %off {ttg.partition = array<i32: 1>} : i32
        %fs = tt.splat %at {ttg.partition = array<i32: 1>} : i32 -> tensor<128xi32, #blocked>
        %fi = arith.addi %fs, %lane {ttg.partition = array<i32: 1>} : tensor<128xi32, #blocked>
        %fb = tt.splat %in {ttg.partition = array<i32: 1>} : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
        %fp = tt.addptr %fb, %fi {ttg.partition = array<i32: 1>} : tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>
        %x = tt.load %fp {ttg.partition = array<i32: 1>} : tensor<128x!tt.ptr<i32>, #blocked>
        %v = arith.addi %s, %x {ttg.partition = array<i32: 1>} : tensor<128xi32, #blocked>
        scf.yield {ttg.partition = array<i32: 1>} %v : tensor<128xi32, #blocked>
      } {ttg.partition = array<i32: 1>, ttg.partition.outputs = [array<i32: 1>]}
      %even = arith.andi %i, %c1 {ttg.partition = array<i32: 0>} : i32
      %is = arith.cmpi eq, %even, %c0 {ttg.partition = array<i32: 0>} : i32
      %o = arith.muli %i, %size {ttg.partition = array<i32: 0>} : i32
      %ts = tt.splat %o {ttg.partition = array<i32: 0>} : i32 -> tensor<128xi32, #blocked>
      %ti = arith.addi %ts, %lane {ttg.partition = array<i32: 0>} : tensor<128xi32, #blocked>
      %tb = tt.splat %out {ttg.partition = array<i32: 0>} : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
      %tp = tt.addptr %tb, %ti {ttg.partition = array<i32: 0>} : tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>
      scf.if %is {
        tt.store %tp, %sum {ttg.partition = array<i32: 0>} : tensor<128x!tt.ptr<i32>, #blocked>
        scf.yield {ttg.partition = array<i32: 0>}
      } else {
        %d = arith.addi %sum, %ti {ttg.partition = array<i32: 0>} : tensor<128xi32, #blocked>
        tt.store %tp, %d {ttg.partition = array<i32: 0>} : tensor<128x!tt.ptr<i32>, #blocked>
        scf.yield {ttg.partition = array<i32: 0>}
      } {ttg.partition = array<i32: 0>}
      scf.yield {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
!ra = !ttg.memdesc<2x128xi32, #shared, #ttg.shared_memory, mutable>
!rb = !ttg.memdesc<3x128xi32, #shared, #ttg.shared_memory, mutable>
!one = !ttg.memdesc<128xi32, #shared, #ttg.shared_memory, mutable>
!aa = !nvws.aref<[!ra]>
!ab = !nvws.aref<[!rb]>
!token = !ttg.async.token
!t = tensor<128xi32, #blocked>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // Two references of different depths between two groups, one each way, and a result.
  tt.func public @both_ways(%in: !tt.ptr<i32> loc("in"), %out: !tt.ptr<i32> loc("out")) {
    %ma = ttg.local_alloc : () -> !ra
    %mb = ttg.local_alloc : () -> !rb
    %a = nvws.aref.create %ma : !aa
    %b = nvws.aref.create %mb : !ab
    %sum = nvws.warp_group
    partition0 num_warps(4) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %n = arith.constant 7 : i32
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (i32) : i32 {
        %x, %g = nvws.aref.get.enter %a : !aa -> !one, !token
        %v = ttg.local_load %x : !one -> !t
        nvws.aref.get.exit %a, %g [#nvws.async_op<none>] : !aa, !token
        %w = arith.addi %v, %v : !t
        %y, %p = nvws.aref.put.enter %b : !ab -> !one, !token
        ttg.local_store %w, %y : !t -> !one
        nvws.aref.put.exit %b, %p [#nvws.async_op<none>] : !ab, !token
        %e = arith.addi %s, %i : i32
        scf.yield %e : i32
      }
      nvws.warp_group.yield %r : i32
    }
    partition1 num_warps(4) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %n = arith.constant 7 : i32
      %size = arith.constant 128 : i32
      %lane = tt.make_range {end = 128 : i32, start = 0 : i32} : !t
      scf.for %i = %c0 to %n step %c1 : i32 {
        %at = arith.muli %i, %size : i32
        %ats = tt.splat %at : i32 -> !t
        %idx = arith.addi %ats, %lane : !t
        %f = tt.splat %in : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
        %fp = tt.addptr %f, %idx : tensor<128x!tt.ptr<i32>, #blocked>, !t
        %x = tt.load %fp : tensor<128x!tt.ptr<i32>, #blocked>
        %m, %p = nvws.aref.put.enter %a : !aa -> !one, !token
        ttg.local_store %x, %m : !t -> !one
        nvws.aref.put.exit %a, %p [#nvws.async_op<none>] : !aa, !token
        %q, %g = nvws.aref.get.enter %b : !ab -> !one, !token
        %v = ttg.local_load %q : !one -> !t
        nvws.aref.get.exit %b, %g [#nvws.async_op<none>] : !ab, !token
        %o = tt.splat %out : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
        %op = tt.addptr %o, %idx : tensor<128x!tt.ptr<i32>, #blocked>, !t
        tt.store %op, %v : tensor<128x!tt.ptr<i32>, #blocked>
      }
      nvws.warp_group.return
    } -> (i32)
    %off = arith.constant 896 : i32
    %z = tt.addptr %out, %off : !tt.ptr<i32>, i32
    tt.store %z, %sum : !tt.ptr<i32>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
!acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // The loop of tiles is a while loop: the accumulator is filled before it, and its token is carried.
  tt.func public @while_tiles(%in: !tt.ptr<f16> loc("in"), %out: !tt.ptr<f32> loc("out")) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %tiles = arith.constant 5 : i32
    %n = arith.constant 3 : i32
    %size = arith.constant 8192 : i32
    %true = arith.constant true
    %false = arith.constant false
    %zero = arith.constant dense<0.0> : tensor<128x64xf32, #linear>
    %rows = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %width = arith.constant dense<64> : tensor<128x1xi32, #blocked>
    %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %c = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %rw = arith.muli %r, %width : tensor<128x1xi32, #blocked>
    %rb = tt.broadcast %rw : tensor<128x1xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %cb = tt.broadcast %c : tensor<1x64xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %index = arith.addi %rb, %cb : tensor<128x64xi32, #blocked>
    %from = tt.splat %in : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %p = tt.addptr %from, %index : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %x = tt.load %p : tensor<128x64x!tt.ptr<f16>, #blocked>
    %a = ttg.local_alloc %x : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %b = ttg.memdesc_subslice %a[0, 0] : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared, #smem, 128x64>
    ttng.fence_async_shared {bCluster = false}
    %any = arith.cmpi slt, %c0, %tiles : i32
    %end:2 = scf.while (%before = %c0, %going = %any) : (i32, i1) -> (i32, i1) {
      scf.condition(%going) {ttg.partition = array<i32: 0, 1>} %before, %going : i32, i1
    } do {
    ^bb0(%tile: i32, %goes: i1):
      %acc, %t0 = ttng.tmem_alloc {ttg.partition = array<i32: 0, 1>} : () -> (!acc, !ttg.async.token)
      %t1 = ttng.tmem_store %zero, %acc[%t0], %true {ttg.partition = array<i32: 0>} : tensor<128x64xf32, #linear> -> !acc
      %s:2 = scf.for %k = %c0 to %n step %c1 iter_args(%adds = %false, %t = %t1) -> (i1, !ttg.async.token) : i32 {
        %done = ttng.tc_gen5_mma %a, %b, %acc[%t], %adds, %true {ttg.partition = array<i32: 1>} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem, 128x64>, !acc
        scf.yield {ttg.partition = array<i32: 1>} %true, %done : i1, !ttg.async.token
      } {ttg.partition = array<i32: 1>, ttg.partition.outputs = [array<i32: 1>, array<i32: 1>]}
      %sum, %loaded = ttng.tmem_load %acc[%s#1] {ttg.partition = array<i32: 0>} : !acc -> tensor<128x64xf32, #linear>
      %at = arith.muli %tile, %size {ttg.partition = array<i32: 0>} : i32
      %to = tt.addptr %out, %at {ttg.partition = array<i32: 0>} : !tt.ptr<f32>, i32
      %tos = tt.splat %to {ttg.partition = array<i32: 0>} : !tt.ptr<f32> -> tensor<128x64x!tt.ptr<f32>, #blocked>
      %q = tt.addptr %tos, %index {ttg.partition = array<i32: 0>} : tensor<128x64x!tt.ptr<f32>, #blocked>, tensor<128x64xi32, #blocked>
      %y = ttg.convert_layout %sum {ttg.partition = array<i32: 0>} : tensor<128x64xf32, #linear> -> tensor<128x64xf32, #blocked>
      tt.store %q, %y {ttg.partition = array<i32: 0>} : tensor<128x64x!tt.ptr<f32>, #blocked>
      %next = arith.addi %tile, %c1 {ttg.partition = array<i32: 0, 1>} : i32
      %more = arith.cmpi slt, %next, %tiles {ttg.partition = array<i32: 0, 1>} : i32
      scf.yield {ttg.partition = array<i32: 0, 1>} %next, %more : i32, i1
    } attributes {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 0, 1>, array<i32: 0, 1>], ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
!acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // A while loop carries the accumulator, to which each tile adds.
  tt.func public @while_running_sum(%in: !tt.ptr<f16> loc("in"), %out: !tt.ptr<f32> loc("out")) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %tiles = arith.constant 5 : i32
    %n = arith.constant 3 : i32
    %size = arith.constant 8192 : i32
    %true = arith.constant true
    %false = arith.constant false
    %zero = arith.constant dense<0.0> : tensor<128x64xf32, #linear>
    %rows = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %width = arith.constant dense<64> : tensor<128x1xi32, #blocked>
    %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %c = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %rw = arith.muli %r, %width : tensor<128x1xi32, #blocked>
    %rb = tt.broadcast %rw : tensor<128x1xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %cb = tt.broadcast %c : tensor<1x64xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %index = arith.addi %rb, %cb : tensor<128x64xi32, #blocked>
    %from = tt.splat %in : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %p = tt.addptr %from, %index : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %x = tt.load %p : tensor<128x64x!tt.ptr<f16>, #blocked>
    %a = ttg.local_alloc %x : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %b = ttg.memdesc_subslice %a[0, 0] : !ttg.memdesc<128x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared, #smem, 128x64>
    ttng.fence_async_shared {bCluster = false}
    %acc, %t0 = ttng.tmem_alloc %zero : (tensor<128x64xf32, #linear>) -> (!acc, !ttg.async.token)
    %any = arith.cmpi slt, %c0, %tiles : i32
    %end:3 = scf.while (%before = %c0, %going = %any, %tb = %t0) : (i32, i1, !ttg.async.token) -> (i32, i1, !ttg.async.token) {
      scf.condition(%going) {ttg.partition = array<i32: 0, 1>} %before, %going, %tb : i32, i1, !ttg.async.token
    } do {
    ^bb0(%tile: i32, %goes: i1, %t1: !ttg.async.token):
      %s:2 = scf.for %k = %c0 to %n step %c1 iter_args(%adds = %true, %t = %t1) -> (i1, !ttg.async.token) : i32 {
        %done = ttng.tc_gen5_mma %a, %b, %acc[%t], %adds, %true {ttg.partition = array<i32: 1>} : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem, 128x64>, !acc
        scf.yield {ttg.partition = array<i32: 1>} %true, %done : i1, !ttg.async.token
      } {ttg.partition = array<i32: 1>, ttg.partition.outputs = [array<i32: 1>, array<i32: 1>]}
      %sum, %loaded = ttng.tmem_load %acc[%s#1] {ttg.partition = array<i32: 0>} : !acc -> tensor<128x64xf32, #linear>
      %at = arith.muli %tile, %size {ttg.partition = array<i32: 0>} : i32
      %to = tt.addptr %out, %at {ttg.partition = array<i32: 0>} : !tt.ptr<f32>, i32
      %tos = tt.splat %to {ttg.partition = array<i32: 0>} : !tt.ptr<f32> -> tensor<128x64x!tt.ptr<f32>, #blocked>
      %q = tt.addptr %tos, %index {ttg.partition = array<i32: 0>} : tensor<128x64x!tt.ptr<f32>, #blocked>, tensor<128x64xi32, #blocked>
      %y = ttg.convert_layout %sum {ttg.partition = array<i32: 0>} : tensor<128x64xf32, #linear> -> tensor<128x64xf32, #blocked>
      tt.store %q, %y {ttg.partition = array<i32: 0>} : tensor<128x64x!tt.ptr<f32>, #blocked>
      %next = arith.addi %tile, %c1 {ttg.partition = array<i32: 0, 1>} : i32
      %more = arith.cmpi slt, %next, %tiles {ttg.partition = array<i32: 0, 1>} : i32
      scf.yield {ttg.partition = array<i32: 0, 1>} %next, %more, %loaded : i32, i1, !ttg.async.token
    } attributes {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 0, 1>, array<i32: 0, 1>, array<i32: 1>], ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!t = tensor<2x!nvws.token>
!ring = !ttg.memdesc<2x128xf32, #shared, #smem, mutable>
!one = !ttg.memdesc<128xf32, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // One group of warps copies with cp.async, another adds up: a commit signals once the copies are complete.
  tt.func public @copies(%in: !tt.ptr<f32> loc("in"), %out: !tt.ptr<f32> loc("out")) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %n = arith.constant 6 : i32
    %size = arith.constant 128 : i32
    %lane = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %ring = ttg.local_alloc : () -> !ring
    %tokens = nvws.create_token {loadType = 1 : i32, numBuffers = 2 : i32} : !t
    nvws.warp_group
    partition0 num_warps(4) {
      %zero = arith.constant dense<0.0> : tensor<128xf32, #blocked>
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<128xf32, #blocked>) : i32 {
        %stage = arith.remui %i, %c2 : i32
        %turn = arith.divui %i, %c2 : i32
        %phase = arith.trunci %turn : i32 to i1
        nvws.consumer_wait %tokens, %stage, %phase : !t, i32, i1
        %m = ttg.memdesc_index %ring[%stage] : !ring -> !one
        %x = ttg.local_load %m : !one -> tensor<128xf32, #blocked>
        nvws.consumer_release %tokens, %stage : !t, i32
        %next = arith.addf %s, %x : tensor<128xf32, #blocked>
        scf.yield %next : tensor<128xf32, #blocked>
      }
      %to = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
      %q = tt.addptr %to, %lane : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %q, %sum : tensor<128x!tt.ptr<f32>, #blocked>
      nvws.warp_group.return
    }
    partition1 num_warps(4) {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %stage = arith.remui %i, %c2 : i32
        %turn = arith.divui %i, %c2 : i32
        %phase = arith.trunci %turn : i32 to i1
        nvws.producer_acquire %tokens, %stage, %phase : !t, i32, i1
        %m = ttg.memdesc_index %ring[%stage] : !ring -> !one
        %at = arith.muli %i, %size : i32
        %start = tt.addptr %in, %at : !tt.ptr<f32>, i32
        %from = tt.splat %start : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
        %p = tt.addptr %from, %lane : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
        %c = ttg.async_copy_global_to_local %p, %m : tensor<128x!tt.ptr<f32>, #blocked> -> !one
        %g = ttg.async_commit_group tokens %c
        nvws.producer_commit %tokens, %stage : !t, i32
      }
      nvws.warp_group.return
    }
    tt.return
  }
}
