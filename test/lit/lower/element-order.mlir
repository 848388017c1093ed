// Arithmetic with many values of an element on the way is ordered by element, since LLVM's code generator for NVIDIA keeps the order.
// RUN: kernelscope preview %s --emit ptx | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Both words of a product, which the next step mixes: a first result is
  // there before the second element's first product.
  // CHECK-LABEL: .entry mixed(
  // CHECK-COUNT-2: mul.hi.u32
  // CHECK-NOT: mul.hi.u32
  // CHECK: shr.u32 [[FIRST:%r[0-9]+]], {{.*}}, 20;
  // CHECK-COUNT-14: mul.hi.u32
  // CHECK: st.global.v4.b32 {{.*}}{[[FIRST]],
  tt.func public @mixed(%p: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %key: i32) {
    %r = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #b>
    %at = tt.splat %p : !tt.ptr<i32> -> tensor<1024x!tt.ptr<i32>, #b>
    %q = tt.addptr %at, %r : tensor<1024x!tt.ptr<i32>, #b>, tensor<1024xi32, #b>
    %x = tt.load %q : tensor<1024x!tt.ptr<i32>, #b>
    %m = arith.constant dense<-766435501> : tensor<1024xi32, #b>
    %n = arith.constant dense<-845247145> : tensor<1024xi32, #b>
    %s = arith.constant dense<20> : tensor<1024xi32, #b>
    %k = tt.splat %key : i32 -> tensor<1024xi32, #b>
    %low = arith.muli %x, %m : tensor<1024xi32, #b>
    %high = tt.mulhiui %x, %m : tensor<1024xi32, #b>
    %y = arith.xori %high, %k : tensor<1024xi32, #b>
    %z = arith.addi %low, %k : tensor<1024xi32, #b>
    %high2 = tt.mulhiui %y, %n : tensor<1024xi32, #b>
    %a = arith.xori %high2, %z : tensor<1024xi32, #b>
    %b = arith.muli %a, %y : tensor<1024xi32, #b>
    %c = arith.muli %z, %high : tensor<1024xi32, #b>
    %d = arith.xori %b, %c : tensor<1024xi32, #b>
    %e = arith.shrui %d, %s : tensor<1024xi32, #b>
    tt.store %q, %e : tensor<1024x!tt.ptr<i32>, #b>
    tt.return
  }

  // A chain has one value for each element in any order; it stays as it is.
  // CHECK-LABEL: .entry chain(
  // CHECK-COUNT-8: add.s32
  // CHECK-COUNT-8: mul.lo.s32
  // CHECK: st.global
  tt.func public @chain(%p: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %key: i32) {
    %r = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #b>
    %at = tt.splat %p : !tt.ptr<i32> -> tensor<1024x!tt.ptr<i32>, #b>
    %q = tt.addptr %at, %r : tensor<1024x!tt.ptr<i32>, #b>, tensor<1024xi32, #b>
    %x = tt.load %q : tensor<1024x!tt.ptr<i32>, #b>
    %k = tt.splat %key : i32 -> tensor<1024xi32, #b>
    %y = arith.addi %x, %k : tensor<1024xi32, #b>
    %z = arith.muli %y, %k : tensor<1024xi32, #b>
    tt.store %q, %z : tensor<1024x!tt.ptr<i32>, #b>
    tt.return
  }
}
