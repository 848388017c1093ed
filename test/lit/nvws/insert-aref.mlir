// What one partition computes and another uses goes through a reference.
// RUN: kernelscope opt %s --nvws-insert-aref --split-input-file --verify-diagnostics | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#plain = #ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128], [1, 0]]}, alignment = 128>
#across = #ttg.shared_linear<{offset = [[1, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128]]}, alignment = 128>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<64x64xf16, #shared, #smem>
!desc = !tt.tensordesc<64x64xf16, #shared>
!tensor = tensor<64x64xf16, #blocked>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // TMA loads straight into the buffer; its reader has it until its last use.
  // CHECK-LABEL: @loaded
  tt.func @loaded(%d: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK: %[[RING:.*]] = ttg.local_alloc : () -> !ttg.memdesc<1x64x64xf16
    // CHECK: %[[AREF:.*]] = nvws.aref.create %[[RING]]
    scf.for %i = %c0 to %n step %c1 : i32 {
      // CHECK: %[[W:.*]], %[[PUT:.*]] = nvws.aref.put.enter %[[AREF]] {loop.stage = 0 : i32, ttg.partition = array<i32: 1>}
      // CHECK: nvws.descriptor_load %{{.*}} 8192 %[[W]]
      // CHECK: nvws.aref.put.exit %[[AREF]], %[[PUT]] [#nvws.async_op<tma_load>]
      // CHECK-NOT: ttg.local_alloc
      %x = tt.descriptor_load %d[%i, %c0] {loop.stage = 0 : i32, ttg.partition = array<i32: 1>} : !desc -> !tensor
      %m = ttg.local_alloc %x {loop.stage = 2 : i32, ttg.partition = array<i32: 1>} : (!tensor) -> !tile
      // CHECK: %[[R:.*]], %[[GET:.*]] = nvws.aref.get.enter %[[AREF]] {loop.stage = 2 : i32, ttg.partition = array<i32: 0>}
      // CHECK: %[[T:.*]] = ttg.memdesc_trans %[[R]]
      // CHECK: ttg.local_load %[[T]]
      // CHECK: nvws.aref.get.exit %[[AREF]], %[[GET]] [#nvws.async_op<none>]
      %t = ttg.memdesc_trans %m {order = array<i32: 1, 0>, loop.stage = 2 : i32, ttg.partition = array<i32: 0>} : !tile -> !ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>, #smem>
      %v = ttg.local_load %t {loop.stage = 2 : i32, ttg.partition = array<i32: 0>} : !ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>, #smem> -> !tensor
      scf.yield {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }

  // A buffer whose layout has each element where the descriptor's has it gets that layout. If another has them elsewhere, the partition
  // stores what it loads.
  // CHECK-LABEL: @other_layouts
  tt.func @other_layouts(%d: !tt.tensordesc<2x256xi8, #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 8}>>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK: ttg.local_alloc : () -> !ttg.memdesc<1x2x256xi8, #[[PLAIN:.*]], #smem, mutable>
    // CHECK: ttg.local_alloc : () -> !ttg.memdesc<1x2x256xi8, #[[OTHER:.*]], #smem, mutable>
    scf.for %i = %c0 to %n step %c1 : i32 {
      // CHECK: nvws.descriptor_load
      // CHECK: put.exit {{.*}} [#nvws.async_op<tma_load>]
      // CHECK: tt.descriptor_load
      // CHECK: ttg.local_store
      // CHECK: put.exit {{.*}} [#nvws.async_op<none>]
      %x = tt.descriptor_load %d[%i, %c0] {ttg.partition = array<i32: 1>} : !tt.tensordesc<2x256xi8, #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 8}>> -> tensor<2x256xi8, #blocked>
      %m = ttg.local_alloc %x {ttg.partition = array<i32: 1>} : (tensor<2x256xi8, #blocked>) -> !ttg.memdesc<2x256xi8, #plain, #smem>
      %v = ttg.local_load %m {ttg.partition = array<i32: 0>} : !ttg.memdesc<2x256xi8, #plain, #smem> -> tensor<2x256xi8, #blocked>
      %y = tt.descriptor_load %d[%i, %c0] {ttg.partition = array<i32: 1>} : !tt.tensordesc<2x256xi8, #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 8}>> -> tensor<2x256xi8, #blocked>
      %k = ttg.local_alloc %y {ttg.partition = array<i32: 1>} : (tensor<2x256xi8, #blocked>) -> !ttg.memdesc<2x256xi8, #across, #smem>
      %w = ttg.local_load %k {ttg.partition = array<i32: 0>} : !ttg.memdesc<2x256xi8, #across, #smem> -> tensor<2x256xi8, #blocked>
      scf.yield {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }

  // A tensor is stored and loaded, a number as a tensor of one element; an op of both partitions takes what each has.
  // CHECK-LABEL: @computed
  tt.func @computed(%p: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      // CHECK: %[[X:.*]] = tt.load
      // CHECK: nvws.aref.put.enter
      // CHECK: %[[S:.*]] = tt.splat %[[X]]
      // CHECK: ttg.local_store %[[S]]
      // CHECK: nvws.aref.put.exit
      %x = tt.load %p {ttg.partition = array<i32: 1>} : !tt.ptr<i32>
      // CHECK: nvws.aref.get.enter
      // CHECK: %[[L:.*]] = ttg.local_load
      // CHECK: %[[U:.*]] = tt.unsplat %[[L]]
      // CHECK: nvws.aref.get.exit
      // CHECK: %[[PHI:.*]] = nvws.aref.phi %[[X]], %[[U]] {ttg.partition = array<i32: 1, 0>}
      // CHECK: arith.addi %{{.*}}, %[[PHI]]
      %y = arith.addi %i, %x {ttg.partition = array<i32: 0, 1>} : i32
      tt.store %p, %y {ttg.partition = array<i32: 0>} : !tt.ptr<i32>
      scf.yield {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return
  }

  // A result of the second partition goes to the code after the loop.
  // CHECK-LABEL: @result
  tt.func @result(%x: !tensor, %n: i32) -> !tensor {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK: %[[SUM:.*]] = scf.for
    // CHECK: nvws.aref.put.enter %[[AREF:.*]] {ttg.partition = array<i32: 1>, ttg.warp_specialize.tag = 0 : i32}
    // CHECK: ttg.local_store %[[SUM]]
    // CHECK: nvws.aref.put.exit
    // CHECK: nvws.aref.get.enter %[[AREF]] :
    // CHECK: %[[GOT:.*]] = ttg.local_load
    // CHECK: tt.return %[[GOT]]
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (!tensor) : i32 {
      %b = arith.addf %a, %a {ttg.partition = array<i32: 1>} : !tensor
      scf.yield {ttg.partition = array<i32: 0, 1>} %b : !tensor
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.outputs = [array<i32: 1>], ttg.partition.stages = [0 : i32, 0 : i32], ttg.warp_specialize.tag = 0 : i32}
    tt.return %sum : !tensor
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @index(%p: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // expected-error @below {{has partitions that pass each other a 'index'; only tensors with layouts, numbers, pointers and shared memory that is written once can be passed between partitions}}
    scf.for %i = %c0 to %n step %c1 : i32 {
      // expected-note @below {{computed here}}
      %x = arith.index_cast %i {ttg.partition = array<i32: 1>} : i32 to index
      %y = arith.index_cast %x {ttg.partition = array<i32: 0>} : index to i32
      tt.store %p, %y {ttg.partition = array<i32: 0>} : !tt.ptr<i32>
      scf.yield {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 0 : i32]}
    tt.return
  }
}

// -----

// A bit goes through memory as a byte, a pointer as it is.
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @bits_and_pointers
  // CHECK: ttg.local_alloc : () -> !ttg.memdesc<1x1xi8,
  // CHECK: ttg.local_alloc : () -> !ttg.memdesc<1x1x!tt.ptr<i32>,
  // CHECK: arith.extui {{.*}} : tensor<1xi1, #blocked> to tensor<1xi8, #blocked>
  // CHECK: arith.trunci {{.*}} : tensor<1xi8, #blocked> to tensor<1xi1, #blocked>
  tt.func @bits_and_pointers(%n: i32, %p: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x = tt.load %p {ttg.partition = array<i32: 1>} : !tt.ptr<i32>
      %bit = arith.cmpi sgt, %x, %c0 {ttg.partition = array<i32: 1>} : i32
      %q = tt.addptr %p, %x {ttg.partition = array<i32: 1>} : !tt.ptr<i32>, i32
      tt.store %q, %i, %bit {ttg.partition = array<i32: 0>} : !tt.ptr<i32>
      scf.yield {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 0 : i32]}
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @without_layout(%p: tensor<4x!tt.ptr<f32>>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // expected-error @below {{has partitions that pass each other a 'tensor<4xf32>'; only tensors with layouts}}
    scf.for %i = %c0 to %n step %c1 : i32 {
      // expected-note @below {{computed here}}
      %x = tt.load %p {ttg.partition = array<i32: 0>} : tensor<4x!tt.ptr<f32>>
      tt.store %p, %x {ttg.partition = array<i32: 1>} : tensor<4x!tt.ptr<f32>>
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 0 : i32]}
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @other_block(%p: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      scf.execute_region {
        // expected-note @below {{computed here}}
        %x = tt.load %p {ttg.partition = array<i32: 0>} : !tt.ptr<f32>
        cf.br ^bb1
      ^bb1:
        // expected-error @below {{uses a value of another block in a loop of partitions, which must have structured control flow}}
        tt.store %p, %x {ttg.partition = array<i32: 1>} : !tt.ptr<f32>
        scf.yield
      } {ttg.partition = array<i32: 0, 1>}
    } {tt.warp_specialize, ttg.partition = array<i32: 0, 1>, ttg.partition.stages = [0 : i32, 0 : i32]}
    tt.return
  }
}
