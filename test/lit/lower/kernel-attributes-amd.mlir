// The attributes of AMD's kernels are those that Triton 3.9 sets: arguments in SGPRs on each chip but gfx1250, and the
// waves that a function asks for.
// RUN: kernelscope opt --ttgir-to-llvm=arch=gfx950 %s | FileCheck %s --check-prefixes=CHECK,WAVE64,INREG
// RUN: sed 's/per-warp" = 64/per-warp" = 32/' %s | kernelscope opt --ttgir-to-llvm=arch=gfx1201 | FileCheck %s --check-prefixes=CHECK,WAVE32,INREG
// RUN: sed 's/per-warp" = 64/per-warp" = 32/' %s | kernelscope opt --ttgir-to-llvm=arch=gfx1250 | FileCheck %s --check-prefixes=CHECK,WAVE32,PLAIN

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  // INREG: llvm.func amdgpu_kernelcc @kernel(%{{.*}}: !llvm.ptr<1> {llvm.inreg}, %{{.*}}: i32 {llvm.inreg}, %{{.*}}: !llvm.ptr<1> {llvm.inreg}, %{{.*}}: !llvm.ptr<1> {llvm.inreg})
  // PLAIN: llvm.func amdgpu_kernelcc @kernel(%{{[^{]*}}) attributes
  // WAVE64-SAME: ["amdgpu-flat-work-group-size", "1,256"]
  // WAVE32-SAME: ["amdgpu-flat-work-group-size", "1,128"]
  // CHECK-SAME: ["uniform-work-group-size", "true"], ["denormal-fp-math-f32", "ieee"], ["amdgpu-waves-per-eu", "2"]
  // CHECK-SAME: ["amdgpu-cluster-dims", "1,1,1"]
  tt.func public @kernel(%p: !tt.ptr<f32>, %n: i32) attributes {rocdl.waves_per_eu = 2 : i32} {
    tt.return
  }
}
