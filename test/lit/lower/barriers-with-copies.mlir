// A barrier does not wait for copies to LDS that the text lets be under way, as LLVM's fence of a block would on gfx9.
// RUN: kernelscope preview %s --emit llvm | FileCheck %s
// RUN: kernelscope preview %s --arch gfx950 | FileCheck %s --check-prefix=ASM

#b = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
#wide = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!ring = !ttg.memdesc<2x2048xf16, #shared, #smem, mutable>
!slot = !ttg.memdesc<2048xf16, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  // CHECK: call void @llvm.amdgcn.s.waitcnt(i32 3953)
  // CHECK-NEXT: call void @llvm.amdgcn.s.waitcnt(i32 49279)
  // CHECK-NEXT: fence syncscope("wavefront") release
  // CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
  // CHECK-NEXT: fence syncscope("wavefront") acquire
  // ASM: buffer_load_dwordx4 {{.*}} lds
  // ASM: buffer_load_dwordx4 {{.*}} lds
  // ASM-NOT: vmcnt(0)
  // ASM: s_waitcnt vmcnt(1) lgkmcnt(0)
  // ASM-NEXT: s_barrier
  // ASM-NOT: vmcnt(0)
  // ASM: ds_read
  tt.func public @two(%src: !tt.ptr<f16> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}, %dst: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %i = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32, #b>
    %m = ttg.local_alloc : () -> !ring
    %first = ttg.memdesc_index %m[%c0] : !ring -> !slot
    %second = ttg.memdesc_index %m[%c1] : !ring -> !slot
    %t = amdg.buffer_load_to_local %src[%i] into %first {contiguity = 8 : i32} : !tt.ptr<f16>[tensor<2048xi32, #b>] -> <2048xf16, #shared, #smem, mutable>
    ttg.async_commit_group tokens %t
    %u = amdg.buffer_load_to_local %src[%i] into %second {contiguity = 8 : i32} : !tt.ptr<f16>[tensor<2048xi32, #b>] -> <2048xf16, #shared, #smem, mutable>
    ttg.async_commit_group tokens %u
    ttg.async_wait {num = 1 : i32}
    %x = ttg.local_load %first : !slot -> tensor<2048xf16, #wide>
    %o = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32, #wide>
    amdg.buffer_store %x, %dst[%o] : !tt.ptr<f16> -> tensor<2048xf16, #wide>
    ttg.async_wait {num = 0 : i32}
    tt.return
  }
}
