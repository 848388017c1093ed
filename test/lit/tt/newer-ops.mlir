// What Triton 3.9 has beyond main of August 2026.
// RUN: kernelscope opt %s | FileCheck %s

// CHECK-LABEL: @newer
tt.func @newer(%x: tensor<16xf32>, %p: tensor<16x!tt.ptr<f32>>, %m: tensor<16xi1>, %q: !tt.ptr<i32>) -> i32 {
  // CHECK: tt.approx_divf %{{.*}}, %{{.*}} : tensor<16xf32>
  %0 = tt.approx_divf %x, %x : tensor<16xf32>
  // CHECK: tt.atomic_load acquire, gpu, %{{.*}}, %{{.*}} : (tensor<16x!tt.ptr<f32>>, tensor<16xi1>) -> tensor<16xf32>
  %1 = tt.atomic_load acquire, gpu, %p, %m : (tensor<16x!tt.ptr<f32>>, tensor<16xi1>) -> tensor<16xf32>
  // CHECK: tt.atomic_load relaxed, cta, %{{.*}} : (!tt.ptr<i32>) -> i32
  %2 = tt.atomic_load relaxed, cta, %q : (!tt.ptr<i32>) -> i32
  // CHECK: tt.atomic_store release, gpu, %{{.*}}, %{{.*}}, %{{.*}} : tensor<16x!tt.ptr<f32>>
  tt.atomic_store release, gpu, %p, %1, %m : tensor<16x!tt.ptr<f32>>
  // CHECK: tt.atomic_store relaxed, sys, %{{.*}}, %{{.*}} : !tt.ptr<i32>
  tt.atomic_store relaxed, sys, %q, %2 : !tt.ptr<i32>
  // CHECK: ttg.inline_asm "mov $0, $2;" {constraints = "=r,=r,r", pure = true} %{{.*}} : (i32) -> (i32, i32)
  %3:2 = ttg.inline_asm "mov $0, $2;" {constraints = "=r,=r,r", pure = true} %2 : (i32) -> (i32, i32)
  // CHECK: ttg.inline_asm "nop;" {constraints = "", pure = false} : () -> ()
  ttg.inline_asm "nop;" {constraints = "", pure = false} : () -> ()
  tt.return %3#0 : i32
}

// CHECK-LABEL: @assembly_on_memory
tt.func @assembly_on_memory(%m: !ttg.memdesc<512xf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>, #ttg.shared_memory, mutable>) -> i32 {
  // CHECK: ttg.inline_asm "ld.shared.b32 $0, [$1];" {constraints = "=r,r", pure = false} %{{.*}} : (!ttg.memdesc<512xf32, {{.*}}>) -> i32
  %0 = ttg.inline_asm "ld.shared.b32 $0, [$1];" {constraints = "=r,r", pure = false} %m : (!ttg.memdesc<512xf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>, #ttg.shared_memory, mutable>) -> i32
  tt.return %0 : i32
}
