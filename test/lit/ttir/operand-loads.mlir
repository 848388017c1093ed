// What a loop multiplies in each iteration is loaded by the warps that multiply it, if it is loaded once before the loop. On AMD
// a lane loads its own elements; on NVIDIA, where those are pairs, the lanes of a warp exchange 16 bytes each. No warp waits.
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=sm_80 | FileCheck %s --check-prefix=AMPERE
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=gfx950 | FileCheck %s --check-prefix=CDNA
// RUN: kernelscope preview %s --arch sm_80 --kernel queries --emit ptx | FileCheck %s --check-prefix=PTX
// RUN: kernelscope run %s --kernel queries --device sim --arch sm_80 --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel queries --device sim --arch gfx950 --compare | FileCheck %s --check-prefix=RIGHT
// RIGHT: differs from the CPU executor by at most {{.*}}: within

// AMPERE-DAG: #[[ROWS:linear[0-9]*]] = #ttg.linear<{register = {{\[\[0, 1\], \[0, 2\], \[0, 4\], \[4, 0\], \[8, 0\]\]}}, lane = {{\[\[0, 8\], \[0, 16\], \[0, 32\], \[1, 0\], \[2, 0\]\]}}, warp = {{\[\[16, 0\], \[32, 0\]\]}}, block = []}>
// AMPERE-LABEL: @queries
// AMPERE: %[[Q:.*]] = tt.load %{{.*}} : tensor<64x64x!tt.ptr<f16>, #[[ROWS]]>
// AMPERE: arith.addf %[[Q]], {{.*}} : tensor<64x64xf16, #[[ROWS]]>
// AMPERE: ttg.convert_layout {{.*}} -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0,
// AMPERE: scf.for
// CDNA-LABEL: @queries
// CDNA: tt.load {{.*}}tensor<64x64x!tt.ptr<f16>, #ttg.dot_op<{opIdx = 0,
// CDNA-NOT: ttg.convert_layout
// CDNA: scf.for
// PTX-LABEL: .entry queries
// PTX-NOT: bar.sync
// PTX: cp.async.wait_group
tt.func public @queries(%q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %half = arith.constant dense<0.5> : tensor<64x64xf16>
  %stride = arith.constant dense<64> : tensor<64x1xi32>
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %starts = arith.muli %rows, %stride : tensor<64x1xi32>
  %columns = tt.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %down = tt.broadcast %starts : tensor<64x1xi32> -> tensor<64x64xi32>
  %across = tt.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %offsets = arith.addi %down, %across : tensor<64x64xi32>
  %qs = tt.splat %q : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %qp = tt.addptr %qs, %offsets : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
  %ks = tt.splat %k : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %loaded = tt.load %qp : tensor<64x64x!tt.ptr<f16>>
  %x = arith.addf %loaded, %half : tensor<64x64xf16>
  %sums = scf.for %t = %zero to %n step %one iter_args(%acc = %none) -> (tensor<64x64xf32>) : i32 {
    %kp = tt.addptr %ks, %offsets : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %y = tt.load %kp : tensor<64x64x!tt.ptr<f16>>
    %s = tt.dot %x, %y, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
    %d = tt.dot %p, %y, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %op = tt.addptr %os, %offsets : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  tt.store %op, %sums : tensor<64x64x!tt.ptr<f32>>
  tt.return
}
