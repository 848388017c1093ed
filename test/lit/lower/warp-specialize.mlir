// Partitions run on warps of their own: the others wait at a switch until the kernel's warps signal what to run next.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_80 | FileCheck %s --check-prefixes=CHECK,OLD
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_90a | FileCheck %s --check-prefixes=CHECK,NEW

#four = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#two = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<64xi32, #shared, #smem, mutable>
// 4 warps of its own, 2 + 1 of partitions, and one to fill the group of four.
// CHECK: module attributes {{.*}}ttg.shared = {{[0-9]+}}{{.*}}"ttg.total-num-warps" = 8
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func ptx_kernelcc @kernel(
  // CHECK-SAME: ["nvvm.reqntid", "256"]
  // CHECK: %[[WARP:.*]] = llvm.call_intrinsic "llvm.nvvm.shfl.sync.idx.i32"
  // CHECK: %[[OWN:.*]] = llvm.icmp "ult" %[[WARP]], %{{.*}}
  // CHECK: llvm.cond_br %[[OWN]], ^[[BODY:.*]], ^[[OTHERS:bb[0-9]+]]
  // CHECK: ^[[BODY]]:
  //
  // The kernel's warps write what is next and what is handed over, a value that was loaded, and meet the others twice. Arguments
  // of the kernel, constants and buffers are known to all warps, and a partition repeats a little arithmetic with them.
  // CHECK-COUNT-2: st.shared
  // CHECK-NOT: st.shared
  // CHECK: llvm.nvvm.barrier.cta.sync.all
  // CHECK: llvm.nvvm.barrier.cta.sync.all
  // A barrier in the default region is for its four warps.
  // CHECK: %[[C0:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: %[[C128:.*]] = llvm.mlir.constant(128 : i32)
  // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.count"(%[[C0]], %[[C128]])
  // CHECK: llvm.nvvm.barrier.cta.sync.all
  // CHECK: llvm.br ^[[AFTER:bb[0-9]+]](%{{.*}} : i32)
  // CHECK: ^[[AFTER]](%{{.*}}: i32):
  // It is over: one more meeting lets the others leave.
  // CHECK: st.shared
  // CHECK: llvm.nvvm.barrier.cta.sync.all
  // CHECK: llvm.return
  //
  // CHECK: ^[[LEAVE:bb[0-9]+]]:
  // CHECK-NEXT: llvm.return
  // CHECK: ^[[OTHERS]]:
  // CHECK: llvm.br ^[[WAIT:bb[0-9]+]]
  // CHECK: ^[[WAIT]]:
  // CHECK: llvm.nvvm.barrier.cta.sync.all
  // CHECK: %[[NEXT:.*]] = llvm.load
  // CHECK: llvm.switch %[[NEXT]] : i32, ^[[LEAVE]] [
  // CHECK-DAG: llvm.call @kernel_specialize0_partition0
  // CHECK-DAG: llvm.call @kernel_specialize0_partition1
  tt.func public @kernel(%p: !tt.ptr<i32>, %x: i32) {
    %two = arith.constant 2 : i32
    %s = arith.addi %x, %two : i32
    %y = tt.load %p : !tt.ptr<i32>
    %m = ttg.local_alloc : () -> !buffer
    %r = ttg.warp_specialize(%p, %y, %m, %s)
    default {
      ttg.barrier local
      %z = arith.muli %y, %y : i32
      ttg.warp_yield %z : i32
    }
    partition0(%a: !tt.ptr<i32>, %b: i32, %c: !buffer, %d: i32) num_warps(1) {
      ttg.barrier local
      tt.store %a, %b : !tt.ptr<i32>
      ttg.warp_return
    }
    partition1(%a: !tt.ptr<i32>, %b: i32, %c: !buffer, %d: i32) num_warps(2) {
      %v = tt.splat %b : i32 -> tensor<64xi32, #two>
      ttg.local_store %v, %c : tensor<64xi32, #two> -> !buffer
      %l = ttg.local_load %c : !buffer -> tensor<64xi32, #two>
      ttg.warp_return
    } : (!tt.ptr<i32>, i32, !buffer, i32) -> i32
    tt.store %p, %r : !tt.ptr<i32>
    tt.return
  }

  // Two warps begin at the fifth, so this one is the seventh: one warp needs no barrier of the block.
  // Its first thread stores, not the block's.
  // CHECK-LABEL: llvm.func internal @kernel_specialize0_partition0
  // CHECK-SAME: always_inline
  // CHECK: llvm.call_intrinsic "llvm.nvvm.bar.warp.sync"
  // CHECK: %[[TID:.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.x"
  // CHECK: %[[START:.*]] = llvm.mlir.constant(192 : i32)
  // CHECK: %[[OWNTID:.*]] = llvm.sub %[[TID]], %[[START]]
  // CHECK: llvm.and %[[OWNTID]], %{{.*}}
  // CHECK: st.global

  // CHECK-LABEL: llvm.func internal @kernel_specialize0_partition1
  // CHECK: {{llvm.store|stmatrix}}
  // CHECK: %[[ID:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: %[[THREADS:.*]] = llvm.mlir.constant(64 : i32)
  // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.count"(%[[ID]], %[[THREADS]])
  // CHECK: ldmatrix.sync

  // Registers move between warp groups where the chip can.
  // NEW-LABEL: llvm.func ptx_kernelcc @registers(
  // NEW-SAME: ["nvvm.maxnreg", "256"]
  // NEW: setmaxnreg.inc
  // OLD-LABEL: llvm.func ptx_kernelcc @registers(
  // OLD-NOT: setmaxnreg
  // OLD: llvm.return
  tt.func public @registers() {
    ttg.warp_specialize() attributes {requestedRegisters = array<i32: 24>}
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }

  // A kernel without partitions has no work for the warps that others need: they leave.
  // CHECK-LABEL: llvm.func ptx_kernelcc @plain(
  // CHECK: llvm.cond_br %{{.*}}, ^{{.*}}, ^[[LEAVE:bb[0-9]+]]
  // CHECK-NOT: barrier.cta
  // CHECK: ^[[LEAVE]]:
  // CHECK-NEXT: llvm.return
  tt.func public @plain(%p: !tt.ptr<i32>, %x: i32) {
    tt.store %p, %x : !tt.ptr<i32>
    tt.return
  }
}
