// Rows of tensors by TMA: four of them in each message, by their numbers in neighbouring registers.
// RUN: kernelscope opt %s --split-input-file --ttgir-to-llvm=arch=sm_100a --verify-diagnostics | FileCheck %s
// RUN: not kernelscope opt %s --split-input-file --ttgir-to-llvm=arch=sm_120a 2>&1 | FileCheck %s --check-prefix=SM120

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>
#rows = #ttg.slice<{dim = 0, parent = #blocked}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#barrier = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #barrier, #smem, mutable>
!tile = !ttg.memdesc<32x64xbf16, #shared, #smem, mutable>
!wide = !ttg.memdesc<8x128xbf16, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // Each of four warps has eight of 32 rows. Four rows begin 512 bytes after the ones before.
  // CHECK-LABEL: @rows
  tt.func public @rows(%desc: !tt.tensordesc<1x64xbf16, #shared>, %n: tensor<32xi32, #rows>, %y: i32, %live: i1) {
    %b = ttg.local_alloc : () -> !barrier
    %m = ttg.local_alloc : () -> !tile
    // CHECK: llvm.call_intrinsic "llvm.nvvm.elect.sync"
    // CHECK-COUNT-2: "@$8 cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3, $4, $5, $6}], [$7];", "r,l,r,r,r,r,r,r,b"
    // CHECK-NOT: gather4
    ttng.async_tma_gather %desc[%n, %y] %m, %b, %live : !tt.tensordesc<1x64xbf16, #shared>, tensor<32xi32, #rows>, i32, !barrier, !tile, i1
    // SM120: 'ttng.async_tma_scatter' has no instruction on sm_120a; it has one on sm_100a, sm_103a
    // CHECK-COUNT-2: "@$7 cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [$0, {$1, $2, $3, $4, $5}], [$6];", "l,r,r,r,r,r,r,b"
    // CHECK-NOT: scatter4
    // CHECK: cp.async.bulk.commit_group
    ttng.async_tma_scatter %desc[%n, %y] %m : !tt.tensordesc<1x64xbf16, #shared>, tensor<32xi32, #rows>, i32, !tile
    tt.return
  }

  // A swizzled row has 64 columns: two messages for the same rows. Warps 2 and 3 have the rows of 0 and 1.
  // CHECK-LABEL: @two_parts
  tt.func public @two_parts(%desc: !tt.tensordesc<1x128xbf16, #shared>, %n: tensor<8xi32, #rows>, %y: i32, %live: i1) {
    %b = ttg.local_alloc : () -> !barrier
    %m = ttg.local_alloc : () -> !wide
    // CHECK: %[[COPY:.*]] = llvm.mlir.constant(2 : i32)
    // CHECK: llvm.and %{{.*}}, %[[COPY]]
    // CHECK: llvm.icmp "eq"
    // CHECK: gather4
    // CHECK: %[[NEXT:.*]] = llvm.mlir.constant(64 : i32)
    // CHECK: llvm.add %{{.*}}, %[[NEXT]]
    // CHECK: gather4
    // CHECK-NOT: gather4
    ttng.async_tma_gather %desc[%n, %y] %m, %b, %live : !tt.tensordesc<1x128xbf16, #shared>, tensor<8xi32, #rows>, i32, !barrier, !wide, i1
    tt.return
  }
}
