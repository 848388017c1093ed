// What the release has nothing like stays, with a warning.
// RUN: kernelscope opt --release=3.4 %s 2>&1 >/dev/null | FileCheck %s --implicit-check-not=warning
// RUN: kernelscope opt --release=3.9 %s 2>&1 >/dev/null | FileCheck %s --check-prefix=TODAY --allow-empty
// RUN: kernelscope opt --release=3.5 %s 2>&1 >/dev/null | FileCheck %s --check-prefix=CHECK35
// RUN: kernelscope check --release=3.8 %s | FileCheck %s --check-prefix=CHECK38

// CHECK-DAG: newer.mlir:[[#PADDED:]]: warning: '#ttg.padded_shared' exists only since Triton 3.5; 3.4 has no equivalent
// CHECK-DAG: newer.mlir:[[#PADDED + 1]]: warning: '#ttg.padded_shared' is the spelling since Triton 3.6; 3.4 cannot express it
// CHECK-DAG: newer.mlir:[[#PADDED + 1]]: warning: '#ttg.padded_shared' exists only since Triton 3.5; 3.4 has no equivalent
// CHECK-DAG: newer.mlir:[[#PADDED + 7]]: warning: 'tt.grid_dependency_wait' exists only since Triton 3.9; 3.4 has no equivalent
// CHECK-DAG: newer.mlir:[[#PADDED + 8]]: warning: 'tt.grid_dependency_wait' exists only since Triton 3.9; 3.4 has no equivalent
// TODAY-NOT: warning
// CHECK35: newer.mlir:{{[0-9]+}}: warning: '#ttg.padded_shared' is the spelling since Triton 3.6; 3.5 cannot express it
// CHECK38: hint: 'tt.grid_dependency_wait' exists only since Triton 3.9; 3.8 has no equivalent [newer-spelling]
#padded = #ttg.padded_shared<[64:+4] {order = [1, 0], shape = [64, 64]}>
#permuted = #ttg.padded_shared<[4:+2] {offset = [[0, 1], [1, 0], [0, 2], [2, 0]], block = []}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @f() {
    %0 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #padded, #smem, mutable>
    %p = ttg.local_alloc : () -> !ttg.memdesc<4x4xf16, #permuted, #smem, mutable>
    tt.grid_dependency_wait
    tt.grid_dependency_wait
    tt.return
  }
}
