// A scan or reduction whose layout has no order of warps along the axis, or bits that step both ways at once, works in
// a blocked layout between two conversions.
// RUN: kernelscope run %s --kernel scan --device sim --compare | FileCheck %s
// RUN: kernelscope run %s --kernel reduce --device sim --compare | FileCheck %s
// CHECK: differs from the CPU executor by at most 0

// Warps have the lowest and the highest bit of the position, and the register the one between.
#apart = #ttg.linear<{register = [[2]], lane = [[4], [8], [16], [32], [64]], warp = [[1], [128]], block = []}>
// The first bit of the warp steps along both dimensions, and the last one of the register reaches what others reach.
#skewed = #ttg.generic_linear<{register = [[0, 1], [0, 2], [0, 4], [0, 3]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 16]], warp = [[16, 8], [0, 8]], block = []}>
#rows = #ttg.slice<{dim = 1, parent = #skewed}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scan(%in: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
    %i = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #apart>
    %p = tt.splat %in : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #apart>
    %pi = tt.addptr %p, %i : tensor<256x!tt.ptr<i32>, #apart>, tensor<256xi32, #apart>
    %x = tt.load %pi : tensor<256x!tt.ptr<i32>, #apart>
    // Keeps the last odd number: not commutative.
    %s, %j = "tt.scan"(%x, %i) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%a: i32, %k: i32, %b: i32, %l: i32):
      %one = arith.constant 1 : i32
      %zero = arith.constant 0 : i32
      %odd = arith.andi %b, %one : i32
      %is = arith.cmpi ne, %odd, %zero : i32
      %v = arith.select %is, %b, %a : i32
      %n = arith.select %is, %l, %k : i32
      tt.scan.return %v, %n : i32, i32
    }) : (tensor<256xi32, #apart>, tensor<256xi32, #apart>) -> (tensor<256xi32, #apart>, tensor<256xi32, #apart>)
    %sum = arith.addi %s, %j : tensor<256xi32, #apart>
    %q = tt.splat %out : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #apart>
    %qi = tt.addptr %q, %i : tensor<256x!tt.ptr<i32>, #apart>, tensor<256xi32, #apart>
    tt.store %qi, %sum : tensor<256x!tt.ptr<i32>, #apart>
    tt.return
  }

  tt.func public @reduce(%in: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
    %i = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #rows>
    %k = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #skewed}>>
    %row = tt.expand_dims %i {axis = 1 : i32} : tensor<32xi32, #rows> -> tensor<32x1xi32, #skewed>
    %column = tt.expand_dims %k {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #skewed}>> -> tensor<1x32xi32, #skewed>
    %width = arith.constant dense<32> : tensor<32x1xi32, #skewed>
    %first = arith.muli %row, %width : tensor<32x1xi32, #skewed>
    %rows = tt.broadcast %first : tensor<32x1xi32, #skewed> -> tensor<32x32xi32, #skewed>
    %columns = tt.broadcast %column : tensor<1x32xi32, #skewed> -> tensor<32x32xi32, #skewed>
    %at = arith.addi %rows, %columns : tensor<32x32xi32, #skewed>
    %p = tt.splat %in : !tt.ptr<i32> -> tensor<32x32x!tt.ptr<i32>, #skewed>
    %pi = tt.addptr %p, %at : tensor<32x32x!tt.ptr<i32>, #skewed>, tensor<32x32xi32, #skewed>
    %x = tt.load %pi : tensor<32x32x!tt.ptr<i32>, #skewed>
    %total = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      tt.reduce.return %c : i32
    }) : (tensor<32x32xi32, #skewed>) -> tensor<32xi32, #rows>
    %q = tt.splat %out : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #rows>
    %qi = tt.addptr %q, %i : tensor<32x!tt.ptr<i32>, #rows>, tensor<32xi32, #rows>
    tt.store %qi, %total : tensor<32x!tt.ptr<i32>, #rows>
    tt.return
  }
}
