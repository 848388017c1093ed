// LLVM schedules a kernel on AMD part by part between barriers, except in
// loops, and in kernels with matrix products or a schedule of their own.
// RUN: split-file %s %t
// RUN: kernelscope preview --emit llvm %t/sum.ttgir | FileCheck %s --check-prefix=PARTS
// RUN: kernelscope preview --emit llvm --arch gfx942 %t/scheduled.ttgir | FileCheck %s --check-prefix=OWN
// RUN: kernelscope preview --emit llvm --arch gfx942 %t/loop.ttgir | FileCheck %s --check-prefix=WHOLE
// RUN: kernelscope preview --emit llvm --arch gfx942 %t/product.ttgir | FileCheck %s --check-prefix=WHOLE
// RUN: kernelscope run %t/sum.ttgir --device sim --compare | FileCheck %s --check-prefix=SIM

// PARTS: store float
// PARTS: call void @llvm.amdgcn.s.barrier()
// PARTS-NEXT: fence
// PARTS-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
// PARTS: load {{.*}}float
// OWN: call void @llvm.amdgcn.sched.barrier(i32 1)
// OWN-NOT: call void @llvm.amdgcn.sched.barrier(i32 0)
// WHOLE-NOT: call void @llvm.amdgcn.sched.barrier
// WHOLE: call void @llvm.amdgcn.s.barrier()
// WHOLE-NOT: call void @llvm.amdgcn.sched.barrier
// SIM: differs from the CPU executor by at most

//--- sum.ttgir
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @sum(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
    %at = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #b>
    %x = amdg.buffer_load %p[%at] : tensor<256xf32, #b>
    %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %c: f32):
      %s = arith.addf %a, %c : f32
      tt.reduce.return %s : f32
    }) : (tensor<256xf32, #b>) -> f32
    tt.store %q, %sum : !tt.ptr<f32>
    tt.return
  }
}

//--- scheduled.ttgir
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @sum(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
    %at = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #b>
    %x = amdg.buffer_load %p[%at] : tensor<256xf32, #b>
    rocdl.sched.barrier 1
    %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %c: f32):
      %s = arith.addf %a, %c : f32
      tt.reduce.return %s : f32
    }) : (tensor<256xf32, #b>) -> f32
    tt.store %q, %sum : !tt.ptr<f32>
    tt.return
  }
}

//--- loop.ttgir
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @sums(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %at = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #b>
    scf.for %i = %zero to %n step %one : i32 {
      %row = tt.addptr %p, %i : !tt.ptr<f32>, i32
      %x = amdg.buffer_load %row[%at] : tensor<256xf32, #b>
      %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %c: f32):
        %s = arith.addf %a, %c : f32
        tt.reduce.return %s : f32
      }) : (tensor<256xf32, #b>) -> f32
      %out = tt.addptr %q, %i : !tt.ptr<f32>, i32
      tt.store %out, %sum : !tt.ptr<f32>
    }
    tt.return
  }
}

//--- product.ttgir
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [16, 16, 16], isTransposed = true}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @square(%p: !tt.ptr<f16>, %q: !tt.ptr<f32>) {
    %rows = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %cols = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<32x1xi32, #b>
    %c = tt.expand_dims %cols {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x32xi32, #b>
    %pitch = arith.constant dense<32> : tensor<32x1xi32, #b>
    %start = arith.muli %r, %pitch : tensor<32x1xi32, #b>
    %i = tt.broadcast %start : tensor<32x1xi32, #b> -> tensor<32x32xi32, #b>
    %j = tt.broadcast %c : tensor<1x32xi32, #b> -> tensor<32x32xi32, #b>
    %at = arith.addi %i, %j : tensor<32x32xi32, #b>
    %x = amdg.buffer_load %p[%at] : tensor<32x32xf16, #b>
    %zero = arith.constant dense<0.0> : tensor<32x32xf32, #mma>
    %lhs = ttg.convert_layout %x : tensor<32x32xf16, #b> -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>
    %rhs = ttg.convert_layout %x : tensor<32x32xf16, #b> -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
    %d = tt.dot %lhs, %rhs, %zero : tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>> * tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>> -> tensor<32x32xf32, #mma>
    %e = ttg.convert_layout %d : tensor<32x32xf32, #mma> -> tensor<32x32xf32, #b>
    amdg.buffer_store %e, %q[%at] : tensor<32x32xf32, #b>
    tt.return
  }
}
