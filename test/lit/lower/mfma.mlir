// Products by MFMA, and what surrounds them: transposes within a thread, hints for the scheduler.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=gfx942 | FileCheck %s --check-prefixes=CHECK,CDNA3
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=gfx950 | FileCheck %s --check-prefixes=CHECK,CDNA4

#m32 = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>
#m16 = #ttg.amd_mfma<{version = 3, warpsPerCTA = [4, 1], instrShape = [16, 16, 16], isTransposed = false}>
#a32 = #ttg.dot_op<{opIdx = 0, parent = #m32, kWidth = 4}>
#b32 = #ttg.dot_op<{opIdx = 1, parent = #m32, kWidth = 4}>
#a16 = #ttg.dot_op<{opIdx = 0, parent = #m16, kWidth = 4}>
#b16 = #ttg.dot_op<{opIdx = 1, parent = #m16, kWidth = 4}>
#w32 = #ttg.dot_op<{opIdx = 0, parent = #m32, kWidth = 8}>
#v32 = #ttg.dot_op<{opIdx = 1, parent = #m32, kWidth = 8}>
#rows = #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.linear<{register = [[1, 0], [0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  // The result is transposed, so B is the first operand.
  // CHECK-LABEL: @transposed
  // CHECK: %[[B0:.*]] = llvm.bitcast %{{.*}} : vector<4xi16> to vector<4xf16>
  // CHECK: %[[A0:.*]] = llvm.bitcast %{{.*}} : vector<4xi16> to vector<4xf16>
  // CHECK: "llvm.amdgcn.mfma.f32.32x32x8f16"(%[[B0]], %[[A0]], %{{.*}}) : (vector<4xf16>, vector<4xf16>, vector<16xf32>, i32, i32, i32) -> vector<16xf32>
  // CHECK-NOT: mfma
  tt.func public @transposed(%a: tensor<64x8xf16, #a32>, %b: tensor<8x64xf16, #b32>, %c: tensor<64x64xf32, #m32>) {
    %d = tt.dot %a, %b, %c : tensor<64x8xf16, #a32> * tensor<8x64xf16, #b32> -> tensor<64x64xf32, #m32>
    tt.return
  }

  // CHECK-LABEL: @small
  // CDNA3-COUNT-4: "llvm.amdgcn.mfma.f32.16x16x16bf16.1k"{{.*}}(vector<4xi16>, vector<4xi16>, vector<4xf32>,
  // CDNA4-COUNT-2: "llvm.amdgcn.mfma.f32.16x16x32.bf16"{{.*}}(vector<8xbf16>, vector<8xbf16>, vector<4xf32>,
  // CHECK-NOT: mfma
  tt.func public @small(%a: tensor<64x32xbf16, #a16>, %b: tensor<32x32xbf16, #b16>, %c: tensor<64x32xf32, #m16>) {
    %d = tt.dot %a, %b, %c : tensor<64x32xbf16, #a16> * tensor<32x32xbf16, #b16> -> tensor<64x32xf32, #m16>
    tt.return
  }

  // CHECK-LABEL: @bytes
  // CDNA3-COUNT-4: "llvm.amdgcn.mfma.i32.32x32x16.i8"{{.*}}(i64, i64, vector<16xi32>,
  // CDNA4-COUNT-2: "llvm.amdgcn.mfma.i32.32x32x32.i8"{{.*}}(vector<4xi32>, vector<4xi32>, vector<16xi32>,
  // CHECK-NOT: mfma
  tt.func public @bytes(%a: tensor<64x64xi8, #w32>, %b: tensor<64x64xi8, #v32>, %c: tensor<64x64xi32, #m32>) {
    %d = tt.dot %a, %b, %c : tensor<64x64xi8, #w32> * tensor<64x64xi8, #v32> -> tensor<64x64xi32, #m32>
    tt.return
  }

  // CHECK-LABEL: @in_thread
  // CHECK-DAG: %[[SECOND:.*]] = llvm.extractvalue %arg0[4]
  // CHECK: llvm.insertvalue %[[SECOND]], %{{.*}}[1]
  tt.func public @in_thread(%x: tensor<64x32xf16, #rows>) -> tensor<64x32xf16, #columns> {
    %y = amdg.in_thread_transpose %x : tensor<64x32xf16, #rows> -> tensor<64x32xf16, #columns>
    tt.return %y : tensor<64x32xf16, #columns>
  }

  // CHECK-LABEL: @hints
  // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i16)
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.s.setprio"(%[[ONE]])
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.sched.barrier"
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.sched.group.barrier"(%{{.*}}, %{{.*}}, %{{.*}}) : (i32, i32, i32)
  tt.func public @hints() {
    rocdl.s.setprio 1
    rocdl.sched.barrier 0
    rocdl.sched.group.barrier 8, 1, 0
    tt.return
  }
}
