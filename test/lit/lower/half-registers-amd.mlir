// RDNA 4 and gfx1250 have halves of registers as operands, with the options of a kernel, too.
// RUN: kernelscope preview %s --emit amdgcn | FileCheck %s
// RUN: kernelscope preview %s --emit amdgcn --wgp-cu-mode cu | FileCheck %s
// RUN: kernelscope preview %s --emit amdgcn --arch gfx1250 | FileCheck %s
// CHECK: v_add_f16_e32 v{{[0-9]+}}.l, 1.0, v{{[0-9]+}}.l
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1201", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @half(%p: !tt.ptr<f16>) {
    %one = arith.constant 1.0 : f16
    %i = rocdl.workitem.id.x : i32
    %place = tt.addptr %p, %i : !tt.ptr<f16>, i32
    %x = tt.load %place : !tt.ptr<f16>
    %y = arith.addf %x, %one : f16
    tt.store %place, %y : !tt.ptr<f16>
    tt.return
  }
}
