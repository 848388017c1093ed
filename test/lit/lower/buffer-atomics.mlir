// Atomics on buffers have no branch: where the mask is false the offset is beyond the buffer. They are relaxed, between fences for all.
// RUN: kernelscope opt %s --ttgir-to-llvm | FileCheck %s
// RUN: kernelscope run %s --kernel add --device sim --compare | FileCheck %s --check-prefix=SIM
// RUN: kernelscope run %s --kernel swap --device sim --compare | FileCheck %s --check-prefix=SIM
// SIM: differs from the CPU executor by at most 0.000e+00

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  // CHECK-LABEL: @add
  // CHECK-NOT: llvm.cond_br
  // CHECK: llvm.fence syncscope("agent") release
  // CHECK: llvm.select
  // CHECK: "llvm.amdgcn.raw.ptr.buffer.atomic.fadd.f32"
  // CHECK: "llvm.amdgcn.raw.ptr.buffer.atomic.fadd.f32"
  // CHECK-NOT: llvm.fence
  // CHECK: llvm.return
  tt.func public @add(%p: !tt.ptr<f32>, %n: i32) {
    %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    %bound = tt.splat %n : i32 -> tensor<512xi32, #blocked>
    %mask = arith.cmpi slt, %r, %bound : tensor<512xi32, #blocked>
    %v = arith.sitofp %r : tensor<512xi32, #blocked> to tensor<512xf32, #blocked>
    %old = amdg.buffer_atomic_rmw fadd, release, gpu, %v, %p[%r], %mask : tensor<512xf32, #blocked>
    tt.return
  }

  // CHECK-LABEL: @swap
  // CHECK: llvm.fence syncscope("agent") release
  // CHECK-COUNT-2: "llvm.amdgcn.raw.ptr.buffer.atomic.cmpswap.i32"
  // CHECK: llvm.fence syncscope("agent") acquire
  tt.func public @swap(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
    %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    %x = amdg.buffer_load %p[%r] : tensor<512xi32, #blocked>
    %old = amdg.buffer_atomic_cas acq_rel, gpu, %x, %r, %p[%r] : tensor<512xi32, #blocked>
    amdg.buffer_store %old, %q[%r] : tensor<512xi32, #blocked>
    tt.return
  }

  // Threads of other devices need more than a buffer's atomics have.
  // CHECK-LABEL: @others
  // CHECK: llvm.atomicrmw _xor
  // CHECK-NOT: buffer.atomic
  // CHECK: llvm.return
  tt.func public @others(%p: !tt.ptr<i32>) {
    %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    %old = amdg.buffer_atomic_rmw xor, relaxed, sys, %r, %p[%r] : tensor<512xi32, #blocked>
    tt.return
  }
}
