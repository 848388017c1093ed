// Two neighbours of 16 bits are added atomically by one instruction on the chips that have it; LLVM loops on the others.
// RUN: sed 's/ARCH/gfx950/; s/LANES/64/g' %s > %t.gfx950.ttgir
// RUN: sed 's/ARCH/gfx1250/; s/LANES/32/g' %s > %t.gfx1250.ttgir
// RUN: sed 's/ARCH/gfx1100/; s/LANES/32/g' %s > %t.gfx1100.ttgir
// RUN: kernelscope preview %t.gfx950.ttgir --emit amdgcn | FileCheck %s --check-prefix=PAIR
// RUN: kernelscope preview %t.gfx1250.ttgir --emit amdgcn | FileCheck %s --check-prefix=PAIR
// RUN: kernelscope preview %t.gfx1100.ttgir --emit amdgcn | FileCheck %s --check-prefix=LOOP
// RUN: kernelscope run %t.gfx950.ttgir --device sim --compare | FileCheck %s --check-prefix=SIM
// RUN: kernelscope run %t.gfx1100.ttgir --device sim --compare | FileCheck %s --check-prefix=SIM
// PAIR: global_atomic_pk_add_bf16
// PAIR-NOT: cmpswap
// LOOP: global_atomic_cmpswap
// SIM: differs from the CPU executor by at most 0.000e+00
#pairs = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [LANES], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:ARCH", "ttg.threads-per-warp" = LANES : i32} {
  tt.func public @add(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #pairs>
    %p = tt.splat %x : !tt.ptr<bf16> -> tensor<512x!tt.ptr<bf16>, #pairs>
    %ps = tt.addptr %p, %i : tensor<512x!tt.ptr<bf16>, #pairs>, tensor<512xi32, #pairs>
    %v = tt.load %ps : tensor<512x!tt.ptr<bf16>, #pairs>
    %old = amdg.buffer_atomic_rmw fadd, relaxed, gpu, %v, %y[%i] : tensor<512xbf16, #pairs>
    tt.return
  }
}
