// RUN: kernelscope opt --release=main %s | kernelscope opt --release=main | FileCheck %s
// RUN: kernelscope opt --release=3.6 %s 2>/dev/null | FileCheck %s --check-prefix=OLDER
// RUN: kernelscope opt --release=3.5 %s 2>/dev/null | FileCheck %s --check-prefix=OLDEST
// OLDER: nvg.warp_id
// OLDEST: nvgpu.warp_id

// CHECK-LABEL: @ops
tt.func @ops(%d: i64, %c: i1, %acc: !llvm.struct<(f32, f32)>, %p: !llvm.ptr<1>) {
  // CHECK: nvg.wgmma %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {eltTypeA = 4 : i32, eltTypeB = 4 : i32, eltTypeC = 7 : i32, k = 16 : i32, layoutA = 0 : i32, layoutB = 1 : i32, m = 64 : i32, n = 8 : i32} : (i64, i64, i1, !llvm.struct<(f32, f32)>) -> !llvm.struct<(f32, f32)>
  %0 = nvg.wgmma %d, %d, %c, %acc {eltTypeA = 4 : i32, eltTypeB = 4 : i32, eltTypeC = 7 : i32, k = 16 : i32, layoutA = 0 : i32, layoutB = 1 : i32, m = 64 : i32, n = 8 : i32} : (i64, i64, i1, !llvm.struct<(f32, f32)>) -> !llvm.struct<(f32, f32)>
  // CHECK: nvg.wgmma_wait_group %{{.*}} {pendings = 0 : i32} : !llvm.struct<(f32, f32)>
  %1 = nvg.wgmma_wait_group %0 {pendings = 0 : i32} : !llvm.struct<(f32, f32)>
  // CHECK: nvg.cluster_id
  %2 = nvg.cluster_id
  // Since 3.7 the op is of another dialect.
  // CHECK: ttg.warp_id
  %3 = nvg.warp_id
  // CHECK: nvg.warp_group_barrier_id
  %4 = nvg.warp_group_barrier_id
  // CHECK: nvg.ld_acquire acquire, gpu, %{{.*}}, %{{.*}} : (!llvm.ptr<1>) -> i32
  %5 = nvg.ld_acquire acquire, gpu, %p, %c : (!llvm.ptr<1>) -> i32
  // CHECK: nvg.tensor_memory_base
  %6 = nvg.tensor_memory_base
  tt.return
}
