// Each rule of nvws, broken once.
// RUN: kernelscope opt --verify-diagnostics --split-input-file %s -o /dev/null

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!ring = !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
!pair = !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
!buffer = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!aref = !nvws.aref<[!ring]>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @depth(%a: !ring, %b: !pair) {
    // expected-error @below {{creates a reference from buffers of depth 3 and 2; all depths must be equal}}
    %0 = nvws.aref.create %a, %b : !nvws.aref<[!ring, !pair]>
    tt.return
  }
  tt.func @used_elsewhere(%a: !ring, %i: i32) {
    // expected-error @below {{creates a reference from a buffer that is used elsewhere}}
    %0 = nvws.aref.create %a : !aref
    // expected-note @below {{used here}}
    %1 = ttg.memdesc_index %a[%i] : !ring -> !buffer
    tt.return
  }
  tt.func @buffers(%r: !aref, %i: i32) {
    // expected-error @below {{returns 2 buffers; the reference has 1}}
    %0:2, %t = nvws.aref.put.enter %r[%i, %i] : !aref -> !buffer, !buffer, !ttg.async.token
    tt.return
  }
  tt.func @stage(%r: !aref, %i: i32) {
    // expected-error @below {{has the shape [64, 64]}}
    %0, %t = nvws.aref.get.enter %r[%i, %i] : !aref -> !ring, !ttg.async.token
    tt.return
  }
  tt.func @element_type(%r: !aref, %i: i32) {
    // expected-error @below {{returns buffer 0 as '!ttg.memdesc<64x64xbf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>, #ttg.shared_memory, mutable>'; the element type of}}
    %0, %t = nvws.aref.get.enter %r[%i, %i] : !aref -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>, !ttg.async.token
    tt.return
  }
  tt.func @other_reference(%r: !aref, %s: !aref) {
    // expected-note @below {{entered here}}
    %0, %t = nvws.aref.get.enter %r : !aref -> !buffer, !ttg.async.token
    // expected-error @below {{takes the token of another reference}}
    nvws.aref.get.exit %s, %t [#nvws.async_op<none>] : !aref, !ttg.async.token
    tt.return
  }
  tt.func @put_and_get(%r: !aref) {
    // expected-note @below {{the token comes from here}}
    %0, %t = nvws.aref.put.enter %r : !aref -> !buffer, !ttg.async.token
    // expected-error @below {{takes the token of a 'nvws.aref.put.enter'; it must be that of its enter}}
    nvws.aref.get.exit %r, %t [#nvws.async_op<none>] : !aref, !ttg.async.token
    tt.return
  }
  tt.func @token_of_a_group(%r: !aref) {
    // expected-note @below {{the token comes from here}}
    %t = ttg.async_commit_group
    // expected-error @below {{takes the token of a 'ttg.async_commit_group'; it must be that of its enter}}
    nvws.aref.put.exit %r, %t [#nvws.async_op<none>] : !aref, !ttg.async.token
    tt.return
  }
  tt.func @buffer_of_another_reference(%r: !aref, %s: !aref) {
    // expected-note @below {{entered here}}
    %0, %t = nvws.aref.put.enter %r : !aref -> !buffer, !ttg.async.token
    // expected-error @below {{takes the token of another reference}}
    %1 = nvws.aref.buffer %s, %t : !aref, !ttg.async.token -> !buffer
    nvws.aref.put.exit %r, %t [#nvws.async_op<none>] : !aref, !ttg.async.token
    tt.return
  }
  tt.func @index_of_a_token(%t: tensor<3x!nvws.token>, %phase: i1) {
    %c2 = arith.constant 2 : i32
    %c5 = arith.constant 5 : i32
    nvws.producer_acquire %t, %c2, %phase : tensor<3x!nvws.token>, i32, i1
    // expected-error @below {{uses token 5 of 3; it must be from 0 to 2}}
    nvws.producer_commit %t, %c5 : tensor<3x!nvws.token>, i32
    tt.return
  }
  tt.func @stage_of_a_reference(%r: !aref, %phase: i32) {
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %0, %t = nvws.aref.put.enter %r[%c2, %phase] : !aref -> !buffer, !ttg.async.token
    // expected-error @below {{is at stage 3 of 3; it must be from 0 to 2}}
    nvws.aref.put.exit %r[%c3], %t [#nvws.async_op<none>] : !aref, !ttg.async.token
    tt.return
  }
  tt.func @stage_of_a_get(%r: !aref, %phase: i32) {
    %c3 = arith.constant 3 : i32
    // expected-error @below {{is at stage 3 of 3; it must be from 0 to 2}}
    %0, %t = nvws.aref.get.enter %r[%c3, %phase] : !aref -> !buffer, !ttg.async.token
    tt.return
  }
  tt.func @both_own() {
    %0 = arith.constant {ttg.partition = array<i32: 0, 1>} 1 : i32
    %1 = arith.constant {ttg.partition = array<i32: 1, 2>} 2 : i32
    // expected-error @below {{has two operands that partition 1 owns; a partition may own only one}}
    %2 = nvws.aref.phi %0, %1 {ttg.partition = array<i32: 0, 1, 2>} : i32
    tt.return
  }
  tt.func @none_owns() {
    %0 = arith.constant 1 : i32
    %1 = arith.constant {ttg.partition = array<i32: 1>} 2 : i32
    // expected-error @below {{has a local operand that no partition owns}}
    %2 = nvws.aref.phi %0, %1 {ttg.partition = array<i32: 0, 1>} : i32
    tt.return
  }
  tt.func @not_all_owned() {
    %0 = arith.constant {ttg.partition = array<i32: 0>} 1 : i32
    %1 = arith.constant {ttg.partition = array<i32: 1>} 2 : i32
    // expected-error @below {{has operands owned by partitions [0, 1]; its ttg.partition is [0, 1, 2]}}
    %2 = nvws.aref.phi %0, %1 {ttg.partition = array<i32: 0, 1, 2>} : i32
    tt.return
  }
  tt.func @no_partition() {
    %0 = arith.constant {ttg.partition = array<i32: 0>} 1 : i32
    // expected-error @below {{needs ttg.partition, which lists the partitions that take part}}
    %1 = nvws.aref.phi %0, %0 : i32
    tt.return
  }
  tt.func @numbers_of_warps() {
    // expected-error @below {{must have one value in 'numWarps' per region (1), but it has 2}}
    "nvws.warp_group"() <{numWarps = array<i32: 4, 4>}> ({
      "nvws.warp_group.return"() : () -> ()
    }) : () -> ()
    tt.return
  }
  tt.func @no_yield() {
    // expected-error @below {{its first region must end with an nvws.warp_group.yield of these types}}
    %0 = "nvws.warp_group"() <{numWarps = array<i32: 4>}> ({
      "nvws.warp_group.return"() : () -> ()
    }) : () -> i32
    tt.return
  }
  tt.func @tokens() {
    // expected-error @below {{it must return one token for each}}
    %0 = nvws.create_token {loadType = 1 : i32, numBuffers = 3 : i32} : tensor<2x!nvws.token>
    tt.return
  }
}
