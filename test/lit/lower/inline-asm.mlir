// Assembly on all registers of a thread: one operand for each element, the address for a buffer.
// RUN: kernelscope opt --ttgir-to-llvm=arch=sm_90a %s --split-input-file --verify-diagnostics | FileCheck %s

#line = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @registers
  // CHECK: %[[X0:.*]] = llvm.extractvalue %arg0[0]
  // CHECK: %[[X1:.*]] = llvm.extractvalue %arg0[1]
  // CHECK: llvm.inline_asm asm_dialect = att {{.*}}"=f,=f,=r,f,f,r" %[[X0]], %[[X1]], %arg1 : (f32, f32, i32) -> !llvm.struct<(f32, f32, i32)>
  // CHECK: llvm.return
  tt.func @registers(%x: tensor<256xf32, #line>, %n: i32) -> (tensor<256xf32, #line>, i32) {
    %r:2 = ttg.inline_asm "add.f32 $0, $3, $3; add.f32 $1, $4, $4; mov.u32 $2, $5;" {constraints = "=f,=f,=r,f,f,r", pure = true} %x, %n : (tensor<256xf32, #line>, i32) -> (tensor<256xf32, #line>, i32)
    tt.return %r#0, %r#1 : tensor<256xf32, #line>, i32
  }

  // CHECK-LABEL: @buffer
  // CHECK: %[[ADDRESS:.*]] = llvm.ptrtoint %{{.*}} : !llvm.ptr<3> to i32
  // CHECK: llvm.inline_asm has_side_effects {{.*}} %[[ADDRESS]] : (i32) -> i32
  // CHECK: llvm.inline_asm has_side_effects {{.*}} : () -> ()
  tt.func @buffer(%x: tensor<256xf32, #line>) -> i32 {
    %memory = ttg.local_alloc %x : (tensor<256xf32, #line>) -> !ttg.memdesc<256xf32, #shared, #smem, mutable>
    %first = ttg.inline_asm "ld.shared.b32 $0, [$1];" {constraints = "=r,r", pure = false} %memory : (!ttg.memdesc<256xf32, #shared, #smem, mutable>) -> i32
    ttg.inline_asm "nanosleep.u32 20;" {constraints = "", pure = false} : () -> ()
    tt.return %first : i32
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // The address of a part is that of its first element, 128 words from the buffer's.
  // CHECK-LABEL: @part
  // CHECK: llvm.mlir.constant(128 : i32)
  // CHECK: %[[PART:.*]] = llvm.getelementptr {{.*}} : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  // CHECK: %[[ADDRESS:.*]] = llvm.ptrtoint %[[PART]]
  // CHECK: llvm.inline_asm {{.*}} %[[ADDRESS]]
  tt.func @part() -> i32 {
    %memory = ttg.local_alloc : () -> !ttg.memdesc<256xf32, #shared, #smem, mutable>
    %half = ttg.memdesc_subslice %memory[128] : !ttg.memdesc<256xf32, #shared, #smem, mutable> -> !ttg.memdesc<128xf32, #shared, #smem, mutable, 256>
    %first = ttg.inline_asm "ld.shared.b32 $0, [$1];" {constraints = "=r,r", pure = false} %half : (!ttg.memdesc<128xf32, #shared, #smem, mutable, 256>) -> i32
    tt.return %first : i32
  }
}
