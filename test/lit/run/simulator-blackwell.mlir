// Blackwell's tensor core and tensor memory on the wave simulator, compared with the executor.
// RUN: kernelscope run %s --device sim --compare | FileCheck %s --check-prefix=SAME
// RUN: kernelscope run %s --device sim --arch sm_103a --compare | FileCheck %s --check-prefix=SAME
// RUN: kernelscope preview %s --emit llvm -o %t.ll
// RUN: kernelscope run %s --device sim --code %t.ll --compare | FileCheck %s --check-prefix=SAME
// Cells that a load reads stay as they are until the wait.
// RUN: sed -e 's/tcgen05.wait::ld.sync.aligned;//' %t.ll > %t.early.ll
// RUN: not kernelscope run %s --device sim --code %t.early.ll 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: sed -e 's/@$0 tcgen05.dealloc[^;]*;//' %t.ll > %t.kept.ll
// RUN: not kernelscope run %s --device sim --code %t.kept.ll 2>&1 | FileCheck %s --check-prefix=KEPT
// RUN: sed -e 's/tcgen05.alloc\(.*\), 64;/tcgen05.alloc\1, 48;/' %t.ll > %t.odd.ll
// RUN: not kernelscope run %s --device sim --code %t.odd.ll 2>&1 | FileCheck %s --check-prefix=ODD
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 2], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.slice<{dim = 1, parent = #b}>
#columns = #ttg.slice<{dim = 0, parent = #b}>
#lanes = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#mma = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#wide = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory
#cells = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
!a = !ttg.memdesc<128x16xf16, #mma, #smem, mutable>
!b = !ttg.memdesc<16x64xf16, #wide, #smem, mutable>
!d = !ttg.memdesc<128x64xf32, #cells, #tmem, mutable>
!bar = !ttg.memdesc<1xi64, #plain, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // SAME: product on sim: the wave simulator (sm_{{100a|103a}})
  // SAME: differs from the CPU executor by at most
  // SAME-SAME: {{equal|within}}
  // EARLY: error: CTA (0, 0, 0), warp 0: tcgen05.dealloc changes columns that a tcgen05.ld of warp 0 may still read; that warp has not waited with tcgen05.wait::ld
  // KEPT: error: CTA (0, 0, 0), warp 0: the kernel ends with 64 columns from column 0 of tensor memory allocated; it must free them with tcgen05.dealloc
  // ODD: error: CTA (0, 0, 0), warp 0: tcgen05.alloc of 48 columns; it needs a power of two from 32 to 512
  tt.func public @product(%x: !tt.ptr<f16>, %y: !tt.ptr<f16>, %z: !tt.ptr<f32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #rows>
    %k = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #columns>
    %l = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #rows>
    %j = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #columns>
    %ie = tt.expand_dims %i {axis = 1 : i32} : tensor<128xi32, #rows> -> tensor<128x1xi32, #b>
    %ke = tt.expand_dims %k {axis = 0 : i32} : tensor<16xi32, #columns> -> tensor<1x16xi32, #b>
    %le = tt.expand_dims %l {axis = 1 : i32} : tensor<16xi32, #rows> -> tensor<16x1xi32, #b>
    %je = tt.expand_dims %j {axis = 0 : i32} : tensor<64xi32, #columns> -> tensor<1x64xi32, #b>
    %c16 = arith.constant dense<16> : tensor<128x1xi32, #b>
    %c64 = arith.constant dense<64> : tensor<16x1xi32, #b>
    %w64 = arith.constant dense<64> : tensor<128x1xi32, #b>
    %i16 = arith.muli %ie, %c16 : tensor<128x1xi32, #b>
    %l64 = arith.muli %le, %c64 : tensor<16x1xi32, #b>
    %i64 = arith.muli %ie, %w64 : tensor<128x1xi32, #b>
    %ib = tt.broadcast %i16 : tensor<128x1xi32, #b> -> tensor<128x16xi32, #b>
    %kb = tt.broadcast %ke : tensor<1x16xi32, #b> -> tensor<128x16xi32, #b>
    %at = arith.addi %ib, %kb : tensor<128x16xi32, #b>
    %lb = tt.broadcast %l64 : tensor<16x1xi32, #b> -> tensor<16x64xi32, #b>
    %jb = tt.broadcast %je : tensor<1x64xi32, #b> -> tensor<16x64xi32, #b>
    %bt = arith.addi %lb, %jb : tensor<16x64xi32, #b>
    %ob = tt.broadcast %i64 : tensor<128x1xi32, #b> -> tensor<128x64xi32, #b>
    %pb = tt.broadcast %je : tensor<1x64xi32, #b> -> tensor<128x64xi32, #b>
    %ot = arith.addi %ob, %pb : tensor<128x64xi32, #b>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<128x16x!tt.ptr<f16>, #b>
    %xp = tt.addptr %xs, %at : tensor<128x16x!tt.ptr<f16>, #b>, tensor<128x16xi32, #b>
    %ys = tt.splat %y : !tt.ptr<f16> -> tensor<16x64x!tt.ptr<f16>, #b>
    %yp = tt.addptr %ys, %bt : tensor<16x64x!tt.ptr<f16>, #b>, tensor<16x64xi32, #b>
    %av = tt.load %xp : tensor<128x16x!tt.ptr<f16>, #b>
    %bv = tt.load %yp : tensor<16x64x!tt.ptr<f16>, #b>
    %a = ttg.local_alloc %av : (tensor<128x16xf16, #b>) -> !a
    %b = ttg.local_alloc %bv : (tensor<16x64xf16, #b>) -> !b
    %bar = ttg.local_alloc : () -> !bar
    ttng.init_barrier %bar, 1 : !bar
    %tens = arith.constant dense<10.0> : tensor<128x64xf32, #lanes>
    %d = ttng.tmem_alloc %tens : (tensor<128x64xf32, #lanes>) -> !d
    ttng.fence_async_shared {bCluster = false}
    ttng.tc_gen5_mma %a, %b, %d, %true, %true, %bar[%true] {is_async} : !a, !b, !d, !bar
    ttng.wait_barrier %bar, %c0, %true : !bar
    %r = ttng.tmem_load %d : !d -> tensor<128x64xf32, #lanes>
    %s = ttg.convert_layout %r : tensor<128x64xf32, #lanes> -> tensor<128x64xf32, #b>
    %zs = tt.splat %z : !tt.ptr<f32> -> tensor<128x64x!tt.ptr<f32>, #b>
    %zp = tt.addptr %zs, %ot : tensor<128x64x!tt.ptr<f32>, #b>, tensor<128x64xi32, #b>
    tt.store %zp, %s : tensor<128x64x!tt.ptr<f32>, #b>
    tt.return
  }
}
