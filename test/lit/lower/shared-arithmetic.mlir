// What all threads of a block have in common is computed once, and a product of a neighbour's index is a sum.
// RUN: kernelscope preview %s --arch sm_90a --emit ptx --kernel joined | FileCheck %s --check-prefix=JOINED
// RUN: kernelscope preview %s --arch sm_90a --emit ptx --kernel neighbours | FileCheck %s --check-prefix=NEIGHBOURS

#b = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // JOINED-LABEL: .entry joined
  // JOINED: ld.param.b32 [[X:%r[0-9]+]], [joined_param_1]
  // JOINED: ld.param.b32 [[Y:%r[0-9]+]], [joined_param_2]
  // JOINED: xor.b32 {{.*}}, [[X]], [[Y]]
  // JOINED-NOT: xor.b32 {{.*}}, [[X]]
  // JOINED-NOT: xor.b32 {{.*}}, [[Y]]
  // JOINED: ret
  tt.func public @joined(%out: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %x: i32, %y: i32) {
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #b>
    %xs = tt.splat %x : i32 -> tensor<128xi32, #b>
    %ys = tt.splat %y : i32 -> tensor<128xi32, #b>
    %a = arith.xori %i, %xs : tensor<128xi32, #b>
    %v = arith.xori %a, %ys : tensor<128xi32, #b>
    %ps = tt.splat %out : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #b>
    %p = tt.addptr %ps, %i : tensor<128x!tt.ptr<i32>, #b>, tensor<128xi32, #b>
    tt.store %p, %v : tensor<128x!tt.ptr<i32>, #b>
    tt.return
  }

  // NEIGHBOURS-LABEL: .entry neighbours
  // NEIGHBOURS: mul.lo.s32 {{.*}}, -766435501
  // NEIGHBOURS-NOT: mul.lo.s32
  // NEIGHBOURS: ret
  tt.func public @neighbours(%out: !tt.ptr<i32> {tt.divisibility = 16 : i32}) {
    %c128 = arith.constant 128 : i32
    %pid = tt.get_program_id x : i32
    %first = arith.muli %pid, %c128 : i32
    %firsts = tt.splat %first : i32 -> tensor<128xi32, #b>
    %t = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #b>
    %i = arith.addi %firsts, %t : tensor<128xi32, #b>
    %c = arith.constant dense<-766435501> : tensor<128xi32, #b>
    %m = arith.muli %i, %c : tensor<128xi32, #b>
    %v = arith.xori %m, %i : tensor<128xi32, #b>
    %ps = tt.splat %out : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #b>
    %p = tt.addptr %ps, %i : tensor<128x!tt.ptr<i32>, #b>, tensor<128xi32, #b>
    tt.store %p, %v : tensor<128x!tt.ptr<i32>, #b>
    tt.return
  }
}
