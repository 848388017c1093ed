// Products by warp groups: operands by descriptors or in registers, and accumulators that the wait hands on.
// RUN: kernelscope opt %s --split-input-file --ttgir-to-llvm=arch=sm_90a --verify-diagnostics | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 32, 16]}>
#dot = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!a = !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
!b = !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // 32 columns of A in two steps of 16. Rows of A lie along K, those of B along N: only B is transposed.
  // CHECK-LABEL: @shared_operands
  tt.func public @shared_operands(%c: tensor<64x32xf32, #mma>) -> tensor<64x32xf32, #mma> {
    %a = ttg.local_alloc : () -> !a
    %b = ttg.local_alloc : () -> !b
    // CHECK: wgmma.fence.sync.aligned
    // CHECK: "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15}, $32, $33, $34, 1, 1, 0, 1;", "=f,{{.*}}=f,0,1,{{.*}}15,l,l,b"
    // CHECK: wgmma.mma_async
    // CHECK-NOT: wgmma.mma_async
    // CHECK: wgmma.commit_group.sync.aligned
    // CHECK-NOT: wgmma.wait_group
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !a * !b -> tensor<64x32xf32, #mma>
    // CHECK: "wgmma.wait_group.sync.aligned 1;", "=f,{{.*}}=f,0,1,{{.*}}15"
    %e = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : tensor<64x32xf32, #mma>
    tt.return %e : tensor<64x32xf32, #mma>
  }

  // A comes from registers, two elements in each, and the first step begins at zero where `useC` is false. What is not
  // asynchronous waits itself. A is in its registers before the fence: nothing may be written between the steps.
  // CHECK-LABEL: @registers
  tt.func public @registers(%a: tensor<64x32xf16, #dot>, %c: tensor<64x32xf32, #mma>, %useC: i1) -> tensor<64x32xf32, #mma> {
    %b = ttg.local_alloc : () -> !b
    // CHECK: "wgmma.fence.sync.aligned;", "=r,=r,=r,=r,=r,=r,=r,=r,0,1,2,3,4,5,6,7"
    // CHECK: "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {{.*}}, {$32, $33, $34, $35}, $36, $37, 1, 1, 1;"{{.*}}r,r,r,r,l,b
    // CHECK: wgmma.mma_async
    // CHECK: wgmma.commit_group
    // CHECK: wgmma.wait_group.sync.aligned 0
    %d = ttng.warp_group_dot %a, %b, %c, %useC {inputPrecision = 0 : i32} : tensor<64x32xf16, #dot> * !b -> tensor<64x32xf32, #mma>
    tt.return %d : tensor<64x32xf32, #mma>
  }
}

// -----

// Of 8-bit floats the unit adds at most 80 products here, so 64 at a time; threads add the two parts in f32.
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8, 32]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 8}>
#columns = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = true, elementBitWidth = 8}>
#smem = #ttg.shared_memory
!a = !ttg.memdesc<64x128xf8E4M3FN, #shared, #smem, mutable>
!b = !ttg.memdesc<128x8xf8E4M3FN, #columns, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @parts
  tt.func public @parts(%c: tensor<64x8xf32, #mma>) -> tensor<64x8xf32, #mma> {
    %a = ttg.local_alloc : () -> !a
    %b = ttg.local_alloc : () -> !b
    // CHECK: wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3
    // CHECK: wgmma.mma_async
    // CHECK: wgmma.wait_group.sync.aligned 0
    // CHECK-COUNT-4: llvm.fadd
    // CHECK: wgmma.mma_async
    // CHECK: wgmma.mma_async
    // CHECK: wgmma.wait_group.sync.aligned 0
    // CHECK-COUNT-4: llvm.fadd
    // CHECK-NOT: wgmma
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, maxNumImpreciseAcc = 80 : i32} : !a * !b -> tensor<64x8xf32, #mma>
    tt.return %d : tensor<64x8xf32, #mma>
  }

  // As many as one product adds would be too many with the next product's: a thread adds its sum, too.
  // CHECK-LABEL: @whole
  tt.func public @whole(%c: tensor<64x8xf32, #mma>) -> tensor<64x8xf32, #mma> {
    %a = ttg.local_alloc : () -> !a
    %b = ttg.local_alloc : () -> !b
    // CHECK-COUNT-4: wgmma.mma_async
    // CHECK: wgmma.wait_group.sync.aligned 0
    // CHECK-COUNT-4: llvm.fadd
    // CHECK-NOT: wgmma
    // CHECK: llvm.return
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, maxNumImpreciseAcc = 128 : i32} : !a * !b -> tensor<64x8xf32, #mma>
    tt.return %d : tensor<64x8xf32, #mma>
  }

  // CHECK-LABEL: @in_unit
  tt.func public @in_unit(%c: tensor<64x8xf32, #mma>) -> tensor<64x8xf32, #mma> {
    %a = ttg.local_alloc : () -> !a
    %b = ttg.local_alloc : () -> !b
    // CHECK-COUNT-4: wgmma.mma_async
    // CHECK-NOT: llvm.fadd
    // CHECK: llvm.return
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, maxNumImpreciseAcc = 256 : i32} : !a * !b -> tensor<64x8xf32, #mma>
    tt.return %d : tensor<64x8xf32, #mma>
  }
}

// -----

// What the pipeliner copies for a transposed left operand is split between CTAs along K.
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16], CGALayout = [[0, 1]]}>
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16, CGALayout = [[0, 1]]}>
#b = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @part_of_k(%c: tensor<64x128xf32, #mma>) -> tensor<64x128xf32, #mma> {
    %a = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #a, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<64x128xf16, #b, #smem, mutable>
    // expected-error @below {{of which each CTA of the cluster holds only a part along K; each needs all of it}}
    %d = ttng.warp_group_dot %a, %b, %c : !ttg.memdesc<64x64xf16, #a, #smem, mutable> * !ttg.memdesc<64x128xf16, #b, #smem, mutable> -> tensor<64x128xf32, #mma>
    tt.return %d : tensor<64x128xf32, #mma>
  }
}
