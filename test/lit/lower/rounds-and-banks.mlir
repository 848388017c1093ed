// Warps exchange sums in as many rounds as Triton's: less than a row of the banks of LDS takes one. gfx950 has 64 banks, gfx942 has 32.
// RUN: kernelscope opt --ttgir-to-llvm %s | FileCheck %s --check-prefix=WIDE
// RUN: kernelscope preview %s | FileCheck %s --check-prefix=ONE
// RUN: sed 's/gfx950/gfx942/' %s > %t.mlir
// RUN: kernelscope opt --ttgir-to-llvm %t.mlir | FileCheck %s --check-prefix=NARROW
// RUN: kernelscope preview %t.mlir | FileCheck %s --check-prefix=TWO
// WIDE: ttg.shared = 256
// NARROW: ttg.shared = 128
// ONE-COUNT-1: s_barrier
// ONE-NOT: s_barrier
// ONE: s_endpgm
// TWO-COUNT-3: s_barrier
// TWO-NOT: s_barrier
// TWO: s_endpgm
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [32, 2], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.slice<{dim = 0, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @sums(%x: tensor<128x16xf32, #blocked>, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.addf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<128x16xf32, #blocked>) -> tensor<16xf32, #columns>
    %column = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #columns>
    %base = tt.splat %y : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #columns>
    %to = tt.addptr %base, %column : tensor<16x!tt.ptr<f32>, #columns>, tensor<16xi32, #columns>
    tt.store %to, %sum : tensor<16x!tt.ptr<f32>, #columns>
    tt.return
  }
}
