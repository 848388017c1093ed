// Products by mma.sync: the registers of each instruction follow from the layouts.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_90a | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#batched = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1, 1], instrShape = [1, 16, 8]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#a1 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b1 = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>
#a2 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b2 = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#a4 = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>
#b4 = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>
#a3d = #ttg.dot_op<{opIdx = 0, parent = #batched, kWidth = 2}>
#b3d = #ttg.dot_op<{opIdx = 1, parent = #batched, kWidth = 2}>
#aFma = #ttg.dot_op<{opIdx = 0, parent = #blocked}>
#bFma = #ttg.dot_op<{opIdx = 1, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Register 2 of A is eight rows down, register 4 eight columns on; the first two share a word.
  // CHECK-LABEL: @half
  // CHECK-DAG: %[[R0:.*]] = llvm.extractvalue %arg0[0]
  // CHECK-DAG: %[[R1:.*]] = llvm.extractvalue %arg0[1]
  // CHECK-DAG: %[[B0:.*]] = llvm.bitcast %[[R0]] : f16 to i16
  // CHECK-DAG: %[[B1:.*]] = llvm.bitcast %[[R1]] : f16 to i16
  // CHECK: %[[V0:.*]] = llvm.insertelement %[[B0]]
  // CHECK: %[[V1:.*]] = llvm.insertelement %[[B1]], %[[V0]]
  // CHECK: %[[W0:.*]] = llvm.bitcast %[[V1]] : vector<2xi16> to i32
  // CHECK: llvm.inline_asm {{.*}}"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};", "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f" %[[W0]],
  // CHECK-COUNT-3: m16n8k16
  // CHECK-NOT: mma.sync
  tt.func public @half(%a: tensor<32x32xf16, #a2>, %b: tensor<32x32xf16, #b2>, %c: tensor<32x32xf32, #mma>) {
    %d = tt.dot %a, %b, %c : tensor<32x32xf16, #a2> * tensor<32x32xf16, #b2> -> tensor<32x32xf32, #mma>
    tt.return
  }

  // Two halves of a sum share a word, too.
  // CHECK-LABEL: @sum_of_halves
  // CHECK: m16n8k16.row.col.f16.f16.f16.f16 {$0, $1}, {$2, $3, $4, $5}, {$6, $7}, {$8, $9};", "=r,=r,r,r,r,r,r,r,r,r"
  tt.func public @sum_of_halves(%a: tensor<32x16xf16, #a2>, %b: tensor<16x16xf16, #b2>, %c: tensor<32x16xf16, #mma>) {
    %d = tt.dot %a, %b, %c : tensor<32x16xf16, #a2> * tensor<16x16xf16, #b2> -> tensor<32x16xf16, #mma>
    tt.return
  }

  // A lane holds four neighbours along K, where the instruction wants two and two: any order serves, if A and B agree.
  // CHECK-LABEL: @wide
  // CHECK-COUNT-2: m16n8k16.row.col.f32.bf16.bf16.f32
  // CHECK-NOT: mma.sync
  tt.func public @wide(%a: tensor<32x32xbf16, #a4>, %b: tensor<32x16xbf16, #b4>, %c: tensor<32x16xf32, #mma>) {
    %d = tt.dot %a, %b, %c : tensor<32x32xbf16, #a4> * tensor<32x16xbf16, #b4> -> tensor<32x16xf32, #mma>
    tt.return
  }

  // CHECK-LABEL: @tf32
  // CHECK: m16n8k8.row.col.f32.tf32.tf32.f32 {{.*}} "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f"
  tt.func public @tf32(%a: tensor<32x8xf32, #a1>, %b: tensor<8x16xf32, #b1>, %c: tensor<32x16xf32, #mma>) {
    %d = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<32x8xf32, #a1> * tensor<8x16xf32, #b1> -> tensor<32x16xf32, #mma>
    tt.return
  }

  // CHECK-LABEL: @bytes
  // CHECK: m16n8k32.row.col.satfinite.s32.s8.s8.s32 {{.*}} "=r,=r,=r,=r,r,r,r,r,r,r,r,r,r,r"
  // CHECK: m16n8k32.row.col.f32.e4m3.e5m2.f32
  tt.func public @bytes(%a: tensor<32x32xi8, #a4>, %b: tensor<32x16xi8, #b4>, %c: tensor<32x16xi32, #mma>,
                        %x: tensor<32x32xf8E4M3FN, #a4>, %y: tensor<32x16xf8E5M2, #b4>, %z: tensor<32x16xf32, #mma>) {
    %d = tt.dot %a, %b, %c : tensor<32x32xi8, #a4> * tensor<32x16xi8, #b4> -> tensor<32x16xi32, #mma>
    %e = tt.dot %x, %y, %z : tensor<32x32xf8E4M3FN, #a4> * tensor<32x16xf8E5M2, #b4> -> tensor<32x16xf32, #mma>
    tt.return
  }

  // Hopper has a deeper one for doubles; a shallow product takes four small ones.
  // CHECK-LABEL: @doubles
  // CHECK: m16n8k16.row.col.f64.f64.f64.f64 {{.*}} "=d,=d,=d,=d,d,d,d,d,d,d,d,d,d,d,d,d,d,d,d,d"
  // CHECK-COUNT-4: m8n8k4.row.col.f64.f64.f64.f64 {$0, $1}, {$2}, {$3}, {$4, $5};
  // CHECK-NOT: mma.sync
  tt.func public @doubles(%a: tensor<32x16xf64, #a1>, %b: tensor<16x16xf64, #b1>, %c: tensor<32x16xf64, #mma>,
                          %x: tensor<32x8xf64, #a1>, %y: tensor<8x16xf64, #b1>) {
    %d = tt.dot %a, %b, %c : tensor<32x16xf64, #a1> * tensor<16x16xf64, #b1> -> tensor<32x16xf64, #mma>
    %e = tt.dot %x, %y, %c : tensor<32x8xf64, #a1> * tensor<8x16xf64, #b1> -> tensor<32x16xf64, #mma>
    tt.return
  }

  // Of 8 elements some lanes hold copies, which would be summed up, too.
  // CHECK-LABEL: @copies
  // CHECK: llvm.select {{.*}} : i1, i32
  // CHECK-COUNT-1: mma.sync
  // CHECK-NOT: mma.sync
  tt.func public @copies(%a: tensor<32x8xi8, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>, %b: tensor<8x16xi8, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>, %c: tensor<32x16xi32, #mma>) {
    %d = tt.dot %a, %b, %c : tensor<32x8xi8, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>> * tensor<8x16xi8, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>> -> tensor<32x16xi32, #mma>
    tt.return
  }

  // CHECK-LABEL: @batch
  // CHECK-COUNT-2: mma.sync
  // CHECK-NOT: mma.sync
  tt.func public @batch(%a: tensor<8x16x16xf16, #a3d>, %b: tensor<8x16x8xf16, #b3d>, %c: tensor<8x16x8xf32, #batched>) {
    %d = tt.dot %a, %b, %c : tensor<8x16x16xf16, #a3d> * tensor<8x16x8xf16, #b3d> -> tensor<8x16x8xf32, #batched>
    tt.return
  }

  // Without a matrix layout each thread has its own sums.
  // CHECK-LABEL: @single_products
  // CHECK-COUNT-8: llvm.intr.fma
  // CHECK-NOT: llvm.intr.fma
  // CHECK-COUNT-8: llvm.mul {{.*}} : i32
  tt.func public @single_products(%a: tensor<16x8xf16, #aFma>, %b: tensor<8x8xf16, #bFma>, %c: tensor<16x8xf32, #blocked>,
                                  %x: tensor<16x8xi8, #aFma>, %y: tensor<8x8xi8, #bFma>, %z: tensor<16x8xi32, #blocked>) {
    %d = tt.dot %a, %b, %c : tensor<16x8xf16, #aFma> * tensor<8x8xf16, #bFma> -> tensor<16x8xf32, #blocked>
    %e = tt.dot %x, %y, %z : tensor<16x8xi8, #aFma> * tensor<8x8xi8, #bFma> -> tensor<16x8xi32, #blocked>
    tt.return
  }
}
