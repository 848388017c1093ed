// Hopper's units on the wave simulator: TMA loads a tile, an mbarrier signals its arrival, a warpgroup multiplies it by itself.
// RUN: kernelscope run %s --device sim --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope preview %s --emit llvm -o %t.ll
// RUN: sed -e 's/\], 8192;/], 16384;/' %t.ll > %t.waits.ll
// RUN: not kernelscope run %s --device sim --code %t.waits.ll 2>&1 | FileCheck %s --check-prefix=WAITS
// RUN: sed -e 's/mbarrier.init.shared::cta.b64/mbarrier.inval.shared::cta.b64/' -e 's/\[$0\], 1;/[$0];/' %t.ll > %t.none.ll
// RUN: not kernelscope run %s --device sim --code %t.none.ll 2>&1 | FileCheck %s --check-prefix=NONE
// Sums are there once the warp has waited for the group of the product.
// RUN: sed -e 's/wgmma.wait_group.sync.aligned 0;//' %t.ll > %t.early.ll
// RUN: not kernelscope run %s --device sim --code %t.early.ll --compare | FileCheck %s --check-prefix=EARLY
// RUN: sed -e 's/wgmma.commit_group.sync.aligned;//' %t.ll > %t.open.ll
// RUN: not kernelscope run %s --device sim --code %t.open.ll --compare | FileCheck %s --check-prefix=EARLY
// Without the wait nothing orders the copy before what reads it.
// RUN: sed -e 's/again: mbarrier.try_wait.*done:/done:/' %t.ll > %t.unwaited.ll
// RUN: not kernelscope run %s --device sim --code %t.unwaited.ll 2>&1 | FileCheck %s --check-prefix=UNWAITED
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#turned = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#one = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#rows = #ttg.slice<{dim = 1, parent = #mma}>
#columns = #ttg.slice<{dim = 0, parent = #mma}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // RIGHT: square on sim: the wave simulator (sm_90a)
  // RIGHT: differs from the CPU executor by at most
  // RIGHT-SAME: within
  // WAITS: error: CTA (0, 0, 0), warp 0: the warp waits forever for the mbarrier in shared memory at
  // WAITS-SAME: which still needs 0 of 1 arrivals and 8192 bytes
  // NONE: error: CTA (0, 0, 0), warp {{[0-9]}}, lane 0: waits at an address that holds no mbarrier
  // EARLY: 4096 NaN
  // UNWAITED: a bulk copy that it has started stores 16 bytes at 0 of shared memory, which a wgmma that warp {{[0-9]}} has started has loaded; no barrier orders the two
  tt.func public @square(%a: !tt.tensordesc<tensor<64x64xf16, #shared>>, %out: !tt.ptr<f32>) {
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    %none = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %width = arith.constant dense<64> : tensor<64x1xi32, #mma>
    %tile = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %done = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #one, #smem, mutable>
    ttng.init_barrier %done, 1 : !ttg.memdesc<1xi64, #one, #smem, mutable>
    ttng.barrier_expect %done, 8192, %true : !ttg.memdesc<1xi64, #one, #smem, mutable>
    ttng.async_tma_copy_global_to_local %a[%zero, %zero] %tile, %done, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #one, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.wait_barrier %done, %zero : !ttg.memdesc<1xi64, #one, #smem, mutable>
    ttng.inval_barrier %done : !ttg.memdesc<1xi64, #one, #smem, mutable>
    %right = ttg.memdesc_trans %tile {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #turned, #smem, mutable>
    %sum = ttng.warp_group_dot %tile, %right, %none {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #turned, #smem, mutable> -> tensor<64x64xf32, #mma>
    %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #rows>
    %j = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #columns>
    %ie = tt.expand_dims %i {axis = 1 : i32} : tensor<64xi32, #rows> -> tensor<64x1xi32, #mma>
    %je = tt.expand_dims %j {axis = 0 : i32} : tensor<64xi32, #columns> -> tensor<1x64xi32, #mma>
    %lines = arith.muli %ie, %width : tensor<64x1xi32, #mma>
    %il = tt.broadcast %lines : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
    %jl = tt.broadcast %je : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
    %at = arith.addi %il, %jl : tensor<64x64xi32, #mma>
    %p = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #mma>
    %ps = tt.addptr %p, %at : tensor<64x64x!tt.ptr<f32>, #mma>, tensor<64x64xi32, #mma>
    tt.store %ps, %sum : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}
