// What nothing orders in NVIDIA's shared memory, by the wave simulator.
// RUN: kernelscope run %s --device sim --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope preview %s --emit llvm -o %t.ll
// A bulk store still reads what the next line overwrites: warp 0 passes the barrier without having waited.
// RUN: sed -e '/cp.async.bulk.wait_group/d' %t.ll > %t.unwaited.ll
// RUN: not kernelscope run %s --device sim --code %t.unwaited.ll 2>&1 | FileCheck %s --check-prefix=UNWAITED
// RUN: not kernelscope run %s --device sim --code %t.unwaited.ll --sanitize=none 2>&1 | FileCheck %s --check-prefix=QUIET
// Warps overwrite, or copy, what others store or load.
// RUN: sed -e '/call void @llvm.nvvm.barrier.cta.sync/d' %t.ll > %t.unordered.ll
// RUN: not kernelscope run %s --device sim --code %t.unordered.ll 2>&1 | FileCheck %s --check-prefix=UNORDERED
#line = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!desc = !tt.tensordesc<tensor<16x64xf16, #shared>>
!tile = !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // RIGHT: twice on sim
  // RIGHT-COUNT-2: differs from the CPU executor by at most 0.000e+00
  // UNWAITED: error: CTA (0, 0, 0), warp 0, lane 0: a bulk store that it has started loads 16 bytes at {{[0-9]+}} of shared memory, which lane {{[0-9]+}} of warp {{[0-3]}} has stored; no barrier orders the two
  // QUIET: twice on sim
  // UNORDERED: has {{stored|loaded}}; no barrier orders the two
  tt.func public @twice(%out: !desc, %next: !desc) {
    %zero = arith.constant 0 : i32
    %ones = arith.constant dense<1.0> : tensor<16x64xf16, #line>
    %twos = arith.constant dense<2.0> : tensor<16x64xf16, #line>
    %tile = ttg.local_alloc : () -> !tile
    ttg.local_store %ones, %tile : tensor<16x64xf16, #line> -> !tile
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %out[%zero, %zero] %tile : !desc, !tile
    ttng.async_tma_store_wait {pendings = 0 : i32}
    ttg.local_store %twos, %tile : tensor<16x64xf16, #line> -> !tile
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %next[%zero, %zero] %tile : !desc, !tile
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }
}
