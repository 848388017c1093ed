// Code for the other vendor, which the layouts or ops of a file cannot have: the error says whose it is and what to use.
// RUN: split-file %s %t
// RUN: not kernelscope preview %t/amd.ttgir --emit sass 2>&1 | FileCheck %s --check-prefix=SASS
// RUN: not kernelscope preview %t/amd.ttgir --emit cubin 2>&1 | FileCheck %s --check-prefix=CUBIN
// RUN: not kernelscope preview %t/nvidia.ttgir --emit amdgcn 2>&1 | FileCheck %s --check-prefix=AMDGCN
// RUN: not kernelscope preview %t/nvidia.ttgir --emit hsaco 2>&1 | FileCheck %s --check-prefix=HSACO
// RUN: not kernelscope preview %t/amd.ttgir --arch gfx950 --emit sass 2>&1 | FileCheck %s --check-prefix=SASS
// RUN: not kernelscope preview %t/nvidia.ttgir --arch gfx1201 --emit amdgcn 2>&1 | FileCheck %s --check-prefix=CHOSEN

// SASS: amd.ttgir:1:1: error: 'sass' is NVIDIA's machine code; for gfx950, use amdgcn or hsaco
// CUBIN: amd.ttgir:1:1: error: 'cubin' is NVIDIA's object file; for gfx950, use amdgcn or hsaco
// CUBIN: note: the layouts for 'ttg.threads-per-warp' = 64 cannot run on sm_90a
// CUBIN-NOT: error
// AMDGCN: nvidia.ttgir:1:1: error: 'amdgcn' is AMD's assembly; for sm_90a, use ptx, sass or cubin
// AMDGCN: nvidia.ttgir:3:5: note: 'ttng.fence_async_shared' has no instruction on gfx1201
// HSACO: nvidia.ttgir:1:1: error: 'hsaco' is AMD's object file; for sm_90a, use ptx, sass or cubin
// CHOSEN: nvidia.ttgir:3:5: error: 'ttng.fence_async_shared' has no instruction on gfx1201

//--- amd.ttgir
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @nothing() {
    tt.return
  }
}
//--- nvidia.ttgir
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @fence() {
    ttng.fence_async_shared {bCluster = false}
    tt.return
  }
}
