// Global loads and stores on AMD: masked vectors, and buffer resources.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=gfx942 | FileCheck %s --check-prefixes=CHECK,CDNA

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [64], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  // CHECK-LABEL: @pointers
  // CHECK: llvm.intr.masked.load {{.*}} {alignment = 16 : i32} : (!llvm.ptr<1>, vector<4xi1>, vector<4xi32>) -> vector<4xi32>
  // CHECK-NOT: masked.load
  // CHECK: llvm.store {{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  tt.func public @pointers(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 4 : i32}) {
    %r = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #blocked>
    %s = tt.splat %a : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %p = tt.addptr %s, %r : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %bound = tt.splat %n : i32 -> tensor<1024xi32, #blocked>
    %mask = arith.cmpi slt, %r, %bound : tensor<1024xi32, #blocked>
    %x = tt.load %p, %mask : tensor<1024x!tt.ptr<f32>, #blocked>
    tt.store %p, %x : tensor<1024x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // A lane whose mask is false reads beyond the buffer's end, and gets zero; any
  // other value for it is chosen afterwards.
  // CHECK-LABEL: @buffers
  // CDNA: %[[FLAGS:.*]] = llvm.mlir.constant(159744 : i32)
  // CDNA: %[[BUFFER:.*]] = llvm.call_intrinsic "llvm.amdgcn.make.buffer.rsrc.p8.p1"(%arg0, {{.*}}, %[[FLAGS]])
  // CHECK: %[[FAR:.*]] = llvm.mlir.constant(-2147483648 : i32)
  // CHECK: %[[OFFSET:.*]] = llvm.select %{{.*}}, %{{.*}}, %[[FAR]] : i1, i32
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.raw.ptr.buffer.load.v2i32"({{.*}}, %[[OFFSET]],
  // CHECK-COUNT-4: llvm.select {{.*}} : i1, f16
  // CHECK: llvm.call_intrinsic "llvm.amdgcn.raw.ptr.buffer.store.v2i32"
  // CHECK: llvm.return
  tt.func public @buffers(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 4 : i32}) {
    %r = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #blocked>
    %bound = tt.splat %n : i32 -> tensor<1024xi32, #blocked>
    %mask = arith.cmpi slt, %r, %bound : tensor<1024xi32, #blocked>
    %one = arith.constant dense<1.0> : tensor<1024xf16, #blocked>
    %x = amdg.buffer_load %a[%r], %mask, %one : tensor<1024xf16, #blocked>
    amdg.buffer_store %x, %a[%r], %mask : tensor<1024xf16, #blocked>
    tt.return
  }

  // A base of which nothing is known has single elements, as have offsets.
  // CHECK-LABEL: @unaligned_buffers
  // CHECK-COUNT-4: raw.ptr.buffer.load.i16
  // CHECK: llvm.return
  tt.func public @unaligned_buffers(%a: !tt.ptr<f16>) {
    %r = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #blocked>
    %x = amdg.buffer_load %a[%r] : tensor<1024xf16, #blocked>
    amdg.buffer_store %x, %a[%r] : tensor<1024xf16, #blocked>
    tt.return
  }
}
