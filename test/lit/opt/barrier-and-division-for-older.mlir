// What `tl.debug_barrier` and `/` become in 3.9 has another name in older releases.
// RUN: kernelscope opt --release=3.6 %s 2>&1 | FileCheck %s --implicit-check-not=warning
// RUN: kernelscope opt --release=3.5 %s 2>&1 | FileCheck %s --check-prefix=TO35 --implicit-check-not=warning
// RUN: kernelscope opt --release=3.8 %s | FileCheck %s --check-prefix=TO38
// RUN: kernelscope opt --release=3.9 %s | FileCheck %s --check-prefix=SAME
tt.func @f(%x: f32) -> f32 {
  // CHECK: gpu.barrier
  // TO38: ttg.barrier all
  // SAME: ttg.barrier all
  ttg.barrier all
  // CHECK: ttg.local_barrier
  // TO35-COUNT-2: gpu.barrier
  ttg.barrier local
  // CHECK: arith.divf %{{.*}}, %{{.*}} : f32
  // TO38: arith.divf %{{.*}}, %{{.*}} : f32
  // SAME: tt.approx_divf
  %0 = tt.approx_divf %x, %x : f32
  tt.return %0 : f32
}
