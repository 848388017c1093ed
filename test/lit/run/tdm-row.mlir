// A single row with padding that the data mover brings to a barrier: each of four warps moves a quarter and arrives once.
// RUN: kernelscope preview %s --emit llvm | FileCheck %s --check-prefix=LLVM
// RUN: kernelscope run %s --device sim --compare | FileCheck %s
// LLVM: [[WARP:%.*]] = {{.*}}call i32 @llvm.amdgcn.wave.id()
// LLVM: shl {{.*}}i32 [[WARP]], 7
// CHECK: differs from the CPU executor by at most 0.000e+00
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
#row = #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [1, 512]}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @row(%from: !tt.ptr<i16> {tt.divisibility = 16 : i32}, %to: !tt.ptr<i16> {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c512 = arith.constant 512 : i32
    %stride = arith.constant 512 : i64
    %one = arith.constant 1 : i64
    %d = tt.make_tensor_descriptor %from, [%c1, %c512], [%stride, %one] : <i16>, <1x512xui16, #row>
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<1x512xi16, #row, #smem, mutable>
    %arrived = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #bar, #smem, mutable>
    amdg.init_barrier %arrived, 4 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %t = amdg.async_tdm_copy_global_to_local %d into %buffer, barrier = %arrived : !tt.tensordesc<1x512xui16, #row>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<1x512xi16, #row, #smem, mutable>
    amdg.wait_barrier %arrived, %c0 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    %v = ttg.local_load %buffer : !ttg.memdesc<1x512xi16, #row, #smem, mutable> -> tensor<1x512xi16, #b>
    %j = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %column = tt.expand_dims %j {axis = 0 : i32} : tensor<512xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x512xi32, #b>
    %base = tt.splat %to : !tt.ptr<i16> -> tensor<1x512x!tt.ptr<i16>, #b>
    %p = tt.addptr %base, %column : tensor<1x512x!tt.ptr<i16>, #b>, tensor<1x512xi32, #b>
    tt.store %p, %v : tensor<1x512x!tt.ptr<i16>, #b>
    tt.return
  }
}
