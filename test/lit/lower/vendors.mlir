// What only one vendor's chips have is not lowered on the other's, and the op says so.
// RUN: kernelscope opt %s --ttgir-to-llvm --split-input-file --verify-diagnostics

module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @copies() {
    // expected-error @below {{'ttg.async_commit_group' has no instruction on gfx1100; it has one on sm_80,}}
    %c = ttg.async_commit_group
    // expected-error @below {{'ttg.async_wait' has no instruction on gfx1100; it has one on sm_80,}}
    %w = ttg.async_wait %c {num = 0 : i32}
    tt.return
  }
}

// -----

// A direct copy writes the lanes of a warp one after another; here a lane's four elements are 16 bytes, which gfx942 does not copy.
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @wide(%p: tensor<1024x!tt.ptr<f32>, #blocked>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<1024xf32, #shared, #smem, mutable>
    // expected-error @below {{has layouts that gfx942 cannot copy between directly: each lane must copy 32 adjacent bits, and write right after the lane before it}}
    %t = ttg.async_copy_global_to_local %p, %m : tensor<1024x!tt.ptr<f32>, #blocked> -> !ttg.memdesc<1024xf32, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @buffers(%p: !tt.ptr<f32>, %o: tensor<512xi32, #blocked>, %x: tensor<512xf32, #blocked>) {
    // expected-error @below {{'amdg.buffer_load' has no instruction on sm_90a; it has one on gfx90a, gfx942, gfx950,}}
    %y = amdg.buffer_load %p[%o] : tensor<512xf32, #blocked>
    // expected-error @below {{'amdg.buffer_atomic_rmw' has no instruction on sm_90a; it has on}}
    %z = amdg.buffer_atomic_rmw fadd, relaxed, gpu, %y, %p[%o] : tensor<512xf32, #blocked>
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
!m = !ttg.memdesc<64x64xf16, #shared, #ttg.shared_memory, mutable>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @product(%c: tensor<64x64xf32, #mma>) {
    %m = ttg.local_alloc : () -> !m
    // expected-error @below {{'ttng.warp_group_dot' has no instruction on sm_80; it has one on sm_90a}}
    %0 = ttng.warp_group_dot %m, %m, %c : !m * !m -> tensor<64x64xf32, #mma>
    tt.return
  }
}
