// RUN: kernelscope opt %s | kernelscope opt | FileCheck %s

// CHECK-LABEL: @buffer
tt.func @buffer(%p: !tt.ptr<f32>, %o: tensor<128xi32>, %m: tensor<128xi1>, %s: i32) {
  // CHECK: amdg.buffer_load %{{.*}}[%{{.*}}], %{{.*}} stride = %{{.*}} : tensor<128xf32>
  %0 = amdg.buffer_load %p[%o], %m stride = %s : tensor<128xf32>
  // CHECK: amdg.buffer_load %{{.*}}[%{{.*}}], %{{.*}}, %{{.*}} cacheModifier = ca {contiguity = 4 : i32} : tensor<128xf32>
  %1 = amdg.buffer_load %p[%o], %m, %0 cacheModifier = ca {contiguity = 4 : i32} : tensor<128xf32>
  // CHECK: amdg.buffer_store %{{.*}}, %{{.*}}[%{{.*}}], %{{.*}} : tensor<128xf32>
  amdg.buffer_store %0, %p[%o], %m : tensor<128xf32>
  // CHECK: amdg.buffer_atomic_rmw fadd, release, gpu, %{{.*}}, %{{.*}}[%{{.*}}], %{{.*}} : tensor<128xf32>
  %2 = amdg.buffer_atomic_rmw fadd, release, gpu, %0, %p[%o], %m : tensor<128xf32>
  // CHECK: amdg.buffer_atomic_cas acq_rel, gpu, %{{.*}}, %{{.*}}, %{{.*}}[%{{.*}}] : tensor<128xf32>
  %3 = amdg.buffer_atomic_cas acq_rel, gpu, %0, %1, %p[%o] : tensor<128xf32>
  tt.return
}

module attributes {"ttg.num-ctas" = 2 : i32} {
  // CHECK-LABEL: @lanes
  tt.func @lanes(%p: !llvm.ptr<1>, %c: i1, %v: vector<4xf32>, %i: i32) {
    // CHECK: amdg.masked_load %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} cacheModifier = cg forceNoAlias true : (!llvm.ptr<1>, i1, vector<4xf32>, i32) -> vector<4xf32>
    %0 = amdg.masked_load %p, %c, %v, %i cacheModifier = cg forceNoAlias true : (!llvm.ptr<1>, i1, vector<4xf32>, i32) -> vector<4xf32>
    // CHECK: amdg.masked_store %{{.*}}, %{{.*}}, %{{.*}} : !llvm.ptr<1>, vector<4xf32>, i1
    amdg.masked_store %p, %0, %c : !llvm.ptr<1>, vector<4xf32>, i1
    // CHECK: amdg.cond_barrier %{{.*}}
    amdg.cond_barrier %c
    // CHECK: amdg.memory_counter_wait load(3) ds(0)
    amdg.memory_counter_wait load(3) ds(0)
    // CHECK: amdg.cluster_barrier_arrive
    amdg.cluster_barrier_arrive
    // CHECK: amdg.cluster_barrier_wait
    amdg.cluster_barrier_wait
    tt.return
  }
}
