// Slices and what is put together of parts are registers that a thread has; no data moves.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=gfx942 | FileCheck %s
// RUN: kernelscope run %s --device sim --arch gfx942 --compare | FileCheck %s --check-prefix=RUNS

// RUNS: equal
#b = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  // CHECK-LABEL: @k
  // CHECK-NOT: ptr<3>
  // CHECK: llvm.return
  tt.func public @k(%out: !tt.ptr<i32>) {
    %rows = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %cols = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<16x1xi32, #b>
    %c = tt.expand_dims %cols {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x32xi32, #b>
    %width = arith.constant dense<32> : tensor<16x1xi32, #b>
    %start = arith.muli %r, %width : tensor<16x1xi32, #b>
    %starts = tt.broadcast %start : tensor<16x1xi32, #b> -> tensor<16x32xi32, #b>
    %columns = tt.broadcast %c : tensor<1x32xi32, #b> -> tensor<16x32xi32, #b>
    %x = arith.addi %starts, %columns : tensor<16x32xi32, #b>
    %p0 = amdg.extract_slice %x [0, 0] : tensor<16x32xi32, #b> to tensor<8x16xi32, #b>
    %p1 = amdg.extract_slice %x [0, 16] : tensor<16x32xi32, #b> to tensor<8x16xi32, #b>
    %p2 = amdg.extract_slice %x [8, 0] : tensor<16x32xi32, #b> to tensor<8x16xi32, #b>
    %p3 = amdg.extract_slice %x [8, 16] : tensor<16x32xi32, #b> to tensor<8x16xi32, #b>
    %y = amdg.concat %p3, %p2, %p1, %p0 : tensor<8x16xi32, #b>, tensor<8x16xi32, #b>, tensor<8x16xi32, #b>, tensor<8x16xi32, #b> -> tensor<16x32xi32, #b>
    %base = tt.splat %out : !tt.ptr<i32> -> tensor<16x32x!tt.ptr<i32>, #b>
    %to = tt.addptr %base, %x : tensor<16x32x!tt.ptr<i32>, #b>, tensor<16x32xi32, #b>
    tt.store %to, %y : tensor<16x32x!tt.ptr<i32>, #b>
    tt.return
  }
}
