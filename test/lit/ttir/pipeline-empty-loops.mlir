// A loop without iterations goes once it is pipelined; with what it yields the next one folds too, which still has its turn.
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=sm_80 | FileCheck %s
// CHECK-LABEL: @empty
// CHECK-NOT: scf.for
// CHECK: tt.return
tt.func public @empty(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %rows = tt.expand_dims %range {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %pitch = arith.constant dense<64> : tensor<64x1xi32>
  %starts = arith.muli %rows, %pitch : tensor<64x1xi32>
  %r = tt.broadcast %starts : tensor<64x1xi32> -> tensor<64x64xi32>
  %k = tt.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %at = arith.addi %r, %k : tensor<64x64xi32>
  %s = tt.splat %a : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %p0 = tt.addptr %s, %at : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
  %first:2 = scf.for %i = %c0 to %c0 step %c1 iter_args(%sum = %zero, %n = %c0) -> (tensor<64x64xf32>, i32) : i32 {
    %x = tt.load %p0 : tensor<64x64x!tt.ptr<f16>>
    %d = tt.dot %x, %x, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %m = arith.addi %n, %c1 : i32
    scf.yield %d, %m : tensor<64x64xf32>, i32
  }
  %second = scf.for %i = %c0 to %first#1 step %c1 iter_args(%sum = %first#0) -> (tensor<64x64xf32>) : i32 {
    %x = tt.load %p0 : tensor<64x64x!tt.ptr<f16>>
    %d = tt.dot %x, %x, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %out = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %to = tt.addptr %out, %at : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  tt.store %to, %second : tensor<64x64x!tt.ptr<f32>>
  tt.return
}
