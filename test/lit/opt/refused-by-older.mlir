// What older releases would refuse is written as they take it, or said to be beyond them.
// RUN: kernelscope opt --release=3.4 %s 2>&1 | FileCheck %s --check-prefixes=CHECK,TO34,UNTIL35
// RUN: kernelscope opt --release=3.5 %s 2>&1 | FileCheck %s --check-prefixes=CHECK,SINCE35,UNTIL35
// RUN: kernelscope opt --release=3.8 %s 2>&1 | FileCheck %s --check-prefixes=CHECK,SINCE35 --implicit-check-not=warning
// RUN: kernelscope opt --release=3.9 %s 2>&1 | FileCheck %s --check-prefix=SAME --implicit-check-not=warning

// UNTIL35: warning: '#ttg.amd_wmma' is the spelling since Triton 3.6; 3.{{[45]}} cannot express it
#mma = #ttg.amd_wmma<{version = 1, ctaLayout = {warp = [[1, 0], [2, 0]]}, isTranspose = true, instrShape = [16, 16, 16]}>
#shared = #ttg.padded_shared<[64:+8] {order = [1, 0], shape = [64, 64]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "hip:gfx1250"} {
  // CHECK-LABEL: @f
  // SAME-LABEL: @f
  tt.func @f(%desc: !tt.tensordesc<64x64xf16, #shared>, %x: tensor<64x64xf32, #mma>) {
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    // TO34: {{%.* = ttg.async_commit_group \{\}$}}
    // SINCE35: {{%.* = ttg.async_commit_group$}}
    // SAME: {{%.* = ttg.async_commit_group$}}
    %group = ttg.async_commit_group
    %wait = ttg.async_wait {num = 0 : i32}
    // CHECK: {{^ *amdg(pu)?\.async_tdm_copy_local_to_global}}
    // SAME: {{%.* = amdg.async_tdm_copy_local_to_global}}
    %copy = amdg.async_tdm_copy_local_to_global %desc from %buffer : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !tt.tensordesc<64x64xf16, #shared>
    // TO34: scf.execute_region -> i32 {
    // SINCE35: scf.execute_region -> i32 no_inline {
    // SAME: scf.execute_region -> i32 no_inline {
    %one = scf.execute_region -> i32 no_inline {
      %c1_i32 = arith.constant 1 : i32
      scf.yield %c1_i32 : i32
    }
    tt.return
  }
}
