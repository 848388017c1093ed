// A loop as Triton's block ping-pong leaves it: half of the warps waits at a barrier of its own before the loop, the other half after
// it. All hints to the scheduler stay where they are.
// RUN: kernelscope preview %s --emit llvm | FileCheck %s
// RUN: kernelscope run %s --device sim --compare | FileCheck %s --check-prefix=SIM
// SIM: differs from the CPU executor by at most 0.000e+00

#l = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [8], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  // CHECK-LABEL: @ping_pong
  // CHECK: br i1
  // CHECK: call void @llvm.amdgcn.s.barrier()
  // CHECK: call void @llvm.amdgcn.s.setprio(i16 1)
  // CHECK: call void @llvm.amdgcn.sched.group.barrier(i32 8, i32 1, i32 0)
  // CHECK: call void @llvm.amdgcn.iglp.opt(i32 0)
  // CHECK: call void @llvm.amdgcn.s.setprio(i16 0)
  // CHECK: call void @llvm.amdgcn.sched.barrier(i32 0)
  // CHECK: call void @llvm.amdgcn.s.barrier()
  // CHECK: br i1
  // CHECK: call void @llvm.amdgcn.s.barrier()
  tt.func public @ping_pong(%from: !tt.ptr<f32>, %to: !tt.ptr<f32>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %four = arith.constant 4 : i32
    %half = arith.constant 256 : i32
    %none = arith.constant dense<0.0> : tensor<512xf32, #l>
    %i = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #l>
    %sources = tt.splat %from : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #l>
    %source = tt.addptr %sources, %i : tensor<512x!tt.ptr<f32>, #l>, tensor<512xi32, #l>
    %thread = rocdl.workitem.id.x : i32
    %group = arith.divsi %thread, %half : i32
    %isFirst = arith.cmpi eq, %group, %zero : i32
    %isSecond = arith.cmpi ne, %group, %zero : i32
    amdg.cond_barrier %isSecond
    %sum = scf.for %k = %zero to %four step %one iter_args(%s = %none) -> (tensor<512xf32, #l>) : i32 {
      rocdl.s.setprio 1
      %x = tt.load %source : tensor<512x!tt.ptr<f32>, #l>
      rocdl.sched.group.barrier 8, 1, 0
      rocdl.iglp.opt 0
      %more = arith.addf %s, %x : tensor<512xf32, #l>
      rocdl.s.setprio 0
      rocdl.sched.barrier 0
      rocdl.s.barrier
      scf.yield %more : tensor<512xf32, #l>
    }
    amdg.cond_barrier %isFirst
    %targets = tt.splat %to : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #l>
    %target = tt.addptr %targets, %i : tensor<512x!tt.ptr<f32>, #l>, tensor<512xi32, #l>
    tt.store %target, %sum : tensor<512x!tt.ptr<f32>, #l>
    tt.return
  }
}
