// What a softmax sums up is kept in each thread only if it is rescaled by a factor that cannot overflow: 0 times inf is NaN, and some threads have 0.
// RUN: kernelscope opt %s --convert-ttir-to-ttgir="arch=sm_80 num-warps=4" --combine-after-loops | FileCheck %s
// In a row of -inf, one with inf, one with NaN, one that begins with a block of -inf, ones whose maximum rises and falls by more than exp can represent, and
// a usual one, with three iterations and with none.
// RUN: echo '{"grid": [1], "arguments": {"n": 3}}' > %t.json
// RUN: echo '{"grid": [1], "arguments": {"n": 0}}' > %t.none.json
// RUN: kernelscope run %s --kernel running --device sim --arch sm_80 --num-warps 4 --compare --spec %t.json | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel running --device sim --arch gfx942 --num-warps 4 --compare --spec %t.json | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel running --device sim --arch sm_80 --num-warps 4 --compare --spec %t.none.json | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel masked --device sim --arch sm_80 --num-warps 4 --compare --spec %t.json | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel masked --device sim --arch gfx942 --num-warps 4 --compare --spec %t.json | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel masked --device sim --arch sm_80 --num-warps 4 --compare --spec %t.none.json | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel scaled --device sim --arch sm_80 --num-warps 4 --compare --spec %t.json | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel scaled --device sim --arch gfx942 --num-warps 4 --compare --spec %t.json | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel scaled --device sim --arch sm_80 --num-warps 4 --compare --spec %t.none.json | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel falling --device sim --arch sm_80 --num-warps 4 --compare --spec %t.json | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel falling --device sim --arch gfx942 --num-warps 4 --compare --spec %t.json | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel falling --device sim --arch sm_80 --num-warps 4 --compare --spec %t.none.json | FileCheck %s --check-prefix=RIGHT
// RIGHT: differs from the CPU executor by at most {{.*}}: {{within|equal}}

// Block `i` of eight rows.
tt.func private @block(%x: !tt.ptr<f32>, %i: i32) -> tensor<8x128xf32> {
  %row = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %column = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %rows_of = tt.expand_dims %row {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
  %columns_of = tt.expand_dims %column {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
  %rows = tt.broadcast %rows_of : tensor<8x1xi32> -> tensor<8x128xi32>
  %columns = tt.broadcast %columns_of : tensor<1x128xi32> -> tensor<8x128xi32>
  %pitch = arith.constant dense<128> : tensor<8x128xi32>
  %starts = arith.muli %rows, %pitch : tensor<8x128xi32>
  %offset = arith.addi %starts, %columns : tensor<8x128xi32>
  %base = tt.splat %x : !tt.ptr<f32> -> tensor<8x128x!tt.ptr<f32>>
  %p = tt.addptr %base, %offset : tensor<8x128x!tt.ptr<f32>>, tensor<8x128xi32>
  %usual = tt.load %p : tensor<8x128x!tt.ptr<f32>>

  %c1 = arith.constant 1 : i32
  %c1000 = arith.constant 1000 : i32
  %block_number = tt.splat %i : i32 -> tensor<8x128xi32>
  %r0 = arith.constant dense<0> : tensor<8x128xi32>
  %r1 = arith.constant dense<1> : tensor<8x128xi32>
  %r2 = arith.constant dense<2> : tensor<8x128xi32>
  %r3 = arith.constant dense<3> : tensor<8x128xi32>
  %r4 = arith.constant dense<4> : tensor<8x128xi32>
  %r5 = arith.constant dense<5> : tensor<8x128xi32>
  %lowest = arith.constant dense<0xFF800000> : tensor<8x128xf32>
  %highest = arith.constant dense<0x7F800000> : tensor<8x128xf32>
  %zero = arith.constant dense<0.0> : tensor<8x128xf32>
  %nan = arith.constant dense<0x7FC00000> : tensor<8x128xf32>
  %is0 = arith.cmpi eq, %rows, %r0 : tensor<8x128xi32>
  %is1 = arith.cmpi eq, %rows, %r1 : tensor<8x128xi32>
  %is2 = arith.cmpi eq, %rows, %r2 : tensor<8x128xi32>
  %is3 = arith.cmpi eq, %rows, %r3 : tensor<8x128xi32>
  %is4 = arith.cmpi eq, %rows, %r4 : tensor<8x128xi32>
  %is5 = arith.cmpi eq, %rows, %r5 : tensor<8x128xi32>
  // Of one thread, in the second block.
  %is_place = arith.cmpi eq, %columns, %r5 : tensor<8x128xi32>
  %is_second = arith.cmpi eq, %block_number, %r1 : tensor<8x128xi32>
  %is_first = arith.cmpi eq, %block_number, %r0 : tensor<8x128xi32>
  %once = arith.andi %is_place, %is_second : tensor<8x128xi1>
  %inf_there = arith.andi %is1, %once : tensor<8x128xi1>
  %nan_there = arith.andi %is2, %once : tensor<8x128xi1>
  %masked = arith.andi %is3, %is_first : tensor<8x128xi1>
  %rise_of = arith.muli %i, %c1000 : i32
  %rise = arith.sitofp %rise_of : i32 to f32
  %steps = tt.splat %rise : f32 -> tensor<8x128xf32>
  // Only one thread has more than 0 to add up.
  %peak = arith.select %is_place, %steps, %lowest : tensor<8x128xi1>, tensor<8x128xf32>
  %down = arith.subf %zero, %steps : tensor<8x128xf32>
  %falling = arith.select %is_place, %down, %lowest : tensor<8x128xi1>, tensor<8x128xf32>
  %v0 = arith.select %is0, %lowest, %usual : tensor<8x128xi1>, tensor<8x128xf32>
  %v1 = arith.select %inf_there, %highest, %v0 : tensor<8x128xi1>, tensor<8x128xf32>
  %v2 = arith.select %nan_there, %nan, %v1 : tensor<8x128xi1>, tensor<8x128xf32>
  %v3 = arith.select %masked, %lowest, %v2 : tensor<8x128xi1>, tensor<8x128xf32>
  %v4 = arith.select %is4, %peak, %v3 : tensor<8x128xi1>, tensor<8x128xf32>
  %v5 = arith.select %is5, %falling, %v4 : tensor<8x128xi1>, tensor<8x128xf32>
  tt.return %v5 : tensor<8x128xf32>
}

// By exp(m - max(m, ...)).
// CHECK-LABEL: @running
// CHECK: scf.for
// CHECK: scf.yield
// CHECK: "tt.reduce"
tt.func public @running(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lowest = arith.constant dense<0xFF800000> : tensor<8xf32>
  %start = arith.constant dense<1.0> : tensor<8xf32>
  %row = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %both:2 = scf.for %i = %c0 to %n step %c1 iter_args(%most = %lowest, %sum = %start) -> (tensor<8xf32>, tensor<8xf32>) : i32 {
    %v = tt.call @block(%x, %i) : (!tt.ptr<f32>, i32) -> tensor<8x128xf32>
    %m = "tt.reduce"(%v) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.maxnumf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<8x128xf32>) -> tensor<8xf32>
    %subtracted = arith.maxnumf %most, %m : tensor<8xf32>
    %difference = arith.subf %most, %subtracted : tensor<8xf32>
    %factor = math.exp %difference : tensor<8xf32>
    %column_of = tt.expand_dims %subtracted {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
    %all = tt.broadcast %column_of : tensor<8x1xf32> -> tensor<8x128xf32>
    %shifted = arith.subf %v, %all : tensor<8x128xf32>
    %e = math.exp %shifted : tensor<8x128xf32>
    %s = "tt.reduce"(%e) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.addf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<8x128xf32>) -> tensor<8xf32>
    %scaled = arith.mulf %sum, %factor : tensor<8xf32>
    %next = arith.addf %scaled, %s : tensor<8xf32>
    scf.yield %subtracted, %next : tensor<8xf32>, tensor<8xf32>
  }
  %out = tt.splat %y : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %q = tt.addptr %out, %row : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.store %q, %both#1 : tensor<8x!tt.ptr<f32>>
  tt.return
}

// The maximum is 0 in its place where all elements so far are -inf.
// CHECK-LABEL: @masked
// CHECK: scf.for
// CHECK: scf.yield
// CHECK: "tt.reduce"
tt.func public @masked(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lowest = arith.constant dense<0xFF800000> : tensor<8xf32>
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %start = arith.constant dense<1.0> : tensor<8xf32>
  %row = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %both:2 = scf.for %i = %c0 to %n step %c1 iter_args(%most = %lowest, %sum = %start) -> (tensor<8xf32>, tensor<8xf32>) : i32 {
    %v = tt.call @block(%x, %i) : (!tt.ptr<f32>, i32) -> tensor<8x128xf32>
    %m = "tt.reduce"(%v) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.maxnumf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<8x128xf32>) -> tensor<8xf32>
    %largest = arith.maxnumf %most, %m : tensor<8xf32>
    %is_known = arith.cmpf ogt, %largest, %lowest : tensor<8xf32>
    %subtracted = arith.select %is_known, %largest, %zero : tensor<8xi1>, tensor<8xf32>
    %difference = arith.subf %most, %subtracted : tensor<8xf32>
    %factor = math.exp %difference : tensor<8xf32>
    %column_of = tt.expand_dims %subtracted {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
    %all = tt.broadcast %column_of : tensor<8x1xf32> -> tensor<8x128xf32>
    %shifted = arith.subf %v, %all : tensor<8x128xf32>
    %e = math.exp %shifted : tensor<8x128xf32>
    %s = "tt.reduce"(%e) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.addf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<8x128xf32>) -> tensor<8xf32>
    %scaled = arith.mulf %sum, %factor : tensor<8xf32>
    %next = arith.addf %scaled, %s : tensor<8xf32>
    scf.yield %subtracted, %next : tensor<8xf32>, tensor<8xf32>
  }
  %out = tt.splat %y : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %q = tt.addptr %out, %row : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.store %q, %both#1 : tensor<8x!tt.ptr<f32>>
  tt.return
}

// In another base.
// CHECK-LABEL: @scaled
// CHECK: scf.for
// CHECK: scf.yield
// CHECK: "tt.reduce"
tt.func public @scaled(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lowest = arith.constant dense<0xFF800000> : tensor<8xf32>
  %log2e = arith.constant dense<1.44269502> : tensor<8xf32>
  %start = arith.constant dense<1.0> : tensor<8xf32>
  %row = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %both:2 = scf.for %i = %c0 to %n step %c1 iter_args(%most = %lowest, %sum = %start) -> (tensor<8xf32>, tensor<8xf32>) : i32 {
    %v = tt.call @block(%x, %i) : (!tt.ptr<f32>, i32) -> tensor<8x128xf32>
    %m = "tt.reduce"(%v) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.maxnumf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<8x128xf32>) -> tensor<8xf32>
    %subtracted = arith.maximumf %m, %most : tensor<8xf32>
    %difference = arith.subf %most, %subtracted : tensor<8xf32>
    %exponent = arith.mulf %difference, %log2e : tensor<8xf32>
    %factor = math.exp2 %exponent : tensor<8xf32>
    %column_of = tt.expand_dims %subtracted {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
    %all = tt.broadcast %column_of : tensor<8x1xf32> -> tensor<8x128xf32>
    %shifted = arith.subf %v, %all : tensor<8x128xf32>
    %e = math.exp %shifted : tensor<8x128xf32>
    %s = "tt.reduce"(%e) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.addf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<8x128xf32>) -> tensor<8xf32>
    %scaled = arith.mulf %sum, %factor : tensor<8xf32>
    %next = arith.addf %scaled, %s : tensor<8xf32>
    scf.yield %subtracted, %next : tensor<8xf32>, tensor<8xf32>
  }
  %out = tt.splat %y : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %q = tt.addptr %out, %row : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.store %q, %both#1 : tensor<8x!tt.ptr<f32>>
  tt.return
}

// The maximum of the block alone may be smaller than that before, and the factor infinite.
// CHECK-LABEL: @falling
// CHECK: scf.for
// CHECK: "tt.reduce"
// CHECK: "tt.reduce"
// CHECK: scf.yield
// CHECK-NOT: "tt.reduce"
tt.func public @falling(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lowest = arith.constant dense<0xFF800000> : tensor<8xf32>
  %start = arith.constant dense<1.0> : tensor<8xf32>
  %row = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %both:2 = scf.for %i = %c0 to %n step %c1 iter_args(%most = %lowest, %sum = %start) -> (tensor<8xf32>, tensor<8xf32>) : i32 {
    %v = tt.call @block(%x, %i) : (!tt.ptr<f32>, i32) -> tensor<8x128xf32>
    %m = "tt.reduce"(%v) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.maxnumf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<8x128xf32>) -> tensor<8xf32>
    %subtracted = arith.maxnumf %m, %lowest : tensor<8xf32>
    %difference = arith.subf %most, %subtracted : tensor<8xf32>
    %factor = math.exp %difference : tensor<8xf32>
    %column_of = tt.expand_dims %subtracted {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
    %all = tt.broadcast %column_of : tensor<8x1xf32> -> tensor<8x128xf32>
    %shifted = arith.subf %v, %all : tensor<8x128xf32>
    %e = math.exp %shifted : tensor<8x128xf32>
    %s = "tt.reduce"(%e) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.addf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<8x128xf32>) -> tensor<8xf32>
    %scaled = arith.mulf %sum, %factor : tensor<8xf32>
    %next = arith.addf %scaled, %s : tensor<8xf32>
    scf.yield %subtracted, %next : tensor<8xf32>, tensor<8xf32>
  }
  %out = tt.splat %y : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %q = tt.addptr %out, %row : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.store %q, %both#1 : tensor<8x!tt.ptr<f32>>
  tt.return
}

// Where a maximum is NaN, 0 in its place may be smaller.
// CHECK-LABEL: @propagates
// CHECK: scf.for
// CHECK: "tt.reduce"
// CHECK: "tt.reduce"
// CHECK: scf.yield
// CHECK-NOT: "tt.reduce"
tt.func public @propagates(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %lowest = arith.constant dense<0xFF800000> : tensor<8xf32>
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %start = arith.constant dense<1.0> : tensor<8xf32>
  %row = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %both:2 = scf.for %i = %c0 to %n step %c1 iter_args(%most = %lowest, %sum = %start) -> (tensor<8xf32>, tensor<8xf32>) : i32 {
    %v = tt.call @block(%x, %i) : (!tt.ptr<f32>, i32) -> tensor<8x128xf32>
    %m = "tt.reduce"(%v) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.maxnumf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<8x128xf32>) -> tensor<8xf32>
    %largest = arith.maximumf %most, %m : tensor<8xf32>
    %is_known = arith.cmpf ogt, %largest, %lowest : tensor<8xf32>
    %subtracted = arith.select %is_known, %largest, %zero : tensor<8xi1>, tensor<8xf32>
    %difference = arith.subf %most, %subtracted : tensor<8xf32>
    %factor = math.exp %difference : tensor<8xf32>
    %column_of = tt.expand_dims %subtracted {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
    %all = tt.broadcast %column_of : tensor<8x1xf32> -> tensor<8x128xf32>
    %shifted = arith.subf %v, %all : tensor<8x128xf32>
    %e = math.exp %shifted : tensor<8x128xf32>
    %s = "tt.reduce"(%e) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.addf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<8x128xf32>) -> tensor<8xf32>
    %scaled = arith.mulf %sum, %factor : tensor<8xf32>
    %next = arith.addf %scaled, %s : tensor<8xf32>
    scf.yield %subtracted, %next : tensor<8xf32>, tensor<8xf32>
  }
  %out = tt.splat %y : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %q = tt.addptr %out, %row : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.store %q, %both#1 : tensor<8x!tt.ptr<f32>>
  tt.return
}
