// Without --num-warps a kernel gets 4 warps, or 8 where the registers of 4 would not hold what its products compute.
// RUN: kernelscope preview %s --kernel attention --arch sm_90a --emit ttgir | FileCheck %s --check-prefix=EIGHT
// RUN: kernelscope preview %s --kernel attention --arch sm_100a --emit ttgir | FileCheck %s --check-prefix=EIGHT
// RUN: kernelscope preview %s --kernel attention --arch gfx950 --emit ttgir | FileCheck %s --check-prefix=FOUR
// RUN: kernelscope preview %s --kernel attention --arch sm_90a --num-warps 4 --emit ttgir | FileCheck %s --check-prefix=FOUR
// RUN: kernelscope preview %s --kernel narrow --arch sm_90a --emit ttgir | FileCheck %s --check-prefix=FOUR
// RUN: kernelscope preview %s --kernel sums --arch sm_90a --emit ttgir | FileCheck %s --check-prefix=FOUR
// RUN: kernelscope preview %s --kernel converted --arch sm_80 --emit ttgir | FileCheck %s --check-prefix=EIGHT
// RUN: kernelscope opt %s --ttir-to-ttgir="arch=sm_90a num-ctas=2" | FileCheck %s --check-prefix=FOUR
// EIGHT: "ttg.num-warps" = 8
// FOUR: "ttg.num-warps" = 4

// Two results of 128 x 128 are 256 registers of 128 threads.
tt.func public @attention(%q: tensor<128x128x!tt.ptr<f16>>, %k: tensor<128x128x!tt.ptr<f16>>, %c: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %x = tt.load %q : tensor<128x128x!tt.ptr<f16>>
  %y = tt.load %k : tensor<128x128x!tt.ptr<f16>>
  %s = tt.dot %x, %y, %c : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
  %p = arith.truncf %s : tensor<128x128xf32> to tensor<128x128xf16>
  %d = tt.dot %p, %y, %c : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
  tt.return %d : tensor<128x128xf32>
}

tt.func public @narrow(%q: tensor<128x64x!tt.ptr<f16>>, %k: tensor<64x64x!tt.ptr<f16>>, %c: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %x = tt.load %q : tensor<128x64x!tt.ptr<f16>>
  %y = tt.load %k : tensor<64x64x!tt.ptr<f16>>
  %s = tt.dot %x, %y, %c : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
  %p = arith.truncf %s : tensor<128x64xf32> to tensor<128x64xf16>
  %d = tt.dot %p, %y, %c : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
  tt.return %d : tensor<128x64xf32>
}

// Products that add to each other's results share registers.
tt.func public @sums(%a: tensor<128x32xf16>, %b: tensor<32x128xf16>, %c: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %x = tt.dot %a, %b, %c : tensor<128x32xf16> * tensor<32x128xf16> -> tensor<128x128xf32>
  %y = tt.dot %a, %b, %x : tensor<128x32xf16> * tensor<32x128xf16> -> tensor<128x128xf32>
  %z = tt.dot %a, %b, %y : tensor<128x32xf16> * tensor<32x128xf16> -> tensor<128x128xf32>
  tt.return %z : tensor<128x128xf32>
}

// Operands that are loaded as they are go through shared memory; those that are computed are in registers.
tt.func public @converted(%a: tensor<128x128x!tt.ptr<f8E5M2>>, %b: tensor<128x128x!tt.ptr<f16>>, %c: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %x = tt.load %a : tensor<128x128x!tt.ptr<f8E5M2>>
  %wide = tt.fp_to_fp %x : tensor<128x128xf8E5M2> -> tensor<128x128xf16>
  %y = tt.load %b : tensor<128x128x!tt.ptr<f16>>
  %doubled = arith.addf %y, %y : tensor<128x128xf16>
  %z = tt.dot %wide, %doubled, %c : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
  tt.return %z : tensor<128x128xf32>
}
