// Code for NVIDIA's GPUs on the wave simulator, compared with the executor.
// RUN: kernelscope run %s --kernel row_sums --device sim --compare | FileCheck %s --check-prefix=SUMS
// RUN: kernelscope run %s --kernel row_sums --device sim --arch sm_120a --compare | FileCheck %s --check-prefix=SUMS
// RUN: kernelscope preview %s --kernel row_sums --emit llvm -o %t.ll
// RUN: kernelscope run %s --kernel row_sums --device sim --code %t.ll --compare | FileCheck %s --check-prefix=SUMS
// RUN: sed -e 's/ld.global.b32/ld.global.mystery.b32/' %t.ll > %t.mystery.ll
// RUN: not kernelscope run %s --kernel row_sums --device sim --code %t.mystery.ll 2>&1 | FileCheck %s --check-prefix=UNKNOWN
#b = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [1, 0]}>
#rows = #ttg.slice<{dim = 1, parent = #b}>
#columns = #ttg.slice<{dim = 0, parent = #b}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // SUMS: row_sums on sim: the wave simulator (sm_{{80|120a}})
  // SUMS: differs from the CPU executor by at most
  // SUMS-SAME: within
  // UNKNOWN: error: the wave simulator does not run the instruction
  // UNKNOWN-SAME: ld.global.mystery.b32
  // UNKNOWN-SAME: it does not know '.mystery'
  tt.func public @row_sums(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
    %i = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32, #rows>
    %j = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #columns>
    %ie = tt.expand_dims %i {axis = 1 : i32} : tensor<8xi32, #rows> -> tensor<8x1xi32, #b>
    %je = tt.expand_dims %j {axis = 0 : i32} : tensor<128xi32, #columns> -> tensor<1x128xi32, #b>
    %width = arith.constant dense<128> : tensor<8x1xi32, #b>
    %lines = arith.muli %ie, %width : tensor<8x1xi32, #b>
    %il = tt.broadcast %lines : tensor<8x1xi32, #b> -> tensor<8x128xi32, #b>
    %jl = tt.broadcast %je : tensor<1x128xi32, #b> -> tensor<8x128xi32, #b>
    %at = arith.addi %il, %jl : tensor<8x128xi32, #b>
    %p = tt.splat %x : !tt.ptr<f32> -> tensor<8x128x!tt.ptr<f32>, #b>
    %ps = tt.addptr %p, %at : tensor<8x128x!tt.ptr<f32>, #b>, tensor<8x128xi32, #b>
    %v = tt.load %ps : tensor<8x128x!tt.ptr<f32>, #b>
    %s = "tt.reduce"(%v) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %c: f32):
      %sum = arith.addf %a, %c : f32
      tt.reduce.return %sum : f32
    }) : (tensor<8x128xf32, #b>) -> tensor<8xf32, #rows>
    %q = tt.splat %y : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>, #rows>
    %qs = tt.addptr %q, %i : tensor<8x!tt.ptr<f32>, #rows>, tensor<8xi32, #rows>
    tt.store %qs, %s : tensor<8x!tt.ptr<f32>, #rows>
    tt.return
  }
}
