// Every op and type of nvws reads, and prints the same.
// RUN: kernelscope opt --release=main %s | FileCheck %s
// RUN: kernelscope opt --release=main %s | kernelscope opt --release=main | FileCheck %s
// RUN: kernelscope opt --release=main --mlir-print-op-generic %s | kernelscope opt --release=main | FileCheck %s

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!ring = !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
!buffer = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!aref = !nvws.aref<[!ring, !ring]>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {

// CHECK-LABEL: @references
tt.func @references(%a: !ring, %b: !ring, %i: i32) {
  // CHECK: %[[R:.*]] = nvws.aref.create %{{.*}}, %{{.*}} : <[!ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>]>
  %r = nvws.aref.create %a, %b : !aref
  // CHECK: %{{.*}}:2, %[[T:.*]] = nvws.aref.put.enter %[[R]][%{{.*}}, %{{.*}}] : <[{{.*}}]> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !ttg.async.token
  %0:2, %put = nvws.aref.put.enter %r[%i, %i] : !aref -> !buffer, !buffer, !ttg.async.token
  // CHECK: nvws.aref.buffer %[[R]][%{{.*}}], %[[T]] : <[{{.*}}]>, !ttg.async.token -> !ttg.memdesc
  %1:2 = nvws.aref.buffer %r[%i], %put : !aref, !ttg.async.token -> !buffer, !buffer
  // CHECK: nvws.aref.put.exit %[[R]][%{{.*}}], %[[T]] [#nvws.async_op<tma_load>, #nvws.async_op<none>] : <[{{.*}}]>, !ttg.async.token
  nvws.aref.put.exit %r[%i], %put [#nvws.async_op<tma_load>, #nvws.async_op<none>] : !aref, !ttg.async.token
  // CHECK: nvws.aref.get.enter %[[R]] : <[
  %2:2, %get = nvws.aref.get.enter %r : !aref -> !buffer, !buffer, !ttg.async.token
  // CHECK: nvws.aref.get.exit %[[R]], %{{.*}} [#nvws.async_op<tc5mma>] : <[
  nvws.aref.get.exit %r, %get [#nvws.async_op<tc5mma>] : !aref, !ttg.async.token
  tt.return
}

// CHECK-LABEL: @by_partition
tt.func @by_partition() {
  %0 = arith.constant {ttg.partition = array<i32: 3>} 1 : i32
  %1 = arith.constant {ttg.partition = array<i32: 0, 1>} 2 : i32
  // CHECK: nvws.aref.phi %{{.*}}, %{{.*}} {ttg.partition = array<i32: 0, 1, 3>} : i32
  %2 = nvws.aref.phi %0, %1 {ttg.partition = array<i32: 0, 1, 3>} : i32
  tt.return
}

// CHECK-LABEL: @groups
tt.func @groups(%x: i32) {
  // CHECK: nvws.warp_group{{$}}
  nvws.warp_group
  // CHECK: nvws.warp_group
  // CHECK-NEXT: partition0 num_warps(8) {
  // CHECK-NEXT: nvws.warp_group.return
  // CHECK: partition1 num_warps(4) {
  nvws.warp_group
  partition0 num_warps(8) {
    nvws.warp_group.return
  }
  partition1 num_warps(4) {
    nvws.warp_group.return
  }
  // CHECK: nvws.warp_group.yield %{{.*}} : i32
  // CHECK-NEXT: {{^ *}}}{{$}}
  %0 = nvws.warp_group
  partition0 num_warps(4) {
    nvws.warp_group.yield %x : i32
  }
  // Triton 3.9 writes the types of the results.
  // CHECK: nvws.warp_group.yield %{{.*}}, %{{.*}} : i32, i32
  // CHECK-NEXT: {{^ *}}}{{$}}
  %1:2 = nvws.warp_group
  partition0 num_warps(4) {
    nvws.warp_group.yield %x, %0 : i32, i32
  } -> (i32, i32)
  tt.return
}

// CHECK-LABEL: @tokens
tt.func @tokens(%i: i32, %phase: i1) {
  // CHECK: nvws.create_token {loadType = 2 : i32, numBuffers = 3 : i32} : tensor<3x!nvws.token>
  %0 = nvws.create_token {loadType = 2 : i32, numBuffers = 3 : i32} : tensor<3x!nvws.token>
  // CHECK: nvws.producer_acquire %{{.*}}, %{{.*}}, %{{.*}} : tensor<3x!nvws.token>, i32, i1
  nvws.producer_acquire %0, %i, %phase : tensor<3x!nvws.token>, i32, i1
  // CHECK: nvws.producer_commit %{{.*}}, %{{.*}} : tensor<3x!nvws.token>, i32
  nvws.producer_commit %0, %i : tensor<3x!nvws.token>, i32
  // CHECK: nvws.consumer_wait %{{.*}}, %{{.*}}, %{{.*}} : tensor<3x!nvws.token>, i32, i1
  nvws.consumer_wait %0, %i, %phase : tensor<3x!nvws.token>, i32, i1
  // CHECK: nvws.consumer_release %{{.*}}, %{{.*}} : tensor<3x!nvws.token>, i32
  nvws.consumer_release %0, %i : tensor<3x!nvws.token>, i32
  tt.return
}

// CHECK-LABEL: @loads
tt.func @loads(%d: !tt.tensordesc<64x64xf16, #shared>, %row: !tt.tensordesc<1x64xf16, #shared>, %x: i32, %r: tensor<64xi32>, %m: !buffer, %c: !ttg.memdesc<2xi64, #bar, #smem, mutable>) {
  // CHECK: nvws.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] 8192 %{{.*}} cacheModifier = cg : !tt.tensordesc<64x64xf16, #shared>, i32, i32, !ttg.memdesc
  nvws.descriptor_load %d[%x, %x] 8192 %m cacheModifier = cg : !tt.tensordesc<64x64xf16, #shared>, i32, i32, !buffer
  // CHECK: nvws.descriptor_gather %{{.*}}[%{{.*}}, %{{.*}}] 8192 %{{.*}} : !tt.tensordesc<1x64xf16, #shared>, tensor<64xi32>, i32, !ttg.memdesc
  nvws.descriptor_gather %row[%r, %x] 8192 %m : !tt.tensordesc<1x64xf16, #shared>, tensor<64xi32>, i32, !buffer
  // CHECK: nvws.clc_try_cancel %{{.*}} : !ttg.memdesc<2xi64
  nvws.clc_try_cancel %c : !ttg.memdesc<2xi64, #bar, #smem, mutable>
  tt.return
}

}
