// One thread performs an atomic for its CTA: a release comes after a barrier, since it publishes the accesses of all
// threads, and an acquire before one.
// RUN: kernelscope opt --insert-barriers %s | FileCheck %s
// RUN: kernelscope preview --arch sm_90a --kernel release %s | FileCheck %s --check-prefix=PTX
// RUN: kernelscope preview --arch gfx1201 --kernel both %s | FileCheck %s --check-prefix=AMD

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @release
  // CHECK: tt.store
  // CHECK-NEXT: ttg.barrier local|global_write
  // CHECK-NEXT: tt.atomic_rmw
  // CHECK-NEXT: tt.return
  // PTX: st.global
  // PTX: bar.sync
  // PTX: {{(red|atom)}}.global.gpu.release.add.u32
  tt.func public @release(%data: tensor<128x!tt.ptr<i32>, #line>, %x: tensor<128xi32, #line>, %flag: !tt.ptr<i32>, %one: i32) {
    tt.store %data, %x : tensor<128x!tt.ptr<i32>, #line>
    %old = tt.atomic_rmw add, release, gpu, %flag, %one : (!tt.ptr<i32>, i32) -> i32
    tt.return
  }

  // Nothing comes before the acquire.
  // CHECK-LABEL: @acquire
  // CHECK-NEXT: tt.atomic_rmw
  // CHECK-NEXT: ttg.barrier local|global_read
  // CHECK-NEXT: tt.load
  tt.func public @acquire(%data: tensor<128x!tt.ptr<i32>, #line>, %x: tensor<128xi32, #line>, %to: tensor<128x!tt.ptr<i32>, #line>) {
    %old = tt.atomic_rmw add, acquire, gpu, %data, %x : (tensor<128x!tt.ptr<i32>, #line>, tensor<128xi32, #line>) -> tensor<128xi32, #line>
    %y = tt.load %data : tensor<128x!tt.ptr<i32>, #line>
    tt.store %to, %y : tensor<128x!tt.ptr<i32>, #line>
    tt.return
  }

  // One barrier is enough for neighbours, whatever is computed in between.
  // CHECK-LABEL: @neighbours
  // CHECK: tt.store
  // CHECK-NEXT: ttg.barrier local|global_write
  // CHECK-NEXT: tt.atomic_rmw
  // CHECK-NEXT: ttg.barrier local|global_read
  // CHECK-NEXT: arith.addi
  // CHECK-NEXT: tt.atomic_rmw
  // CHECK-NEXT: tt.return
  tt.func public @neighbours(%data: tensor<128x!tt.ptr<i32>, #line>, %x: tensor<128xi32, #line>) {
    tt.store %data, %x : tensor<128x!tt.ptr<i32>, #line>
    %old = tt.atomic_rmw add, acq_rel, gpu, %data, %x : (tensor<128x!tt.ptr<i32>, #line>, tensor<128xi32, #line>) -> tensor<128xi32, #line>
    %y = arith.addi %x, %x : tensor<128xi32, #line>
    %older = tt.atomic_rmw add, acq_rel, gpu, %data, %y : (tensor<128x!tt.ptr<i32>, #line>, tensor<128xi32, #line>) -> tensor<128xi32, #line>
    tt.return
  }

  // The loop's other iterations have accesses, too. The result goes through shared memory, with a barrier.
  // CHECK-LABEL: @loop
  // CHECK: scf.for
  // CHECK-NEXT: ttg.barrier local|global_write
  // CHECK-NEXT: tt.atomic_cas
  // CHECK-NEXT: tt.splat
  // CHECK-NEXT: tt.store
  tt.func public @loop(%flag: !tt.ptr<i32>, %data: tensor<128x!tt.ptr<i32>, #line>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    scf.for %i = %zero to %n step %one : i32 {
      %old = tt.atomic_cas acq_rel, gpu, %flag, %zero, %one {allocation.offset = 0 : i32} : (!tt.ptr<i32>, i32, i32) -> i32
      %found = tt.splat %old : i32 -> tensor<128xi32, #line>
      tt.store %data, %found : tensor<128x!tt.ptr<i32>, #line>
    }
    tt.return
  }

  // CHECK-LABEL: @relaxed
  // CHECK-NOT: ttg.barrier
  // CHECK: tt.return
  tt.func public @relaxed(%data: tensor<128x!tt.ptr<i32>, #line>, %x: tensor<128xi32, #line>) {
    tt.store %data, %x : tensor<128x!tt.ptr<i32>, #line>
    %old = tt.atomic_rmw add, relaxed, gpu, %data, %x : (tensor<128x!tt.ptr<i32>, #line>, tensor<128xi32, #line>) -> tensor<128xi32, #line>
    tt.store %data, %old : tensor<128x!tt.ptr<i32>, #line>
    tt.return
  }

  // AMD: global_store
  // AMD: s_barrier_signal
  // AMD: s_barrier_wait
  // AMD: global_atomic_add
  // AMD: s_barrier_signal
  // AMD: s_barrier_wait
  // AMD: global_load
  tt.func public @both(%p: !tt.ptr<i32>, %x: tensor<128xi32, #line>) {
    %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #line>
    %s = tt.splat %p : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #line>
    %q = tt.addptr %s, %r : tensor<128x!tt.ptr<i32>, #line>, tensor<128xi32, #line>
    tt.store %q, %r : tensor<128x!tt.ptr<i32>, #line>
    %old = tt.atomic_rmw add, acq_rel, gpu, %q, %r : (tensor<128x!tt.ptr<i32>, #line>, tensor<128xi32, #line>) -> tensor<128xi32, #line>
    %y = tt.load %q : tensor<128x!tt.ptr<i32>, #line>
    %z = arith.addi %y, %y : tensor<128xi32, #line>
    tt.store %q, %z : tensor<128x!tt.ptr<i32>, #line>
    tt.return
  }
}
