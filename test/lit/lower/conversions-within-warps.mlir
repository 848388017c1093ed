// A conversion that goes through shared memory, but within each warp, waits for the lanes of the warp alone. A CTA waits only before another op
// takes the place.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_90a | FileCheck %s --check-prefixes=CHECK,NV
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=gfx1201 | FileCheck %s --check-prefixes=CHECK,AMD

#rows = #ttg.linear<{register = [[0, 1], [0, 2], [2, 0], [4, 0], [8, 0], [16, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]],
                     warp = [[32, 0], [64, 0]], block = []}>
#columns = #ttg.linear<{register = [[1, 0], [2, 0], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[4, 0], [8, 0], [16, 0], [0, 32], [0, 1]],
                        warp = [[32, 0], [64, 0]], block = []}>
#halves = #ttg.linear<{register = [[0, 1], [0, 2], [2, 0], [4, 0], [8, 0], [16, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]],
                       warp = [[32, 0], [0, 0]], block = []}>
#halfColumns = #ttg.linear<{register = [[1, 0], [2, 0], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[4, 0], [8, 0], [16, 0], [0, 32], [0, 1]],
                            warp = [[32, 0], [0, 0]], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @twice
  tt.func @twice(%x: tensor<128x64xf32, #rows>) -> tensor<128x64xf32, #rows> {
    // NV-NOT: barrier.cta
    // NV: llvm.nvvm.bar.warp.sync
    // NV: llvm.nvvm.barrier.cta
    // NV-NOT: barrier.cta
    // NV: llvm.nvvm.bar.warp.sync
    // AMD-NOT: s.barrier
    // AMD: llvm.fence syncscope("wavefront") release
    // AMD: llvm.amdgcn.wave.barrier
    // AMD: llvm.fence syncscope("wavefront") acquire
    // AMD: llvm.amdgcn.s.barrier
    // AMD-NOT: s.barrier
    // AMD: llvm.amdgcn.wave.barrier
    // CHECK: llvm.return
    %y = ttg.convert_layout %x : tensor<128x64xf32, #rows> -> tensor<128x64xf32, #columns>
    %z = ttg.convert_layout %y : tensor<128x64xf32, #columns> -> tensor<128x64xf32, #rows>
    tt.return %z : tensor<128x64xf32, #rows>
  }

  // Warps that hold copies store to the same place.
  // CHECK-LABEL: @copies
  tt.func @copies(%x: tensor<64x64xf32, #halves>) -> tensor<64x64xf32, #halfColumns> {
    // NV-NOT: warp.sync
    // NV: llvm.nvvm.barrier.cta
    // AMD-NOT: wave.barrier
    // AMD: llvm.amdgcn.s.barrier
    // CHECK: llvm.return
    %y = ttg.convert_layout %x : tensor<64x64xf32, #halves> -> tensor<64x64xf32, #halfColumns>
    tt.return %y : tensor<64x64xf32, #halfColumns>
  }
}
