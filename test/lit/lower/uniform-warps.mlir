// A coordinate that depends on the warp only is scalar on AMD's chips, and LLVM takes no readfirstlane out of a loop. gfx12 has the
// warp's number in a register.
// RUN: kernelscope opt %s --ttgir-to-llvm | FileCheck %s
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=gfx1250 | FileCheck %s --check-prefix=GFX12

#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @rows
  tt.func public @rows(%p: !tt.ptr<i32>, %n: i32) {
    // CHECK: %[[THREAD:.*]] = llvm.call_intrinsic "llvm.amdgcn.workitem.id.x"
    // CHECK: %[[OWN:.*]] = llvm.lshr %[[THREAD]]
    // CHECK: %[[WARP:.*]] = llvm.call_intrinsic "llvm.amdgcn.readfirstlane.i32"(%[[OWN]])
    // CHECK: llvm.cond_br
    // CHECK: llvm.and %[[WARP]]
    // CHECK-NOT: readfirstlane
    // GFX12-NOT: readfirstlane
    // GFX12: %[[WAVE:.*]] = llvm.call_intrinsic "llvm.amdgcn.wave.id"
    // GFX12: llvm.and %[[WAVE]]
    // GFX12-NOT: readfirstlane
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #rows}>>
      %row = tt.expand_dims %r {axis = 1 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<4x1xi32, #rows>
      %base = tt.splat %p : !tt.ptr<i32> -> tensor<4x1x!tt.ptr<i32>, #rows>
      %at = tt.addptr %base, %row : tensor<4x1x!tt.ptr<i32>, #rows>, tensor<4x1xi32, #rows>
      tt.store %at, %row : tensor<4x1x!tt.ptr<i32>, #rows>
    }
    tt.return
  }
}
