// Copies from LDS, and what one wave does for itself: waits on its counters, barriers of some waves, masked accesses.
// RUN: split-file %s %t
// RUN: kernelscope preview %t/copy.ttgir --emit llvm | FileCheck %t/copy.ttgir
// RUN: kernelscope preview %t/drift.ttgir --emit llvm | FileCheck %t/drift.ttgir
// RUN: kernelscope preview %t/gfx9-wait.ttgir --emit llvm | FileCheck %t/gfx9-wait.ttgir
// RUN: kernelscope preview %t/gfx12-wait.ttgir --emit llvm | FileCheck %t/gfx12-wait.ttgir
// RUN: kernelscope preview %t/masked.ttgir --emit llvm | FileCheck %t/masked.ttgir
// RUN: kernelscope run %t/copy.ttgir --device sim --compare | FileCheck %s --check-prefix=SIM
// SIM: differs from the CPU executor by at most 0.000e+00

//--- copy.ttgir
#l = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#s1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32) attributes {noinline = false} {
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %r = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #l>
    %xs = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #l>
    %xp = tt.addptr %xs, %r : tensor<512x!tt.ptr<f32>, #l>, tensor<512xi32, #l>
    %v = tt.load %xp : tensor<512x!tt.ptr<f32>, #l>
    %buf = ttg.local_alloc %v : (tensor<512xf32, #l>) -> !ttg.memdesc<512xf32, #s1, #smem, mutable>
    // CHECK: call void @llvm.amdgcn.global.store.async.from.lds.b128(
    %t = amdg.async_copy_local_to_global %buf, %xp {contiguity = 4 : i32} : !ttg.memdesc<512xf32, #s1, #smem, mutable> -> tensor<512x!tt.ptr<f32>, #l>
    tt.return
  }
}

//--- drift.ttgir
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @k(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32) attributes {noinline = false} {
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %x = arith.cmpi eq, %n, %c0 : i32
    // CHECK: br i1
    // CHECK: call void @llvm.amdgcn.s.barrier()
    amdg.cond_barrier %x
    tt.return
  }
}

//--- gfx9-wait.ttgir
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @k(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32) attributes {noinline = false} {
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    // CHECK: call void @llvm.amdgcn.s.waitcnt(i32 114)
    amdg.memory_counter_wait load(2) ds(0)
    tt.return
  }
}

//--- gfx12-wait.ttgir
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1201", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32) attributes {noinline = false} {
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    // CHECK: call void @llvm.amdgcn.s.wait.loadcnt(i16 2)
    // CHECK: call void @llvm.amdgcn.s.wait.dscnt(i16 0)
    amdg.memory_counter_wait load(2) ds(0)
    tt.return
  }
}

//--- masked.ttgir
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @masked(%p: i64, %q: i64, %n: i32) {
    %c0 = arith.constant 0 : i32
    %mask = arith.cmpi eq, %n, %c0 : i32
    %pointer = llvm.inttoptr %p : i64 to !llvm.ptr<1>
    %zero = arith.constant 0.0 : f32
    // CHECK: call <1 x i32> @llvm.masked.load.v1i32.p1(
    %x = amdg.masked_load %pointer, %mask, %zero : (!llvm.ptr<1>, i1, f32) -> f32
    %other = llvm.inttoptr %q : i64 to !llvm.ptr<1>
    // CHECK: call void @llvm.masked.store.v1i32.p1(
    amdg.masked_store %other, %x, %mask : !llvm.ptr<1>, f32, i1
    tt.return
  }
}
