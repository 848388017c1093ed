// Waits for groups of copies on AMD leave as many instructions as are certain to be newer.
// RUN: kernelscope opt %s --annotate-access-runs --count-async-waits | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<64x64xf16, #plain, #smem, mutable>
!small = !ttg.memdesc<32x64xf16, #plain, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  // CHECK-LABEL: @straight
  tt.func public @straight(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %at: tensor<64x64xi32, #blocked>, %half: tensor<32x64xi32, #blocked>) {
    %m = ttg.local_alloc : () -> !buffer
    %n = ttg.local_alloc : () -> !small
    %t = amdg.buffer_load_to_local %p[%at] into %m {contiguity = 8 : i32} : !tt.ptr<f16>[tensor<64x64xi32, #blocked>] -> <64x64xf16, #plain, #smem, mutable>
    ttg.async_commit_group tokens %t
    %u = amdg.buffer_load_to_local %p[%half] into %n {contiguity = 8 : i32} : !tt.ptr<f16>[tensor<32x64xi32, #blocked>] -> <32x64xf16, #plain, #smem, mutable>
    ttg.async_commit_group tokens %u
    // The second group is one instruction.
    // CHECK: amdg.async_wait {num_inst = 1 : i32}
    ttg.async_wait {num = 1 : i32}
    // CHECK: amdg.async_wait {num_inst = 0 : i32}
    ttg.async_wait {num = 0 : i32}
    // Only two groups are there: with two left nothing is waited for.
    // CHECK: amdg.async_wait {num_inst = 63 : i32}
    ttg.async_wait {num = 2 : i32}
    tt.return
  }

  // The last group before the loop is two instructions, that of an iteration one more.
  // CHECK-LABEL: @in_a_loop
  tt.func public @in_a_loop(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %at: tensor<64x64xi32, #blocked>, %half: tensor<32x64xi32, #blocked>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !buffer
    %s = ttg.local_alloc : () -> !small
    %t = amdg.buffer_load_to_local %p[%at] into %m {contiguity = 8 : i32} : !tt.ptr<f16>[tensor<64x64xi32, #blocked>] -> <64x64xf16, #plain, #smem, mutable>
    ttg.async_commit_group tokens %t
    %u = amdg.buffer_load_to_local %p[%at] into %m {contiguity = 8 : i32} : !tt.ptr<f16>[tensor<64x64xi32, #blocked>] -> <64x64xf16, #plain, #smem, mutable>
    ttg.async_commit_group tokens %u
    scf.for %i = %c0 to %n step %c1 : i32 {
      // CHECK: amdg.async_wait {num_inst = 2 : i32}
      ttg.async_wait {num = 1 : i32}
      %v = amdg.buffer_load_to_local %p[%at] into %m {contiguity = 8 : i32} : !tt.ptr<f16>[tensor<64x64xi32, #blocked>] -> <64x64xf16, #plain, #smem, mutable>
      %w = amdg.buffer_load_to_local %p[%half] into %s {contiguity = 8 : i32} : !tt.ptr<f16>[tensor<32x64xi32, #blocked>] -> <32x64xf16, #plain, #smem, mutable>
      ttg.async_commit_group tokens %v, %w
    }
    tt.return
  }

  // The copies of a stage are newer than the group before it.
  // CHECK-LABEL: @in_a_stage
  tt.func public @in_a_stage(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %at: tensor<64x64xi32, #blocked>) {
    %m = ttg.local_alloc : () -> !buffer
    %t = amdg.buffer_load_to_local %p[%at] into %m {contiguity = 8 : i32} : !tt.ptr<f16>[tensor<64x64xi32, #blocked>] -> <64x64xf16, #plain, #smem, mutable>
    ttg.async_commit_group tokens %t
    scf.execute_region {
      %u = amdg.buffer_load_to_local %p[%at] into %m {contiguity = 8 : i32} : !tt.ptr<f16>[tensor<64x64xi32, #blocked>] -> <64x64xf16, #plain, #smem, mutable>
      ttg.async_commit_group tokens %u
      scf.yield
    } {triton.warp_pipeline.stage = "load"}
    // CHECK: amdg.async_wait {num_inst = 2 : i32}
    ttg.async_wait {num = 1 : i32}
    tt.return
  }

  // A warp whose mask is false everywhere skips a copy through pointers.
  // CHECK-LABEL: @masked
  tt.func public @masked(%a: tensor<64x64x!tt.ptr<f16>, #blocked>, %mask: tensor<64x64xi1, #blocked>) {
    %m = ttg.local_alloc : () -> !buffer
    %t = ttg.async_copy_global_to_local %a, %m {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #plain, #smem, mutable>
    ttg.async_commit_group tokens %t
    %u = ttg.async_copy_global_to_local %a, %m mask %mask {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #plain, #smem, mutable>
    ttg.async_commit_group tokens %u
    // CHECK: amdg.async_wait {num_inst = 0 : i32}
    ttg.async_wait {num = 1 : i32}
    tt.return
  }
}
