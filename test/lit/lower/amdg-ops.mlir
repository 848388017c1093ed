// Each op of amdg on each chip: lowered, or an error that names the chip and which ones have it.
// RUN: sed 's/ARCH/gfx942/; s/LANES/64/g; s/L8/8/g; s/N4/1024/g' %s | not kernelscope opt --ttgir-to-llvm --split-input-file - 2>&1 | FileCheck %s --implicit-check-not=error: --check-prefixes=OLD,GFX942,NOSCALES
// RUN: sed 's/ARCH/gfx950/; s/LANES/64/g; s/L8/8/g; s/N4/1024/g' %s | not kernelscope opt --ttgir-to-llvm --split-input-file - 2>&1 | FileCheck %s --implicit-check-not=error: --check-prefixes=OLD
// RUN: sed 's/ARCH/gfx1100/; s/LANES/32/g; s/L8/4/g; s/N4/512/g' %s | not kernelscope opt --ttgir-to-llvm --split-input-file - 2>&1 | FileCheck %s --implicit-check-not=error: --check-prefixes=OLD,RDNA,GFX1100,NOSCALES
// RUN: sed 's/ARCH/gfx1201/; s/LANES/32/g; s/L8/4/g; s/N4/512/g' %s | not kernelscope opt --ttgir-to-llvm --split-input-file - 2>&1 | FileCheck %s --implicit-check-not=error: --check-prefixes=OLD,RDNA,NOSCALES
// RUN: sed 's/ARCH/gfx1250/; s/LANES/32/g; s/L8/4/g; s/N4/512/g' %s | not kernelscope opt --ttgir-to-llvm --split-input-file - 2>&1 | FileCheck %s --implicit-check-not=error: --check-prefixes=GFX1250

#l = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [LANES], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @buffer_load(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
    %r = tt.make_range {end = N4 : i32, start = 0 : i32} : tensor<N4xi32, #l>
    %v = amdg.buffer_load %p[%r] : !tt.ptr<f32> -> tensor<N4xf32, #l>
    %ys = tt.splat %p : !tt.ptr<f32> -> tensor<N4x!tt.ptr<f32>, #l>
    %yp = tt.addptr %ys, %r : tensor<N4x!tt.ptr<f32>, #l>, tensor<N4xi32, #l>
    tt.store %yp, %v : tensor<N4x!tt.ptr<f32>, #l>
    tt.return
  }
}

// -----

#l = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [LANES], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @buffer_store(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
    %r = tt.make_range {end = N4 : i32, start = 0 : i32} : tensor<N4xi32, #l>
    %xs = tt.splat %p : !tt.ptr<f32> -> tensor<N4x!tt.ptr<f32>, #l>
    %xp = tt.addptr %xs, %r : tensor<N4x!tt.ptr<f32>, #l>, tensor<N4xi32, #l>
    %v = tt.load %xp : tensor<N4x!tt.ptr<f32>, #l>
    amdg.buffer_store %v, %p[%r] : !tt.ptr<f32> -> tensor<N4xf32, #l>
    tt.return
  }
}

// -----

#l = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [LANES], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @buffer_atomic_rmw(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
    %r = tt.make_range {end = N4 : i32, start = 0 : i32} : tensor<N4xi32, #l>
    %xs = tt.splat %p : !tt.ptr<f32> -> tensor<N4x!tt.ptr<f32>, #l>
    %xp = tt.addptr %xs, %r : tensor<N4x!tt.ptr<f32>, #l>, tensor<N4xi32, #l>
    %v = tt.load %xp : tensor<N4x!tt.ptr<f32>, #l>
    %o = amdg.buffer_atomic_rmw fadd, relaxed, gpu, %v, %p[%r] : !tt.ptr<f32> -> tensor<N4xf32, #l>
    tt.return
  }
}

// -----

#l = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [LANES], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @buffer_atomic_cas(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
    %r = tt.make_range {end = N4 : i32, start = 0 : i32} : tensor<N4xi32, #l>
    %o = amdg.buffer_atomic_cas acq_rel, gpu, %r, %r, %q[%r] : !tt.ptr<i32> -> tensor<N4xi32, #l>
    tt.return
  }
}

// -----

// RDNA: error: 'amdg.buffer_load_to_local' op needs buffer loads to LDS, which gfx942 and gfx950 have, but the target is hip:{{.*}}
// GFX1250: error: 'amdg.buffer_load_to_local' op needs buffer loads to LDS, which gfx942 and gfx950 have, but the target is hip:{{.*}}
// GFX942: error: 'amdg.buffer_load_to_local' op has layouts that gfx942 cannot copy between directly: each lane must copy 32 adjacent bits, and write right after the lane before it
#l = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [LANES], warpsPerCTA = [4], order = [0]}>
#s1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @buffer_load_to_local(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32) {
    %r = tt.make_range {end = N4 : i32, start = 0 : i32} : tensor<N4xi32, #l>
    %buf = ttg.local_alloc : () -> !ttg.memdesc<N4xf32, #s1, #smem, mutable>
    %t = amdg.buffer_load_to_local %p[%r] into %buf : !tt.ptr<f32>[tensor<N4xi32, #l>] -> <N4xf32, #s1, #smem, mutable>
    %w = ttg.async_wait %t {num = 0 : i32}
    %v = ttg.local_load %buf : !ttg.memdesc<N4xf32, #s1, #smem, mutable> -> tensor<N4xf32, #l>
    %ys = tt.splat %p : !tt.ptr<f32> -> tensor<N4x!tt.ptr<f32>, #l>
    %yp = tt.addptr %ys, %r : tensor<N4x!tt.ptr<f32>, #l>, tensor<N4xi32, #l>
    tt.store %yp, %v : tensor<N4x!tt.ptr<f32>, #l>
    tt.return
  }
}

// -----

// RDNA: error: 'ttg.async_copy_global_to_local' op needs loads to LDS, which gfx942, gfx950 and gfx1250 have; the module's target is hip:{{.*}}
// GFX942: error: 'ttg.async_copy_global_to_local' op has layouts that gfx942 cannot copy between directly
#l = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [LANES], warpsPerCTA = [4], order = [0]}>
#s1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @async_wait(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32) {
    %r = tt.make_range {end = N4 : i32, start = 0 : i32} : tensor<N4xi32, #l>
    %xs = tt.splat %p : !tt.ptr<f32> -> tensor<N4x!tt.ptr<f32>, #l>
    %xp = tt.addptr %xs, %r : tensor<N4x!tt.ptr<f32>, #l>, tensor<N4xi32, #l>
    %buf = ttg.local_alloc : () -> !ttg.memdesc<N4xf32, #s1, #smem, mutable>
    %t = ttg.async_copy_global_to_local %xp, %buf : tensor<N4x!tt.ptr<f32>, #l> -> <N4xf32, #s1, #smem, mutable>
    %g = ttg.async_commit_group tokens %t
    %w = amdg.async_wait %g {num_inst = 0 : i32}
    %v = ttg.local_load %buf : !ttg.memdesc<N4xf32, #s1, #smem, mutable> -> tensor<N4xf32, #l>
    %ys = tt.splat %p : !tt.ptr<f32> -> tensor<N4x!tt.ptr<f32>, #l>
    %yp = tt.addptr %ys, %r : tensor<N4x!tt.ptr<f32>, #l>, tensor<N4xi32, #l>
    tt.store %yp, %v : tensor<N4x!tt.ptr<f32>, #l>
    tt.return
  }
}

// -----

// OLD: error: 'amdg.async_copy_local_to_global' has no instruction on {{.*}}; it has one on gfx1250
#l = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [LANES], warpsPerCTA = [4], order = [0]}>
#s1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @async_copy_local_to_global(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32) {
    %r = tt.make_range {end = N4 : i32, start = 0 : i32} : tensor<N4xi32, #l>
    %xs = tt.splat %p : !tt.ptr<f32> -> tensor<N4x!tt.ptr<f32>, #l>
    %xp = tt.addptr %xs, %r : tensor<N4x!tt.ptr<f32>, #l>, tensor<N4xi32, #l>
    %v = tt.load %xp : tensor<N4x!tt.ptr<f32>, #l>
    %buf = ttg.local_alloc %v : (tensor<N4xf32, #l>) -> !ttg.memdesc<N4xf32, #s1, #smem, mutable>
    %t = amdg.async_copy_local_to_global %buf, %xp {contiguity = 4 : i32} : !ttg.memdesc<N4xf32, #s1, #smem, mutable> -> tensor<N4x!tt.ptr<f32>, #l>
    tt.return
  }
}

// -----

// OLD: error: 'amdg.init_barrier' has no instruction on {{.*}}; it has one on gfx1250
#s1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @init_barrier(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #s1, #smem, mutable>
    amdg.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #s1, #smem, mutable>
    tt.return
  }
}

// -----

// OLD: error: 'amdg.arrive_barrier' has no instruction on {{.*}}; it has one on gfx1250
#s1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @arrive_barrier(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #s1, #smem, mutable>
    %x = amdg.arrive_barrier %bar, 1 : !ttg.memdesc<1xi64, #s1, #smem, mutable> -> i32
    tt.return
  }
}

// -----

// OLD: error: 'amdg.wait_barrier' has no instruction on {{.*}}; it has one on gfx1250
#s1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @wait_barrier(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #s1, #smem, mutable>
    amdg.wait_barrier %bar, %c0 : !ttg.memdesc<1xi64, #s1, #smem, mutable>
    tt.return
  }
}

// -----

// OLD: error: 'amdg.async_copy_mbarrier_arrive' has no instruction on {{.*}}; it has one on gfx1250
#s1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @async_copy_mbarrier_arrive(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32) {
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #s1, #smem, mutable>
    amdg.async_copy_mbarrier_arrive %bar : !ttg.memdesc<1xi64, #s1, #smem, mutable>
    tt.return
  }
}

// -----

// OLD: error: 'ttg.num-ctas' = 2 cannot run on {{.*}}, which has no clusters
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @cluster_barrier_arrive(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
    amdg.cluster_barrier_arrive
    amdg.cluster_barrier_wait
    tt.return
  }
}

// -----

// OLD: error: 'tt.make_tensor_descriptor' has no instruction on {{.*}}; it has one on sm_90a,{{.*}} gfx1250
// OLD: error: 'amdg.async_tdm_copy_global_to_local' has no instruction on {{.*}}; it has one on gfx1250
// OLD: error: 'amdg.async_tdm_wait' has no instruction on {{.*}}; it has one on gfx1250
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @async_tdm_copy_global_to_local(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c1 = arith.constant 1 : i64
    %c64 = arith.constant 64 : i64
    %d = tt.make_tensor_descriptor %p, [%n, %n], [%c64, %c1] : <f32>, <64x64xf32, #s>
    %b2 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    %b3 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    %t = amdg.async_tdm_copy_global_to_local %d into %b2 : !tt.tensordesc<64x64xf32, #s> -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    %w = amdg.async_tdm_wait %t {num = 0 : i32}
    tt.return
  }
}

// -----

// OLD: error: 'tt.make_tensor_descriptor' has no instruction on {{.*}}; it has one on sm_90a,{{.*}} gfx1250
// OLD: error: 'amdg.async_tdm_copy_local_to_global' has no instruction on {{.*}}; it has one on gfx1250
// OLD: error: 'amdg.async_tdm_wait' has no instruction on {{.*}}; it has one on gfx1250
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @async_tdm_copy_local_to_global(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c1 = arith.constant 1 : i64
    %c64 = arith.constant 64 : i64
    %d = tt.make_tensor_descriptor %p, [%n, %n], [%c64, %c1] : <f32>, <64x64xf32, #s>
    %b2 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    %b3 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    %t = amdg.async_tdm_copy_local_to_global %d from %b2 : !ttg.memdesc<64x64xf32, #s, #smem, mutable> -> !tt.tensordesc<64x64xf32, #s>
    %w = amdg.async_tdm_wait %t {num = 0 : i32}
    tt.return
  }
}

// -----

// OLD: error: 'tt.make_tensor_descriptor' has no instruction on {{.*}}; it has one on sm_90a,{{.*}} gfx1250
// OLD: error: 'amdg.async_tdm_fused_copy_global_to_local' has no instruction on {{.*}}; it has one on gfx1250
// OLD: error: 'amdg.async_tdm_wait' has no instruction on {{.*}}; it has one on gfx1250
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @async_tdm_fused_copy_global_to_local(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c1 = arith.constant 1 : i64
    %c64 = arith.constant 64 : i64
    %d = tt.make_tensor_descriptor %p, [%n, %n], [%c64, %c1] : <f32>, <64x64xf32, #s>
    %b2 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    %b3 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    %t = amdg.async_tdm_fused_copy_global_to_local %d, %d into %b2, %b3 {warp_used_hints = array<i32: 3, 12>} : !tt.tensordesc<64x64xf32, #s>, !tt.tensordesc<64x64xf32, #s> -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>, !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    %w = amdg.async_tdm_wait %t {num = 0 : i32}
    tt.return
  }
}

// -----

// OLD: error: 'amdg.async_tdm_wait' has no instruction on {{.*}}; it has one on gfx1250
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @async_tdm_wait(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32) {
    %w = amdg.async_tdm_wait  {num = 0 : i32}
    tt.return
  }
}

// -----

// OLD: error: 'amdg.async_tdm_intrinsic_wait' has no instruction on {{.*}}; it has one on gfx1250
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @async_tdm_intrinsic_wait(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32) {
    %w = amdg.async_tdm_intrinsic_wait {count = 0 : i32}
    tt.return
  }
}

// -----

// OLD: error: 'tt.make_tensor_descriptor' has no instruction on {{.*}}; it has one on sm_90a,{{.*}} gfx1250
// OLD: error: 'amdg.tdm_prefetch' has no instruction on {{.*}}; it has one on gfx1250
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @tdm_prefetch(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %c1 = arith.constant 1 : i64
    %c64 = arith.constant 64 : i64
    %d = tt.make_tensor_descriptor %p, [%n, %n], [%c64, %c1] : <f32>, <64x64xf32, #s>
    %b2 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    %b3 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    amdg.tdm_prefetch %d[%c0, %c0], %true, speculative = false : !tt.tensordesc<64x64xf32, #s>
    tt.return
  }
}

// -----

// OLD: error: 'tt.make_tensor_descriptor' has no instruction on {{.*}}; it has one on sm_90a,{{.*}} gfx1250
// OLD: error: 'amdg.update_tensor_descriptor' has no instruction on {{.*}}; it has one on gfx1250
// OLD: error: 'amdg.async_tdm_copy_global_to_local' has no instruction on {{.*}}; it has one on gfx1250
// OLD: error: 'amdg.async_tdm_wait' has no instruction on {{.*}}; it has one on gfx1250
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @update_tensor_descriptor(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %c64 = arith.constant 64 : i64
    %d = tt.make_tensor_descriptor %p, [%n, %n], [%c64, %c1] : <f32>, <64x64xf32, #s>
    %b2 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    %b3 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    %u = amdg.update_tensor_descriptor %d add_offsets = [%c0, %c0] : !tt.tensordesc<64x64xf32, #s>
    %t = amdg.async_tdm_copy_global_to_local %u into %b2 : !tt.tensordesc<64x64xf32, #s> -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    %w = amdg.async_tdm_wait %t {num = 0 : i32}
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @cond_barrier(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %x = arith.cmpi eq, %n, %c0 : i32
    amdg.cond_barrier %x
    tt.return
  }
}

// -----

// GFX1100: error: 'amdg.memory_counter_wait' has no instruction on gfx1100; it has one on gfx90a, gfx942, gfx950, gfx1200, gfx1201, gfx1250
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @memory_counter_wait(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
    amdg.memory_counter_wait load(2) ds(0)
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @masked_load(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
    %true = arith.constant true
    %lp = tt.ptr_to_int %p : !tt.ptr<f32> -> i64
    %ptr = llvm.inttoptr %lp : i64 to !llvm.ptr<1>
    %f = arith.constant 0.0 : f32
    %x = amdg.masked_load %ptr, %true, %f : (!llvm.ptr<1>, i1, f32) -> f32
    tt.store %p, %x : !tt.ptr<f32>
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @masked_store(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
    %true = arith.constant true
    %lp = tt.ptr_to_int %p : !tt.ptr<f32> -> i64
    %ptr = llvm.inttoptr %lp : i64 to !llvm.ptr<1>
    %f = arith.constant 0.0 : f32
    amdg.masked_store %ptr, %f, %true : !llvm.ptr<1>, f32, i1
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [L8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @extract_slice(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
    %vbase = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<f32>
    %vr = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %vc = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %vre = tt.expand_dims %vr {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<64x1xi32, #b>
    %vce = tt.expand_dims %vc {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
    %vw = arith.constant dense<64> : tensor<64x1xi32, #b>
    %vrw = arith.muli %vre, %vw : tensor<64x1xi32, #b>
    %vrb = tt.broadcast %vrw : tensor<64x1xi32, #b> -> tensor<64x64xi32, #b>
    %vcb = tt.broadcast %vce : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
    %vat = arith.addi %vrb, %vcb : tensor<64x64xi32, #b>
    %vps = tt.splat %vbase : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #b>
    %vp = tt.addptr %vps, %vat : tensor<64x64x!tt.ptr<f32>, #b>, tensor<64x64xi32, #b>
    %v = tt.load %vp : tensor<64x64x!tt.ptr<f32>, #b>
    %u = amdg.extract_slice %v [0, 0] : tensor<64x64xf32, #b> to tensor<64x64xf32, #b>
    %ebase = tt.bitcast %q : !tt.ptr<i32> -> !tt.ptr<f32>
    %er = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %ec = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %ere = tt.expand_dims %er {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<64x1xi32, #b>
    %ece = tt.expand_dims %ec {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
    %ew = arith.constant dense<64> : tensor<64x1xi32, #b>
    %erw = arith.muli %ere, %ew : tensor<64x1xi32, #b>
    %erb = tt.broadcast %erw : tensor<64x1xi32, #b> -> tensor<64x64xi32, #b>
    %ecb = tt.broadcast %ece : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
    %eat = arith.addi %erb, %ecb : tensor<64x64xi32, #b>
    %eps = tt.splat %ebase : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #b>
    %ep = tt.addptr %eps, %eat : tensor<64x64x!tt.ptr<f32>, #b>, tensor<64x64xi32, #b>
    tt.store %ep, %u : tensor<64x64x!tt.ptr<f32>, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [L8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @concat(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
    %vbase = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<f32>
    %vr = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %vc = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %vre = tt.expand_dims %vr {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<64x1xi32, #b>
    %vce = tt.expand_dims %vc {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
    %vw = arith.constant dense<64> : tensor<64x1xi32, #b>
    %vrw = arith.muli %vre, %vw : tensor<64x1xi32, #b>
    %vrb = tt.broadcast %vrw : tensor<64x1xi32, #b> -> tensor<64x64xi32, #b>
    %vcb = tt.broadcast %vce : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
    %vat = arith.addi %vrb, %vcb : tensor<64x64xi32, #b>
    %vps = tt.splat %vbase : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #b>
    %vp = tt.addptr %vps, %vat : tensor<64x64x!tt.ptr<f32>, #b>, tensor<64x64xi32, #b>
    %v = tt.load %vp : tensor<64x64x!tt.ptr<f32>, #b>
    %u = amdg.concat %v : tensor<64x64xf32, #b> -> tensor<64x64xf32, #b>
    %ebase = tt.bitcast %q : !tt.ptr<i32> -> !tt.ptr<f32>
    %er = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %ec = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %ere = tt.expand_dims %er {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<64x1xi32, #b>
    %ece = tt.expand_dims %ec {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
    %ew = arith.constant dense<64> : tensor<64x1xi32, #b>
    %erw = arith.muli %ere, %ew : tensor<64x1xi32, #b>
    %erb = tt.broadcast %erw : tensor<64x1xi32, #b> -> tensor<64x64xi32, #b>
    %ecb = tt.broadcast %ece : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
    %eat = arith.addi %erb, %ecb : tensor<64x64xi32, #b>
    %eps = tt.splat %ebase : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #b>
    %ep = tt.addptr %eps, %eat : tensor<64x64x!tt.ptr<f32>, #b>, tensor<64x64xi32, #b>
    tt.store %ep, %u : tensor<64x64x!tt.ptr<f32>, #b>
    tt.return
  }
}

// -----

#fp4 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [L8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#fp8 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [L8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @scaled_upcast_fp4(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
    %vbase = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<i8>
    %vr = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #fp4}>>
    %vc = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #fp4}>>
    %vre = tt.expand_dims %vr {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #fp4}>> -> tensor<64x1xi32, #fp4>
    %vce = tt.expand_dims %vc {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #fp4}>> -> tensor<1x32xi32, #fp4>
    %vw = arith.constant dense<32> : tensor<64x1xi32, #fp4>
    %vrw = arith.muli %vre, %vw : tensor<64x1xi32, #fp4>
    %vrb = tt.broadcast %vrw : tensor<64x1xi32, #fp4> -> tensor<64x32xi32, #fp4>
    %vcb = tt.broadcast %vce : tensor<1x32xi32, #fp4> -> tensor<64x32xi32, #fp4>
    %vat = arith.addi %vrb, %vcb : tensor<64x32xi32, #fp4>
    %vps = tt.splat %vbase : !tt.ptr<i8> -> tensor<64x32x!tt.ptr<i8>, #fp4>
    %vp = tt.addptr %vps, %vat : tensor<64x32x!tt.ptr<i8>, #fp4>, tensor<64x32xi32, #fp4>
    %v = tt.load %vp : tensor<64x32x!tt.ptr<i8>, #fp4>
    %sbase = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<i8>
    %sr = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #fp8}>>
    %sc = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #fp8}>>
    %sre = tt.expand_dims %sr {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #fp8}>> -> tensor<64x1xi32, #fp8>
    %sce = tt.expand_dims %sc {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #fp8}>> -> tensor<1x64xi32, #fp8>
    %sw = arith.constant dense<64> : tensor<64x1xi32, #fp8>
    %srw = arith.muli %sre, %sw : tensor<64x1xi32, #fp8>
    %srb = tt.broadcast %srw : tensor<64x1xi32, #fp8> -> tensor<64x64xi32, #fp8>
    %scb = tt.broadcast %sce : tensor<1x64xi32, #fp8> -> tensor<64x64xi32, #fp8>
    %sat = arith.addi %srb, %scb : tensor<64x64xi32, #fp8>
    %sps = tt.splat %sbase : !tt.ptr<i8> -> tensor<64x64x!tt.ptr<i8>, #fp8>
    %sp = tt.addptr %sps, %sat : tensor<64x64x!tt.ptr<i8>, #fp8>, tensor<64x64xi32, #fp8>
    %s = tt.load %sp : tensor<64x64x!tt.ptr<i8>, #fp8>
    %u = amdg.scaled_upcast_fp4 %v scale %s {axis = 1 : i32} : tensor<64x32xi8, #fp4>, tensor<64x64xi8, #fp8> -> tensor<64x64xbf16, #fp8>
    %ebase = tt.bitcast %q : !tt.ptr<i32> -> !tt.ptr<bf16>
    %er = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #fp8}>>
    %ec = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #fp8}>>
    %ere = tt.expand_dims %er {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #fp8}>> -> tensor<64x1xi32, #fp8>
    %ece = tt.expand_dims %ec {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #fp8}>> -> tensor<1x64xi32, #fp8>
    %ew = arith.constant dense<64> : tensor<64x1xi32, #fp8>
    %erw = arith.muli %ere, %ew : tensor<64x1xi32, #fp8>
    %erb = tt.broadcast %erw : tensor<64x1xi32, #fp8> -> tensor<64x64xi32, #fp8>
    %ecb = tt.broadcast %ece : tensor<1x64xi32, #fp8> -> tensor<64x64xi32, #fp8>
    %eat = arith.addi %erb, %ecb : tensor<64x64xi32, #fp8>
    %eps = tt.splat %ebase : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>, #fp8>
    %ep = tt.addptr %eps, %eat : tensor<64x64x!tt.ptr<bf16>, #fp8>, tensor<64x64xi32, #fp8>
    tt.store %ep, %u : tensor<64x64x!tt.ptr<bf16>, #fp8>
    tt.return
  }
}

// -----

#fp8 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [L8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @scaled_upcast_fp8(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
    %vbase = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<f8E4M3FN>
    %vr = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #fp8}>>
    %vc = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #fp8}>>
    %vre = tt.expand_dims %vr {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #fp8}>> -> tensor<64x1xi32, #fp8>
    %vce = tt.expand_dims %vc {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #fp8}>> -> tensor<1x64xi32, #fp8>
    %vw = arith.constant dense<64> : tensor<64x1xi32, #fp8>
    %vrw = arith.muli %vre, %vw : tensor<64x1xi32, #fp8>
    %vrb = tt.broadcast %vrw : tensor<64x1xi32, #fp8> -> tensor<64x64xi32, #fp8>
    %vcb = tt.broadcast %vce : tensor<1x64xi32, #fp8> -> tensor<64x64xi32, #fp8>
    %vat = arith.addi %vrb, %vcb : tensor<64x64xi32, #fp8>
    %vps = tt.splat %vbase : !tt.ptr<f8E4M3FN> -> tensor<64x64x!tt.ptr<f8E4M3FN>, #fp8>
    %vp = tt.addptr %vps, %vat : tensor<64x64x!tt.ptr<f8E4M3FN>, #fp8>, tensor<64x64xi32, #fp8>
    %v = tt.load %vp : tensor<64x64x!tt.ptr<f8E4M3FN>, #fp8>
    %sbase = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<i8>
    %sr = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #fp8}>>
    %sc = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #fp8}>>
    %sre = tt.expand_dims %sr {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #fp8}>> -> tensor<64x1xi32, #fp8>
    %sce = tt.expand_dims %sc {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #fp8}>> -> tensor<1x64xi32, #fp8>
    %sw = arith.constant dense<64> : tensor<64x1xi32, #fp8>
    %srw = arith.muli %sre, %sw : tensor<64x1xi32, #fp8>
    %srb = tt.broadcast %srw : tensor<64x1xi32, #fp8> -> tensor<64x64xi32, #fp8>
    %scb = tt.broadcast %sce : tensor<1x64xi32, #fp8> -> tensor<64x64xi32, #fp8>
    %sat = arith.addi %srb, %scb : tensor<64x64xi32, #fp8>
    %sps = tt.splat %sbase : !tt.ptr<i8> -> tensor<64x64x!tt.ptr<i8>, #fp8>
    %sp = tt.addptr %sps, %sat : tensor<64x64x!tt.ptr<i8>, #fp8>, tensor<64x64xi32, #fp8>
    %s = tt.load %sp : tensor<64x64x!tt.ptr<i8>, #fp8>
    %u = amdg.scaled_upcast_fp8 %v scale %s : tensor<64x64xf8E4M3FN, #fp8>, tensor<64x64xi8, #fp8> -> tensor<64x64xbf16, #fp8>
    %ebase = tt.bitcast %q : !tt.ptr<i32> -> !tt.ptr<bf16>
    %er = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #fp8}>>
    %ec = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #fp8}>>
    %ere = tt.expand_dims %er {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #fp8}>> -> tensor<64x1xi32, #fp8>
    %ece = tt.expand_dims %ec {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #fp8}>> -> tensor<1x64xi32, #fp8>
    %ew = arith.constant dense<64> : tensor<64x1xi32, #fp8>
    %erw = arith.muli %ere, %ew : tensor<64x1xi32, #fp8>
    %erb = tt.broadcast %erw : tensor<64x1xi32, #fp8> -> tensor<64x64xi32, #fp8>
    %ecb = tt.broadcast %ece : tensor<1x64xi32, #fp8> -> tensor<64x64xi32, #fp8>
    %eat = arith.addi %erb, %ecb : tensor<64x64xi32, #fp8>
    %eps = tt.splat %ebase : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>, #fp8>
    %ep = tt.addptr %eps, %eat : tensor<64x64x!tt.ptr<bf16>, #fp8>, tensor<64x64xi32, #fp8>
    tt.store %ep, %u : tensor<64x64x!tt.ptr<bf16>, #fp8>
    tt.return
  }
}

// -----

// NOSCALES: error: 'amdg.scaled_downcast_fp8' has no instruction on {{.*}}; it has one on gfx950, gfx1250
#row = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [LANES, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @scaled_downcast_fp8(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
    %vbase = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<f32>
    %vr = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #row}>>
    %vc = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #row}>>
    %vre = tt.expand_dims %vr {axis = 1 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<256x1xi32, #row>
    %vce = tt.expand_dims %vc {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #row}>> -> tensor<1x32xi32, #row>
    %vw = arith.constant dense<32> : tensor<256x1xi32, #row>
    %vrw = arith.muli %vre, %vw : tensor<256x1xi32, #row>
    %vrb = tt.broadcast %vrw : tensor<256x1xi32, #row> -> tensor<256x32xi32, #row>
    %vcb = tt.broadcast %vce : tensor<1x32xi32, #row> -> tensor<256x32xi32, #row>
    %vat = arith.addi %vrb, %vcb : tensor<256x32xi32, #row>
    %vps = tt.splat %vbase : !tt.ptr<f32> -> tensor<256x32x!tt.ptr<f32>, #row>
    %vp = tt.addptr %vps, %vat : tensor<256x32x!tt.ptr<f32>, #row>, tensor<256x32xi32, #row>
    %v = tt.load %vp : tensor<256x32x!tt.ptr<f32>, #row>
    %sbase = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<i8>
    %sr = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #row}>>
    %sc = tt.make_range {end = 1 : i32, start = 0 : i32} : tensor<1xi32, #ttg.slice<{dim = 0, parent = #row}>>
    %sre = tt.expand_dims %sr {axis = 1 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<256x1xi32, #row>
    %sce = tt.expand_dims %sc {axis = 0 : i32} : tensor<1xi32, #ttg.slice<{dim = 0, parent = #row}>> -> tensor<1x1xi32, #row>
    %sw = arith.constant dense<1> : tensor<256x1xi32, #row>
    %srw = arith.muli %sre, %sw : tensor<256x1xi32, #row>
    %srb = tt.broadcast %srw : tensor<256x1xi32, #row> -> tensor<256x1xi32, #row>
    %scb = tt.broadcast %sce : tensor<1x1xi32, #row> -> tensor<256x1xi32, #row>
    %sat = arith.addi %srb, %scb : tensor<256x1xi32, #row>
    %sps = tt.splat %sbase : !tt.ptr<i8> -> tensor<256x1x!tt.ptr<i8>, #row>
    %sp = tt.addptr %sps, %sat : tensor<256x1x!tt.ptr<i8>, #row>, tensor<256x1xi32, #row>
    %s = tt.load %sp : tensor<256x1x!tt.ptr<i8>, #row>
    %u = amdg.scaled_downcast_fp8 %v scale %s {axis = 1 : i32} : tensor<256x32xf32, #row>, tensor<256x1xi8, #row> -> tensor<256x32xf8E4M3FN, #row>
    %ebase = tt.bitcast %q : !tt.ptr<i32> -> !tt.ptr<f8E4M3FN>
    %er = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #row}>>
    %ec = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #row}>>
    %ere = tt.expand_dims %er {axis = 1 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<256x1xi32, #row>
    %ece = tt.expand_dims %ec {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #row}>> -> tensor<1x32xi32, #row>
    %ew = arith.constant dense<32> : tensor<256x1xi32, #row>
    %erw = arith.muli %ere, %ew : tensor<256x1xi32, #row>
    %erb = tt.broadcast %erw : tensor<256x1xi32, #row> -> tensor<256x32xi32, #row>
    %ecb = tt.broadcast %ece : tensor<1x32xi32, #row> -> tensor<256x32xi32, #row>
    %eat = arith.addi %erb, %ecb : tensor<256x32xi32, #row>
    %eps = tt.splat %ebase : !tt.ptr<f8E4M3FN> -> tensor<256x32x!tt.ptr<f8E4M3FN>, #row>
    %ep = tt.addptr %eps, %eat : tensor<256x32x!tt.ptr<f8E4M3FN>, #row>, tensor<256x32xi32, #row>
    tt.store %ep, %u : tensor<256x32x!tt.ptr<f8E4M3FN>, #row>
    tt.return
  }
}

// -----

// NOSCALES: error: 'amdg.scaled_downcast_fp4' has no instruction on {{.*}}; it has one on gfx950, gfx1250
#row = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [LANES, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#row4 = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [LANES, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @scaled_downcast_fp4(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32) {
    %vbase = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<f32>
    %vr = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #row}>>
    %vc = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #row}>>
    %vre = tt.expand_dims %vr {axis = 1 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<256x1xi32, #row>
    %vce = tt.expand_dims %vc {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #row}>> -> tensor<1x32xi32, #row>
    %vw = arith.constant dense<32> : tensor<256x1xi32, #row>
    %vrw = arith.muli %vre, %vw : tensor<256x1xi32, #row>
    %vrb = tt.broadcast %vrw : tensor<256x1xi32, #row> -> tensor<256x32xi32, #row>
    %vcb = tt.broadcast %vce : tensor<1x32xi32, #row> -> tensor<256x32xi32, #row>
    %vat = arith.addi %vrb, %vcb : tensor<256x32xi32, #row>
    %vps = tt.splat %vbase : !tt.ptr<f32> -> tensor<256x32x!tt.ptr<f32>, #row>
    %vp = tt.addptr %vps, %vat : tensor<256x32x!tt.ptr<f32>, #row>, tensor<256x32xi32, #row>
    %v = tt.load %vp : tensor<256x32x!tt.ptr<f32>, #row>
    %sbase = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<i8>
    %sr = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #row}>>
    %sc = tt.make_range {end = 1 : i32, start = 0 : i32} : tensor<1xi32, #ttg.slice<{dim = 0, parent = #row}>>
    %sre = tt.expand_dims %sr {axis = 1 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<256x1xi32, #row>
    %sce = tt.expand_dims %sc {axis = 0 : i32} : tensor<1xi32, #ttg.slice<{dim = 0, parent = #row}>> -> tensor<1x1xi32, #row>
    %sw = arith.constant dense<1> : tensor<256x1xi32, #row>
    %srw = arith.muli %sre, %sw : tensor<256x1xi32, #row>
    %srb = tt.broadcast %srw : tensor<256x1xi32, #row> -> tensor<256x1xi32, #row>
    %scb = tt.broadcast %sce : tensor<1x1xi32, #row> -> tensor<256x1xi32, #row>
    %sat = arith.addi %srb, %scb : tensor<256x1xi32, #row>
    %sps = tt.splat %sbase : !tt.ptr<i8> -> tensor<256x1x!tt.ptr<i8>, #row>
    %sp = tt.addptr %sps, %sat : tensor<256x1x!tt.ptr<i8>, #row>, tensor<256x1xi32, #row>
    %s = tt.load %sp : tensor<256x1x!tt.ptr<i8>, #row>
    %u = amdg.scaled_downcast_fp4 %v scale %s {axis = 1 : i32} : tensor<256x32xf32, #row>, tensor<256x1xi8, #row> -> tensor<256x16xi8, #row4>
    %ebase = tt.bitcast %q : !tt.ptr<i32> -> !tt.ptr<i8>
    %er = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #row4}>>
    %ec = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #row4}>>
    %ere = tt.expand_dims %er {axis = 1 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #row4}>> -> tensor<256x1xi32, #row4>
    %ece = tt.expand_dims %ec {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #row4}>> -> tensor<1x16xi32, #row4>
    %ew = arith.constant dense<16> : tensor<256x1xi32, #row4>
    %erw = arith.muli %ere, %ew : tensor<256x1xi32, #row4>
    %erb = tt.broadcast %erw : tensor<256x1xi32, #row4> -> tensor<256x16xi32, #row4>
    %ecb = tt.broadcast %ece : tensor<1x16xi32, #row4> -> tensor<256x16xi32, #row4>
    %eat = arith.addi %erb, %ecb : tensor<256x16xi32, #row4>
    %eps = tt.splat %ebase : !tt.ptr<i8> -> tensor<256x16x!tt.ptr<i8>, #row4>
    %ep = tt.addptr %eps, %eat : tensor<256x16x!tt.ptr<i8>, #row4>, tensor<256x16xi32, #row4>
    tt.store %ep, %u : tensor<256x16x!tt.ptr<i8>, #row4>
    tt.return
  }
}
