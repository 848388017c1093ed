// A synchronous product of a pair of CTAs, and one of two CTAs that send the completion of a product to both, get a barrier in each CTA and a wait.
// RUN: kernelscope opt %s --split-input-file --allocate-tensor-memory | FileCheck %s
// RUN: kernelscope run %s --line 20 --device sim --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --line 20 --device cpu --schedule seed:5 --sanitize=all | FileCheck %s --check-prefix=CLEAN
// RIGHT: differs from the CPU executor by at most 0.000e+00
// CLEAN: sanitizer on
#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1], CGALayout = [[1, 0]]}>
#same = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1], CGALayout = [[0, 0]]}>
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#half = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1]]}>
#smem = #ttg.shared_memory
#pair = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CGALayout = [[1, 0]], twoCTAs = true>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = true} {
  // CHECK-LABEL: @pair
  // CHECK: %[[BAR:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2xi64, #[[LAYOUT:.*]], #smem, mutable>
  // CHECK: ttng.init_barrier %[[BAR]], 1
  // CHECK: ttng.tc_gen5_mma {{.*}}, %[[BAR]][%{{.*}}] {is_async, two_ctas}
  // CHECK-NEXT: ttng.wait_barrier %[[BAR]], %{{.*}}, %{{.*}} :
  // CHECK-NEXT: ttng.inval_barrier %[[BAR]]
  tt.func public @pair(%out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %runs: i1) {
    %true = arith.constant true
    %false = arith.constant false
    %x = arith.constant dense<1.0> : tensor<256x64xf16, #rows>
    %y = arith.constant dense<2.0> : tensor<64x64xf16, #same>
    %left = ttg.local_alloc %x : (tensor<256x64xf16, #rows>) -> !ttg.memdesc<256x64xf16, #a, #smem>
    %right = ttg.local_alloc %y : (tensor<64x64xf16, #same>) -> !ttg.memdesc<64x64xf16, #half, #smem>
    ttng.fence_async_shared {bCluster = true}
    ttng.cluster_barrier
    %d = ttng.tmem_alloc : () -> !ttg.memdesc<256x64xf32, #pair, #ttng.tensor_memory, mutable>
    ttng.tc_gen5_mma %left, %right, %d, %false, %true {two_ctas} : !ttg.memdesc<256x64xf16, #a, #smem>, !ttg.memdesc<64x64xf16, #half, #smem>, !ttg.memdesc<256x64xf32, #pair, #ttng.tensor_memory, mutable>
    ttng.tc_gen5_mma %left, %right, %d, %true, %runs {two_ctas} : !ttg.memdesc<256x64xf16, #a, #smem>, !ttg.memdesc<64x64xf16, #half, #smem>, !ttg.memdesc<256x64xf32, #pair, #ttng.tensor_memory, mutable>
    %r = ttng.tmem_load %d : !ttg.memdesc<256x64xf32, #pair, #ttng.tensor_memory, mutable> -> tensor<256x64xf32, #rows>
    %i = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    %ie = tt.expand_dims %i {axis = 1 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<256x1xi32, #rows>
    %j = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>>
    %je = tt.expand_dims %j {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x64xi32, #rows>
    %width = arith.constant dense<64> : tensor<256x1xi32, #rows>
    %line = arith.muli %ie, %width : tensor<256x1xi32, #rows>
    %lines = tt.broadcast %line : tensor<256x1xi32, #rows> -> tensor<256x64xi32, #rows>
    %columns = tt.broadcast %je : tensor<1x64xi32, #rows> -> tensor<256x64xi32, #rows>
    %places = arith.addi %lines, %columns : tensor<256x64xi32, #rows>
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<256x64x!tt.ptr<f32>, #rows>
    %pointers = tt.addptr %outs, %places : tensor<256x64x!tt.ptr<f32>, #rows>, tensor<256x64xi32, #rows>
    tt.store %pointers, %r : tensor<256x64x!tt.ptr<f32>, #rows>
    tt.return
  }
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1], CGALayout = [[1, 0]]}>
#same = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1], CGALayout = [[0, 0]]}>
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#whole = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0]]}>
#smem = #ttg.shared_memory
#each = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CGALayout = [[1, 0]]>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  // Both products signal both barriers.
  // CHECK-LABEL: @multicast
  // CHECK: ttng.init_barrier %{{.*}}, 2
  tt.func public @multicast(%left: !ttg.memdesc<256x64xf16, #a, #smem>, %right: !ttg.memdesc<64x64xf16, #whole, #smem>) {
    %true = arith.constant true
    %d = ttng.tmem_alloc : () -> !ttg.memdesc<256x64xf32, #each, #ttng.tensor_memory, mutable>
    ttng.tc_gen5_mma %left, %right, %d, %true, %true {multicast} : !ttg.memdesc<256x64xf16, #a, #smem>, !ttg.memdesc<64x64xf16, #whole, #smem>, !ttg.memdesc<256x64xf32, #each, #ttng.tensor_memory, mutable>
    tt.return
  }
}
