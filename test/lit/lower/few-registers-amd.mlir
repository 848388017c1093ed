// A kernel whose values do not fit the registers is scheduled again, for the
// fewest registers: at first LLVM spills 96 of this product.
// RUN: kernelscope preview --emit amdgcn --arch gfx1201 %s | FileCheck %s
// RUN: kernelscope preview --emit hsaco --arch gfx1201 %s -o %t
// RUN: llvm-readelf --notes %t | FileCheck %s

// CHECK: .vgpr_spill_count: 0

tt.func public @product(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %sk = arith.constant dense<256> : tensor<128x1xi32>
  %sn = arith.constant dense<64> : tensor<256x1xi32>
  %sm = arith.constant dense<64> : tensor<128x1xi32>
  %m = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %n = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %k = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
  %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %k1 = tt.expand_dims %k {axis = 1 : i32} : tensor<256xi32> -> tensor<256x1xi32>
  %k0 = tt.expand_dims %k {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
  %n0 = tt.expand_dims %n {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %ma = arith.muli %m1, %sk : tensor<128x1xi32>
  %kb = arith.muli %k1, %sn : tensor<256x1xi32>
  %mo = arith.muli %m1, %sm : tensor<128x1xi32>
  %a1 = tt.broadcast %ma : tensor<128x1xi32> -> tensor<128x256xi32>
  %a2 = tt.broadcast %k0 : tensor<1x256xi32> -> tensor<128x256xi32>
  %a3 = arith.addi %a1, %a2 : tensor<128x256xi32>
  %b1 = tt.broadcast %kb : tensor<256x1xi32> -> tensor<256x64xi32>
  %b2 = tt.broadcast %n0 : tensor<1x64xi32> -> tensor<256x64xi32>
  %b3 = arith.addi %b1, %b2 : tensor<256x64xi32>
  %o1 = tt.broadcast %mo : tensor<128x1xi32> -> tensor<128x64xi32>
  %o2 = tt.broadcast %n0 : tensor<1x64xi32> -> tensor<128x64xi32>
  %o3 = arith.addi %o1, %o2 : tensor<128x64xi32>
  %pa = tt.splat %a : !tt.ptr<f16> -> tensor<128x256x!tt.ptr<f16>>
  %pb = tt.splat %b : !tt.ptr<f16> -> tensor<256x64x!tt.ptr<f16>>
  %po = tt.splat %out : !tt.ptr<f32> -> tensor<128x64x!tt.ptr<f32>>
  %xa = tt.addptr %pa, %a3 : tensor<128x256x!tt.ptr<f16>>, tensor<128x256xi32>
  %xb = tt.addptr %pb, %b3 : tensor<256x64x!tt.ptr<f16>>, tensor<256x64xi32>
  %xo = tt.addptr %po, %o3 : tensor<128x64x!tt.ptr<f32>>, tensor<128x64xi32>
  %x = tt.load %xa : tensor<128x256x!tt.ptr<f16>>
  %y = tt.load %xb : tensor<256x64x!tt.ptr<f16>>
  %d = tt.dot %x, %y, %zero : tensor<128x256xf16> * tensor<256x64xf16> -> tensor<128x64xf32>
  tt.store %xo, %d : tensor<128x64x!tt.ptr<f32>>
  tt.return
}
