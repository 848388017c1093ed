// What only one vendor's chips have is not lowered on the other's, and the op says so.
// RUN: kernelscope opt %s --ttgir-to-llvm --split-input-file --verify-diagnostics

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @copies(%p: tensor<1024x!tt.ptr<f32>, #blocked>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<1024xf32, #shared, #smem, mutable>
    // expected-error @below {{no lowering for 'ttg.async_copy_global_to_local' on gfx942 yet}}
    %t = ttg.async_copy_global_to_local %p, %m : tensor<1024x!tt.ptr<f32>, #blocked> -> !ttg.memdesc<1024xf32, #shared, #smem, mutable>
    // expected-error @below {{no lowering for 'ttg.async_commit_group' on gfx942 yet}}
    %c = ttg.async_commit_group tokens %t
    // expected-error @below {{no lowering for 'ttg.async_wait' on gfx942 yet}}
    %w = ttg.async_wait %c {num = 0 : i32}
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @buffers(%p: !tt.ptr<f32>, %o: tensor<512xi32, #blocked>, %x: tensor<512xf32, #blocked>) {
    // expected-error @below {{no lowering for 'amdg.buffer_load' on sm_90a yet}}
    %y = amdg.buffer_load %p[%o] : tensor<512xf32, #blocked>
    // expected-error @below {{no lowering for 'amdg.buffer_atomic_rmw' on sm_90a yet}}
    %z = amdg.buffer_atomic_rmw fadd, relaxed, gpu, %y, %p[%o] : tensor<512xf32, #blocked>
    tt.return
  }
}
