// Each thread has four of the 64 columns and 32 rows: an element is in one of four registers of its row, and takes a shuffle
// for each of them, 512 in all.
// RUN: kernelscope preview --arch sm_90a %s | grep -c shfl.sync.idx | FileCheck %s --check-prefix=SHUFFLES
// RUN: kernelscope run --device sim --arch sm_90a %s | FileCheck %s --check-prefix=EQUAL
// SHUFFLES: {{^}}512{{$}}
// EQUAL: within
#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @gather(%from: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %to: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #row}>>
    %rows = tt.expand_dims %r {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #row}>> -> tensor<128x1xi32, #row>
    %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #row}>>
    %columns = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #row}>> -> tensor<1x64xi32, #row>
    %w = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #row}>>
    %wide = tt.expand_dims %w {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #row}>> -> tensor<1x128xi32, #row>
    %64 = arith.constant dense<64> : tensor<128x1xi32, #row>
    %128 = arith.constant dense<128> : tensor<128x1xi32, #row>
    %a = arith.muli %rows, %64 : tensor<128x1xi32, #row>
    %b = arith.muli %rows, %128 : tensor<128x1xi32, #row>
    %a2 = tt.broadcast %a : tensor<128x1xi32, #row> -> tensor<128x64xi32, #row>
    %c2 = tt.broadcast %columns : tensor<1x64xi32, #row> -> tensor<128x64xi32, #row>
    %source = arith.addi %a2, %c2 : tensor<128x64xi32, #row>
    %b2 = tt.broadcast %b : tensor<128x1xi32, #row> -> tensor<128x128xi32, #row>
    %w2 = tt.broadcast %wide : tensor<1x128xi32, #row> -> tensor<128x128xi32, #row>
    %target = arith.addi %b2, %w2 : tensor<128x128xi32, #row>
    %ps = tt.splat %from : !tt.ptr<f32> -> tensor<128x64x!tt.ptr<f32>, #row>
    %p = tt.addptr %ps, %source : tensor<128x64x!tt.ptr<f32>, #row>, tensor<128x64xi32, #row>
    %x = tt.load %p : tensor<128x64x!tt.ptr<f32>, #row>
    %seven = arith.constant dense<7> : tensor<128x128xi32, #row>
    %mask = arith.constant dense<63> : tensor<128x128xi32, #row>
    %m = arith.muli %target, %seven : tensor<128x128xi32, #row>
    %indices = arith.andi %m, %mask : tensor<128x128xi32, #row>
    %y = tt.gather %x[%indices] {axis = 1 : i32} : (tensor<128x64xf32, #row>, tensor<128x128xi32, #row>) -> tensor<128x128xf32, #row>
    %qs = tt.splat %to : !tt.ptr<f32> -> tensor<128x128x!tt.ptr<f32>, #row>
    %q = tt.addptr %qs, %target : tensor<128x128x!tt.ptr<f32>, #row>, tensor<128x128xi32, #row>
    tt.store %q, %y : tensor<128x128x!tt.ptr<f32>, #row>
    tt.return
  }
}
