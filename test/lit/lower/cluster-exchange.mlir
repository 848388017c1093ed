// Data that other CTAs of the cluster have is read from their shared memory, between two barriers of the cluster.
// RUN: kernelscope opt --ttgir-to-llvm=arch=sm_90a --split-input-file --verify-diagnostics %s | FileCheck %s
// RUN: not kernelscope opt --ttgir-to-llvm=arch=gfx1250 --split-input-file %s 2>&1 | FileCheck %s --check-prefix=AMD

// AMD: error: 'ttg.convert_layout' op needs data of other CTAs of the cluster, and gfx1250 cannot read their shared memory; use a layout in which each CTA holds what it needs
#cols = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1]]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @convert
  // CHECK: llvm.store {{.*}} !llvm.ptr<3>
  // CHECK: "llvm.nvvm.barrier.cluster.arrive.aligned"
  // CHECK: "llvm.nvvm.barrier.cluster.wait.aligned"
  // CHECK: "llvm.nvvm.mapa.shared.cluster"{{.*}} !llvm.ptr<7>
  // CHECK: llvm.load {{.*}} !llvm.ptr<7> -> vector<4xi32>
  // CHECK: "llvm.nvvm.barrier.cluster.arrive.aligned"
  // CHECK: "llvm.nvvm.barrier.cluster.wait.aligned"
  // CHECK: llvm.return
  tt.func public @convert(%x: tensor<32x64xf32, #cols>) -> tensor<32x64xf32, #rows> {
    %y = ttg.convert_layout %x : tensor<32x64xf32, #cols> -> tensor<32x64xf32, #rows>
    tt.return %y : tensor<32x64xf32, #rows>
  }
}

// -----

// The rows' four elements in a thread, then eight lanes; what both CTAs have of a row is summed in the same order in both.
#cols = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @reduce
  // CHECK-COUNT-3: "llvm.nvvm.shfl.sync.bfly
  // CHECK: "llvm.nvvm.barrier.cluster.wait.aligned"
  // CHECK-COUNT-2: "llvm.nvvm.mapa.shared.cluster"
  // CHECK: "llvm.nvvm.barrier.cluster.wait.aligned"
  // CHECK: llvm.return
  tt.func public @reduce(%x: tensor<16x64xf32, #cols>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #cols}>> {
    %sum = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<16x64xf32, #cols>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #cols}>>
    tt.return %sum : tensor<16xf32, #ttg.slice<{dim = 1, parent = #cols}>>
  }
}

// -----

// The first CTA acts; all read from its memory what was there.
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @atomic
  // CHECK: atom.global
  // CHECK: "llvm.nvvm.barrier.cluster.wait.aligned"
  // CHECK: "llvm.nvvm.mapa.shared.cluster"
  // CHECK: llvm.load {{.*}} !llvm.ptr<7>
  // CHECK: "llvm.nvvm.barrier.cluster.wait.aligned"
  // CHECK: llvm.return
  tt.func public @atomic(%counter: !tt.ptr<i32>, %one: i32, %mask: i1) -> i32 {
    %old = tt.atomic_rmw add, acq_rel, gpu, %counter, %one, %mask : (!tt.ptr<i32>, i32, i1) -> i32
    tt.return %old : i32
  }
}

// -----

// Of two CTAs one after the other: each scans its part, then the totals of both go through the cluster.
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @scan
  // CHECK-COUNT-5: "llvm.nvvm.shfl.sync.bfly
  // CHECK: llvm.nvvm.barrier.cta.sync
  // CHECK: "llvm.nvvm.barrier.cluster.wait.aligned"
  // CHECK-COUNT-2: "llvm.nvvm.mapa.shared.cluster"
  // CHECK: "llvm.nvvm.barrier.cluster.wait.aligned"
  // CHECK: llvm.return
  tt.func public @scan(%x: tensor<256xi32, #line>) -> tensor<256xi32, #line> {
    %y = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: i32, %b: i32):
      %s = arith.addi %a, %b : i32
      tt.scan.return %s : i32
    }) : (tensor<256xi32, #line>) -> tensor<256xi32, #line>
    tt.return %y : tensor<256xi32, #line>
  }

  // Each counts its values in its own bins, all of which it clears; then each sums up what both counted.
  // CHECK-LABEL: @histogram
  // CHECK-COUNT-2: llvm.store {{.*}} !llvm.ptr<3>
  // CHECK: llvm.atomicrmw add
  // CHECK: "llvm.nvvm.barrier.cluster.wait.aligned"
  // CHECK-COUNT-2: "llvm.nvvm.mapa.shared.cluster"
  // CHECK: "llvm.nvvm.barrier.cluster.wait.aligned"
  // CHECK: llvm.return
  tt.func public @histogram(%x: tensor<256xi32, #line>) -> tensor<256xi32, #line> {
    %counts = tt.histogram %x : tensor<256xi32, #line> -> tensor<256xi32, #line>
    tt.return %counts : tensor<256xi32, #line>
  }

  // The index says in which CTA the element is.
  // CHECK-LABEL: @gather
  // CHECK: "llvm.nvvm.barrier.cluster.wait.aligned"
  // CHECK: "llvm.nvvm.mapa.shared.cluster"
  // CHECK: llvm.load {{.*}} !llvm.ptr<7>
  // CHECK: "llvm.nvvm.barrier.cluster.wait.aligned"
  // CHECK: llvm.return
  tt.func public @gather(%x: tensor<256xf32, #line>, %i: tensor<256xi32, #line>) -> tensor<256xf32, #line> {
    %picked = tt.gather %x[%i] {axis = 0 : i32} : (tensor<256xf32, #line>, tensor<256xi32, #line>) -> tensor<256xf32, #line>
    tt.return %picked : tensor<256xf32, #line>
  }
}
