// In a kernel with partitions some warps of a block meet those of the other CTAs without the block's other warps.
// RUN: kernelscope opt --ttgir-to-llvm=arch=sm_90a --split-input-file --verify-diagnostics %s | FileCheck %s

// Before the last pass the barriers are ops, and those beside partitions say so.
// RUN: kernelscope opt --assign-warps=arch=sm_90a --allocate-shared-memory=arch=sm_90a --lower-warp-specialization=arch=sm_90a --convert-ttgir-to-llvm=arch=sm_90a --split-input-file %s | FileCheck %s --check-prefix=BEFORE
// BEFORE: ttng.cluster_barrier{{$}}
// BEFORE: ttng.cluster_barrier {execution.beside_partitions = 0 : i32}

#cols = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1], [0, 2]]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0], [2, 0]]}>
// 4096 bytes that tensors are exchanged through, the announcement, and 24 bytes for each of two regions.
// CHECK: module attributes {{.*}}ttg.shared = 4152
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func ptx_kernelcc @kernel
  // One thread initialises two barriers for each region, each for the arrivals of the three other CTAs, before warps separate.
  // CHECK-COUNT-4: mbarrier.init.shared::cta.b64 [$0], 3;
  // CHECK: fence.mbarrier_init.release.cluster;
  // CHECK-NEXT: barrier.cluster.arrive.relaxed.aligned;\0Abarrier.cluster.wait.aligned;
  // CHECK: llvm.cond_br
  // The kernel's warps announce the barrier to the block's other warps, and all reach it.
  // CHECK: %[[ANNOUNCED:.*]] = llvm.mlir.constant(-1 : i32)
  // CHECK: st.shared{{.*}}%[[ANNOUNCED]]
  // CHECK: "llvm.nvvm.barrier.cta.sync.all"
  // CHECK-NEXT: barrier.cluster.arrive.aligned;\0Abarrier.cluster.wait.aligned;
  tt.func public @kernel(%out: !tt.ptr<f32>) {
    ttng.cluster_barrier
    ttg.warp_specialize(%out)
    // In the default region, by its own mbarriers.
    // CHECK: "llvm.nvvm.barrier.cta.sync.aligned.count"
    // CHECK: mapa.shared::cluster.u32
    // CHECK: mbarrier.arrive.release.cluster.shared::cluster.b64 _, [$0];
    // CHECK: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64
    // CHECK: "llvm.nvvm.barrier.cta.sync.aligned.count"
    default {
      ttng.cluster_barrier
      ttg.warp_yield
    }
    partition0(%to: !tt.ptr<f32>) num_warps(4) {
      %x = arith.constant dense<1.0> : tensor<64x64xf32, #cols>
      %y = ttg.convert_layout %x : tensor<64x64xf32, #cols> -> tensor<64x64xf32, #rows>
      %p = tt.splat %to : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #rows>
      tt.store %p, %y : tensor<64x64x!tt.ptr<f32>, #rows>
      ttg.warp_return
    } : (!tt.ptr<f32>) -> ()
    tt.return
  }
  // The block's other warps, on the announcement.
  // CHECK: llvm.switch
  // CHECK: -1: ^[[MEET:bb[0-9]+]]
  // CHECK: ^[[MEET]]: {{.*}}
  // CHECK-NEXT: "llvm.nvvm.barrier.cluster.arrive.aligned"
  // CHECK-NEXT: "llvm.nvvm.barrier.cluster.wait.aligned"
  // A conversion in a partition: its warps store, meet those of other CTAs, read from there, and meet again.
  // CHECK-LABEL: llvm.func internal @kernel_specialize0_partition0
  // CHECK: llvm.store {{.*}} !llvm.ptr<3>
  // CHECK: mbarrier.arrive.release.cluster.shared::cluster.b64 _, [$0];
  // CHECK: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64
  // CHECK: "llvm.nvvm.mapa.shared.cluster"
  // CHECK: mbarrier.arrive.release.cluster.shared::cluster.b64 _, [$0];
  // CHECK: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64
  // CHECK: llvm.return
}

// -----

// Each region of each ttg.warp_specialize has two barriers of its own: two default regions and two partitions.
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func ptx_kernelcc @twice
  // CHECK-COUNT-8: mbarrier.init.shared::cta.b64 [$0], 3;
  // CHECK: fence.mbarrier_init.release.cluster;
  tt.func public @twice() {
    ttg.warp_specialize()
    default {
      ttng.cluster_barrier
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttng.cluster_barrier
      ttng.cluster_barrier
      ttg.warp_return
    } : () -> ()
    ttg.warp_specialize()
    default {
      ttng.cluster_barrier
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttng.cluster_barrier
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}

// -----

// In a function that is called, it depends on the call which warps wait.
#cols = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1]]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func private @turn(%x: tensor<32x64xf32, #cols>) -> tensor<32x64xf32, #rows> attributes {noinline = true} {
    // expected-error @below {{is in the function 'turn'}}
    %y = ttg.convert_layout %x : tensor<32x64xf32, #cols> -> tensor<32x64xf32, #rows>
    tt.return %y : tensor<32x64xf32, #rows>
  }
  tt.func public @calls(%to: !tt.ptr<f32>) {
    ttg.warp_specialize()
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    } : () -> ()
    %x = arith.constant dense<1.0> : tensor<32x64xf32, #cols>
    %y = tt.call @turn(%x) : (tensor<32x64xf32, #cols>) -> tensor<32x64xf32, #rows>
    %p = tt.splat %to : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>, #rows>
    tt.store %p, %y : tensor<32x64x!tt.ptr<f32>, #rows>
    tt.return
  }
}
