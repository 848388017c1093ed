// Partitions on gfx1250: all warps meet at the block's barrier, those of a partition at a named one.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=gfx1250 | FileCheck %s
// RUN: kernelscope preview %s --arch gfx1250 --emit amdgcn | FileCheck %s --check-prefix=ASM

#two = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<64xi32, #shared, #smem, mutable>
// 4 warps of its own and 2 + 1 of partitions: no registers move, so nothing fills a group of four.
// CHECK: module attributes {{.*}}"ttg.total-num-warps" = 7
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "hip:gfx1250"} {
  // To LLVM a named barrier is a variable without bytes.
  // CHECK-DAG: llvm.mlir.global internal @named_barrier_0() {addr_space = 3 : i32} : !llvm.target<"amdgcn.named.barrier", 0>
  // CHECK-DAG: llvm.mlir.global internal @named_barrier_2() {addr_space = 3 : i32} : !llvm.target<"amdgcn.named.barrier", 0>
  //
  // CHECK-LABEL: llvm.func amdgpu_kernelcc @kernel(
  // CHECK-SAME: ["amdgpu-flat-work-group-size", "1,224"]
  // What is next goes to the others in shared memory, between two meetings.
  // CHECK-COUNT-2: "llvm.amdgcn.s.barrier"()
  // The default region's four warps.
  // CHECK: %[[DEFAULT:.*]] = llvm.mlir.addressof @named_barrier_0
  // CHECK-NEXT: "llvm.amdgcn.s.barrier.join"(%[[DEFAULT]])
  // CHECK-NEXT: %[[FOUR:.*]] = llvm.mlir.constant(4 : i32)
  // CHECK-NEXT: "llvm.amdgcn.s.barrier.signal.var"(%[[DEFAULT]], %[[FOUR]])
  // CHECK-NEXT: %[[JOINED:.*]] = llvm.mlir.constant(1 : i16)
  // CHECK-NEXT: "llvm.amdgcn.s.barrier.wait"(%[[JOINED]])
  // CHECK: llvm.fence syncscope("workgroup") acquire
  // The other warps branch on what they read, which is the same in all lanes.
  // CHECK: %[[READ:.*]] = llvm.load
  // CHECK: %[[NEXT:.*]] = llvm.call_intrinsic "llvm.amdgcn.readfirstlane.i32"
  // CHECK: llvm.switch %[[NEXT]]
  //
  // A single warp needs no barrier.
  // CHECK-LABEL: llvm.func internal @kernel_specialize0_partition0
  // CHECK: "llvm.amdgcn.wave.barrier"()
  // CHECK-NOT: s.barrier
  // CHECK-LABEL: llvm.func internal @kernel_specialize0_partition1
  // CHECK: %[[OWN:.*]] = llvm.mlir.addressof @named_barrier_2
  // CHECK: "llvm.amdgcn.s.barrier.join"(%[[OWN]])
  // CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: "llvm.amdgcn.s.barrier.signal.var"(%[[OWN]], %[[TWO]])
  //
  // ASM: s_barrier_signal -1
  // ASM: s_barrier_join m0
  // ASM: s_barrier_wait 1
  // ASM: .amdhsa_named_barrier_count 1
  tt.func public @kernel(%p: !tt.ptr<i32>, %x: i32) {
    %m = ttg.local_alloc : () -> !buffer
    ttg.warp_specialize(%p, %x, %m)
    default {
      ttg.barrier local
      ttg.warp_yield
    }
    partition0(%a: !tt.ptr<i32>, %b: i32, %c: !buffer) num_warps(1) {
      ttg.barrier local
      tt.store %a, %b : !tt.ptr<i32>
      ttg.warp_return
    }
    partition1(%a: !tt.ptr<i32>, %b: i32, %c: !buffer) num_warps(2) {
      %v = tt.splat %b : i32 -> tensor<64xi32, #two>
      ttg.local_store %v, %c : tensor<64xi32, #two> -> !buffer
      ttg.barrier local
      ttg.warp_return
    } : (!tt.ptr<i32>, i32, !buffer) -> ()
    tt.return
  }
}
