// What a kernel on AMD prints reaches the host, here the simulator's, without ROCm's device libraries.
// RUN: env -u ROCM_PATH -u HIP_PATH -u KERNELSCOPE_ROCM_BITCODE kernelscope run %s --device sim --arch gfx950 --compare | FileCheck %s
// RUN: kernelscope run %s --device sim --arch gfx1201 --compare | FileCheck %s
// RUN: kernelscope preview %s --arch gfx942 --emit amdgcn | FileCheck %s --check-prefix=CODE
tt.func public @talk(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  // The host's buffer is an argument that the runtime passes.
  // CODE: s_sendmsg sendmsg(MSG_INTERRUPT)
  // CODE: .value_kind:     hidden_hostcall_buffer
  // CHECK-DAG: program (0, 0, 0), warp 0, thread {{[0-9]+}}, element [3] 50% of a text that is longer than a packet has room for: 3
  // CHECK-DAG: program (0, 0, 0), warp {{[13]}}, thread {{[0-9]+}}, element [127] 50% of a text that is longer than a packet has room for: 127
  // CHECK-DAG: program (0, 0, 0), warp 0, thread 0 wide: 4294967297
  // CHECK: differs from the CPU executor by at most
  // CHECK-SAME: within
  %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %wide = arith.constant 4294967297 : i64
  %n = arith.constant 9 : i32
  %zero = arith.constant 0 : i32
  %positive = arith.cmpi sgt, %n, %zero : i32
  tt.assert %positive, "must be positive" : i1
  tt.print " 50% of a text that is longer than a packet has room for: " {hex = false, isSigned = array<i32: 1>} : %i : tensor<128xi32>
  tt.print " wide: " {hex = false, isSigned = array<i32: 1>} : %wide : i64
  %v = arith.sitofp %i : tensor<128xi32> to tensor<128xf32>
  %p = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %ps = tt.addptr %p, %i : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  tt.store %ps, %v : tensor<128x!tt.ptr<f32>>
  tt.return
}
