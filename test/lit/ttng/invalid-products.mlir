// Products and copies that no instruction of wgmma or tcgen05 does are errors of the op.
// RUN: kernelscope opt --split-input-file --verify-diagnostics %s -o /dev/null

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared32 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#none = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16}>
#bytes = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#bytesT = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 8}>
#packed = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
#lines = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 8}>
#blocks = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 8, rank = 5}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
#t = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#t4 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 4, colStride = 1>
#t16 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 2>
#scales = #ttng.tensor_memory_scales_encoding<>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  tt.func @mixed(%a: !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, %b: !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>, %d: !ttg.memdesc<128x64xf32, #t, #tm, mutable>, %true: i1) {
    // expected-error @below {{multiplies 'f16' by 'bf16'; kind f16 takes operands of the same type}}
    ttng.tc_gen5_mma %a, %b, %d, %true, %true : !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>, !ttg.memdesc<128x64xf32, #t, #tm, mutable>
    tt.return
  }
  tt.func @mixed_in_tensor_memory(%a: !ttg.memdesc<128x64xbf16, #t, #tm, mutable>, %b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %d: !ttg.memdesc<128x64xf32, #t, #tm, mutable>, %true: i1) {
    // expected-error @below {{multiplies 'bf16' by 'f16'; kind f16 takes operands of the same type}}
    ttng.tc_gen5_mma %a, %b, %d, %true, %true : !ttg.memdesc<128x64xbf16, #t, #tm, mutable>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<128x64xf32, #t, #tm, mutable>
    tt.return
  }
  tt.func @part_of_an_instruction(%a: !ttg.memdesc<128x8xf16, #none, #smem, mutable>, %b: !ttg.memdesc<8x64xf16, #shared, #smem, mutable>, %d: !ttg.memdesc<128x64xf32, #t, #tm, mutable>, %true: i1) {
    // expected-error @below {{multiplies 8 elements along K; tcgen05.mma.kind::f16 needs a multiple of 16}}
    ttng.tc_gen5_mma %a, %b, %d, %true, %true : !ttg.memdesc<128x8xf16, #none, #smem, mutable>, !ttg.memdesc<8x64xf16, #shared, #smem, mutable>, !ttg.memdesc<128x64xf32, #t, #tm, mutable>
    tt.return
  }
  tt.func @tf32_along_n(%a: !ttg.memdesc<128x64xf32, #shared32, #smem, mutable>, %b: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>, %d: !ttg.memdesc<128x64xf32, #t, #tm, mutable>, %true: i1) {
    // expected-error @below {{which no matrix descriptor of tcgen05 can describe; elements of 32 bits must be contiguous along K}}
    ttng.tc_gen5_mma %a, %b, %d, %true, %true : !ttg.memdesc<128x64xf32, #shared32, #smem, mutable>, !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>, !ttg.memdesc<128x64xf32, #t, #tm, mutable>
    tt.return
  }
  // Both formats of 8 bits are of one kind.
  tt.func @fp8(%a: !ttg.memdesc<128x128xf8E4M3FN, #bytes, #smem, mutable>, %b: !ttg.memdesc<128x64xf8E5M2, #bytesT, #smem, mutable>, %d: !ttg.memdesc<128x64xf32, #t, #tm, mutable>, %true: i1) {
    ttng.tc_gen5_mma %a, %b, %d, %true, %true : !ttg.memdesc<128x128xf8E4M3FN, #bytes, #smem, mutable>, !ttg.memdesc<128x64xf8E5M2, #bytesT, #smem, mutable>, !ttg.memdesc<128x64xf32, #t, #tm, mutable>
    tt.return
  }
  tt.func @format(%a: !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, %b: !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, %d: !ttg.memdesc<128x64xf32, #t, #tm, mutable>, %p: !ttg.memdesc<128x4xi8, #scales, #tm, mutable>, %q: !ttg.memdesc<64x4xi8, #scales, #tm, mutable>, %true: i1) {
    // expected-error @below {{has a left operand of format bf16; tcgen05.mma takes e4m3, e5m2, e2m3, e3m2 and e2m1}}
    ttng.tc_gen5_mma_scaled %a, %b, %d, %p, %q, %true, %true lhs = bf16 rhs = e4m3 : !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, !ttg.memdesc<128x64xf32, #t, #tm, mutable>, !ttg.memdesc<128x4xi8, #scales, #tm, mutable>, !ttg.memdesc<64x4xi8, #scales, #tm, mutable>
    tt.return
  }
  tt.func @sum(%a: !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, %b: !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, %d: !ttg.memdesc<128x64xf16, #t16, #tm, mutable>, %p: !ttg.memdesc<128x4xi8, #scales, #tm, mutable>, %q: !ttg.memdesc<64x4xi8, #scales, #tm, mutable>, %true: i1) {
    // expected-error @below {{accumulates in 'f16'; products with scales accumulate in f32}}
    ttng.tc_gen5_mma_scaled %a, %b, %d, %p, %q, %true, %true lhs = e4m3 rhs = e4m3 : !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, !ttg.memdesc<128x64xf16, #t16, #tm, mutable>, !ttg.memdesc<128x4xi8, #scales, #tm, mutable>, !ttg.memdesc<64x4xi8, #scales, #tm, mutable>
    tt.return
  }
  tt.func @columns(%a: !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, %b: !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, %d: !ttg.memdesc<128x64xf32, #t4, #tm, mutable>, %p: !ttg.memdesc<128x4xi8, #scales, #tm, mutable>, %q: !ttg.memdesc<64x4xi8, #scales, #tm, mutable>, %true: i1) {
    // expected-error @below {{computes 4 columns of the result at once; kind mxf8f6f4 computes a multiple of 8 up to 256}}
    ttng.tc_gen5_mma_scaled %a, %b, %d, %p, %q, %true, %true lhs = e4m3 rhs = e4m3 : !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, !ttg.memdesc<128x64xf32, #t4, #tm, mutable>, !ttg.memdesc<128x4xi8, #scales, #tm, mutable>, !ttg.memdesc<64x4xi8, #scales, #tm, mutable>
    tt.return
  }
  tt.func @blocks_of_16(%a: !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, %b: !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, %d: !ttg.memdesc<128x64xf32, #t, #tm, mutable>, %p: !ttg.memdesc<128x8xi8, #scales, #tm, mutable>, %q: !ttg.memdesc<64x8xi8, #scales, #tm, mutable>, %true: i1) {
    // expected-error @below {{has one scale for every 16 elements along K; kind mxf8f6f4 takes one for every 32}}
    ttng.tc_gen5_mma_scaled %a, %b, %d, %p, %q, %true, %true lhs = e4m3 rhs = e4m3 : !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, !ttg.memdesc<128x64xf32, #t, #tm, mutable>, !ttg.memdesc<128x8xi8, #scales, #tm, mutable>, !ttg.memdesc<64x8xi8, #scales, #tm, mutable>
    tt.return
  }
  tt.func @blocks_of_8(%a: !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, %b: !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, %d: !ttg.memdesc<128x64xf32, #t, #tm, mutable>, %p: !ttg.memdesc<128x32xi8, #scales, #tm, mutable>, %q: !ttg.memdesc<64x32xi8, #scales, #tm, mutable>, %true: i1) {
    // expected-error @below {{has one scale for every 8 elements along K; kind mxf4 takes one for every 16 or 32}}
    ttng.tc_gen5_mma_scaled %a, %b, %d, %p, %q, %true, %true lhs = e2m1 rhs = e2m1 : !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, !ttg.memdesc<128x64xf32, #t, #tm, mutable>, !ttg.memdesc<128x32xi8, #scales, #tm, mutable>, !ttg.memdesc<64x32xi8, #scales, #tm, mutable>
    tt.return
  }
  tt.func @e4m3_of_32(%a: !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, %b: !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, %d: !ttg.memdesc<128x64xf32, #t, #tm, mutable>, %p: !ttg.memdesc<128x8xf8E4M3FN, #scales, #tm, mutable>, %q: !ttg.memdesc<64x8xf8E4M3FN, #scales, #tm, mutable>, %true: i1) {
    // expected-error @below {{has one scale for every 32 elements along K; kind mxf4nvf4 takes one for every 16 if scales are f8E4M3FN}}
    ttng.tc_gen5_mma_scaled %a, %b, %d, %p, %q, %true, %true lhs = e2m1 rhs = e2m1 : !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, !ttg.memdesc<128x64xf32, #t, #tm, mutable>, !ttg.memdesc<128x8xf8E4M3FN, #scales, #tm, mutable>, !ttg.memdesc<64x8xf8E4M3FN, #scales, #tm, mutable>
    tt.return
  }
  tt.func @e4m3_of_fp8(%a: !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, %b: !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, %d: !ttg.memdesc<128x64xf32, #t, #tm, mutable>, %p: !ttg.memdesc<128x4xf8E4M3FN, #scales, #tm, mutable>, %q: !ttg.memdesc<64x4xf8E4M3FN, #scales, #tm, mutable>, %true: i1) {
    // expected-error @below {{has scales of 'f8E4M3FN'; kind mxf8f6f4 takes i8, the exponents of powers of two}}
    ttng.tc_gen5_mma_scaled %a, %b, %d, %p, %q, %true, %true lhs = e4m3 rhs = e5m2 : !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, !ttg.memdesc<128x64xf32, #t, #tm, mutable>, !ttg.memdesc<128x4xf8E4M3FN, #scales, #tm, mutable>, !ttg.memdesc<64x4xf8E4M3FN, #scales, #tm, mutable>
    tt.return
  }
  tt.func @types_of_scales(%a: !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, %b: !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, %d: !ttg.memdesc<128x64xf32, #t, #tm, mutable>, %p: !ttg.memdesc<128x16xi8, #scales, #tm, mutable>, %q: !ttg.memdesc<64x16xf8E4M3FN, #scales, #tm, mutable>, %true: i1) {
    // expected-error @below {{has left scales of 'i8' and right ones of 'f8E4M3FN'; both must be of the same type}}
    ttng.tc_gen5_mma_scaled %a, %b, %d, %p, %q, %true, %true lhs = e2m1 rhs = e2m1 : !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, !ttg.memdesc<128x64xf32, #t, #tm, mutable>, !ttg.memdesc<128x16xi8, #scales, #tm, mutable>, !ttg.memdesc<64x16xf8E4M3FN, #scales, #tm, mutable>
    tt.return
  }
  tt.func @rows_of_scales(%a: !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, %b: !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, %d: !ttg.memdesc<128x64xf32, #t, #tm, mutable>, %p: !ttg.memdesc<64x4xi8, #scales, #tm, mutable>, %q: !ttg.memdesc<64x4xi8, #scales, #tm, mutable>, %true: i1) {
    // expected-error @below {{has left scales of shape [64, 4]; a result of shape [128, 64] and 128 elements along K need [128, 4]}}
    ttng.tc_gen5_mma_scaled %a, %b, %d, %p, %q, %true, %true lhs = e4m3 rhs = e5m2 : !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, !ttg.memdesc<128x64xf32, #t, #tm, mutable>, !ttg.memdesc<64x4xi8, #scales, #tm, mutable>, !ttg.memdesc<64x4xi8, #scales, #tm, mutable>
    tt.return
  }
  tt.func @columns_of_scales(%a: !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, %b: !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, %d: !ttg.memdesc<128x64xf32, #t, #tm, mutable>, %p: !ttg.memdesc<128x4xi8, #scales, #tm, mutable>, %q: !ttg.memdesc<64x8xi8, #scales, #tm, mutable>, %true: i1) {
    // expected-error @below {{has right scales of shape [64, 8]; a result of shape [128, 64] and 128 elements along K need [64, 4]}}
    ttng.tc_gen5_mma_scaled %a, %b, %d, %p, %q, %true, %true lhs = e4m3 rhs = e5m2 : !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, !ttg.memdesc<128x64xf32, #t, #tm, mutable>, !ttg.memdesc<128x4xi8, #scales, #tm, mutable>, !ttg.memdesc<64x8xi8, #scales, #tm, mutable>
    tt.return
  }
  tt.func @without_gaps(%a: !ttg.memdesc<128x64xi8, #packed, #smem, mutable>, %b: !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, %d: !ttg.memdesc<128x64xf32, #t, #tm, mutable>, %p: !ttg.memdesc<128x4xi8, #scales, #tm, mutable>, %q: !ttg.memdesc<64x4xi8, #scales, #tm, mutable>, %true: i1) {
    // expected-error @below {{has a left operand that is not fp4Padded; e2m1 beside e4m3 must be}}
    ttng.tc_gen5_mma_scaled %a, %b, %d, %p, %q, %true, %true lhs = e2m1 rhs = e4m3 : !ttg.memdesc<128x64xi8, #packed, #smem, mutable>, !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, !ttg.memdesc<128x64xf32, #t, #tm, mutable>, !ttg.memdesc<128x4xi8, #scales, #tm, mutable>, !ttg.memdesc<64x4xi8, #scales, #tm, mutable>
    tt.return
  }
  tt.func @five_dimensions(%s: !ttg.memdesc<1x1x32x4x4xi8, #blocks, #smem, mutable>, %t: !ttg.memdesc<128x4xi8, #scales, #tm, mutable>) {
    // expected-error @below {{copies shape [1, 1, 32, 4, 4] to [128, 4]; both must be equal}}
    ttng.tmem_copy %s, %t : !ttg.memdesc<1x1x32x4x4xi8, #blocks, #smem, mutable>, !ttg.memdesc<128x4xi8, #scales, #tm, mutable>
    tt.return
  }
  tt.func @in_rows(%s: !ttg.memdesc<128x4xi8, #plain, #smem, mutable>, %t: !ttg.memdesc<128x4xi8, #scales, #tm, mutable>) {
    // expected-error @below {{tcgen05.cp copies 128 rows of 32 or 16 bytes, or 32 rows of 16 bytes for scales}}
    ttng.tmem_copy %s, %t : !ttg.memdesc<128x4xi8, #plain, #smem, mutable>, !ttg.memdesc<128x4xi8, #scales, #tm, mutable>
    tt.return
  }
}

// -----

#bytes = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#bytesT = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 8}>
#smem = #ttg.shared_memory
#t = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:103", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  tt.func @integers(%a: !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, %b: !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, %d: !ttg.memdesc<128x64xi32, #t, #tm, mutable>, %true: i1) {
    // expected-error @below {{needs tcgen05.mma.kind::i8, which sm_100a has; the module's target is sm_103a}}
    ttng.tc_gen5_mma %a, %b, %d, %true, %true : !ttg.memdesc<128x128xi8, #bytes, #smem, mutable>, !ttg.memdesc<128x64xi8, #bytesT, #smem, mutable>, !ttg.memdesc<128x64xi32, #t, #tm, mutable>
    tt.return
  }
}

// -----

#t = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  tt.func @hopper() {
    // expected-error @below {{needs tensor memory, which sm_100a and sm_103a have; the module's target is sm_90a}}
    %d = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #t, #tm, mutable>
    tt.return
  }
}

// -----

// expected-error @below {{has ttng.two-ctas = true, which needs a cluster of two or more CTAs; its ttg.num-ctas is 1}}
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = true} {
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#mma128 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#along_n = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 32, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#sharedT = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#none = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16}>
#bytes = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
#bytesT = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>
#words = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#smem = #ttg.shared_memory
!c = tensor<64x64xf32, #mma>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @types(%a: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %b: !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>, %c: !c) {
    // expected-error @below {{multiplies 'f16' by 'bf16'; wgmma takes operands of the same type}}
    %d = ttng.warp_group_dot %a, %b, %c : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xbf16, #shared, #smem, mutable> -> !c
    tt.return
  }
  tt.func @sum(%a: !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>, %c: tensor<64x64xf16, #mma>) {
    // expected-error @below {{accumulates products of 'bf16' and 'bf16' in 'f16'; it must be f32}}
    %d = ttng.warp_group_dot %a, %a, %c : !ttg.memdesc<64x64xbf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xbf16, #shared, #smem, mutable> -> tensor<64x64xf16, #mma>
    tt.return
  }
  tt.func @doubles(%a: !ttg.memdesc<64x64xf64, #shared, #smem, mutable>, %c: tensor<64x64xf64, #mma>) {
    // expected-error @below {{multiplies 'f64' by 'f64'; wgmma takes f16, bf16, tf32, e4m3, e5m2, i8}}
    %d = ttng.warp_group_dot %a, %a, %c : !ttg.memdesc<64x64xf64, #shared, #smem, mutable> * !ttg.memdesc<64x64xf64, #shared, #smem, mutable> -> tensor<64x64xf64, #mma>
    tt.return
  }
  tt.func @depth(%a: !ttg.memdesc<64x8xf16, #none, #smem, mutable>, %b: !ttg.memdesc<8x64xf16, #shared, #smem, mutable>, %c: !c) {
    // expected-error @below {{multiplies 8 elements along K; wgmma.mma_async needs a multiple of 16}}
    %d = ttng.warp_group_dot %a, %b, %c : !ttg.memdesc<64x8xf16, #none, #smem, mutable> * !ttg.memdesc<8x64xf16, #shared, #smem, mutable> -> !c
    tt.return
  }
  tt.func @columns(%a: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %c: tensor<64x64xf32, #mma128>) {
    // expected-error @below {{computes 64 columns in a CTA, 128 at once; that must divide them}}
    %d = ttng.warp_group_dot %a, %a, %c : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma128>
    tt.return
  }
  tt.func @warps_along_n(%a: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %c: tensor<64x64xf32, #along_n>) {
    // expected-error @below {{has warpsPerCTA = [2, 2]; the four warps of a wgmma hold 16 rows each, so the first must be a multiple of 4}}
    %d = ttng.warp_group_dot %a, %a, %c : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #along_n>
    tt.return
  }
  tt.func @bytes_along_m(%a: !ttg.memdesc<64x64xi8, #bytesT, #smem, mutable>, %b: !ttg.memdesc<64x64xi8, #bytesT, #smem, mutable>, %c: tensor<64x64xi32, #mma>) {
    // expected-error @below {{has the left operand '!ttg.memdesc<64x64xi8, #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>, #ttg.shared_memory, mutable>', which no matrix descriptor of wgmma can describe; elements of 8 bits must be contiguous along K}}
    %d = ttng.warp_group_dot %a, %b, %c : !ttg.memdesc<64x64xi8, #bytesT, #smem, mutable> * !ttg.memdesc<64x64xi8, #bytesT, #smem, mutable> -> tensor<64x64xi32, #mma>
    tt.return
  }
  tt.func @bytes_along_n(%a: !ttg.memdesc<64x64xi8, #bytes, #smem, mutable>, %c: tensor<64x64xi32, #mma>) {
    // expected-error @below {{which no matrix descriptor of wgmma can describe; elements of 8 bits must be contiguous along K}}
    %d = ttng.warp_group_dot %a, %a, %c : !ttg.memdesc<64x64xi8, #bytes, #smem, mutable> * !ttg.memdesc<64x64xi8, #bytes, #smem, mutable> -> tensor<64x64xi32, #mma>
    tt.return
  }
  tt.func @halves_as_words(%a: !ttg.memdesc<64x64xf16, #words, #smem, mutable>, %c: !c) {
    // expected-error @below {{which no matrix descriptor of wgmma can describe; the layout is for elements of 32 bits, and these have 16}}
    %d = ttng.warp_group_dot %a, %a, %c : !ttg.memdesc<64x64xf16, #words, #smem, mutable> * !ttg.memdesc<64x64xf16, #words, #smem, mutable> -> !c
    tt.return
  }
  // Elements of 16 bits may be contiguous along either dimension.
  tt.func @halves_along_m(%a: !ttg.memdesc<64x64xf16, #sharedT, #smem, mutable>, %c: !c) {
    %d = ttng.warp_group_dot %a, %a, %c : !ttg.memdesc<64x64xf16, #sharedT, #smem, mutable> * !ttg.memdesc<64x64xf16, #sharedT, #smem, mutable> -> !c
    tt.return
  }
}
