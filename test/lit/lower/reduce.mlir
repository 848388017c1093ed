// A reduction combines registers, then lanes by a butterfly, then warps through shared memory.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_90a | FileCheck %s
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=gfx1100 | FileCheck %s --check-prefix=RDNA

#blocked = #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], order = [1, 0]}>
#line = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#small = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Two rows in a thread, each 4 registers, 8 lanes and 2 warps wide.
  // CHECK-LABEL: @rows
  tt.func @rows(%x: tensor<16x64xf32, #blocked>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>> {
    // CHECK-COUNT-6: llvm.fadd
    // CHECK-COUNT-6: shfl.sync.bfly
    // CHECK-NOT: shfl.sync.bfly
    // The partial sums of both rows lie side by side, and those of both warps.
    // CHECK-COUNT-1: llvm.store {{.*}} : vector<2xi32>, !llvm.ptr<3>
    // CHECK: llvm.nvvm.barrier
    // CHECK: llvm.load {{.*}} !llvm.ptr<3> -> vector<4xi32>
    // CHECK-COUNT-2: llvm.fadd
    // CHECK: llvm.return
    %sum = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<16x64xf32, #blocked>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    tt.return %sum : tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
  }

  // A scalar comes out in every thread. Four warps: one load of four partial results.
  // CHECK-LABEL: @scalar
  tt.func @scalar(%x: tensor<256xf32, #line>) -> f32 {
    // CHECK-COUNT-5: shfl.sync.bfly
    // CHECK: llvm.nvvm.barrier
    // CHECK: llvm.load {{.*}} !llvm.ptr<3> -> vector<4xi32>
    // CHECK-COUNT-3: "llvm.maxnum
    // CHECK: llvm.return %{{.*}} : f32
    %max = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<256xf32, #line>) -> f32
    tt.return %max : f32
  }

  // 16 elements on 128 threads: warps and half of each warp's lanes have copies, which count once.
  // CHECK-LABEL: @copies
  tt.func @copies(%x: tensor<16xi32, #small>) -> i32 {
    // CHECK-COUNT-4: shfl.sync.bfly
    // CHECK-NOT: shfl.sync.bfly
    // CHECK-NOT: llvm.nvvm.barrier
    // CHECK: llvm.return
    %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      tt.reduce.return %c : i32
    }) : (tensor<16xi32, #small>) -> i32
    tt.return %sum : i32
  }

  // NVIDIA has an instruction that combines integers of all lanes.
  // CHECK-LABEL: @integers
  // RDNA-LABEL: @integers
  tt.func @integers(%x: tensor<128xi32, #small>, %y: tensor<128xi8, #small>) -> (i32, i8) {
    // RDNA-NOT: redux
    // CHECK: "llvm.nvvm.redux.sync.max"
    // CHECK-NOT: shfl
    // CHECK: llvm.load {{.*}} !llvm.ptr<3> -> vector<4xi32>
    // CHECK-COUNT-3: llvm.intr.smax
    %max = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.maxsi %a, %b : i32
      tt.reduce.return %c : i32
    }) : (tensor<128xi32, #small>) -> i32
    // CHECK: llvm.zext {{.*}} : i8 to i32
    // CHECK: "llvm.nvvm.redux.sync.umin"
    // CHECK: llvm.trunc {{.*}} : i32 to i8
    // CHECK-NOT: shfl
    // CHECK: llvm.return
    %min = "tt.reduce"(%y) <{axis = 0 : i32}> ({
    ^bb0(%a: i8, %b: i8):
      %c = arith.minui %a, %b : i8
      tt.reduce.return %c : i8
    }) : (tensor<128xi8, #small>) -> i8
    tt.return %max, %min : i32, i8
  }

  // Several operands go together: the largest value and where it is.
  // CHECK-LABEL: @argmax
  tt.func @argmax(%x: tensor<256xf32, #line>, %i: tensor<256xi32, #line>) -> i32 {
    // CHECK: llvm.fcmp "ogt"
    // CHECK-COUNT-10: shfl.sync.bfly
    // CHECK: llvm.nvvm.barrier
    // CHECK-COUNT-2: llvm.load {{.*}} !llvm.ptr<3> -> vector<4xi32>
    // CHECK-COUNT-3: llvm.fcmp "ogt"
    // CHECK: llvm.return %{{.*}} : i32
    %max:2 = "tt.reduce"(%x, %i) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
      %more = arith.cmpf ogt, %a, %b : f32
      %c = arith.select %more, %a, %b : f32
      %ci = arith.select %more, %ai, %bi : i32
      tt.reduce.return %c, %ci : f32, i32
    }) : (tensor<256xf32, #line>, tensor<256xi32, #line>) -> (f32, i32)
    tt.return %max#1 : i32
  }
}
