// The rank of the CTA in its cluster, which passes of Triton's forks ask for in TTGIR.
// RUN: kernelscope opt --split-input-file --ttgir-to-llvm=arch=sm_90a %s | FileCheck %s

module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func ptx_kernelcc @cluster
  // CHECK: %[[RANK:.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.cluster.ctarank"
  // CHECK: st.global.b32 [$1], $0;", "r,l,b" %[[RANK]],
  // CHECK-NEXT: %[[RANK2:.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.cluster.ctarank"
  // CHECK: st.global.b32 [$1], $0;", "r,l,b" %[[RANK2]],
  tt.func public @cluster(%out: !tt.ptr<i32>) {
    %rank = nvg.cluster_id
    tt.store %out, %rank : !tt.ptr<i32>
    %sanitizer = tti.experimental_cluster_cta_id : i32
    tt.store %out, %sanitizer : !tt.ptr<i32>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func ptx_kernelcc @alone
  // CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK-NOT: ctarank
  // CHECK: st.global.b32 [$1], $0;", "r,l,b" %[[ZERO]],
  tt.func public @alone(%out: !tt.ptr<i32>) {
    %rank = nvg.cluster_id
    tt.store %out, %rank : !tt.ptr<i32>
    tt.return
  }
}
