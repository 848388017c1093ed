// Kernels, calls, and where a program is in its grid.
// RUN: kernelscope opt --ttgir-to-llvm=arch=sm_90a %s | FileCheck %s --check-prefixes=CHECK,NV
// RUN: kernelscope opt --ttgir-to-llvm=arch=gfx1100 %s | FileCheck %s --check-prefixes=CHECK,AMD

// CHECK: llvm.mlir.global external @global_smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
module attributes {"ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // A kernel takes two pointers more: global and profiler scratch.
  // NV: llvm.func ptx_kernelcc @kernel(%{{.*}}: i32, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>)
  // NV-SAME: ["nvvm.reqntid", "256"]
  // AMD: llvm.func amdgpu_kernelcc @kernel(%{{.*}}: i32 {llvm.inreg}, %{{.*}}: !llvm.ptr<1> {llvm.inreg}, %{{.*}}: !llvm.ptr<1> {llvm.inreg})
  // AMD-SAME: ["amdgpu-flat-work-group-size", "1,256"]
  tt.func public @kernel(%n: i32) {
    // NV: "llvm.nvvm.read.ptx.sreg.ctaid.z"
    // AMD: "llvm.amdgcn.workgroup.id.z"
    %id = tt.get_program_id z : i32
    // NV: "llvm.nvvm.read.ptx.sreg.nctaid.x"
    // AMD: "llvm.amdgcn.implicitarg.ptr"
    // AMD: llvm.load
    %programs = tt.get_num_programs x : i32
    // CHECK: llvm.call @both(%{{.*}}, %{{.*}}) : (i32, i32) -> !llvm.struct<(i32, i32)>
    // CHECK: llvm.extractvalue %{{.*}}[0]
    %both:2 = tt.call @both(%id, %programs) : (i32, i32) -> (i32, i32)
    tt.return
  }

  // CHECK: llvm.func internal @both(%{{.*}}: i32, %{{.*}}: i32) -> !llvm.struct<(i32, i32)>
  // CHECK-SAME: no_inline
  tt.func private @both(%x: i32, %y: i32) -> (i32, i32) attributes {noinline = true} {
    tt.return %x, %y : i32, i32
  }
}
