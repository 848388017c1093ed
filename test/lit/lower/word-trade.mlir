// Lanes trade bytes where neighbours in shared memory are in different lanes, so that each stores and loads words.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_90a | FileCheck %s
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=gfx1201 | FileCheck %s --check-prefix=AMD

#rows = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>
#lines = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
// AMD-NOT: nvvm
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // A thread has 16 neighbours of a row, memory those of a column, which 4 lanes have: lanes 8 and 16 apart.
  // CHECK-LABEL: @store
  tt.func public @store(%x: tensor<16x128xi8, #rows>) {
    // A lane without bit 8 keeps its bytes 0 and 2, and takes the partner's for 1 and 3 (0x6240); its partner has 0x3715.
    // CHECK: llvm.mlir.constant(25152 : i32)
    // CHECK-NEXT: llvm.mlir.constant(14101 : i32)
    // CHECK: %[[LANES:.*]] = llvm.mlir.constant(8 : i32)
    // CHECK: shfl.sync.bfly.i32"(%{{[0-9]+}}, %{{[0-9]+}}, %[[LANES]],
    // CHECK: "llvm.nvvm.prmt"
    // CHECK: %[[MORE:.*]] = llvm.mlir.constant(16 : i32)
    // CHECK: shfl.sync.bfly.i32"(%{{[0-9]+}}, %{{[0-9]+}}, %[[MORE]],
    // CHECK: "llvm.nvvm.prmt"
    // CHECK-COUNT-6: shfl.sync.bfly
    // CHECK-NOT: shfl.sync.bfly
    // CHECK-COUNT-4: llvm.store %{{.*}} {alignment = 4 : i64} : i32
    // CHECK-NOT: llvm.store
    %m = ttg.local_alloc %x : (tensor<16x128xi8, #rows>) -> !ttg.memdesc<16x128xi8, #columns, #smem>
    tt.return
  }
  // After loads of words they trade back.
  // CHECK-LABEL: @load
  tt.func public @load(%m: !ttg.memdesc<16x128xi8, #columns, #smem, mutable>) -> tensor<16x128xi8, #rows> {
    // CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 4 : i64} : {{.*}} -> i32
    // CHECK-NOT: llvm.load
    // CHECK-COUNT-8: shfl.sync.bfly
    %x = ttg.local_load %m : !ttg.memdesc<16x128xi8, #columns, #smem, mutable> -> tensor<16x128xi8, #rows>
    tt.return %x : tensor<16x128xi8, #rows>
  }
  // Rows are stored as they are.
  // CHECK-LABEL: @along
  tt.func public @along(%x: tensor<16x128xi8, #rows>) {
    // CHECK-NOT: shfl
    // CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>
    // CHECK: llvm.return
    %m = ttg.local_alloc %x : (tensor<16x128xi8, #rows>) -> !ttg.memdesc<16x128xi8, #lines, #smem>
    tt.return
  }
}
