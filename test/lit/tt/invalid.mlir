// Each rule of tt, broken once: the message names the rule, what was found and what is needed.
// RUN: kernelscope opt --verify-diagnostics --split-input-file %s -o /dev/null

tt.func @tensor_size(%a: tensor<3xf32>) {
  // expected-error @below {{operand 0 needs a power-of-two number of elements, but has 3}}
  %0 = tt.precise_sqrt %a : tensor<3xf32>
  tt.return
}

// -----

tt.func @tensor_too_large(%a: f32) {
  // expected-error @below {{result 0 has more elements than a tensor may have (1048576)}}
  %0 = tt.splat %a : f32 -> tensor<4194304xf32>
  tt.return
}

// -----

tt.func @overflowing_size(%a: f32) {
  // expected-error @below {{has more elements than a tensor may have}}
  %0 = tt.splat %a : f32 -> tensor<4294967296x4294967296x4294967296xf32>
  tt.return
}

// -----

tt.func @no_elements(%a: f32) {
  // expected-error @below {{needs sizes that are known and positive}}
  %0 = tt.splat %a : f32 -> tensor<0xf32>
  tt.return
}

// -----

tt.func @bitcast_width(%a: tensor<8xf32>) {
  // expected-error @below {{needs types of the same width, but casts 32 bits to 16}}
  %0 = tt.bitcast %a : tensor<8xf32> -> tensor<8xi16>
  tt.return
}

// -----

tt.func @bitcast_pointer(%a: !tt.ptr<f32>) {
  // expected-error @below {{must cast a pointer to a pointer or a number to a number}}
  %0 = tt.bitcast %a : !tt.ptr<f32> -> i64
  tt.return
}

// -----

tt.func @bitcast_space(%a: !tt.ptr<f32>) {
  // expected-error @below {{needs pointers in the same address space, but casts 1 to 3}}
  %0 = tt.bitcast %a : !tt.ptr<f32> -> !tt.ptr<i32, 3>
  tt.return
}

// -----

tt.func @rounding(%a: tensor<8xf32>) {
  // expected-error @below {{needs a rounding (`rounding = rtne` or `rtz`) to narrow 'f32' to 'f8E5M2'}}
  %0 = tt.fp_to_fp %a : tensor<8xf32> -> tensor<8xf8E5M2>
  tt.return
}

// -----

tt.func @inline_asm(%a: tensor<8xi32>) {
  // expected-error @below {{needs packed_element of at least 1, but has 0}}
  %0 = tt.elementwise_inline_asm "" {constraints = "=r,r", packed_element = 0 : i32, pure = true} %a : tensor<8xi32> -> tensor<8xi32>
  tt.return
}

// -----

tt.func @inline_asm_pack(%a: tensor<2xi32>) {
  // expected-error @below {{needs a number of elements that packed_element (4) divides, but has 2}}
  %0 = tt.elementwise_inline_asm "" {constraints = "=r,r", packed_element = 4 : i32, pure = true} %a : tensor<2xi32> -> tensor<2xi32>
  tt.return
}

// -----

tt.func @load_mask(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<4xi1>) {
  // expected-error @below {{failed to verify that mask matches ptr}}
  %0 = "tt.load"(%p, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<8x!tt.ptr<f32>>, tensor<4xi1>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @load_of_number(%p: tensor<8xf32>) {
  // expected-error @below {{'ptr' must be pointer to a scalar or ranked tensor of pointer to a scalar values or pointer to a tensor, but got 'tensor<8xf32>'}}
  %0 = tt.load %p : tensor<8xf32>
  tt.return
}

// -----

tt.func @poll_order(%p: !tt.ptr<i32>, %i: i32) {
  // expected-error @below {{needs the memory order acquire or relaxed, but has release}}
  %0 = tt.atomic_poll release, gpu, %p, %i : !tt.ptr<i32>, i32 -> i1
  tt.return
}

// -----

tt.func @poll_width(%p: !tt.ptr<i8>, %i: i8) {
  // expected-error @below {{needs an integer of 16, 32 or 64 bits, but has 8}}
  %0 = tt.atomic_poll acquire, gpu, %p, %i : !tt.ptr<i8>, i8 -> i1
  tt.return
}

// -----

tt.func @poll_tensor_width(%p: tensor<8x!tt.ptr<i8>>, %i: tensor<8xi8>) {
  // expected-error @below {{needs an integer of 16, 32 or 64 bits, but has 8}}
  %0 = tt.atomic_poll acquire, gpu, %p, %i : tensor<8x!tt.ptr<i8>>, tensor<8xi8> -> tensor<8xi1>
  tt.return
}

// -----

tt.func @poll_result(%p: tensor<8x!tt.ptr<i32>>, %i: tensor<8xi32>) {
  // expected-error @below {{result matches expected}}
  %0 = tt.atomic_poll acquire, gpu, %p, %i : tensor<8x!tt.ptr<i32>>, tensor<8xi32> -> i1
  tt.return
}

// -----

tt.func @range_order() {
  // expected-error @below {{needs start below end, but has start 8 and end 8}}
  %0 = tt.make_range {start = 8 : i32, end = 8 : i32} : tensor<8xi32>
  tt.return
}

// -----

tt.func @range_size() {
  // expected-error @below {{needs a result of rank 1 with 16 elements, but it is 'tensor<8xi32>'}}
  %0 = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<8xi32>
  tt.return
}

// -----

tt.func @range_type() {
  // expected-error @below {{needs a result of i32, but its elements are 'i64'}}
  %0 = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi64>
  tt.return
}

// -----

tt.func @unsplat(%a: tensor<2xf32>) {
  // expected-error @below {{needs a source of one element, but it is 'tensor<2xf32>'}}
  %0 = tt.unsplat %a : tensor<2xf32>
  tt.return
}

// -----

tt.func @expand_axis(%a: tensor<8xf32>) {
  // expected-error @below {{needs an axis from 0 to 1, but has 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = tt.expand_dims %a {axis = 2 : i32} : tensor<8xf32> -> tensor<8x1xf32>
  tt.return
}

// -----

tt.func @broadcast(%a: tensor<2x8xf32>) {
  // expected-error @below {{can repeat only dimensions of size 1, but dimension 0 goes from 2 to 4}}
  %0 = tt.broadcast %a : tensor<2x8xf32> -> tensor<4x8xf32>
  tt.return
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
#column = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @broadcast_layout(%a: tensor<64x1xf32, #row>) {
    // expected-error @below {{needs a result layout that keeps the source's elements on their threads}}
    %0 = tt.broadcast %a : tensor<64x1xf32, #row> -> tensor<64x64xf32, #column>
    tt.return
  }
  // As Triton, we take one of TTIR and one of TTGIR.
  tt.func @broadcast_to_a_layout(%a: tensor<64x1xf32>) {
    %0 = tt.broadcast %a : tensor<64x1xf32> -> tensor<64x64xf32, #column>
    tt.return
  }
}

// -----

tt.func @broadcast_rank(%a: tensor<8xf32>) {
  // expected-error @below {{needs a result of the source's rank 1, but it has 2}}
  %0 = tt.broadcast %a : tensor<8xf32> -> tensor<4x8xf32>
  tt.return
}

// -----

tt.func @reshape(%a: tensor<8xf32>) {
  // expected-error @below {{needs a result of 8 elements, but it has 16}}
  %0 = tt.reshape %a : tensor<8xf32> -> tensor<4x4xf32>
  tt.return
}

// -----

tt.func @trans(%a: tensor<2x8xf32>) {
  // expected-error @below {{needs an order that permutes the source's 2 dimensions, but has [1, 1]}}
  // expected-error @below {{failed to infer returned types}}
  %0 = tt.trans %a {order = array<i32: 1, 1>} : tensor<2x8xf32> -> tensor<8x8xf32>
  tt.return
}

// -----

tt.func @join(%a: tensor<8xf32>) {
  // expected-error @below {{needs a result of type 'tensor<8x2xf32>', but it is 'tensor<2x8xf32>'}}
  %0 = tt.join %a, %a : tensor<8xf32> -> tensor<2x8xf32>
  tt.return
}

// -----

tt.func @split(%a: tensor<8x4xf32>) {
  // expected-error @below {{needs a source whose last dimension has size 2, but it is 'tensor<8x4xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0, %1 = tt.split %a : tensor<8x4xf32> -> tensor<8xf32>
  tt.return
}

// -----

tt.func @gather_axis(%a: tensor<8xf32>, %i: tensor<8xi32>) {
  // expected-error @below {{needs axis 0, but has 1}}
  %0 = tt.gather %a[%i] {axis = 1 : i32} : (tensor<8xf32>, tensor<8xi32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @gather_size(%a: tensor<8x4xf32>, %i: tensor<2x8xi32>) {
  // expected-error @below {{needs indices of the source's size 4 in dimension 1, but they have 8}}
  %0 = tt.gather %a[%i] {axis = 0 : i32} : (tensor<8x4xf32>, tensor<2x8xi32>) -> tensor<2x8xf32>
  tt.return
}

// -----

tt.func @dot_k(%a: tensor<16x32xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32>) {
  // expected-error @below {{needs as many columns in a as rows in b, but they have 32 and 16}}
  %0 = tt.dot %a, %b, %c : tensor<16x32xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @dot_result(%a: tensor<16x32xf16>, %b: tensor<32x16xf16>, %c: tensor<16x32xf32>) {
  // expected-error @below {{needs a result of 16x16, but it is 'tensor<16x32xf32>'}}
  %0 = tt.dot %a, %b, %c : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x32xf32>
  tt.return
}

// -----

tt.func @dot_rank(%a: tensor<16xf16>, %b: tensor<16xf16>, %c: tensor<16xf32>) {
  // expected-error @below {{needs operands and a result of rank 2, or all of rank 3}}
  %0 = tt.dot %a, %b, %c : tensor<16xf16> * tensor<16xf16> -> tensor<16xf32>
  tt.return
}

// -----

tt.func @dot_width(%a: tensor<16x16xf16>, %b: tensor<16x16xf32>, %c: tensor<16x16xf32>) {
  // expected-error @below {{needs a and b with the same element width, but they have 16 and 32 bits}}
  %0 = tt.dot %a, %b, %c : tensor<16x16xf16> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scale_factor(%a: tensor<16x64xi8>, %b: tensor<64x16xi8>, %c: tensor<16x16xf32>, %s: tensor<16x8xi8>) {
  // expected-error @below {{a_scale needs one scale for every 16 or 32 of the 64 elements along K, so 4 or 2, but has 8}}
  %0 = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<16x64xi8>, tensor<16x8xi8> * tensor<64x16xi8> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @scale_rows(%a: tensor<16x64xi8>, %b: tensor<64x16xi8>, %c: tensor<16x16xf32>, %s: tensor<32x2xi8>) {
  // expected-error @below {{b_scale needs 16 rows of scales, but has 32}}
  %0 = tt.dot_scaled %a, %b scale %s, %c lhs = e4m3 rhs = e4m3 {fastMath = false} : tensor<16x64xi8> * tensor<64x16xi8>, tensor<32x2xi8> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func @reduce_axis(%a: tensor<8xf32>) {
  // expected-error @below {{needs axis 0, but has 3}}
  %0 = "tt.reduce"(%a) <{axis = 3 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    tt.reduce.return %x : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @reduce_arguments(%a: tensor<8xf32>) {
  // expected-error @below {{needs a region whose arguments are two accumulators ('f32', 'f32'), but has ('f32', 'i32')}}
  %0 = "tt.reduce"(%a) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: i32):
    tt.reduce.return %x : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func @scan_return(%a: tensor<8xf32>, %i: i32) {
  // expected-error @below {{needs a region that returns one accumulator ('f32'), but has ('i32')}}
  %0 = "tt.scan"(%a) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%x: f32, %y: f32):
    tt.scan.return %i : i32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @map_pack(%a: tensor<8xf32>) {
  // expected-error @below {{needs a pack that is a power of two, but it is 3}}
  %0 = "tt.map_elementwise"(%a) <{pack = 3 : i32}> ({
  ^bb0(%x: f32, %y: f32, %z: f32):
    tt.map_elementwise.return %x, %y, %z : f32, f32, f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @map_store(%a: tensor<8xf32>, %p: !tt.ptr<f32>) {
  %0 = "tt.map_elementwise"(%a) <{pack = 1 : i32}> ({
  ^bb0(%x: f32):
    // expected-error @below {{writes memory, which the region of tt.map_elementwise must not do}}
    tt.store %p, %x : !tt.ptr<f32>
    tt.map_elementwise.return %x : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return
}

// -----

tt.func @few_indices(%d: !tt.tensordesc<16x16xf16>, %i: i32) {
  // expected-error @below {{needs an index for each of the 2 dimensions of the descriptor's block, but has 1}}
  %0 = tt.descriptor_load %d[%i] : !tt.tensordesc<16x16xf16> -> tensor<16x16xf16>
  tt.return
}

// -----

tt.func @block_size(%d: !tt.tensordesc<16x16xf16>, %i: i32) {
  // expected-error @below {{needs a tensor with the 256 elements of the descriptor's block, but it is 'tensor<16x32xf16>'}}
  %0 = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<16x16xf16> -> tensor<16x32xf16>
  tt.return
}

// -----

tt.func @block_type(%d: !tt.tensordesc<16x16xf16>, %i: i32, %v: tensor<16x16xf32>) {
  // expected-error @below {{needs a tensor with the block's element type, 'f16', but has 'f32'}}
  tt.descriptor_store %d[%i, %i], %v : !tt.tensordesc<16x16xf16>, tensor<16x16xf32>
  tt.return
}

// -----

tt.func @gather_block(%d: !tt.tensordesc<2x64xf16>, %x: tensor<32xi32>, %i: i32) {
  // expected-error @below {{needs a descriptor whose block is one row (1xN)}}
  %0 = tt.descriptor_gather %d[%x, %i] : (!tt.tensordesc<2x64xf16>, tensor<32xi32>, i32) -> tensor<32x64xf16>
  tt.return
}

// -----

tt.func @gather_rows(%d: !tt.tensordesc<1x64xf16>, %x: tensor<4xi32>, %i: i32) {
  // expected-error @below {{needs at least 8 rows, but has 4}}
  %0 = tt.descriptor_gather %d[%x, %i] : (!tt.tensordesc<1x64xf16>, tensor<4xi32>, i32) -> tensor<4x64xf16>
  tt.return
}

// -----

tt.func @scatter_columns(%d: !tt.tensordesc<1x8xf16>, %x: tensor<8xi32>, %i: i32, %v: tensor<8x8xf16>) {
  // expected-error @below {{needs at least 16 columns of 'f16', but has 8}}
  tt.descriptor_scatter %d[%x, %i], %v : !tt.tensordesc<1x8xf16>, tensor<8xi32>, i32, tensor<8x8xf16>
  tt.return
}

// -----

// expected-error @below {{a pointer must point to an integer, a float or a pointer, not to 'index'}}
tt.func @pointee(%p: !tt.ptr<index>) {
  tt.return
}

// -----

// expected-error @below {{a descriptor's block must have integer or float elements, not 'index'}}
tt.func @block_element(%p: !tt.tensordesc<16xindex>) {
  tt.return
}

// -----

// expected-error @below {{a descriptor's block must have at most 1048576 elements, not the product of [4194304, 4194304]}}
tt.func @block_size(%p: !tt.tensordesc<4194304x4194304xf16>) {
  tt.return
}

// -----

tt.func @dynamic_shape(%a: tensor<?x4xf32>) {
  // expected-error @below {{operand 0 needs sizes that are known and positive, but is 'tensor<?x4xf32>'}}
  %0 = tt.trans %a {order = array<i32: 1, 0>} : tensor<?x4xf32> -> tensor<4x?xf32>
  tt.return
}

// -----

tt.func @return_type() -> i32 {
  // expected-error @below {{needs the result types of the function ('i32'), but has ()}}
  tt.return
}

// -----

tt.func @call_unknown() {
  // expected-error @below {{calls @nobody, but the module has no tt.func of that name}}
  tt.call @nobody() : () -> ()
  tt.return
}

// -----

tt.func private @callee(f32)
tt.func @call_types(%i: i32) {
  // expected-error @below {{needs operands of the callee's argument types ('f32'), but has ('i32')}}
  tt.call @callee(%i) : (i32) -> ()
  tt.return
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @full_precision(%x: tensor<16x16xf32, #a>, %y: tensor<16x16xf32, #b>, %z: tensor<16x16xf32, #mma>) {
    // expected-error @below {{multiplies f32 with inputPrecision = ieee}}
    %0 = tt.dot %x, %y, %z, inputPrecision = ieee : tensor<16x16xf32, #a> * tensor<16x16xf32, #b> -> tensor<16x16xf32, #mma>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#linear = #ttg.linear<{register = [[1], [16]], lane = [[0], [0], [2], [4], [8]], warp = [[0], [0]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @cat(%x: tensor<16xi32, #blocked>) {
    // expected-error @below {{has a result layout with 4 different elements per thread; each operand has 1, so it must be 2}}
    %0 = tt.cat %x, %x : tensor<16xi32, #blocked> -> tensor<32xi32, #linear>
    tt.return
  }
}

// -----

tt.func @order_of_a_load(%p: !tt.ptr<i32>) {
  // expected-error @below {{needs the memory order acquire or relaxed, but has release}}
  %0 = tt.atomic_load release, gpu, %p : (!tt.ptr<i32>) -> i32
  tt.return
}

// -----

tt.func @order_of_a_store(%p: !tt.ptr<i32>, %x: i32) {
  // expected-error @below {{needs the memory order release or relaxed, but has acq_rel}}
  tt.atomic_store acq_rel, gpu, %p, %x : !tt.ptr<i32>
  tt.return
}

// -----

tt.func @a_tensor_is_not_splatted(%x: tensor<128xi32>) {
  // expected-error @+1 {{'tt.splat' op operand #0 must be floating-point or integer or pointer to a scalar, but got 'tensor<128xi32>'}}
  %0 = tt.splat %x : tensor<128xi32> -> tensor<128xi32>
  tt.return
}
