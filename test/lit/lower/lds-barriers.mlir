// gfx1250: barriers in LDS and those of clusters, and loads for several CTAs at once; numbers on the wave simulator.
// RUN: split-file %s %t
// RUN: kernelscope preview %t/barriers.ttgir --emit llvm | FileCheck %t/barriers.ttgir
// RUN: kernelscope run %t/barriers.ttgir --device sim --compare | FileCheck %s --check-prefix=SIM
// RUN: kernelscope preview %t/clusters.ttgir --emit llvm | FileCheck %t/clusters.ttgir
// RUN: kernelscope run %t/clusters.ttgir --device sim --compare | FileCheck %s --check-prefix=SIM
// RUN: kernelscope preview %t/multicast.ttgir --emit llvm | FileCheck %t/multicast.ttgir
// RUN: kernelscope run %t/multicast.ttgir --device sim --compare | FileCheck %s --check-prefix=SIM
// RUN: kernelscope preview %t/blocks.ttgir --emit llvm | FileCheck %t/blocks.ttgir
// RUN: kernelscope run %t/blocks.ttgir --device sim --compare | FileCheck %s --check-prefix=SIM
// RUN: kernelscope preview %t/rows.ttgir --emit llvm | FileCheck %t/rows.ttgir
// RUN: kernelscope run %t/rows.ttgir --device sim --compare | FileCheck %s --check-prefix=SIM
// SIM: differs from the CPU executor by at most 0.000e+00
// RUN: not kernelscope run %t/hangs.ttgir --device sim 2>&1 | FileCheck %s --check-prefix=HANGS
// HANGS: the wave polls forever in a loop
// RUN: not kernelscope preview %t/gfx950.ttgir 2>&1 | FileCheck %s --check-prefix=GFX950
// GFX950: 'amdg.init_barrier' has no instruction on gfx950; it has one on gfx1250

//--- barriers.ttgir
#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @bar(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o: !tt.ptr<i32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #b>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #b>
    %xp = tt.addptr %xs, %r : tensor<512x!tt.ptr<f32>, #b>, tensor<512xi32, #b>
    %buf = ttg.local_alloc : () -> !ttg.memdesc<512xf32, #s, #smem, mutable>
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #s, #smem, mutable>
    %bar2 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #s, #smem, mutable>
    // The arrivals less one twice, and phase 0; one thread stores them.
    // CHECK-LABEL: define amdgpu_kernel void @bar(
    // CHECK: store i64 545460846719, ptr addrspace(3)
    // CHECK: store i64 1095216660735, ptr addrspace(3)
    amdg.init_barrier %bar, 128 : !ttg.memdesc<1xi64, #s, #smem, mutable>
    amdg.init_barrier %bar2, 256 : !ttg.memdesc<1xi64, #s, #smem, mutable>
    %t = ttg.async_copy_global_to_local %xp, %buf : tensor<512x!tt.ptr<f32>, #b> -> <512xf32, #s, #smem, mutable>
    // CHECK: call void @llvm.amdgcn.global.load.async.to.lds.b128(
    // CHECK: call void @llvm.amdgcn.ds.atomic.async.barrier.arrive.b64(
    amdg.async_copy_mbarrier_arrive %bar : !ttg.memdesc<1xi64, #s, #smem, mutable>
    // CHECK: call void @llvm.amdgcn.s.sleep(i32 1)
    // CHECK-NEXT: load volatile i64, ptr addrspace(3)
    // CHECK-NEXT: and i64 {{.*}}, 536870912
    amdg.wait_barrier %bar, %c0 : !ttg.memdesc<1xi64, #s, #smem, mutable>
    %v = ttg.local_load %buf : !ttg.memdesc<512xf32, #s, #smem, mutable> -> tensor<512xf32, #b>
    // CHECK: call i64 @llvm.amdgcn.ds.atomic.barrier.arrive.rtn.b64({{.*}}, i64 2)
    %ph = amdg.arrive_barrier %bar2, 2 : !ttg.memdesc<1xi64, #s, #smem, mutable> -> i32
    amdg.wait_barrier %bar2, %c0 : !ttg.memdesc<1xi64, #s, #smem, mutable>
    %ph2 = amdg.arrive_barrier %bar2, 2 : !ttg.memdesc<1xi64, #s, #smem, mutable> -> i32
    amdg.wait_barrier %bar2, %c1 : !ttg.memdesc<1xi64, #s, #smem, mutable>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #b>
    %yp = tt.addptr %ys, %r : tensor<512x!tt.ptr<f32>, #b>, tensor<512xi32, #b>
    tt.store %yp, %v : tensor<512x!tt.ptr<f32>, #b>
    tt.store %o, %ph : !tt.ptr<i32>
    %o1 = tt.addptr %o, %c1 : !tt.ptr<i32>, i32
    tt.store %o1, %ph2 : !tt.ptr<i32>
    tt.return
  }
}

//--- clusters.ttgir
#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: define amdgpu_kernel void @cluster(
  // CHECK: call void @llvm.amdgcn.s.barrier()
  // CHECK: call void @llvm.amdgcn.s.barrier.signal(i32 -3)
  // CHECK: call void @llvm.amdgcn.s.barrier.wait(i16 -3)
  tt.func public @cluster(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #b>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #b>
    %xp = tt.addptr %xs, %r : tensor<1024x!tt.ptr<f32>, #b>, tensor<1024xi32, #b>
    %v = tt.load %xp : tensor<1024x!tt.ptr<f32>, #b>
    amdg.cluster_barrier_arrive
    amdg.cluster_barrier_wait
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #b>
    %yp = tt.addptr %ys, %r : tensor<1024x!tt.ptr<f32>, #b>, tensor<1024xi32, #b>
    tt.store %yp, %v : tensor<1024x!tt.ptr<f32>, #b>
    tt.return
  }
}

//--- multicast.ttgir
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0], [0, 0]]}>
#s = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0], CGALayout = [[1, 0], [0, 0]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  // Of four CTAs those whose ids differ in bit 1 load the same.
  // CHECK-LABEL: define amdgpu_kernel void @mcast4(
  // CHECK: %[[CTAS:.*]] = shl nuw nsw i32 5, {{.*}}
  // CHECK: call void @llvm.amdgcn.cluster.load.async.to.lds.b128({{.*}}, i32 0, i32 0, i32 %[[CTAS]])
  tt.func public @mcast4(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) attributes {noinline = false} {
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %c = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %re = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<64x1xi32, #b>
    %ce = tt.expand_dims %c {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x32xi32, #b>
    %w = arith.constant dense<32> : tensor<64x1xi32, #b>
    %rw = arith.muli %re, %w : tensor<64x1xi32, #b>
    %rb = tt.broadcast %rw : tensor<64x1xi32, #b> -> tensor<64x32xi32, #b>
    %cb = tt.broadcast %ce : tensor<1x32xi32, #b> -> tensor<64x32xi32, #b>
    %at = arith.addi %rb, %cb : tensor<64x32xi32, #b>
    %rm = tt.broadcast %re : tensor<64x1xi32, #b> -> tensor<64x32xi32, #b>
    %ns = tt.splat %n : i32 -> tensor<64x32xi32, #b>
    %m = arith.cmpi slt, %rm, %ns : tensor<64x32xi32, #b>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>, #b>
    %xp = tt.addptr %xs, %at : tensor<64x32x!tt.ptr<f32>, #b>, tensor<64x32xi32, #b>
    %buf = ttg.local_alloc : () -> !ttg.memdesc<64x32xf32, #s, #smem, mutable>
    %t = ttg.async_copy_global_to_local %xp, %buf mask %m : tensor<64x32x!tt.ptr<f32>, #b> -> <64x32xf32, #s, #smem, mutable>
    %g = ttg.async_commit_group tokens %t
    %wt = ttg.async_wait %g {num = 0 : i32}
    %v = ttg.local_load %buf : !ttg.memdesc<64x32xf32, #s, #smem, mutable> -> tensor<64x32xf32, #b>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>, #b>
    %yp = tt.addptr %ys, %at : tensor<64x32x!tt.ptr<f32>, #b>, tensor<64x32xi32, #b>
    tt.store %yp, %v : tensor<64x32x!tt.ptr<f32>, #b>
    tt.return
  }
}

//--- blocks.ttgir
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 0]]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[0, 0]]}>
#s1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  // Both CTAs (bits 0 and 1), elements of 4 bytes (2 in bits 17 and 16), a barrier (bit 18). Each warp arrives.
  // CHECK-LABEL: define amdgpu_kernel void @tdmcast(
  // CHECK: <8 x i32> <i32 393219,
  // CHECK: call void @llvm.amdgcn.tensor.load.to.lds.d2(
  tt.func public @tdmcast(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) attributes {noinline = false} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c64 = arith.constant 64 : i64
    %d = tt.make_tensor_descriptor %x, [%n, %n], [%c64, %c1] : <f32>, <64x64xf32, #s>
    %buf = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #s1, #smem, mutable>
    amdg.init_barrier %bar, 4 : !ttg.memdesc<1xi64, #s1, #smem, mutable>
    %t = amdg.async_tdm_copy_global_to_local %d into %buf, barrier = %bar : !tt.tensordesc<64x64xf32, #s>, !ttg.memdesc<1xi64, #s1, #smem, mutable> -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    amdg.wait_barrier %bar, %c0 : !ttg.memdesc<1xi64, #s1, #smem, mutable>
    %v = ttg.local_load %buf : !ttg.memdesc<64x64xf32, #s, #smem, mutable> -> tensor<64x64xf32, #b>
    %e = tt.make_tensor_descriptor %y, [%n, %n], [%c64, %c1] : <f32>, <64x64xf32, #s>
    ttg.local_store %v, %buf : tensor<64x64xf32, #b> -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    %t2 = amdg.async_tdm_copy_local_to_global %e from %buf : !ttg.memdesc<64x64xf32, #s, #smem, mutable> -> !tt.tensordesc<64x64xf32, #s>
    %t3 = amdg.async_tdm_wait %t2 {num = 0 : i32}
    tt.return
  }
}

//--- rows.ttgir
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#s1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#i = #ttg.linear<{register = [[1], [2], [4], [8]], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]], block = []}>
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  // 16 rows are two messages, and each arrives.
  // CHECK-LABEL: define amdgpu_kernel void @gatherbar(
  // CHECK-COUNT-2: call void @llvm.amdgcn.tensor.load.to.lds(
  tt.func public @gatherbar(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) attributes {noinline = false} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c32 = arith.constant 32 : i64
    %n32 = arith.constant 32 : i32
    %d = tt.make_tensor_descriptor %x, [%n, %n32], [%c32, %c1] : <f16>, <16x32xf16, #s>
    %e = tt.make_tensor_descriptor %y, [%n, %n32], [%c32, %c1] : <f16>, <16x32xf16, #s>
    %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #i>
    %buf = ttg.local_alloc : () -> !ttg.memdesc<16x32xf16, #s, #smem, mutable>
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #s1, #smem, mutable>
    amdg.init_barrier %bar, 2 : !ttg.memdesc<1xi64, #s1, #smem, mutable>
    %t = amdg.async_tdm_gather %d[%i] to %buf, barrier = %bar : tensor<16xi32, #i>, !ttg.memdesc<16x32xf16, #s, #smem, mutable>, !ttg.memdesc<1xi64, #s1, #smem, mutable> -> !tt.tensordesc<16x32xf16, #s>
    amdg.wait_barrier %bar, %c0 : !ttg.memdesc<1xi64, #s1, #smem, mutable>
    %t2 = amdg.async_tdm_copy_local_to_global %e from %buf : !ttg.memdesc<16x32xf16, #s, #smem, mutable> -> !tt.tensordesc<16x32xf16, #s>
    %t3 = amdg.async_tdm_wait %t2 {num = 0 : i32}
    tt.return
  }
}

//--- hangs.ttgir
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k() {
    %c0 = arith.constant 0 : i32
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #s, #smem, mutable>
    amdg.init_barrier %bar, 129 : !ttg.memdesc<1xi64, #s, #smem, mutable>
    %phase = amdg.arrive_barrier %bar, 1 : !ttg.memdesc<1xi64, #s, #smem, mutable> -> i32
    amdg.wait_barrier %bar, %c0 : !ttg.memdesc<1xi64, #s, #smem, mutable>
    tt.return
  }
}

//--- gfx950.ttgir
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @k() {
    %c0 = arith.constant 0 : i32
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #s, #smem, mutable>
    amdg.init_barrier %bar, 129 : !ttg.memdesc<1xi64, #s, #smem, mutable>
    %phase = amdg.arrive_barrier %bar, 1 : !ttg.memdesc<1xi64, #s, #smem, mutable> -> i32
    amdg.wait_barrier %bar, %c0 : !ttg.memdesc<1xi64, #s, #smem, mutable>
    tt.return
  }
}
