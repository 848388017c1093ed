// opt reads the spelling of any release, and prints that of the release that wrote the file, or of the one that is named.
// RUN: kernelscope opt %s | FileCheck %s --check-prefix=OWN
// RUN: kernelscope opt --release=3.4 %s | FileCheck %s --check-prefix=OLD
// RUN: kernelscope opt --release=main %s | FileCheck %s --check-prefix=MAIN
// RUN: not kernelscope opt --release=2.1 %s 2>&1 | FileCheck %s --check-prefix=WRONG

// OWN: @f(%arg0: !tt.tensordesc<tensor<64x32xf16>>, %arg1: !ttg.async.token)
// OWN-NEXT: ttg.local_barrier
// OWN-NEXT: ttg.async_commit_group tokens %arg1
// OLD: gpu.barrier
// OLD-NEXT: ttg.async_commit_group %arg1
// OLD-NEXT: nvgpu.cluster_id
// MAIN: @f(%arg0: !tt.tensordesc<64x32xf16>, %arg1: !ttg.async.token)
// MAIN-NEXT: ttg.barrier local
// WRONG: kernelscope opt: --release: '2.1' is not one of 3.4, 3.5, 3.6, 3.7, 3.8, 3.9, main
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @f(%d: !tt.tensordesc<tensor<64x32xf16>>, %t: !ttg.async.token) {
    ttg.local_barrier
    %0 = ttg.async_commit_group tokens %t
    %1 = nvg.cluster_id
    tt.return
  }
}
