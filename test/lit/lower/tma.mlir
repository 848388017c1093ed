// Blocks of tensors by TMA: a message for each box that the layout divides the block into, handed out to the warps.
// RUN: kernelscope opt %s --split-input-file --ttgir-to-llvm=arch=sm_90a --verify-diagnostics | FileCheck %s

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#barrier = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #barrier, #smem, mutable>
!tile = !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
!wide = !ttg.memdesc<128x512xf16, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The launcher passes a tensor map itself, aligned as TMA needs it.
  // CHECK: llvm.func ptx_kernelcc @one_message(%{{.*}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>}
  tt.func public @one_message(%desc: !tt.tensordesc<128x64xf16, #shared>, %x: i32, %y: i32, %live: i1) {
    %b = ttg.local_alloc : () -> !barrier
    %m = ttg.local_alloc : () -> !tile
    // One lane of the first warp, if the predicate holds; the fastest dimension is first.
    // CHECK: llvm.call_intrinsic "llvm.nvvm.elect.sync"
    // CHECK: llvm.icmp "ult"
    // CHECK: "@$5 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3}], [$4];", "r,l,r,r,r,b"
    // CHECK-NOT: cp.async.bulk
    ttng.async_tma_copy_global_to_local %desc[%x, %y] %m, %b, %live : !tt.tensordesc<128x64xf16, #shared>, !barrier -> !tile
    tt.return
  }

  // A swizzled row has 128 bytes: eight messages, two for each warp.
  // CHECK-LABEL: @eight_messages
  tt.func public @eight_messages(%desc: !tt.tensordesc<128x512xf16, #shared>, %x: i32, %live: i1) {
    %b = ttg.local_alloc : () -> !barrier
    %m = ttg.local_alloc : () -> !wide
    // CHECK-NOT: llvm.icmp "ult"
    // CHECK-COUNT-2: cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [
    // CHECK-NOT: cp.async.bulk
    // CHECK: createpolicy.fractional.L2::evict_first.b64 $0, 1.0;
    ttng.async_tma_copy_global_to_local %desc[%x, %x] %m, %b, %live : !tt.tensordesc<128x512xf16, #shared>, !barrier -> !wide
    // CHECK-COUNT-2: .mbarrier::complete_tx::bytes.L2::cache_hint [$0], [$1, {$2, $3}], [$4], $5;
    ttng.async_tma_copy_global_to_local %desc[%x, %x] %m, %b, %live evictionPolicy = evict_first : !tt.tensordesc<128x512xf16, #shared>, !barrier -> !wide
    tt.return
  }

  // All threads close the group, in which only some have messages, and wait for it.
  // CHECK-LABEL: @store
  tt.func public @store(%desc: !tt.tensordesc<128x64xf16, #shared>, %x: i32, %y: i32) {
    %m = ttg.local_alloc : () -> !tile
    // CHECK: "@$4 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [$0, {$1, $2}], [$3];", "l,r,r,r,b"
    // CHECK: "cp.async.bulk.commit_group;"
    ttng.async_tma_copy_local_to_global %desc[%x, %y] %m : !tt.tensordesc<128x64xf16, #shared>, !tile
    // CHECK: "cp.async.bulk.wait_group 0;"
    ttng.async_tma_store_wait {pendings = 0 : i32}
    // CHECK: cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group
    // CHECK: "cp.async.bulk.commit_group;"
    ttng.async_tma_reduce add, %desc[%x, %y] %m : !tt.tensordesc<128x64xf16, #shared>, !tile
    // CHECK: "cp.async.bulk.wait_group.read 1;"
    ttng.async_tma_store_wait {pendings = 1 : i32, read_only}
    tt.return
  }

  // The place in the window of an im2col copy is given by offsets of 16 bits.
  // CHECK-LABEL: @im2col
  tt.func public @im2col(%desc: !ttng.tensordesc_im2col<128x64xf16, #shared>, %x: i32, %o: i16, %live: i1) {
    %b = ttg.local_alloc : () -> !barrier
    %m = ttg.local_alloc : () -> !tile
    // CHECK: "@$9 cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3, $4, $5}], [$6], {$7, $8};"
    ttng.async_tma_copy_global_to_local %desc[%x, %x, %x, %x] offsets = [%o, %o] %m, %b, %live : !ttng.tensordesc_im2col<128x64xf16, #shared>, !barrier -> !tile
    tt.return
  }
}

// -----

// CTAs that share data get it from one copy, which the first of them starts.
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0], [1, 0]]}>
#barrier = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1], [2]]}>
#smem = #ttg.shared_memory
!barriers = !ttg.memdesc<4xi64, #barrier, #smem, mutable>
!tile = !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  // CHECK-LABEL: @multicast
  tt.func public @multicast(%desc: !tt.tensordesc<128x64xf16, #shared>, %x: i32, %live: i1) {
    %b = ttg.local_alloc : () -> !barriers
    %m = ttg.local_alloc : () -> !tile
    // CHECK: llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.cluster.ctarank"
    // CHECK: llvm.icmp "eq"
    // CHECK: llvm.trunc %{{.*}} : i32 to i16
    // CHECK: "@$6 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [$0], [$1, {$2, $3}], [$4], $5;", "r,l,r,r,r,h,b"
    ttng.async_tma_copy_global_to_local %desc[%x, %x] %m, %b, %live {multicast} : !tt.tensordesc<128x64xf16, #shared>, !barriers -> !tile
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<32x64xf32, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @one_dimension_for_two
  tt.func public @one_dimension_for_two(%desc: !tt.tensordesc<8x4x64xf32, #shared>, %x: i32) {
    %m = ttg.local_alloc : () -> !tile
    // The swizzle divides the rows of 64 elements between two messages.
    // CHECK-COUNT-2: cp.async.bulk.tensor.3d.global.shared::cta.bulk_group
    // CHECK-NOT: cp.async.bulk.tensor
    ttng.async_tma_copy_local_to_global %desc[%x, %x, %x] %m : !tt.tensordesc<8x4x64xf32, #shared>, !tile
    tt.return
  }
}
