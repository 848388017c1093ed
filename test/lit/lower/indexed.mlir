// Elements at computed positions: histograms count in shared memory, gathers and scatters find their elements by the
// inverse of the layout of the memory.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_90a | FileCheck %s --check-prefixes=CHECK,NVIDIA
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=gfx1201 | FileCheck %s --check-prefixes=CHECK,AMD

#line = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#few = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [1, 0]}>
#short = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#swizzled = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory

// CHECK: module attributes {{.*}}ttg.shared = 2048 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Counters are set to zero, counted up where a value is a bin and its mask holds, and read.
  // On AMD, with two bins for each lane, a ballot for each of two elements says where it counts, and six tell its bits. What
  // a warp has counted is added to the block's.
  // CHECK-LABEL: @histogram
  // CHECK: llvm.store
  // CHECK: barrier
  // AMD-COUNT-14: ballot
  // CHECK-NOT: ballot
  // NVIDIA-NOT: vote
  // CHECK-COUNT-2: llvm.atomicrmw add %{{.*}}, %{{.*}} syncscope({{.*}}) monotonic : !llvm.ptr<3>, i32
  // CHECK-NOT: atomicrmw
  // CHECK: barrier
  // CHECK: llvm.load
  // CHECK: llvm.return
  tt.func @histogram(%x: tensor<256xi32, #line>, %mask: tensor<256xi1, #line>) -> tensor<64xi32, #line> {
    %counts = tt.histogram %x, %mask : tensor<256xi32, #line> -> tensor<64xi32, #line>
    tt.return %counts : tensor<64xi32, #line>
  }

  // Too many bins for that: each element is added separately.
  // CHECK-LABEL: @many_bins
  // CHECK-NOT: ballot
  // CHECK-COUNT-2: llvm.atomicrmw add %{{.*}}, %{{.*}} syncscope({{.*}}) monotonic : !llvm.ptr<3>, i32
  // CHECK-NOT: atomicrmw
  // CHECK: llvm.return
  tt.func @many_bins(%x: tensor<256xi32, #line>) -> tensor<512xi32, #line> {
    %counts = tt.histogram %x : tensor<256xi32, #line> -> tensor<512xi32, #line>
    tt.return %counts : tensor<512xi32, #line>
  }

  // CHECK-LABEL: @gather
  // CHECK: llvm.store %{{.*}} : vector<4xi32>, !llvm.ptr<3>
  // CHECK: barrier
  // CHECK: llvm.load %{{.*}} : !llvm.ptr<3>
  // CHECK: llvm.return
  tt.func @gather(%x: tensor<32x16xf32, #rows>, %i: tensor<8x16xi32, #few>) -> tensor<8x16xf32, #few> {
    %picked = tt.gather %x[%i] {axis = 0 : i32} : (tensor<32x16xf32, #rows>, tensor<8x16xi32, #few>) -> tensor<8x16xf32, #few>
    tt.return %picked : tensor<8x16xf32, #few>
  }

  // A warp holds four columns of each row that it gathers from: one shuffle for each of the four registers.
  // CHECK-LABEL: @gather_in_warp
  // CHECK-NOT: barrier
  // CHECK-NOT: !llvm.ptr<3>
  // CHECK: llvm.return
  tt.func @gather_in_warp(%x: tensor<32x16xf32, #rows>, %i: tensor<32x4xi32, #short>) -> tensor<32x4xf32, #short> {
    %picked = tt.gather %x[%i] {axis = 1 : i32} : (tensor<32x16xf32, #rows>, tensor<32x4xi32, #short>) -> tensor<32x4xf32, #short>
    tt.return %picked : tensor<32x4xf32, #short>
  }

  // The swizzle is a xor of bits that come from the index.
  // CHECK-LABEL: @local
  // CHECK: llvm.xor
  // CHECK-COUNT-4: llvm.load %{{.*}} : !llvm.ptr<3>
  // CHECK-NOT: llvm.load
  // CHECK: barrier
  // CHECK-COUNT-4: llvm.store %{{.*}} : {{.*}}, !llvm.ptr<3>
  // CHECK: barrier
  // CHECK-COUNT-4: llvm.atomicrmw fadd %{{.*}} : !llvm.ptr<3>, f32
  // CHECK: llvm.return
  tt.func @local(%x: tensor<32x16xf32, #rows>, %i: tensor<32x16xi32, #rows>) -> tensor<32x16xf32, #rows> {
    %memory = ttg.local_alloc %x : (tensor<32x16xf32, #rows>) -> !ttg.memdesc<32x16xf32, #swizzled, #smem, mutable>
    %picked = ttg.local_gather %memory[%i] {axis = 0 : i32} : !ttg.memdesc<32x16xf32, #swizzled, #smem, mutable>, tensor<32x16xi32, #rows> -> tensor<32x16xf32, #rows>
    ttg.local_scatter %memory[%i], %picked {axis = 1 : i32} : !ttg.memdesc<32x16xf32, #swizzled, #smem, mutable>, tensor<32x16xi32, #rows>, tensor<32x16xf32, #rows>
    %old = ttg.local_atomic_scatter_rmw fadd, %memory[%i], %picked {axis = 1 : i32} : (!ttg.memdesc<32x16xf32, #swizzled, #smem, mutable>, tensor<32x16xf32, #rows>, tensor<32x16xi32, #rows>) -> tensor<32x16xf32, #rows>
    tt.return %old : tensor<32x16xf32, #rows>
  }
}
