// What tensor memory and the tensor core cannot do is an error on the op, before there is any code.
// RUN: kernelscope opt --ttgir-to-llvm=arch=sm_103a --split-input-file --verify-diagnostics %s

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
#b = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!a = !ttg.memdesc<128x64xi8, #a, #smem, mutable>
!b = !ttg.memdesc<64x128xi8, #b, #smem, mutable>
!d = !ttg.memdesc<128x128xi32, #tmem, #ttng.tensor_memory, mutable>
!bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:103", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @integers() {
    %true = arith.constant true
    %a = ttg.local_alloc : () -> !a
    %b = ttg.local_alloc : () -> !b
    %d = ttng.tmem_alloc : () -> !d
    %bar = ttg.local_alloc : () -> !bar
    // expected-error @below {{needs tcgen05.mma.kind::i8, which sm_100a has; the module's target is sm_103a}}
    ttng.tc_gen5_mma %a, %b, %d, %true, %true, %bar[%true] {is_async} : !a, !b, !d, !bar
    tt.return
  }
}

// -----

#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#b = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1]]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1, CGALayout = [[1, 0]], twoCTAs = true>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!a = !ttg.memdesc<256x64xf16, #a, #smem, mutable>
!b = !ttg.memdesc<64x128xf16, #b, #smem, mutable>
!d = !ttg.memdesc<256x128xf32, #tmem, #ttng.tensor_memory, mutable>
!bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @pair_of_one() {
    %true = arith.constant true
    // expected-error @below {{has a layout for 2 CTAs; the module's ttg.num-ctas is 1}}
    %a = ttg.local_alloc : () -> !a
    %b = ttg.local_alloc : () -> !b
    %d = ttng.tmem_alloc : () -> !d
    %bar = ttg.local_alloc : () -> !bar
    ttng.tc_gen5_mma %a, %b, %d, %true, %true, %bar[%true] {is_async, two_ctas} : !a, !b, !d, !bar
    tt.return
  }
}

// -----

#blocks = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 8, rank = 5}>
#scales = #ttng.tensor_memory_scales_encoding<>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!blocks = !ttg.memdesc<1x1x2x32x8xi8, #blocks, #smem, mutable>
!s = !ttg.memdesc<64x8xi8, #scales, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scales_in_blocks() {
    %from = ttg.local_alloc : () -> !blocks
    %to = ttng.tmem_alloc : () -> !s
    // expected-error @below {{tcgen05.cp copies 128 rows of 32 or 16 bytes, or 32 rows of 16 bytes for scales}}
    ttng.tmem_copy %from, %to : !blocks, !s
    tt.return
  }
}

// -----

// Rows that follow each other are no eight rows of 16 bytes.
#rows = #ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]}, alignment = 16>
#scales = #ttng.tensor_memory_scales_encoding<>
#smem = #ttg.shared_memory
!rows = !ttg.memdesc<128x8xi8, #rows, #smem, mutable>
!s = !ttg.memdesc<128x8xi8, #scales, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scales_by_rows() {
    %from = ttg.local_alloc : () -> !rows
    %to = ttng.tmem_alloc : () -> !s
    // expected-error @below {{tcgen05.cp copies 128 rows of 32 or 16 bytes, or 32 rows of 16 bytes for scales, with eight rows in 128 bytes or in a swizzle}}
    ttng.tmem_copy %from, %to : !rows, !s
    tt.return
  }
}

// -----

#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
!bar = !ttg.memdesc<2xi64, #bar, #ttg.shared_memory, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  tt.func public @outside_the_cluster() {
    %bar = ttg.local_alloc : () -> !bar
    // expected-error @below {{has multicastCTA = 2; it must be from 1 to 1}}
    ttng.arrive_barrier %bar, 1 {multicastCTA = 2 : i32} : !bar
    tt.return
  }
}

// -----

// The commit would signal CTAs that the cluster does not have.
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0], [0, 0]]}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  tt.func public @mask_outside(%a: !ttg.memdesc<128x64xf16, #a, #smem>, %bar: !ttg.memdesc<2xi64, #bar, #smem, mutable>) {
    // expected-error @below {{layout for 4 CTAs; the module's ttg.num-ctas is 2}}
    ttng.tc_gen5_commit %bar descs %a : !ttg.memdesc<2xi64, #bar, #smem, mutable>, !ttg.memdesc<128x64xf16, #a, #smem>
    tt.return
  }
}

// -----

#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#b = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 8}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#scales = #ttng.tensor_memory_scales_encoding<>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!a = !ttg.memdesc<128x128xf8E4M3FN, #a, #smem, mutable>
!b = !ttg.memdesc<128x128xf8E4M3FN, #b, #smem, mutable>
!d = !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
!s = !ttg.memdesc<128x4xi8, #scales, #ttng.tensor_memory, mutable>
!bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @format(%a: !a, %b: !b, %d: !d, %s: !s, %bar: !bar) {
    %true = arith.constant true
    // expected-error @below {{has a right operand of format bf16; tcgen05.mma takes e4m3, e5m2, e2m3, e3m2 and e2m1}}
    ttng.tc_gen5_mma_scaled %a, %b, %d, %s, %s, %true, %true lhs = e4m3 rhs = bf16, %bar[%true] {is_async} : !a, !b, !d, !s, !s, !bar
    tt.return
  }
}

// -----

#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, CGALayout = [[1, 0]]}>
#b = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 8, CGALayout = [[0, 1]]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1, CGALayout = [[1, 0]]>
#scales = #ttng.tensor_memory_scales_encoding<CGALayout = [[1, 0]]>
#all = #ttng.tensor_memory_scales_encoding<CGALayout = [[0, 0]]>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
!a = !ttg.memdesc<256x128xf8E4M3FN, #a, #smem, mutable>
!b = !ttg.memdesc<128x128xf8E4M3FN, #b, #smem, mutable>
!d = !ttg.memdesc<256x128xf32, #tmem, #ttng.tensor_memory, mutable>
!s = !ttg.memdesc<256x4xi8, #scales, #ttng.tensor_memory, mutable>
!t = !ttg.memdesc<128x4xi8, #all, #ttng.tensor_memory, mutable>
!bar = !ttg.memdesc<2xi64, #bar, #smem, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = true} {
  tt.func public @result_of_one_cta(%a: !a, %b: !b, %d: !d, %s: !s, %t: !t, %bar: !bar) {
    %true = arith.constant true
    // expected-error @below {{has a result with twoCTAs = false; the op has two_ctas}}
    ttng.tc_gen5_mma_scaled %a, %b, %d, %s, %t, %true, %true lhs = e4m3 rhs = e4m3, %bar[%true] {is_async, two_ctas} : !a, !b, !d, !s, !t, !bar
    tt.return
  }
}

// -----

#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 8, colStride = 1>
#tmem128 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#smem = #ttg.shared_memory
!a = !ttg.memdesc<128x64xf16, #a, #smem, mutable>
!b = !ttg.memdesc<64x128xf16, #a, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @eight_columns(%a: !a, %b: !b, %d: !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>) {
    %true = arith.constant true
    // expected-error @below {{computes 8 columns of the result at once; with 128 rows tcgen05.mma.kind::f16 computes a multiple of 16 up to 256}}
    ttng.tc_gen5_mma %a, %b, %d, %true, %true : !a, !b, !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    tt.return
  }
  // A warp would need the rows of all others.
  tt.func public @across_rows(%d: !ttg.memdesc<128x128xf32, #tmem128, #ttng.tensor_memory, mutable>) {
    // expected-error @below {{warp 1 must hold the rows of tensor memory from 32 on}}
    %x = ttng.tmem_load %d : !ttg.memdesc<128x128xf32, #tmem128, #ttng.tensor_memory, mutable> -> tensor<128x128xf32, #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>>
    tt.return
  }
}

// -----

#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#b = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 8}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#scales = #ttng.tensor_memory_scales_encoding<>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!a = !ttg.memdesc<128x128xf8E4M3FN, #a, #smem, mutable>
!b = !ttg.memdesc<128x128xf8E4M3FN, #b, #smem, mutable>
!d = !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
!s = !ttg.memdesc<128x8xi8, #scales, #ttng.tensor_memory, mutable>
!bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @blocks_of_16(%a: !a, %b: !b, %d: !d, %s: !s, %bar: !bar) {
    %true = arith.constant true
    // expected-error @below {{has one scale for every 16 elements along K; kind mxf8f6f4 takes one for every 32}}
    ttng.tc_gen5_mma_scaled %a, %b, %d, %s, %s, %true, %true lhs = e4m3 rhs = e4m3, %bar[%true] {is_async} : !a, !b, !d, !s, !s, !bar
    tt.return
  }
}

// -----

#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem128 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#smem = #ttg.shared_memory
!a = !ttg.memdesc<128x64xf16, #a, #smem, mutable>
!other = !ttg.memdesc<64x128xbf16, #a, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @types(%a: !a, %b: !other, %d: !ttg.memdesc<128x128xf32, #tmem128, #ttng.tensor_memory, mutable>) {
    %true = arith.constant true
    // expected-error @below {{multiplies 'f16' by 'bf16'}}
    ttng.tc_gen5_mma %a, %b, %d, %true, %true : !a, !other, !ttg.memdesc<128x128xf32, #tmem128, #ttng.tensor_memory, mutable>
    tt.return
  }
}
