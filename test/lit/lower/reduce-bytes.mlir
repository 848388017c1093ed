// Two partial results of four bytes take eight, and those of two operands as much as both.
// RUN: kernelscope opt %s --allocate-shared-memory --split-input-file | FileCheck %s
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
// CHECK: module {{.*}}ttg.shared = 8 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @one(%x: tensor<128xi32, #b>, %p: !tt.ptr<i32>) {
    %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %c = arith.addi %a, %b : i32
      tt.reduce.return %c : i32
    }) : (tensor<128xi32, #b>) -> i32
    tt.store %p, %s : !tt.ptr<i32>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
// CHECK: module {{.*}}ttg.shared = 16 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @two(%x: tensor<128xi32, #b>, %p: !tt.ptr<i32>) {
    %s:2 = "tt.reduce"(%x, %x) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
      %e = arith.addi %a, %c : i32
      %f = arith.xori %b, %d : i32
      tt.reduce.return %e, %f : i32, i32
    }) : (tensor<128xi32, #b>, tensor<128xi32, #b>) -> (i32, i32)
    %t = arith.addi %s#0, %s#1 : i32
    tt.store %p, %t : !tt.ptr<i32>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// The wider operand comes first, so that the narrow one needs no padding.
// CHECK: module {{.*}}ttg.shared = 24 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @narrow_and_wide(%x: tensor<128xi16, #b>, %y: tensor<128xi32, #b>, %p: !tt.ptr<i32>) {
    %s:2 = "tt.reduce"(%x, %y) <{axis = 0 : i32}> ({
    ^bb0(%a: i16, %b: i32, %c: i16, %d: i32):
      %e = arith.addi %a, %c : i16
      %f = arith.xori %b, %d : i32
      tt.reduce.return %e, %f : i16, i32
    }) : (tensor<128xi16, #b>, tensor<128xi32, #b>) -> (i16, i32)
    tt.store %p, %s#1 : !tt.ptr<i32>
    tt.return
  }
}
