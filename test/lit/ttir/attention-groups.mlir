// How the groups of warps share the products of an attention with too few rows for all of them.
// RUN: kernelscope opt %s --ttir-to-ttgir="arch=sm_90a num-warps=8" | FileCheck %s
// Groups that exchange something in the loop and after it: sums get their values before the loop or in it, and on no way around it.
// RUN: kernelscope preview %s --arch sm_90a --num-warps 8 --kernel wide --emit ptx | FileCheck %s --check-prefix=PTX

// Where the scores are small beside the weighted sum, both groups compute all of them, and exchange nothing.
// CHECK-DAG: #[[ALL:mma[0-9]*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 32, 16]}>
// CHECK-DAG: #[[HALF:mma[0-9]*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 64, 16]}>
// CHECK-DAG: #[[PARTS:mma[0-9]*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 32, 16]}>
// CHECK-LABEL: @narrow
// CHECK: ttng.warp_group_dot {{.*}} -> tensor<64x32xf32, #[[ALL]]>
// CHECK: ttng.warp_group_dot {{.*}} -> tensor<64x128xf32, #[[HALF]]>
tt.func public @narrow(%q: tensor<64x64xf16>, %k: tensor<64x32xf16>, %v: tensor<32x128xf16>, %c: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %s = tt.dot %q, %k, %zero : tensor<64x64xf16> * tensor<64x32xf16> -> tensor<64x32xf32>
  %p = arith.truncf %s : tensor<64x32xf32> to tensor<64x32xf16>
  %d = tt.dot %p, %v, %c : tensor<64x32xf16> * tensor<32x128xf16> -> tensor<64x128xf32>
  tt.return %d : tensor<64x128xf32>
}

// Else each computes a part.
// CHECK-LABEL: @wide
// CHECK: ttng.warp_group_dot {{.*}} -> tensor<64x64xf32, #[[PARTS]]>
// CHECK: ttng.warp_group_dot {{.*}} -> tensor<64x64xf32, #[[PARTS]]>
// PTX-LABEL: .entry wide
// PTX-NOT: crit_edge_crit_edge
// PTX: wgmma.mma_async
// PTX-NOT: crit_edge_crit_edge
// PTX: wgmma.wait_group.sync.aligned 0;
// PTX: shfl
// PTX-NOT: crit_edge_crit_edge
// PTX: ret;
tt.func public @wide(%q: tensor<64x64xf16>, %k: tensor<64x64xf16>, %v: tensor<64x64xf16>, %n: i32) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64xf32>
  %lowest = arith.constant dense<0xFF800000> : tensor<64xf32>
  %out:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zeros, %most = %lowest, %sum = %none) -> (tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>) : i32 {
    %s = tt.dot %q, %k, %zeros : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %m = "tt.reduce"(%s) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.maxnumf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<64x64xf32>) -> tensor<64xf32>
    %now = arith.maxnumf %most, %m : tensor<64xf32>
    %column = tt.expand_dims %now {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %all = tt.broadcast %column : tensor<64x1xf32> -> tensor<64x64xf32>
    %shifted = arith.subf %s, %all : tensor<64x64xf32>
    %e = math.exp2 %shifted : tensor<64x64xf32>
    %less = arith.subf %most, %now : tensor<64xf32>
    %factor = math.exp2 %less : tensor<64xf32>
    %t = "tt.reduce"(%e) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.addf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<64x64xf32>) -> tensor<64xf32>
    %scaled = arith.mulf %sum, %factor : tensor<64xf32>
    %next = arith.addf %scaled, %t : tensor<64xf32>
    %factors = tt.expand_dims %factor {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %spread = tt.broadcast %factors : tensor<64x1xf32> -> tensor<64x64xf32>
    %before = arith.mulf %acc, %spread : tensor<64x64xf32>
    %p = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xf16>
    %d = tt.dot %p, %v, %before : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d, %now, %next : tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>
  }
  %sums = tt.expand_dims %out#2 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
  %divisor = tt.broadcast %sums : tensor<64x1xf32> -> tensor<64x64xf32>
  %result = arith.divf %out#0, %divisor : tensor<64x64xf32>
  tt.return %result : tensor<64x64xf32>
}
