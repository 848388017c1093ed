// A buffer is compared with a file.
// RUN: rm -rf %t && mkdir %t
// RUN: echo '{"arguments": {"q": {"shape": 64}}}' > %t/first.json
// RUN: kernelscope run %s --device cpu --spec %t/first.json --output %t | FileCheck %s --check-prefix=ALONE --implicit-check-not=differs
// ALONE: q {{ *}}f32[64]
// RUN: echo '{"arguments": {"q": {"expected": "q.npy"}}}' > %t/same.json
// RUN: kernelscope run %s --device cpu --spec %t/same.json | FileCheck %s --check-prefix=SAME
// SAME: q {{ *}}f32[64]
// SAME: differs from '{{.*}}q.npy' by at most 0.000e+00
// RUN: kernelscope run %s --device cpu --spec %t/same.json --format json | FileCheck %s --check-prefix=JSON
// JSON-DAG: "with": "'{{.*}}q.npy'"
// JSON-DAG: "matches": true
// RUN: echo '{"arguments": {"p": {"fill": "ones"}, "q": {"expected": "q.npy"}}}' > %t/other.json
// RUN: not kernelscope run %s --device cpu --spec %t/other.json 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: differs from '{{.*}}q.npy' by at most
// OTHER-SAME: elements are outside the tolerance
// OTHER: the results differ from the reference by more than the tolerance
// RUN: echo '{"arguments": {"q": {"expected": "gone.npy"}}}' > %t/gone.json
// RUN: not kernelscope run %s --device cpu --spec %t/gone.json 2>&1 | FileCheck %s --check-prefix=GONE
// GONE: gone.npy
// RUN: echo '{"arguments": {"q": {"shape": 32, "expected": "q.npy"}}}' > %t/shape.json
// RUN: not kernelscope run %s --device cpu --spec %t/shape.json 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: has shape [64] in '{{.*}}q.npy', but [32] in the spec
module {
  tt.func public @doubles(%p: !tt.ptr<f32> loc("p"), %q: !tt.ptr<f32> loc("q")) {
    %at = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %from = tt.addptr %ps, %at : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %x = tt.load %from : tensor<64x!tt.ptr<f32>>
    %y = arith.addf %x, %x : tensor<64xf32>
    %qs = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %to = tt.addptr %qs, %at : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %to, %y : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
