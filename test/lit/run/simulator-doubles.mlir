// The words of a double, which libdevice's functions take apart, and the high
// half of a product of 64 bits.

// RUN: kernelscope run %s --device sim --arch sm_90a --compare | FileCheck %s
// RUN: kernelscope run %s --device sim --arch gfx950 --compare | FileCheck %s

// CHECK: sines {{.*}}
// CHECK: differs from the CPU executor by at most {{.*}}: within
// CHECK: high {{.*}}
// CHECK: differs from the CPU executor by at most 0.000e+00 (0.000e+00 relative): equal

tt.func public @k(%sines: !tt.ptr<f64>, %high: !tt.ptr<i64>, %from: !tt.ptr<i64>) {
  %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %scale = arith.constant dense<-9.876543210987e8> : tensor<128xf64>
  %x = arith.sitofp %i : tensor<128xi32> to tensor<128xf64>
  %angle = arith.mulf %x, %scale : tensor<128xf64>
  %sine = math.sin %angle : tensor<128xf64>
  %power = math.exp %sine : tensor<128xf64>
  %p0 = tt.splat %sines : !tt.ptr<f64> -> tensor<128x!tt.ptr<f64>>
  %p = tt.addptr %p0, %i : tensor<128x!tt.ptr<f64>>, tensor<128xi32>
  tt.store %p, %power : tensor<128x!tt.ptr<f64>>
  %f0 = tt.splat %from : !tt.ptr<i64> -> tensor<128x!tt.ptr<i64>>
  %f = tt.addptr %f0, %i : tensor<128x!tt.ptr<i64>>, tensor<128xi32>
  %v = tt.load %f : tensor<128x!tt.ptr<i64>>
  %large = arith.constant dense<-7046029254386353131> : tensor<128xi64>
  %product = tt.mulhiui %v, %large : tensor<128xi64>
  %h0 = tt.splat %high : !tt.ptr<i64> -> tensor<128x!tt.ptr<i64>>
  %h = tt.addptr %h0, %i : tensor<128x!tt.ptr<i64>>, tensor<128xi32>
  tt.store %h, %product : tensor<128x!tt.ptr<i64>>
  tt.return
}
