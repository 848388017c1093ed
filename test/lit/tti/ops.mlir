// RUN: kernelscope opt %s | kernelscope opt | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @consan
  tt.func @consan(%c: i1, %m: !ttg.memdesc<128xi32, #shared, #smem, mutable>, %i: tensor<128xi32, #blocked>, %n: i32, %l: !tt.ptr<i32>) {
    // CHECK: tti.experimental_assert_uniform %{{.*}}, "no race"
    tti.experimental_assert_uniform %c, "no race"
    // CHECK: tti.experimental_buffer_descriptors [0, 512], [512, 512], shared_mem : tensor<2xi64, #blocked>
    %0 = tti.experimental_buffer_descriptors [0, 512], [512, 512], shared_mem : tensor<2xi64, #blocked>
    // CHECK: tti.experimental_memdesc_to_i32 %{{.*}} : <128xi32, #shared, #smem, mutable>
    %1 = tti.experimental_memdesc_to_i32 %m : !ttg.memdesc<128xi32, #shared, #smem, mutable>
    // CHECK: tti.experimental_memory_offset_to_i32 16, tensor_mem
    %2 = tti.experimental_memory_offset_to_i32 16, tensor_mem
    // CHECK: tti.experimental_cluster_cta_id : i32
    %3 = tti.experimental_cluster_cta_id : i32
    // CHECK: tti.experimental_local_gather %{{.*}}[%{{.*}}] offsets = [%{{.*}}] {axis = 0 : i32} : !ttg.memdesc<128xi32, #shared, #smem, mutable>, tensor<128xi32, #blocked> -> tensor<128xi32, #blocked>
    %4 = tti.experimental_local_gather %m[%i] offsets = [%n] {axis = 0 : i32} : !ttg.memdesc<128xi32, #shared, #smem, mutable>, tensor<128xi32, #blocked> -> tensor<128xi32, #blocked>
    // CHECK: tti.experimental_lock_acquire %{{.*}}, %{{.*}} : !tt.ptr<i32>
    tti.experimental_lock_acquire %l, %c : !tt.ptr<i32>
    // CHECK: tti.experimental_lock_release %{{.*}} : !tt.ptr<i32>
    tti.experimental_lock_release %l : !tt.ptr<i32>
    tt.return
  }

  // CHECK-LABEL: @fpsan
  tt.func @fpsan(%f: tensor<128xf32, #blocked>, %a: tensor<64x32xi8, #a>, %b: tensor<32x64xi8, #b>, %c: tensor<64x64xi32, #mma>) {
    // CHECK: tti.experimental_fpsan_embed %{{.*}} : (tensor<128xf32, #blocked>) -> tensor<128xi32, #blocked>
    %0 = tti.experimental_fpsan_embed %f : (tensor<128xf32, #blocked>) -> tensor<128xi32, #blocked>
    // CHECK: tti.experimental_fpsan_unembed %{{.*}} : (tensor<128xi32, #blocked>) -> tensor<128xf32, #blocked>
    %1 = tti.experimental_fpsan_unembed %0 : (tensor<128xi32, #blocked>) -> tensor<128xf32, #blocked>
    // CHECK: tti.dot_i8 %{{.*}}, %{{.*}}, %{{.*}}, aSigned = true, bSigned = false : tensor<64x32xi8, #{{.*}}> * tensor<32x64xi8, #{{.*}}> -> tensor<64x64xi32, #mma>
    %2 = tti.dot_i8 %a, %b, %c, aSigned = true, bSigned = false : tensor<64x32xi8, #a> * tensor<32x64xi8, #b> -> tensor<64x64xi32, #mma>
    tt.return
  }

  // CHECK-LABEL: @gsan
  tt.func @gsan(%p: !tt.ptr<i8>, %m: !ttg.memdesc<1xi64, #shared, #smem, mutable>, %c: i1, %i: i32, %d: !tt.tensordesc<8x64xf16>, %x: tensor<128xi32, #blocked>, %q: tensor<128x!tt.ptr<i32>, #blocked>, %k: tensor<128xi1, #blocked>, %s: !tt.ptr<i32>) {
    // CHECK: tti.experimental_gsan_init true
    tti.experimental_gsan_init true
    // CHECK: tti.experimental_gsan_init{{$}}
    tti.experimental_gsan_init
    // CHECK: tti.experimental_gsan_grid_dependency_wait
    tti.experimental_gsan_grid_dependency_wait
    // CHECK: tti.experimental_gsan_cluster_barrier_init %{{.*}} : <i8>
    tti.experimental_gsan_cluster_barrier_init %p : !tt.ptr<i8>
    // CHECK: tti.experimental_gsan_cluster_barrier_sync %{{.*}} : <i8>
    tti.experimental_gsan_cluster_barrier_sync %p : !tt.ptr<i8>
    // CHECK: tti.experimental_gsan_mbarrier_table_init %{{.*}}, 8 : <i8>
    tti.experimental_gsan_mbarrier_table_init %p, 8 : !tt.ptr<i8>
    // CHECK: tti.experimental_gsan_mbarrier_init %{{.*}}, %{{.*}}, 1 : <i8>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    tti.experimental_gsan_mbarrier_init %p, %m, 1 : !tt.ptr<i8>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: tti.experimental_gsan_mbarrier_arrive %{{.*}}, %{{.*}}, %{{.*}}, 1 {multicast = false, multicastMasks = array<i32>, sourceBroadcastMask = 0 : i32} : <i8>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    tti.experimental_gsan_mbarrier_arrive %p, %m, %c, 1 {multicast = false, multicastMasks = array<i32>, sourceBroadcastMask = 0 : i32} : !tt.ptr<i8>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: tti.experimental_gsan_mbarrier_wait %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : <i8>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    tti.experimental_gsan_mbarrier_wait %p, %m, %i, %c : !tt.ptr<i8>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: tti.experimental_gsan_tensordesc_access %{{.*}}[%{{.*}}, %{{.*}}], false, %{{.*}} : !tt.tensordesc<8x64xf16>
    tti.experimental_gsan_tensordesc_access %d[%i, %i], false, %c : !tt.tensordesc<8x64xf16>
    // CHECK: tti.experimental_gsan_indexed_tensordesc_access %{{.*}}[%{{.*}}, %{{.*}}], true : !tt.tensordesc<8x64xf16>, tensor<128xi32, #blocked>
    tti.experimental_gsan_indexed_tensordesc_access %d[%x, %i], true : !tt.tensordesc<8x64xf16>, tensor<128xi32, #blocked>
    // CHECK: tti.experimental_gsan_atomic_tensordesc_access %{{.*}}[%{{.*}}, %{{.*}}], relaxed, gpu : !tt.tensordesc<8x64xf16>
    tti.experimental_gsan_atomic_tensordesc_access %d[%i, %i], relaxed, gpu : !tt.tensordesc<8x64xf16>
    // CHECK: tti.experimental_gsan_tensor_access %{{.*}}, false, %{{.*}} : tensor<128x!tt.ptr<i32>, #blocked>
    tti.experimental_gsan_tensor_access %q, false, %k : tensor<128x!tt.ptr<i32>, #blocked>
    // CHECK: tti.experimental_gsan_atomic_poll acquire, gpu, %{{.*}}, %{{.*}} : !tt.ptr<i32>
    tti.experimental_gsan_atomic_poll acquire, gpu, %s, %c : !tt.ptr<i32>
    // CHECK: tti.experimental_gsan_atomic_poll relaxed, sys, %{{.*}}, %{{.*}} : tensor<128x!tt.ptr<i32>, #blocked>
    tti.experimental_gsan_atomic_poll relaxed, sys, %q, %k : tensor<128x!tt.ptr<i32>, #blocked>
    // CHECK: tti.experimental_gsan_atomic_load acquire, gpu, %{{.*}}, %{{.*}} : (tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi32, #blocked>
    %2 = tti.experimental_gsan_atomic_load acquire, gpu, %q, %k : (tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi32, #blocked>
    // CHECK: tti.experimental_gsan_atomic_store release, gpu, %{{.*}}, %{{.*}}, %{{.*}} : tensor<128x!tt.ptr<i32>, #blocked>
    tti.experimental_gsan_atomic_store release, gpu, %q, %x, %k : tensor<128x!tt.ptr<i32>, #blocked>
    // CHECK: tti.experimental_gsan_atomic_store relaxed, cta, %{{.*}}, %{{.*}} : tensor<128x!tt.ptr<i32>, #blocked>
    tti.experimental_gsan_atomic_store relaxed, cta, %q, %x : tensor<128x!tt.ptr<i32>, #blocked>
    // CHECK: tti.experimental_gsan_atomic_rmw add, relaxed, gpu, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi32, #blocked>
    %0 = tti.experimental_gsan_atomic_rmw add, relaxed, gpu, %q, %x, %k : (tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi32, #blocked>
    // CHECK: tti.experimental_gsan_atomic_cas relaxed, gpu, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>, tensor<128xi32, #blocked>) -> tensor<128xi32, #blocked>
    %1 = tti.experimental_gsan_atomic_cas relaxed, gpu, %q, %x, %0 : (tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>, tensor<128xi32, #blocked>) -> tensor<128xi32, #blocked>
    // CHECK: tti.experimental_gsan_kernel_exit
    tti.experimental_gsan_kernel_exit
    tt.return
  }
}
