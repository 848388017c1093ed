// A loop that adds up sums of tensors carries a partial sum for each thread; lanes and warps combine theirs once, after the loop.
// RUN: kernelscope opt %s --convert-ttir-to-ttgir="arch=sm_80 num-warps=4" --combine-after-loops | FileCheck %s
// Neither lanes nor warps exchange anything in the loop.
// RUN: kernelscope preview %s --arch sm_80 --num-warps 4 --kernel rows | FileCheck %s --check-prefix=PTX
// What they compute, without races.
// RUN: kernelscope run %s --kernel rows --device sim --arch sm_80 --num-warps 4 --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel nested --device sim --arch gfx942 --num-warps 4 --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel largest --device sim --arch sm_80 --num-warps 4 --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel denominator --device sim --arch sm_80 --num-warps 4 --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel column_sums --device sim --arch gfx1201 --num-warps 4 --compare | FileCheck %s --check-prefix=RIGHT
// RIGHT: differs from the CPU executor by at most {{.*}}: {{within|equal}}

// PTX-LABEL: .entry rows(
// PTX: ld.global
// PTX-NOT: shfl
// PTX-NOT: bar.sync
// PTX: bra
// PTX: shfl
// PTX: bar.sync

// CHECK-LABEL: @rows
// CHECK: %[[NONE:.*]] = arith.constant dense<0.000000e+00> : tensor<4x128xf32, #ttg.slice<{dim = 2, parent = #linear}>>
// CHECK: %[[SUMS:.*]] = scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %[[NONE]]) -> (tensor<4x128xf32, #ttg.slice<{dim = 2, parent = #linear}>>)
// CHECK: %[[OWN:.*]] = tt.reshape %{{.*}} allow_reorder : tensor<4x512xf32, #blocked> -> tensor<4x128x4xf32, #linear>
// CHECK: %[[SUM:.*]] = "tt.reduce"(%[[OWN]]) <{axis = 2 : i32}>
// CHECK: %[[NOW:.*]] = arith.addf %[[CARRIED]], %[[SUM]]
// CHECK: scf.yield %[[NOW]]
// CHECK: "tt.reduce"(%[[SUMS]]) <{axis = 1 : i32}>
// CHECK: arith.addf
tt.func public @rows(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2048 = arith.constant 2048 : i32
  %start = arith.constant dense<1.0> : tensor<4xf32>
  %row = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32>
  %column = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32>
  %pitch = arith.constant dense<512> : tensor<4x1xi32>
  %rows = tt.expand_dims %row {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
  %columns = tt.expand_dims %column {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
  %starts = arith.muli %rows, %pitch : tensor<4x1xi32>
  %r = tt.broadcast %starts : tensor<4x1xi32> -> tensor<4x512xi32>
  %c = tt.broadcast %columns : tensor<1x512xi32> -> tensor<4x512xi32>
  %offset = arith.addi %r, %c : tensor<4x512xi32>
  %base = tt.splat %x : !tt.ptr<f32> -> tensor<4x512x!tt.ptr<f32>>
  %sums = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %start) -> (tensor<4xf32>) : i32 {
    %block = arith.muli %i, %c2048 : i32
    %blocks = tt.splat %block : i32 -> tensor<4x512xi32>
    %at = arith.addi %offset, %blocks : tensor<4x512xi32>
    %p = tt.addptr %base, %at : tensor<4x512x!tt.ptr<f32>>, tensor<4x512xi32>
    %v = tt.load %p : tensor<4x512x!tt.ptr<f32>>
    %s = "tt.reduce"(%v) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.addf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<4x512xf32>) -> tensor<4xf32>
    %next = arith.addf %sum, %s : tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  %out = tt.splat %y : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
  %q = tt.addptr %out, %row : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
  tt.store %q, %sums : tensor<4x!tt.ptr<f32>>
  tt.return
}

// Of both loops, if the outer one adds up what the inner one does; a thread has one element of each tensor.
// CHECK-LABEL: @nested
// CHECK: scf.for
// CHECK: scf.for {{.*}} -> (tensor<128xi32, #blocked
// CHECK-NOT: tt.reduce
// CHECK: scf.yield %{{.*}} : tensor<128xi32, #blocked
// CHECK-NOT: "tt.reduce"
// CHECK: scf.yield %{{.*}} : tensor<128xi32, #blocked
// CHECK: "tt.reduce"
// CHECK-NOT: "tt.reduce"
tt.func public @nested(%x: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %c128 = arith.constant 128 : i32
  %column = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %base = tt.splat %x : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
  %sums = scf.for %i = %c0 to %n step %c1 iter_args(%outer = %c7) -> (i32) : i32 {
    %inner = scf.for %j = %c0 to %i step %c1 iter_args(%sum = %outer) -> (i32) : i32 {
      %block = arith.muli %j, %c128 : i32
      %blocks = tt.splat %block : i32 -> tensor<128xi32>
      %at = arith.addi %column, %blocks : tensor<128xi32>
      %p = tt.addptr %base, %at : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
      %v = tt.load %p : tensor<128x!tt.ptr<i32>>
      %s = "tt.reduce"(%v) <{axis = 0 : i32}> ({
      ^bb0(%a: i32, %b: i32):
        %ab = arith.addi %a, %b : i32
        tt.reduce.return %ab : i32
      }) : (tensor<128xi32>) -> i32
      %next = arith.addi %s, %sum : i32
      scf.yield %next : i32
    }
    scf.yield %inner : i32
  }
  tt.store %y, %sums : !tt.ptr<i32>
  tt.return
}

// The neutral element of a maximum that ignores NaN is NaN.
// CHECK-LABEL: @largest
// CHECK: arith.constant dense<0x{{[7F]}}F{{.*}}> : tensor<16x
// CHECK: scf.for
// CHECK: scf.yield
// CHECK: "tt.reduce"
tt.func public @largest(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2048 = arith.constant 2048 : i32
  %start = arith.constant dense<-1.0> : tensor<16xf32>
  %row = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %column = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %pitch = arith.constant dense<128> : tensor<16x1xi32>
  %rows = tt.expand_dims %row {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %columns = tt.expand_dims %column {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
  %starts = arith.muli %rows, %pitch : tensor<16x1xi32>
  %r = tt.broadcast %starts : tensor<16x1xi32> -> tensor<16x128xi32>
  %c = tt.broadcast %columns : tensor<1x128xi32> -> tensor<16x128xi32>
  %offset = arith.addi %r, %c : tensor<16x128xi32>
  %base = tt.splat %x : !tt.ptr<f32> -> tensor<16x128x!tt.ptr<f32>>
  %most = scf.for %i = %c0 to %n step %c1 iter_args(%so_far = %start) -> (tensor<16xf32>) : i32 {
    %block = arith.muli %i, %c2048 : i32
    %blocks = tt.splat %block : i32 -> tensor<16x128xi32>
    %at = arith.addi %offset, %blocks : tensor<16x128xi32>
    %p = tt.addptr %base, %at : tensor<16x128x!tt.ptr<f32>>, tensor<16x128xi32>
    %v = tt.load %p : tensor<16x128x!tt.ptr<f32>>
    %m = "tt.reduce"(%v) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.maxnumf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<16x128xf32>) -> tensor<16xf32>
    %next = arith.maxnumf %so_far, %m : tensor<16xf32>
    scf.yield %next : tensor<16xf32>
  }
  %out = tt.splat %y : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %q = tt.addptr %out, %row : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %q, %most : tensor<16x!tt.ptr<f32>>
  tt.return
}

// The denominator of a softmax: each partial sum is scaled as their sum would be. What the loop starts with is in one thread.
// CHECK-LABEL: @denominator
// CHECK: %[[FIRST:.*]] = arith.select
// CHECK: scf.for {{.*}} iter_args(%[[MOST:.*]] = %{{.*}}, %[[PART:.*]] = %[[FIRST]])
// CHECK: %[[FACTOR:.*]] = math.exp2
// CHECK: %[[SPREAD:.*]] = tt.broadcast
// CHECK: %[[SCALED:.*]] = arith.mulf %[[PART]], %[[SPREAD]]
// CHECK: arith.addf %[[SCALED]]
// CHECK: scf.yield
// CHECK: "tt.reduce"
tt.func public @denominator(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2048 = arith.constant 2048 : i32
  %lowest = arith.constant dense<0xFF800000> : tensor<16xf32>
  %start = arith.constant dense<1.0> : tensor<16xf32>
  %row = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %column = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %pitch = arith.constant dense<128> : tensor<16x1xi32>
  %rows = tt.expand_dims %row {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %columns = tt.expand_dims %column {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
  %starts = arith.muli %rows, %pitch : tensor<16x1xi32>
  %r = tt.broadcast %starts : tensor<16x1xi32> -> tensor<16x128xi32>
  %c = tt.broadcast %columns : tensor<1x128xi32> -> tensor<16x128xi32>
  %offset = arith.addi %r, %c : tensor<16x128xi32>
  %base = tt.splat %x : !tt.ptr<f32> -> tensor<16x128x!tt.ptr<f32>>
  %both:2 = scf.for %i = %c0 to %n step %c1 iter_args(%most = %lowest, %sum = %start) -> (tensor<16xf32>, tensor<16xf32>) : i32 {
    %block = arith.muli %i, %c2048 : i32
    %blocks = tt.splat %block : i32 -> tensor<16x128xi32>
    %at = arith.addi %offset, %blocks : tensor<16x128xi32>
    %p = tt.addptr %base, %at : tensor<16x128x!tt.ptr<f32>>, tensor<16x128xi32>
    %v = tt.load %p : tensor<16x128x!tt.ptr<f32>>
    %m = "tt.reduce"(%v) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.maxnumf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<16x128xf32>) -> tensor<16xf32>
    %now = arith.maxnumf %most, %m : tensor<16xf32>
    %column_of = tt.expand_dims %now {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
    %all = tt.broadcast %column_of : tensor<16x1xf32> -> tensor<16x128xf32>
    %shifted = arith.subf %v, %all : tensor<16x128xf32>
    %e = math.exp2 %shifted : tensor<16x128xf32>
    %less = arith.subf %most, %now : tensor<16xf32>
    %factor = math.exp2 %less : tensor<16xf32>
    %s = "tt.reduce"(%e) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.addf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<16x128xf32>) -> tensor<16xf32>
    %scaled = arith.mulf %sum, %factor : tensor<16xf32>
    %next = arith.addf %scaled, %s : tensor<16xf32>
    scf.yield %now, %next : tensor<16xf32>, tensor<16xf32>
  }
  %out = tt.splat %y : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %q = tt.addptr %out, %row : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %q, %both#1 : tensor<16x!tt.ptr<f32>>
  tt.return
}

// Along the first dimension; the sum of squares has another use in the loop, so that it is needed in each iteration.
// CHECK-LABEL: @column_sums
// CHECK: scf.for {{.*}} -> (tensor<16x32xf32, #ttg.slice<{dim = 1, parent = #linear{{[0-9]*}}}>>, tensor<32xf32, #{{.*}}>)
// CHECK: "tt.reduce"{{.*}} <{axis = 1 : i32}>
// CHECK: "tt.reduce"{{.*}} <{axis = 0 : i32}>
// CHECK: scf.yield
// CHECK: "tt.reduce"{{.*}} <{axis = 0 : i32}>
// CHECK-NOT: "tt.reduce"
tt.func public @column_sums(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2048 = arith.constant 2048 : i32
  %start = arith.constant dense<0.0> : tensor<32xf32>
  %row = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %column = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %pitch = arith.constant dense<32> : tensor<64x1xi32>
  %rows = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tt.expand_dims %column {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %starts = arith.muli %rows, %pitch : tensor<64x1xi32>
  %r = tt.broadcast %starts : tensor<64x1xi32> -> tensor<64x32xi32>
  %c = tt.broadcast %columns : tensor<1x32xi32> -> tensor<64x32xi32>
  %offset = arith.addi %r, %c : tensor<64x32xi32>
  %base = tt.splat %x : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
  %out = tt.splat %y : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %q = tt.addptr %out, %column : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
  %both:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %start, %used = %start) -> (tensor<32xf32>, tensor<32xf32>) : i32 {
    %block = arith.muli %i, %c2048 : i32
    %blocks = tt.splat %block : i32 -> tensor<64x32xi32>
    %at = arith.addi %offset, %blocks : tensor<64x32xi32>
    %p = tt.addptr %base, %at : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
    %v = tt.load %p : tensor<64x32x!tt.ptr<f32>>
    %s = "tt.reduce"(%v) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.addf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<64x32xf32>) -> tensor<32xf32>
    %next = arith.addf %sum, %s : tensor<32xf32>
    %squares = arith.mulf %v, %v : tensor<64x32xf32>
    %t = "tt.reduce"(%squares) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.addf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<64x32xf32>) -> tensor<32xf32>
    %next_used = arith.addf %used, %t : tensor<32xf32>
    tt.store %q, %used : tensor<32x!tt.ptr<f32>>
    scf.yield %next, %next_used : tensor<32xf32>, tensor<32xf32>
  }
  %total = arith.addf %both#0, %both#1 : tensor<32xf32>
  tt.store %q, %total : tensor<32x!tt.ptr<f32>>
  tt.return
}

// What one loop leaves in threads another goes on with, as that of a causal attention over the blocks with a mask.
// CHECK-LABEL: @continued
// CHECK: %[[BEFORE:.*]] = scf.for
// CHECK: scf.yield
// CHECK-NOT: "tt.reduce"
// CHECK: %[[AFTER:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[BEFORE]])
// CHECK: scf.yield
// CHECK: "tt.reduce"(%[[AFTER]]) <{axis = 1 : i32}>
// CHECK-NOT: "tt.reduce"
// CHECK: tt.return
tt.func public @continued(%v: tensor<16x128xf32>, %most: tensor<16xf32>, %m: tensor<16xf32>, %n: i32) -> tensor<16xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %start = arith.constant dense<1.0> : tensor<16xf32>
  %now = arith.maxnumf %most, %m : tensor<16xf32>
  %exponent = arith.subf %most, %now : tensor<16xf32>
  %before = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %start) -> (tensor<16xf32>) : i32 {
    %factor = math.exp2 %exponent : tensor<16xf32>
    %s = "tt.reduce"(%v) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.addf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<16x128xf32>) -> tensor<16xf32>
    %scaled = arith.mulf %sum, %factor : tensor<16xf32>
    %next = arith.addf %scaled, %s : tensor<16xf32>
    scf.yield %next : tensor<16xf32>
  }
  %after = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %before) -> (tensor<16xf32>) : i32 {
    %factor = math.exp2 %exponent : tensor<16xf32>
    %s = "tt.reduce"(%v) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.addf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<16x128xf32>) -> tensor<16xf32>
    %scaled = arith.mulf %factor, %sum : tensor<16xf32>
    %next = arith.addf %s, %scaled : tensor<16xf32>
    scf.yield %next : tensor<16xf32>
  }
  tt.return %after : tensor<16xf32>
}
