// A sum in flight that the next tile begins anew is chosen by the branch that
// stores the tile, not by selects of its registers.

// RUN: kernelscope opt %s --pass-pipeline="builtin.module(branch-over-sums)" | FileCheck %s
// RUN: kernelscope preview %s --arch sm_90a --kernel tiles | FileCheck %s --check-prefix=PTX

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!sum = tensor<64x64xf32, #mma>

// PTX: wgmma.mma_async
// PTX-NOT: selp.f32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @tiles
  tt.func public @tiles(%out: !tt.ptr<f32>, %n: i32, %depth: i32) {
    %zero = arith.constant dense<0.0> : !sum
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %a = ttg.local_alloc : () -> !tile
    %b = ttg.local_alloc : () -> !tile
    %p = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #mma>
    // CHECK: scf.for
    %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %k = %c0) -> (!sum, i32)  : i32 {
      %d = ttng.warp_group_dot %a, %b, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
      // CHECK: %[[W:.*]] = ttng.warp_group_dot_wait
      %w = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : !sum
      %isLast = arith.cmpi eq, %k, %depth : i32
      // CHECK-NOT: arith.select {{.*}} tensor
      // CHECK: %[[NEXT:.*]] = scf.if %{{.*}} -> (tensor<64x64xf32
      %next = arith.select %isLast, %zero, %w : !sum
      scf.if %isLast {
        // CHECK: tt.store
        %done = ttng.warp_group_dot_wait %w {pendings = 0 : i32} : !sum
        tt.store %p, %done : tensor<64x64x!tt.ptr<f32>, #mma>
        // CHECK: scf.yield %cst
      }
      // CHECK: } else {
      // CHECK-NEXT: scf.yield %[[W]]
      %more = arith.addi %k, %c1 : i32
      %k2 = arith.select %isLast, %c0, %more : i32
      // CHECK: scf.yield %[[NEXT]]
      scf.yield %next, %k2 : !sum, i32
    }
    %all = ttng.warp_group_dot_wait %sums#0 {pendings = 0 : i32} : !sum
    tt.return
  }

  // Whose result the branch itself needs stays.
  // CHECK-LABEL: @before
  tt.func @before(%c: i1, %sum: !sum, %a: !tile, %p: tensor<64x64x!tt.ptr<f32>, #mma>) {
    %d = ttng.warp_group_dot %a, %a, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    %w = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : !sum
    // CHECK: arith.select {{.*}} tensor
    %next = arith.select %c, %sum, %w : !sum
    scf.if %c {
      tt.store %p, %next : tensor<64x64x!tt.ptr<f32>, #mma>
    }
    tt.return
  }
}
