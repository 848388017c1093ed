// RDNA 4 and gfx1250 have halves of registers as operands, with the options of a kernel, too.
// RUN: kernelscope preview %s --emit amdgcn | FileCheck %s
// RUN: kernelscope preview %s --emit amdgcn --wgp-cu-mode cu | FileCheck %s
// RUN: kernelscope preview %s --emit amdgcn --arch gfx1250 | FileCheck %s
// CHECK-LABEL: half:
// CHECK: v_add_f16_e32 v{{[0-9]+}}.l, 1.0, v{{[0-9]+}}.l
// Masked loads, each in a branch, fill whole registers: the second of two halves would wait for the first.
// CHECK-LABEL: masked:
// CHECK-COUNT-2: global_load_u16
#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
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
  tt.func public @masked(%p: tensor<256x!tt.ptr<f16>, #blocked>, %mask: tensor<256xi1, #blocked>, %out: tensor<256x!tt.ptr<f16>, #blocked>) {
    %x = tt.load %p, %mask : tensor<256x!tt.ptr<f16>, #blocked>
    tt.store %out, %x : tensor<256x!tt.ptr<f16>, #blocked>
    tt.return
  }
}
