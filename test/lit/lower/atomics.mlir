// Atomics: one thread acts for each element, under its mask; the others get
// the old value through shared memory if they need it.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_90a | FileCheck %s --check-prefixes=CHECK,NV
// RUN: sed 's/threadsPerWarp = \[32\]/threadsPerWarp = [64]/; s/threads-per-warp" = 32/threads-per-warp" = 64/' %s | kernelscope opt - --ttgir-to-llvm=arch=gfx942 | FileCheck %s --check-prefixes=CHECK,AMD

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @add
  // CHECK: llvm.cond_br %{{.*}}, ^[[ACT:.*]], ^[[ON:.*]](%{{.*}} : i32)
  // CHECK: ^[[ACT]]:
  // NV: %[[OLD:.*]] = llvm.atomicrmw add %{{.*}}, %{{.*}} syncscope("device") acq_rel
  // AMD: %[[OLD:.*]] = llvm.atomicrmw add %{{.*}}, %{{.*}} syncscope("agent") acq_rel
  // CHECK: llvm.br ^[[ON]](%[[OLD]] : i32)
  // CHECK: llvm.return
  tt.func public @add(%a: !tt.ptr<i32>, %n: i32) {
    %r = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #blocked>
    %bound = tt.splat %n : i32 -> tensor<256xi32, #blocked>
    %mask = arith.cmpi slt, %r, %bound : tensor<256xi32, #blocked>
    %s = tt.splat %a : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #blocked>
    %p = tt.addptr %s, %r : tensor<256x!tt.ptr<i32>, #blocked>, tensor<256xi32, #blocked>
    %old = tt.atomic_rmw add, acq_rel, gpu, %p, %r, %mask : (tensor<256x!tt.ptr<i32>, #blocked>, tensor<256xi32, #blocked>, tensor<256xi1, #blocked>) -> tensor<256xi32, #blocked>
    tt.store %p, %old, %mask : tensor<256x!tt.ptr<i32>, #blocked>
    tt.return
  }

  // A scalar: one thread acts, all get what it found.
  // CHECK-LABEL: @lock
  // NV: llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} syncscope("block") acquire monotonic
  // AMD: llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} syncscope("workgroup") acquire monotonic
  // CHECK: llvm.mlir.addressof @global_smem
  // CHECK: llvm.return
  tt.func public @lock(%a: !tt.ptr<i32>, %b: !tt.ptr<i32>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %old = tt.atomic_cas acquire, cta, %a, %zero, %one : (!tt.ptr<i32>, i32, i32) -> i32
    tt.store %b, %old : !tt.ptr<i32>
    tt.return
  }

  // Of a result that nobody uses nothing is shared.
  // CHECK-LABEL: @count
  // CHECK: llvm.atomicrmw fadd %{{.*}}, %{{.*}} monotonic {{.*}} f32
  // CHECK-NOT: addressof
  // CHECK: llvm.return
  tt.func public @count(%a: !tt.ptr<f32>) {
    %one = arith.constant 1.0 : f32
    %old = tt.atomic_rmw fadd, relaxed, sys, %a, %one : (!tt.ptr<f32>, f32) -> f32
    tt.return
  }
}
