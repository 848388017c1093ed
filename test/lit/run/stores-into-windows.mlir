// Windows that one CTA has whole: st.async from all CTAs reaches it, on its barrier. What reads or writes its own CTA's memory only is
// an error.
// RUN: kernelscope run %s --kernel trade --device sim --arch sm_90a --compare | FileCheck %s
// RUN: not kernelscope preview %s --kernel copies --arch sm_90a 2>&1 | FileCheck %s --check-prefix=COPIES
// RUN: not kernelscope preview %s --kernel multiplies --arch sm_90a 2>&1 | FileCheck %s --check-prefix=MULTIPLIES
// CHECK: differs from the CPU executor by at most 0.000e+00
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#memory = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[1, 0]]}>
#each = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#operand = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#other = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0]]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], CGALayout = [[1, 0]], instrShape = [16, 32, 16]}>
#smem = #ttg.shared_memory
!memory = !ttg.memdesc<64x32xf32, #memory, #smem, mutable>
!half = !ttg.memdesc<32x32xf32, #memory, #smem, mutable, 64x32>
!barriers = !ttg.memdesc<2xi64, #each, #smem, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  tt.func public @trade(%in: !tt.ptr<f32>, %copy: !tt.ptr<f32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %i = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    %j = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #rows}>>
    %ie = tt.expand_dims %i {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<32x1xi32, #rows>
    %je = tt.expand_dims %j {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x32xi32, #rows>
    %w = arith.constant dense<32> : tensor<32x1xi32, #rows>
    %l = arith.muli %ie, %w : tensor<32x1xi32, #rows>
    %lb = tt.broadcast %l : tensor<32x1xi32, #rows> -> tensor<32x32xi32, #rows>
    %jb = tt.broadcast %je : tensor<1x32xi32, #rows> -> tensor<32x32xi32, #rows>
    %at = arith.addi %lb, %jb : tensor<32x32xi32, #rows>
    %inb = tt.splat %in : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #rows>
    %from = tt.addptr %inb, %at : tensor<32x32x!tt.ptr<f32>, #rows>, tensor<32x32xi32, #rows>
    %x = tt.load %from : tensor<32x32x!tt.ptr<f32>, #rows>
    %y = arith.addf %x, %x : tensor<32x32xf32, #rows>
    %buffer = ttg.local_alloc : () -> !memory
    %first = ttg.memdesc_subslice %buffer[0, 0] : !memory -> !half
    %second = ttg.memdesc_subslice %buffer[32, 0] : !memory -> !half
    %bar = ttg.local_alloc : () -> !barriers
    ttng.init_barrier %bar, 1 : !barriers
    ttng.barrier_expect %bar, 4096, %true : !barriers
    ttng.async_shared_store %x, %second, %bar : tensor<32x32xf32, #rows> -> !half, !barriers
    ttng.async_shared_store %y, %first, %bar : tensor<32x32xf32, #rows> -> !half, !barriers
    ttng.wait_barrier %bar, %c0 : !barriers
    ttng.cluster_barrier
    %a = ttg.local_load %first : !half -> tensor<32x32xf32, #rows>
    %b = ttg.local_load %second : !half -> tensor<32x32xf32, #rows>
    %product = arith.mulf %a, %b : tensor<32x32xf32, #rows>
    %tob = tt.splat %copy : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #rows>
    %to = tt.addptr %tob, %at : tensor<32x32x!tt.ptr<f32>, #rows>, tensor<32x32xi32, #rows>
    tt.store %to, %product : tensor<32x32x!tt.ptr<f32>, #rows>
    tt.return
  }

  tt.func public @copies(%from: tensor<32x32x!tt.ptr<f32>, #rows>) {
    %buffer = ttg.local_alloc : () -> !memory
    %second = ttg.memdesc_subslice %buffer[32, 0] : !memory -> !half
    // COPIES: [[@LINE+1]]:{{.*}}: error: 'ttg.async_copy_global_to_local' op accesses shared memory of another CTA, which its instructions cannot reach; ttg.local_load and ttg.local_store can
    %t = ttg.async_copy_global_to_local %from, %second {contiguity = 4 : i32} : tensor<32x32x!tt.ptr<f32>, #rows> -> !half
    tt.return
  }

  tt.func public @multiplies(%sums: tensor<128x32xf32, #mma>) {
    %left = ttg.local_alloc : () -> !ttg.memdesc<256x32xf16, #operand, #smem, mutable>
    %right = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #other, #smem, mutable>
    %part = ttg.memdesc_subslice %left[128, 0] : !ttg.memdesc<256x32xf16, #operand, #smem, mutable> -> !ttg.memdesc<128x32xf16, #operand, #smem, mutable, 256x32>
    // MULTIPLIES: [[@LINE+1]]:{{.*}}: error: 'ttng.warp_group_dot' op reads a window that one CTA has in its memory, {{.*}}, in all CTAs; its instructions read only the memory of their own
    %product = ttng.warp_group_dot %part, %right, %sums : !ttg.memdesc<128x32xf16, #operand, #smem, mutable, 256x32> * !ttg.memdesc<32x32xf16, #other, #smem, mutable> -> tensor<128x32xf32, #mma>
    tt.return
  }
}
