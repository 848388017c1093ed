// Atomics: one thread acts for each element, under its mask; the others get the old value through shared memory if
// they need it. An instruction of PTX takes the mask, and from Hopper on several neighbours.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_90a | FileCheck %s --check-prefixes=CHECK,NV
// RUN: sed 's/threadsPerWarp = \[32\]/threadsPerWarp = [64]/; s/threads-per-warp" = 32/threads-per-warp" = 64/' %s | kernelscope opt - --ttgir-to-llvm=arch=gfx942 | FileCheck %s --check-prefixes=CHECK,AMD

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#four = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @add
  // NV-COUNT-2: mov.b32 $0, 0x0;{{.*}}@$3 atom.global.gpu.acq_rel.add.u32 $0, [$2], $1;
  // AMD: llvm.cond_br %{{.*}}, ^[[ACT:.*]], ^[[ON:.*]](%{{.*}} : i32)
  // AMD: ^[[ACT]]:
  // AMD: %[[OLD:.*]] = llvm.atomicrmw add %{{.*}}, %{{.*}} syncscope("agent") acq_rel
  // AMD: llvm.br ^[[ON]](%[[OLD]] : i32)
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

  // An unused result is not shared between lanes.
  // CHECK-LABEL: @count
  // NV: @$3 atom.global.sys.relaxed.add.f32 $0, [$2], $1;
  // AMD: llvm.atomicrmw fadd %{{.*}}, %{{.*}} monotonic {{.*}} f32
  // CHECK-NOT: addressof
  // CHECK: llvm.return
  tt.func public @count(%a: !tt.ptr<f32>) {
    %one = arith.constant 1.0 : f32
    %old = tt.atomic_rmw fadd, relaxed, sys, %a, %one : (!tt.ptr<f32>, f32) -> f32
    tt.return
  }

  // Four neighbours, whose mask is one.
  // CHECK-LABEL: @neighbours
  // NV: @$9 atom.global.gpu.relaxed.add.v4.f32 {$0, $1, $2, $3}, [$8], {$4, $5, $6, $7};
  // NV-NOT: atom.global
  // AMD-COUNT-4: llvm.atomicrmw fadd
  // CHECK: llvm.return
  tt.func public @neighbours(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32},
                             %x: tensor<512xf32, #four>) {
    %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #four>
    %bound = tt.splat %n : i32 -> tensor<512xi32, #four>
    %mask = arith.cmpi slt, %r, %bound : tensor<512xi32, #four>
    %s = tt.splat %a : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #four>
    %p = tt.addptr %s, %r : tensor<512x!tt.ptr<f32>, #four>, tensor<512xi32, #four>
    %old = tt.atomic_rmw fadd, relaxed, gpu, %p, %x, %mask : (tensor<512x!tt.ptr<f32>, #four>, tensor<512xf32, #four>, tensor<512xi1, #four>) -> tensor<512xf32, #four>
    tt.return
  }

  // Loads and stores are done by one thread, too.
  // CHECK-LABEL: @flags
  // NV: llvm.load %{{.*}} atomic syncscope("device") acquire {alignment = 4 : i64}
  // AMD: llvm.load %{{.*}} atomic syncscope("agent") acquire {alignment = 4 : i64}
  // CHECK: llvm.store %{{.*}}, %{{.*}} atomic release {alignment = 4 : i64}
  // CHECK: llvm.return
  tt.func public @flags(%a: !tt.ptr<i32>, %b: !tt.ptr<i32>) {
    %found = tt.atomic_load acquire, gpu, %a : (!tt.ptr<i32>) -> i32
    tt.atomic_store release, sys, %b, %found : !tt.ptr<i32>
    tt.return
  }

  // A loop that leaves when the value or the time is there.
  // CHECK-LABEL: @wait
  // NV: llvm.nvvm.read.ptx.sreg.globaltimer
  // AMD: llvm.readsteadycounter
  // CHECK: llvm.br ^[[LOOP:bb[0-9]+]]
  // CHECK: ^[[LOOP]]:
  // CHECK: llvm.load %{{.*}} atomic {{.*}} monotonic
  // CHECK: llvm.cond_br %{{.*}}, ^{{.*}}(%{{.*}} : i1), ^[[LOOP]]
  // CHECK: llvm.fence {{.*}}acquire
  // CHECK: llvm.return
  tt.func public @wait(%a: !tt.ptr<i32>, %time: i64) -> i1 {
    %one = arith.constant 1 : i32
    %found = tt.atomic_poll acquire, gpu, %a, %one timeout %time : !tt.ptr<i32>, i32 -> i1
    tt.return %found : i1
  }

  // Caches are written back and invalidated once for all elements of a thread.
  // CHECK-LABEL: @several
  // AMD: llvm.fence syncscope("agent") release
  // AMD-COUNT-4: llvm.atomicrmw add %{{.*}} syncscope("agent") monotonic
  // AMD: llvm.fence syncscope("agent") acquire
  // CHECK: llvm.return
  tt.func public @several(%p: tensor<1024x!tt.ptr<i32>, #four>, %v: tensor<1024xi32, #four>) {
    %old = tt.atomic_rmw add, acq_rel, gpu, %p, %v : (tensor<1024x!tt.ptr<i32>, #four>, tensor<1024xi32, #four>) -> tensor<1024xi32, #four>
    tt.return
  }
}
