// The widest access that the layout, the addresses and the architecture allow, and which registers hold equal values.
// RUN: kernelscope opt %s --annotate-access-runs=arch=sm_90a | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @copy(%aligned: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %any: !tt.ptr<f32>) {
    %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %a = tt.splat %aligned : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %b = tt.splat %any : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %from = tt.addptr %a, %range : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %to = tt.addptr %b, %range : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    // CHECK: tt.load {{.*}}access.run = array<i32: 0, 4>
    %x = tt.load %from : tensor<1024x!tt.ptr<f32>, #blocked>
    // CHECK: tt.store {{.*}} :
    // CHECK-NOT: access.run
    tt.store %to, %x : tensor<1024x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // A row that ends at a multiple of 16: all eight registers are in it or none is. Of any other row nothing is known.
  // CHECK-LABEL: @tail
  tt.func public @tail(%n: i32 {tt.divisibility = 16 : i32}, %m: i32) {
    %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %ns = tt.splat %n : i32 -> tensor<1024xi32, #blocked>
    %ms = tt.splat %m : i32 -> tensor<1024xi32, #blocked>
    %four = arith.constant dense<4> : tensor<1024xi32, #blocked>
    // CHECK: arith.cmpi slt, %{{.*}} {registers.equal = 7 : i32}
    %in = arith.cmpi slt, %range, %ns : tensor<1024xi32, #blocked>
    // CHECK-NOT: registers.equal
    // CHECK: arith.cmpi slt
    %rest = arith.cmpi slt, %range, %ms : tensor<1024xi32, #blocked>
    // CHECK: arith.divsi %{{.*}} {registers.equal = 3 : i32}
    %word = arith.divsi %range, %four : tensor<1024xi32, #blocked>
    tt.return
  }
}
