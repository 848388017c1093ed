// Every op of ttg reads, and prints the same.
// RUN: kernelscope opt --release=main %s | FileCheck %s
// RUN: kernelscope opt --release=main %s | kernelscope opt --release=main | FileCheck %s
// RUN: kernelscope opt --release=main --mlir-print-op-generic %s | kernelscope opt --release=main | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}>
#nibbles = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#transposed = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#plain1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!ring = !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
!words = !ttg.memdesc<64x64xi32, #plain, #smem, mutable>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {

// CHECK-LABEL: @layouts
tt.func @layouts(%a: tensor<64x64xf16, #blocked>, %packed: tensor<64x32xi8, #nibbles>) {
  // CHECK: ttg.convert_layout %{{.*}} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #linear>
  %0 = ttg.convert_layout %a : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #linear>
  // CHECK: ttg.convert_layout %{{.*}} {force_warp_shuffle} : tensor<64x64xf16, #linear> -> tensor<64x64xf16, #blocked>
  %1 = ttg.convert_layout %0 {force_warp_shuffle} : tensor<64x64xf16, #linear> -> tensor<64x64xf16, #blocked>
  // CHECK: ttg.fp4_to_fp %{{.*}} {axis = 1 : i32} : tensor<64x32xi8, #{{.*}}> -> tensor<64x64xf16, #blocked>
  %2 = ttg.fp4_to_fp %packed {axis = 1 : i32} : tensor<64x32xi8, #nibbles> -> tensor<64x64xf16, #blocked>
  tt.return
}

// CHECK-LABEL: @copies
tt.func @copies(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %m: tensor<64x64xi1, #blocked>, %o: tensor<64x64xf16, #blocked>, %buffer: !buffer) {
  // CHECK: ttg.async_copy_global_to_local %{{.*}}, %{{.*}} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
  %0 = ttg.async_copy_global_to_local %p, %buffer : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
  // CHECK: ttg.async_copy_global_to_local %{{.*}}, %{{.*}} mask %{{.*}} other %{{.*}} cacheModifier = cg evictionPolicy = evict_first {contiguity = 8 : i32} : tensor
  %1 = ttg.async_copy_global_to_local %p, %buffer mask %m other %o cacheModifier = cg evictionPolicy = evict_first {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
  // CHECK: ttg.async_commit_group tokens %{{.*}}, %{{.*}}
  %2 = ttg.async_commit_group tokens %0, %1
  // CHECK: ttg.async_commit_group{{$}}
  %3 = ttg.async_commit_group
  // CHECK: ttg.async_wait %{{.*}} {num = 1 : i32}
  %4 = ttg.async_wait %2 {num = 1 : i32}
  // CHECK: ttg.async_wait {num = 0 : i32}
  %5 = ttg.async_wait {num = 0 : i32}
  tt.return
}

// CHECK-LABEL: @shared_memory
tt.func @shared_memory(%a: tensor<64x64xf16, #blocked>) {
  // CHECK: ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %0 = ttg.local_alloc : () -> !buffer
  // CHECK: ttg.local_alloc %{{.*}} {alignment = 32 : i32} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
  %1 = ttg.local_alloc %a {alignment = 32 : i32} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
  %t = ttg.async_wait {num = 0 : i32}
  // CHECK: ttg.local_load %{{.*}} token %{{.*}} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
  %2 = ttg.local_load %0 token %t : !buffer -> tensor<64x64xf16, #blocked>
  // CHECK: ttg.local_store %{{.*}}, %{{.*}} : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  ttg.local_store %2, %0 : tensor<64x64xf16, #blocked> -> !buffer
  // CHECK: ttg.local_dealloc %{{.*}} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  ttg.local_dealloc %0 : !buffer
  tt.return
}

// CHECK-LABEL: @indexed
tt.func @indexed(%i: tensor<64x64xi32, #blocked>, %v: tensor<64x64xi32, #blocked>, %m: tensor<64x64xi1, #blocked>, %words: !words) {
  // CHECK: ttg.local_gather %{{.*}}[%{{.*}}] {axis = 1 : i32} : !ttg.memdesc<64x64xi32, #{{.*}}, #smem, mutable>, tensor<64x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
  %0 = ttg.local_gather %words[%i] {axis = 1 : i32} : !words, tensor<64x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
  // CHECK: ttg.local_scatter %{{.*}}[%{{.*}}], %{{.*}} {axis = 0 : i32} : !ttg.memdesc<64x64xi32, #{{.*}}, #smem, mutable>, tensor<64x64xi32, #blocked>, tensor<64x64xi32, #blocked>
  ttg.local_scatter %words[%i], %v {axis = 0 : i32} : !words, tensor<64x64xi32, #blocked>, tensor<64x64xi32, #blocked>
  // CHECK: ttg.local_atomic_scatter_rmw add, %{{.*}}[%{{.*}}], %{{.*}}, %{{.*}} {axis = 0 : i32} : (!ttg.memdesc<64x64xi32, #{{.*}}, #smem, mutable>, tensor<64x64xi32, #blocked>, tensor<64x64xi32, #blocked>, tensor<64x64xi1, #blocked>) -> tensor<64x64xi32, #blocked>
  %1 = ttg.local_atomic_scatter_rmw add, %words[%i], %v, %m {axis = 0 : i32} : (!words, tensor<64x64xi32, #blocked>, tensor<64x64xi32, #blocked>, tensor<64x64xi1, #blocked>) -> tensor<64x64xi32, #blocked>
  tt.return
}

// CHECK-LABEL: @views
tt.func @views(%ring: !ring, %i: i32, %words: !words) {
  // CHECK: ttg.memdesc_index %{{.*}}[%{{.*}}] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  %0 = ttg.memdesc_index %ring[%i] : !ring -> !buffer
  // CHECK: ttg.memdesc_subslice %{{.*}}[32, 0] : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable, 64x64>
  %1 = ttg.memdesc_subslice %0[32, 0] : !buffer -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable, 64x64>
  // CHECK: ttg.memdesc_trans %{{.*}} {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #{{.*}}, #smem, mutable>
  %2 = ttg.memdesc_trans %0 {order = array<i32: 1, 0>} : !buffer -> !ttg.memdesc<64x64xf16, #transposed, #smem, mutable>
  // CHECK: ttg.memdesc_reshape %{{.*}} : !ttg.memdesc<64x64xi32, #{{.*}}, #smem, mutable> -> !ttg.memdesc<4096xi32, #{{.*}}, #smem, mutable>
  %3 = ttg.memdesc_reshape %words : !words -> !ttg.memdesc<4096xi32, #plain1, #smem, mutable>
  // CHECK: ttg.memdesc_reinterpret %{{.*}} : !ttg.memdesc<64x64xi32, #{{.*}}, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
  %4 = ttg.memdesc_reinterpret %words : !words -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
  tt.return
}

// CHECK-LABEL: @pipelining
tt.func @pipelining(%i: i32, %n: i32, %step: i32) {
  // CHECK: ttg.predicate_stage %{{.*}}, %{{.*}}, %{{.*}} maxStage 2 stage 1 : i32 -> i1
  %0 = ttg.predicate_stage %i, %n, %step maxStage 2 stage 1 : i32 -> i1
  // CHECK: "ttg.mask"(%{{.*}}) ({
  %1 = "ttg.mask"(%0) ({
    // CHECK: ttg.mask.return %{{.*}} : i32
    ttg.mask.return %i : i32
  }) : (i1) -> i32
  tt.return
}

// CHECK-LABEL: @scratch_ids_barriers
tt.func @scratch_ids_barriers() {
  // CHECK: ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 384 : i32} : !tt.ptr<i8>
  %0 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 384 : i32} : !tt.ptr<i8>
  // CHECK: ttg.global_scratch_alloc {alignment = 16 : i32, nbytes = 64 : i32, shared_cluster_state, third_party_allocation} : !tt.ptr<i8>
  %1 = ttg.global_scratch_alloc {alignment = 16 : i32, nbytes = 64 : i32, shared_cluster_state, third_party_allocation} : !tt.ptr<i8>
  // CHECK: ttg.warp_id{{$}}
  %2 = ttg.warp_id
  // CHECK: ttg.warp_id {omitUniformHint}
  %3 = ttg.warp_id {omitUniformHint}
  // CHECK: ttg.barrier local{{$}}
  ttg.barrier local
  // CHECK: ttg.barrier local|global_read|global_write
  ttg.barrier local|global_read|global_write
  // CHECK: ttg.barrier all
  ttg.barrier all
  // CHECK: ttg.barrier none
  ttg.barrier none
  tt.return
}

// CHECK-LABEL: @partitions
tt.func @partitions(%buffer: !buffer, %x: i32) -> i32 {
  // CHECK: %[[R:.*]] = ttg.warp_specialize(%{{.*}}, %{{.*}}) attributes {requestedRegisters = array<i32: 24, 168>, warpGroupStartIds = array<i32: 4, 8>}
  // CHECK-NEXT: default {
  %r = ttg.warp_specialize(%buffer, %x) attributes {requestedRegisters = array<i32: 24, 168>, warpGroupStartIds = array<i32: 4, 8>}
  default {
    // CHECK: ttg.warp_yield %{{.*}} : i32
    ttg.warp_yield %x : i32
  }
  // CHECK: partition0(%[[A:.*]]: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %[[B:.*]]: i32) num_warps(4) {
  partition0(%a: !buffer, %b: i32) num_warps(4) {
    // CHECK: ttg.local_load %[[A]]
    %0 = ttg.local_load %a : !buffer -> tensor<64x64xf16, #blocked>
    // CHECK: ttg.warp_return
    ttg.warp_return
  }
  // CHECK: partition1(%{{.*}}: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %{{.*}}: i32) num_warps(1) {
  partition1(%a: !buffer, %b: i32) num_warps(1) {
    ttg.warp_return
  // CHECK: } : (!ttg.memdesc<64x64xf16, #shared, #smem, mutable>, i32) -> i32
  } : (!buffer, i32) -> i32
  // CHECK: tt.return %[[R]]
  tt.return %r : i32
}

}
