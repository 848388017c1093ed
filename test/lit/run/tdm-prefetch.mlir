// The offsets that a prefetch returns: elements from the start of the tensor, one for each 256 bytes of the block; 0 past its end.
// RUN: kernelscope run %s --device cpu --output %t && od -An -t d8 -w64 -v %t/out.npy | FileCheck %s
// RUN: kernelscope run %s --device sim --output %t.sim && od -An -t d8 -w64 -v %t.sim/out.npy | FileCheck %s
// Those of the scope of L2 that need a translation have the temporal hint 1.
// RUN: kernelscope preview %s --emit llvm | FileCheck %s --check-prefix=LLVM
// LLVM: call void @llvm.amdgcn.global.prefetch(ptr {{.*}}, i32 9)
// LLVM: call void @llvm.amdgcn.global.prefetch(ptr {{.*}}, i32 8)
// CHECK: 512 576 640 704 0 0 0 0
// CHECK-NEXT: 512 576 640 704 768 832 896 960
// CHECK-NEXT: 0 0 0 0 0 0 0 0
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
!desc = !tt.tensordesc<4x128xf32, #s>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  tt.func private @keep(%out: !tt.ptr<i64>, %row: i32, %offsets: tensor<4x2xi64, #b>) {
    %c2 = arith.constant dense<2> : tensor<4x1xi32, #b>
    %c8 = arith.constant 8 : i32
    %at = arith.muli %row, %c8 : i32
    %begin = tt.addptr %out, %at : !tt.ptr<i64>, i32
    %i = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %j = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<4x1xi32, #b>
    %columns = tt.expand_dims %j {axis = 0 : i32} : tensor<2xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x2xi32, #b>
    %twice = arith.muli %rows, %c2 : tensor<4x1xi32, #b>
    %down = tt.broadcast %twice : tensor<4x1xi32, #b> -> tensor<4x2xi32, #b>
    %across = tt.broadcast %columns : tensor<1x2xi32, #b> -> tensor<4x2xi32, #b>
    %place = arith.addi %down, %across : tensor<4x2xi32, #b>
    %base = tt.splat %begin : !tt.ptr<i64> -> tensor<4x2x!tt.ptr<i64>, #b>
    %to = tt.addptr %base, %place : tensor<4x2x!tt.ptr<i64>, #b>, tensor<4x2xi32, #b>
    tt.store %to, %offsets : tensor<4x2x!tt.ptr<i64>, #b>
    tt.return
  }

  // A tensor of 6 rows of 128; the block begins at row 4.
  tt.func public @prefetches(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<i64> loc("out")) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c6 = arith.constant 6 : i32
    %c128 = arith.constant 128 : i32
    %stride = arith.constant 128 : i64
    %one = arith.constant 1 : i64
    %true = arith.constant true
    %false = arith.constant false
    %d = tt.make_tensor_descriptor %p, [%c6, %c128], [%stride, %one] : !tt.ptr<f32>, !desc
    %inside = amdg.tdm_prefetch %d[%c4, %c0], %true, speculative = false returnOffsets : !desc -> tensor<4x2xi64, #b>
    tt.call @keep(%out, %c0, %inside) : (!tt.ptr<i64>, i32, tensor<4x2xi64, #b>) -> ()
    %all = amdg.tdm_prefetch %d[%c4, %c0], %true, speculative = true returnOffsets : !desc -> tensor<4x2xi64, #b>
    tt.call @keep(%out, %c1, %all) : (!tt.ptr<i64>, i32, tensor<4x2xi64, #b>) -> ()
    %none = amdg.tdm_prefetch %d[%c4, %c0], %false, speculative = true returnOffsets : !desc -> tensor<4x2xi64, #b>
    tt.call @keep(%out, %c2, %none) : (!tt.ptr<i64>, i32, tensor<4x2xi64, #b>) -> ()
    tt.return
  }
}
