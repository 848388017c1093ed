// A map over elements gets a copy of its region for each pack of them, with its branches; a concatenation takes the
// registers of both operands.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_90a | FileCheck %s

#line = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#twice = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @branches
  // CHECK-COUNT-2: llvm.cond_br
  // CHECK-NOT: llvm.cond_br
  // CHECK: llvm.return
  tt.func @branches(%x: tensor<512xf32, #line>) -> tensor<512xf32, #line> {
    %zero = arith.constant 0.0 : f32
    %y = "tt.map_elementwise"(%x) <{pack = 2 : i32}> ({
    ^entry(%a: f32, %b: f32):
      %positive = arith.cmpf ogt, %a, %zero : f32
      cf.cond_br %positive, ^keep, ^add
    ^keep:
      tt.map_elementwise.return %a, %b : f32, f32
    ^add:
      %sum = arith.addf %a, %b : f32
      tt.map_elementwise.return %sum, %a : f32, f32
    }) : (tensor<512xf32, #line>) -> tensor<512xf32, #line>
    tt.return %y : tensor<512xf32, #line>
  }

  // Structured control flow inside, and an 8-bit float, which is an integer in LLVM.
  // CHECK-LABEL: @magnitude
  // CHECK-COUNT-4: llvm.cond_br
  // CHECK: llvm.return
  tt.func @magnitude(%x: tensor<512xf8E5M2, #line>, %on: i1) -> tensor<512xf8E5M2, #line> {
    %y = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
    ^entry(%a: f8E5M2):
      %result = scf.if %on -> f8E5M2 {
        %abs = math.absf %a : f8E5M2
        scf.yield %abs : f8E5M2
      } else {
        scf.yield %a : f8E5M2
      }
      tt.map_elementwise.return %result : f8E5M2
    }) : (tensor<512xf8E5M2, #line>) -> tensor<512xf8E5M2, #line>
    tt.return %y : tensor<512xf8E5M2, #line>
  }

  // CHECK-LABEL: @cat
  // CHECK-SAME: %[[L:[^:]*]]: !llvm.struct<(i32, i32, i32, i32)>, %[[R:[^:]*]]: !llvm.struct<(i32, i32, i32, i32)>
  // CHECK: %[[LAST:.*]] = llvm.extractvalue %[[R]][3]
  // CHECK: llvm.insertvalue %[[LAST]], %{{.*}}[7]
  tt.func @cat(%lhs: tensor<512xi32, #line>, %rhs: tensor<512xi32, #line>) -> tensor<1024xi32, #twice> {
    %both = tt.cat %lhs, %rhs : tensor<512xi32, #line> -> tensor<1024xi32, #twice>
    tt.return %both : tensor<1024xi32, #twice>
  }
}
