// Each rule of an op or layout of ttng, broken once.
// RUN: kernelscope opt --verify-diagnostics --split-input-file %s -o /dev/null

// expected-error @below {{tensor_memory_encoding has blockM = 32; it must be 64 or 128}}
#a = #ttng.tensor_memory_encoding<blockM = 32, blockN = 64, colStride = 1>

// -----

// expected-error @below {{tensor_memory_encoding has blockN = 48; it must be a power of two of at most 512}}
#a = #ttng.tensor_memory_encoding<blockM = 128, blockN = 48, colStride = 1>

// -----

// expected-error @below {{tensor_memory_encoding has twoCTAs, but the first basis of its CGALayout is not [1, 0]; CTA pairs must split the rows}}
#a = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, twoCTAs = true>

// -----

// expected-error @below {{tensor_memory_encoding has colStride = 3; it must be 1, 2 or 4}}
#a = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 3>

// -----

// expected-error @below {{the first basis of its CGALayout is not [1, 0]}}
#a = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CGALayout = [[0, 1]], twoCTAs = true>

// -----

// expected-error @below {{tensor_memory_encoding has an unknown entry 'blockK'}}
#a = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, blockK = 1>

// -----

#t = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 2>
// expected-error @below {{tensor memory holds 'f32' with colStride = 2}}
tt.func private @f(!ttg.memdesc<128x64xf32, #t, #ttng.tensor_memory>)

// -----

#t = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
// expected-error @below {{its blocks and CTAs need at least 128x64}}
tt.func private @f(!ttg.memdesc<64x64xf32, #t, #ttng.tensor_memory>)

// -----

#t = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
// expected-error @below {{a layout of tensor memory needs #ttng.tensor_memory}}
tt.func private @f(!ttg.memdesc<128x64xf32, #t, #ttg.shared_memory>)

// -----

#t = #ttng.tensor_memory_scales_encoding<>
// expected-error @below {{scales hold 'f16'; their elements must have 8 bits}}
tt.func private @f(!ttg.memdesc<128x4xf16, #t, #ttng.tensor_memory>)

// -----

// expected-error @below {{it needs two positive sizes, pixels by channels}}
tt.func private @f(!ttng.tensordesc_im2col<64xf16>)

// -----

#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#swizzled = #ttg.swizzled_shared<{vec = 2, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #bar, #smem, mutable>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @barrier_type(%b: !ttg.memdesc<2xi64, #bar, #smem, mutable>) {
    // expected-error @below {{needs a barrier of Nxi64 with N at most the number of CTAs (1)}}
    ttng.init_barrier %b, 1 : !ttg.memdesc<2xi64, #bar, #smem, mutable>
    tt.return
  }
  tt.func @swizzled_barrier(%b: !ttg.memdesc<1xi64, #swizzled, #smem, mutable>) {
    // expected-error @below {{needs a barrier in contiguous memory, whose layout is #ttg.swizzled_shared with vec, perPhase and maxPhase of 1, not #ttg.swizzled_shared<{vec = 2,}}
    ttng.init_barrier %b, 1 : !ttg.memdesc<1xi64, #swizzled, #smem, mutable>
    tt.return
  }
  tt.func @count(%b: !barrier) {
    // expected-error @below {{has count = 0; it must be 1 or more}}
    ttng.init_barrier %b, 0 : !barrier
    tt.return
  }
  tt.func @multicast_alone(%b: !barrier) {
    // expected-error @below {{needs a cluster of two or more CTAs; the module's ttg.num-ctas is 1}}
    ttng.arrive_barrier %b, 1 {multicastCTA = 1 : i32} : !barrier
    tt.return
  }
  tt.func @from(%b: !barrier, %p: i1) {
    // expected-error @below {{has fromCTA = 2; it must be from 0 to 0}}
    ttng.barrier_expect %b, 64 {fromCTA = 2 : i32}, %p : !barrier
    tt.return
  }
  tt.func @cluster_of_one() {
    // expected-error @below {{needs a cluster of two or more CTAs}}
    ttng.cluster_barrier
    tt.return
  }
  tt.func @answer(%r: !barrier) {
    // expected-error @below {{it must be 2xi64 in shared memory}}
    ttng.clc_try_cancel %r, %r : !barrier, !barrier
    tt.return
  }
}

// -----

// Stores to shared memory of the cluster.
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32} {
  tt.func @one_cta(%x: tensor<64x64xf16, #blocked>, %m: !ttg.memdesc<64x64xf16, #plain, #smem, mutable>, %b: !ttg.memdesc<1xi64, #bar, #smem, mutable>) {
    // expected-error @below {{needs a cluster of two or more CTAs; the module's ttg.num-ctas is 1}}
    ttng.async_shared_store %x, %m, %b : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #plain, #smem, mutable>, !ttg.memdesc<1xi64, #bar, #smem, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#columns = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1], CGALayout = [[1, 0]]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[1, 0]]}>
#padded = #ttg.padded_shared<[1:+4] {offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], block = [[32, 0]]}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
!memory = !ttg.memdesc<64x64xf16, #plain, #smem, mutable>
!barrier = !ttg.memdesc<2xi64, #bar, #smem, mutable>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 2 : i32} {
  tt.func @narrow(%x: tensor<64x64xf16, #columns>, %m: !memory, %b: !barrier) {
    // expected-error @below {{stores 16 bits at a time; the layouts must allow 32 or more}}
    ttng.async_shared_store %x, %m, %b : tensor<64x64xf16, #columns> -> !memory, !barrier
    tt.return
  }
  tt.func @gaps(%x: tensor<64x64xf16, #blocked>, %m: !ttg.memdesc<64x64xf16, #padded, #smem, mutable>, %b: !barrier) {
    // expected-error @below {{stores 16 bits at a time; the layouts must allow 32 or more}}
    ttng.async_shared_store %x, %m, %b : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #padded, #smem, mutable>, !barrier
    tt.return
  }
  tt.func @constant(%x: tensor<64x64xf16, #blocked>, %m: !ttg.memdesc<64x64xf16, #plain, #smem>, %b: !barrier) {
    // expected-error @below {{needs mutable memory, but it is}}
    ttng.async_shared_store %x, %m, %b : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #plain, #smem>, !barrier
    tt.return
  }
  tt.func @types(%x: tensor<64x64xf32, #blocked>, %m: !memory, %b: !barrier) {
    // expected-error @below {{needs a tensor and memory of the same element type, but they have 'f32' and 'f16'}}
    ttng.async_shared_store %x, %m, %b : tensor<64x64xf32, #blocked> -> !memory, !barrier
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[1, 0]]}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 2 : i32, ttg.target = "cuda:87"} {
  tt.func @too_old(%x: tensor<64x64xf16, #blocked>, %m: !ttg.memdesc<64x64xf16, #plain, #smem, mutable>, %b: !ttg.memdesc<2xi64, #bar, #smem, mutable>) {
    // expected-error @below {{needs sm_90 or later; the module's target is sm_87}}
    ttng.async_shared_store %x, %m, %b : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #plain, #smem, mutable>, !ttg.memdesc<2xi64, #bar, #smem, mutable>
    tt.return
  }
}

// -----

// Barriers of TMA copies, one CTA at a time and in pairs.
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#all = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 2 : i32, "ttng.two-ctas" = false} {
  tt.func @shared_barrier(%d: !tt.tensordesc<128x64xf16, #shared>, %m: !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, %b: !ttg.memdesc<1xi64, #all, #smem, mutable>, %x: i32, %t: i1) {
    // expected-error @below {{has a copy barrier with CGALayout = [[0]]; with ttng.two-ctas = false it must be [[1]], a barrier in every CTA}}
    ttng.async_tma_copy_global_to_local %d[%x, %x] %m, %b, %t : !tt.tensordesc<128x64xf16, #shared>, !ttg.memdesc<1xi64, #all, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0], [2, 0]]}>
#odd = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1], [0]]}>
#own = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1], [2]]}>
#pairs = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0], [1]]}>
#smem = #ttg.shared_memory
!desc = !tt.tensordesc<256x64xf16, #shared>
!memory = !ttg.memdesc<256x64xf16, #shared, #smem, mutable>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 4 : i32, "ttng.two-ctas" = true} {
  tt.func @neither_own_nor_of_pairs(%d: !desc, %m: !memory, %b: !ttg.memdesc<2xi64, #odd, #smem, mutable>, %x: i32, %t: i1) {
    // expected-error @below {{has a copy barrier with CGALayout = [[1], [0]]; with ttng.two-ctas = true it must be [[1], [2]], a barrier in every CTA, or [[0], [1]], one in every pair of CTAs}}
    ttng.async_tma_copy_global_to_local %d[%x, %x] %m, %b, %t : !desc, !ttg.memdesc<2xi64, #odd, #smem, mutable> -> !memory
    tt.return
  }
  tt.func @both_are_fine(%d: !desc, %m: !memory, %o: !ttg.memdesc<4xi64, #own, #smem, mutable>, %p: !ttg.memdesc<2xi64, #pairs, #smem, mutable>, %x: i32, %t: i1) {
    ttng.async_tma_copy_global_to_local %d[%x, %x] %m, %o, %t : !desc, !ttg.memdesc<4xi64, #own, #smem, mutable> -> !memory
    ttng.async_tma_copy_global_to_local %d[%x, %x] %m, %p, %t : !desc, !ttg.memdesc<2xi64, #pairs, #smem, mutable> -> !memory
    tt.return
  }
  tt.func @commit(%p: !ttg.memdesc<2xi64, #pairs, #smem, mutable>) {
    // expected-error @below {{has a completion barrier with CGALayout = [[0], [1]]; it must be [[1], [2]]}}
    ttng.tc_gen5_commit %p : !ttg.memdesc<2xi64, #pairs, #smem, mutable>
    tt.return
  }
  tt.func @multicast(%d: !desc, %m: !memory, %o: !ttg.memdesc<4xi64, #own, #smem, mutable>, %x: i32, %t: i1) {
    // expected-error @below {{has multicast, but no CTAs share the data}}
    ttng.async_tma_copy_global_to_local %d[%x, %x] %m, %o, %t {multicast} : !desc, !ttg.memdesc<4xi64, #own, #smem, mutable> -> !memory
    tt.return
  }
}

// -----

// TMA copies.
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#other = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#rows = #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>}>
#lanes = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#smem = #ttg.shared_memory
!desc = !tt.tensordesc<128x64xf16, #shared>
!tile = !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
!barrier = !ttg.memdesc<1xi64, #bar, #smem, mutable>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @coordinates(%d: !desc, %m: !tile, %b: !barrier, %x: i32, %t: i1) {
    // expected-error @below {{has 1 coordinate; the block has 2 dimensions}}
    ttng.async_tma_copy_global_to_local %d[%x] %m, %b, %t : !desc, !barrier -> !tile
    tt.return
  }
  tt.func @offsets(%d: !desc, %m: !tile, %b: !barrier, %x: i32, %o: i16, %t: i1) {
    // expected-error @below {{has 1 offset; only an im2col copy takes them}}
    ttng.async_tma_copy_global_to_local %d[%x, %x] offsets = [%o] %m, %b, %t : !desc, !barrier -> !tile
    tt.return
  }
  tt.func @layouts(%d: !tt.tensordesc<128x64xf16, #other>, %m: !tile, %b: !barrier, %x: i32, %t: i1) {
    // expected-error @below {{both must agree}}
    ttng.async_tma_copy_global_to_local %d[%x, %x] %m, %b, %t : !tt.tensordesc<128x64xf16, #other>, !barrier -> !tile
    tt.return
  }
  tt.func @no_layout(%d: !tt.tensordesc<128x64xf16>, %m: !tile, %b: !barrier, %x: i32, %t: i1) {
    // expected-error @below {{with a descriptor without a layout; its type must have that of the memory}}
    ttng.async_tma_copy_global_to_local %d[%x, %x] %m, %b, %t : !tt.tensordesc<128x64xf16>, !barrier -> !tile
    tt.return
  }
  tt.func @not_nvmma(%d: !desc, %m: !ttg.memdesc<128x64xf16, #plain, #smem, mutable>, %x: i32) {
    // expected-error @below {{TMA needs #ttg.nvmma_shared}}
    ttng.async_tma_copy_local_to_global %d[%x, %x] %m : !desc, !ttg.memdesc<128x64xf16, #plain, #smem, mutable>
    tt.return
  }
  tt.func @constant(%d: !desc, %m: !ttg.memdesc<128x64xf16, #shared, #smem>, %b: !barrier, %x: i32, %t: i1) {
    // expected-error @below {{needs mutable memory, but it is}}
    ttng.async_tma_copy_global_to_local %d[%x, %x] %m, %b, %t : !desc, !barrier -> !ttg.memdesc<128x64xf16, #shared, #smem>
    tt.return
  }
  tt.func @reduce(%d: !desc, %m: !tile, %x: i32) {
    // expected-error @below {{cannot reduce 'f16' with xor}}
    ttng.async_tma_reduce xor, %d[%x, %x] %m : !desc, !tile
    tt.return
  }
  tt.func @rows(%d: !tt.tensordesc<1x64xf16, #shared>, %m: !tile, %x: i32, %r: tensor<128xi32, #lanes>) {
    // expected-error @below {{all lanes of a warp must hold the same}}
    ttng.async_tma_scatter %d[%r, %x] %m : !tt.tensordesc<1x64xf16, #shared>, tensor<128xi32, #lanes>, i32, !tile
    tt.return
  }
  tt.func @strides(%p: !tt.ptr<i8>, %n: i32, %s: i64) {
    // expected-error @below {{has a block of 2 dimensions, 2 sizes, 2 strides and 2 element strides; it needs 2, 1 and 2}}
    ttng.tensormap_create %p, %p, [%n, %n], [%n, %n], [%s, %s], [%n, %n] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i32, i64, i64, i32, i32) -> ()
    tt.return
  }
  tt.func @map_in_aligned_memory(%p: !tt.ptr<i8>, %n: i32, %s: i64) {
    // expected-note @below {{the memory comes from here}}
    %map = ttg.global_scratch_alloc {alignment = 64 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    // expected-error @below {{writes a tensor map to memory that is aligned to 64 bytes; it needs 128}}
    ttng.tensormap_create %map, %p, [%n, %n], [%n, %n], [%s], [%n, %n] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i32, i64, i32, i32) -> ()
    tt.return
  }
  tt.func @map_in_the_middle(%p: !tt.ptr<i8>, %n: i32, %s: i64) {
    %half = arith.constant 64 : i32
    // expected-note @below {{the memory comes from here}}
    %maps = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 256 : i32} : !tt.ptr<i8>
    %map = tt.addptr %maps, %half : !tt.ptr<i8>, i32
    // expected-error @below {{writes a tensor map at byte 64 of its memory; it needs a multiple of 128}}
    ttng.tensormap_create %map, %p, [%n, %n], [%n, %n], [%s], [%n, %n] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i32, i64, i32, i32) -> ()
    tt.return
  }
  tt.func @map_at_the_end(%p: !tt.ptr<i8>, %n: i32, %s: i64) {
    %one = arith.constant 128 : i32
    %two = arith.constant 256 : i32
    // expected-note @below {{the memory comes from here}}
    %maps = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 256 : i32} : !tt.ptr<i8>
    %second = tt.addptr %maps, %one : !tt.ptr<i8>, i32
    %third = tt.addptr %maps, %two : !tt.ptr<i8>, i32
    ttng.tensormap_create %maps, %p, [%n, %n], [%n, %n], [%s], [%n, %n] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_create %second, %p, [%n, %n], [%n, %n], [%s], [%n, %n] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i32, i64, i32, i32) -> ()
    // expected-error @below {{writes the 128 bytes of a tensor map at byte 256 of memory of 256 bytes}}
    ttng.tensormap_create %third, %p, [%n, %n], [%n, %n], [%s], [%n, %n] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<i8>, i32, i32, i32, i32, i64, i32, i32) -> ()
    tt.return
  }
}

// -----

// Products and tensor memory.
#blocked = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#warps = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#lanes = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tmem8 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 8, colStride = 1>
#wide = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 512, 16]}>
#narrow = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!a = !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
!b = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!acc = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
!barrier = !ttg.memdesc<1xi64, #bar, #smem, mutable>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @not_async(%a: !a, %b: !b, %d: !acc, %bar: !barrier, %t: i1) {
    // expected-error @below {{arrives on barriers, but is not is_async}}
    ttng.tc_gen5_mma %a, %b, %d, %t, %t, %bar[%t] : !a, !b, !acc, !barrier
    tt.return
  }
  tt.func @accumulator(%a: !a, %b: !b, %d: !a, %t: i1) {
    // expected-error @below {{accumulates in}}
    ttng.tc_gen5_mma %a, %b, %d, %t, %t : !a, !b, !a
    tt.return
  }
  tt.func @k(%a: !a, %b: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %d: !acc, %t: i1) {
    // expected-error @below {{as many columns in a as rows in b}}
    ttng.tc_gen5_mma %a, %b, %d, %t, %t : !a, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !acc
    tt.return
  }
  tt.func @right_operand(%a: !a, %b: !ttg.memdesc<64x64xf16, #plain, #smem, mutable>, %d: !acc, %t: i1) {
    // expected-error @below {{it must be in #ttg.nvmma_shared}}
    ttng.tc_gen5_mma %a, %b, %d, %t, %t : !a, !ttg.memdesc<64x64xf16, #plain, #smem, mutable>, !acc
    tt.return
  }
  tt.func @elements(%a: !a, %b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %d: !ttg.memdesc<128x64xi32, #tmem, #ttng.tensor_memory, mutable>, %t: i1) {
    // expected-error @below {{accumulates products of 'f16' and 'f16' in 'i32'; it must be f16 or f32}}
    ttng.tc_gen5_mma %a, %b, %d, %t, %t : !a, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<128x64xi32, #tmem, #ttng.tensor_memory, mutable>
    tt.return
  }
  tt.func @wait_for_nothing() {
    // expected-error @below {{has no inputs; it needs the result of at least one product}}
    "ttng.warp_group_dot_wait"() <{pendings = 0 : i32}> : () -> ()
    tt.return
  }
  tt.func @wgmma_operand(%a: tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>, %b: !b, %c: tensor<64x64xf32, #mma>) {
    // expected-error @below {{has a left operand with kWidth = 4; elements of 16 bits need 2}}
    %0 = ttng.warp_group_dot %a, %b, %c : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>> * !b -> tensor<64x64xf32, #mma>
    tt.return
  }
  tt.func @wgmma_columns(%a: !a, %b: !ttg.memdesc<64x512xf16, #shared, #smem, mutable>, %c: tensor<128x512xf32, #wide>) {
    // expected-error @below {{computes 512 columns of the result at once; with 64 rows wgmma.mma_async computes a multiple of 8 up to 256}}
    %0 = ttng.warp_group_dot %a, %b, %c : !a * !ttg.memdesc<64x512xf16, #shared, #smem, mutable> -> tensor<128x512xf32, #wide>
    tt.return
  }
  tt.func @tcgen05_columns(%a: !a, %b: !ttg.memdesc<64x8xf16, #narrow, #smem, mutable>, %d: !ttg.memdesc<128x8xf32, #tmem8, #ttng.tensor_memory, mutable>, %t: i1) {
    // expected-error @below {{computes 8 columns of the result at once; with 128 rows tcgen05.mma.kind::f16 computes a multiple of 16 up to 256}}
    ttng.tc_gen5_mma %a, %b, %d, %t, %t : !a, !ttg.memdesc<64x8xf16, #narrow, #smem, mutable>, !ttg.memdesc<128x8xf32, #tmem8, #ttng.tensor_memory, mutable>
    tt.return
  }
  tt.func @rows_of_warps(%d: !acc) {
    // expected-error @below {{warp 1 must hold the rows of tensor memory from 32 on}}
    %0 = ttng.tmem_load %d : !acc -> tensor<128x64xf32, #warps>
    tt.return
  }
  tt.func @places_of_lanes(%d: !acc) {
    // expected-error @below {{must hold the rows of tensor memory from}}
    %0 = ttng.tmem_load %d : !acc -> tensor<128x64xf32, #lanes>
    tt.return
  }
  tt.func @red(%d: !acc) {
    // expected-error @below {{has redOp without a 'red' result}}
    %0 = ttng.tmem_load %d {redOp = #ttng.redOp<min>} : !acc -> tensor<128x64xf32, #blocked>
    tt.return
  }
  tt.func @uninitialised() {
    // expected-error @below {{needs a tensor to initialise the memory, or a result that is mutable, but the result is}}
    %0 = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory>
    tt.return
  }
  tt.func @store_constant(%x: tensor<128x64xf32, #blocked>, %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory>, %t: i1) {
    // expected-error @below {{needs mutable memory, but it is}}
    ttng.tmem_store %x, %d, %t : tensor<128x64xf32, #blocked> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory>
    tt.return
  }
  tt.func @window(%d: !acc) {
    // expected-error @below {{slices 32 elements at offset 48 of dimension 1, whose size is 64}}
    %0 = ttng.tmem_subslice %d {offset = 48 : i32} : !acc -> !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable, 128x64>
    tt.return
  }
  tt.func @copy(%m: !a, %d: !ttg.memdesc<128x64xf16, #tmem, #ttng.tensor_memory, mutable>) {
    // expected-error @below {{copies elements of 16 bits; they must have 32}}
    ttng.tmem_copy %m, %d : !a, !ttg.memdesc<128x64xf16, #tmem, #ttng.tensor_memory, mutable>
    tt.return
  }
  tt.func @packed(%x: tensor<128x64xf16, #blocked>) {
    // expected-error @below {{has no instruction for min of}}
    %0 = ttng.packed_arith min %x, %x : (tensor<128x64xf16, #blocked>, tensor<128x64xf16, #blocked>) -> tensor<128x64xf32, #blocked>
    tt.return
  }
}

// -----

#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1, CGALayout = [[1, 0]]>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func @multicast_of_one(%b: !ttg.memdesc<1xi64, #bar, #ttg.shared_memory, mutable>) {
    // expected-error @below {{has a multicast barrier with CGALayout = [[0]]; it must be [[1]], a barrier in every CTA}}
    ttng.arrive_barrier %b, 1 {multicastCTA = 1 : i32} : !ttg.memdesc<1xi64, #bar, #ttg.shared_memory, mutable>
    tt.return
  }
  tt.func private @called() attributes {noinline = true} {
    // expected-error @below {{is in the function 'called', which is called (private, noinline)}}
    ttng.cluster_barrier
    tt.return
  }
  tt.func @other_ctas(%m: !ttg.memdesc<512x128xf32, #tmem, #ttng.tensor_memory, mutable>) {
    // expected-error @below {{but other CTAs hold those from 256 on}}
    %0 = ttng.tmem_subslice %m {offset = 256 : i32, dim = 0 : i32} : !ttg.memdesc<512x128xf32, #tmem, #ttng.tensor_memory, mutable> -> !ttg.memdesc<256x128xf32, #tmem, #ttng.tensor_memory, mutable, 512x128>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#four = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#halves = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 2], order = [0, 1]}>
#rows = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#narrow = #ttng.tensor_memory_encoding<blockM = 128, blockN = 2, colStride = 1>
#half = #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>
#scales = #ttng.tensor_memory_scales_encoding<>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @allocation(%m: !ttg.memdesc<128x128xf32, #tmem, #tm, mutable>) {
    // expected-error @below {{slices an allocation [128, 128] but returns one of [2, 128, 128]; the two must be equal}}
    %0 = ttng.tmem_subslice %m {offset = 0 : i32} : !ttg.memdesc<128x128xf32, #tmem, #tm, mutable> -> !ttg.memdesc<128x64xf32, #tmem, #tm, mutable, 2x128x128>
    tt.return
  }
  tt.func @not_in_one_piece(%m: !ttg.memdesc<64x256xf32, #half, #tm, mutable>) {
    // expected-error @below {{slices 128 elements at offset 64 of dimension 1, which is not contiguous there: elements 64 to 256 apart}}
    %0 = ttng.tmem_subslice %m {offset = 64 : i32} : !ttg.memdesc<64x256xf32, #half, #tm, mutable> -> !ttg.memdesc<64x128xf32, #half, #tm, mutable, 64x256>
    tt.return
  }
  tt.func @rows_outside(%m: !ttg.memdesc<16x4xi8, #scales, #tm, mutable>) {
    // expected-note @below {{the source comes from here}}
    %0 = ttng.tmem_subslice %m {offset = 0 : i32, dim = 0 : i32} : !ttg.memdesc<16x4xi8, #scales, #tm, mutable> -> !ttg.memdesc<8x4xi8, #scales, #tm, mutable, 16x4>
    // expected-error @below {{needs rows of tensor memory outside the window of the source: those whose index has the bits 8}}
    %1 = ttg.memdesc_reinterpret %0 : !ttg.memdesc<8x4xi8, #scales, #tm, mutable, 16x4> -> !ttg.memdesc<16x4xi8, #scales, #tm, mutable>
    tt.return
  }
  tt.func @columns_outside(%m: !ttg.memdesc<256x256xf32, #tmem, #tm, mutable>) {
    // expected-note @below {{the source comes from here}}
    %0 = ttng.tmem_subslice %m {offset = 128 : i32, dim = 0 : i32} : !ttg.memdesc<256x256xf32, #tmem, #tm, mutable> -> !ttg.memdesc<128x256xf32, #tmem, #tm, mutable, 256x256>
    // expected-error @below {{needs 128 rows and 256 columns of tensor memory; the source has 128 rows and 128 contiguous columns}}
    %1 = ttg.memdesc_reinterpret %0 : !ttg.memdesc<128x256xf32, #tmem, #tm, mutable, 256x256> -> !ttg.memdesc<128x256xf32, #tmem, #tm, mutable>
    tt.return
  }
  tt.func @gaps(%src: !ttg.memdesc<128x64xi32, #shared, #ttg.shared_memory>, %m: !ttg.memdesc<256x64xi32, #narrow, #tm, mutable>) {
    %0 = ttng.tmem_subslice %m {offset = 128 : i32, dim = 0 : i32} : !ttg.memdesc<256x64xi32, #narrow, #tm, mutable> -> !ttg.memdesc<128x64xi32, #narrow, #tm, mutable, 256x64>
    // expected-error @below {{copies to 64 contiguous bits per row; it needs 128}}
    ttng.tmem_copy %src, %0 : !ttg.memdesc<128x64xi32, #shared, #ttg.shared_memory>, !ttg.memdesc<128x64xi32, #narrow, #tm, mutable, 256x64>
    tt.return
  }
  tt.func @one_a_thread(%x: tensor<128xf32, #blocked>) {
    // expected-error @below {{has 1 different elements per thread; it needs a multiple of 2}}
    %0 = ttng.packed_arith add %x, %x : (tensor<128xf32, #blocked>, tensor<128xf32, #blocked>) -> tensor<128xf32, #blocked>
    tt.return
  }
  tt.func @fp4_layout(%x: tensor<256xi8, #blocked>, %y: tensor<512xf8E4M3FN, #four>) {
    // expected-error @below {{each thread must have the two values of each of its bytes}}
    %0 = ttng.packed_arith add %x, %y : (tensor<256xi8, #blocked>, tensor<512xf8E4M3FN, #four>) -> tensor<512xf8E4M3FN, #four>
    tt.return
  }
}

// -----

#halves = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 2], order = [0, 1]}>
#rows = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
!acc = !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32} {
  tt.func @half_rows(%m: !acc) {
    // expected-error @below {{reduces rows of 128 columns, but a thread holds 64 columns and parts of 1 rows; each thread must hold one whole row}}
    %0, %1 = ttng.tmem_load %m {redOp = #ttng.redOp<min>} : !acc -> tensor<128x128xf32, #halves>, tensor<128xf32, #rows>
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
#trans = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#scales = #ttng.tensor_memory_scales_encoding<>
#along_k = #ttng.tensor_memory_scales_encoding<blockRepOrder = kThenMn>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func @scales(%a: !ttg.memdesc<128x64xi8, #shared, #ttg.shared_memory>, %b: !ttg.memdesc<64x128xi8, #trans, #ttg.shared_memory>, %d: !ttg.memdesc<128x128xf32, #tmem, #tm, mutable>, %s: !ttg.memdesc<128x8xf8E4M3FN, #along_k, #tm>, %r: !ttg.memdesc<128x8xf8E4M3FN, #scales, #tm>, %t: i1) {
    // expected-error @below {{has left scales with blockRepOrder = kThenMn; the instruction reads them as mnThenK}}
    ttng.tc_gen5_mma_scaled %a, %b, %d, %s, %r, %t, %t lhs = e2m1 rhs = e2m1 : !ttg.memdesc<128x64xi8, #shared, #ttg.shared_memory>, !ttg.memdesc<64x128xi8, #trans, #ttg.shared_memory>, !ttg.memdesc<128x128xf32, #tmem, #tm, mutable>, !ttg.memdesc<128x8xf8E4M3FN, #along_k, #tm>, !ttg.memdesc<128x8xf8E4M3FN, #scales, #tm>
    tt.return
  }
}

// -----

// What a commit is for, and what it needs.
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #bar, #smem, mutable>
!a = !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:100"} {
  tt.func @five_operands(%b: !barrier, %a: !a) {
    ttng.tc_gen5_commit %b descs %a, %a, %a, %a : !barrier, !a, !a, !a, !a
    // expected-error @below {{has 5 operand descriptors; it takes at most 4}}
    ttng.tc_gen5_commit %b descs %a, %a, %a, %a, %a : !barrier, !a, !a, !a, !a, !a
    tt.return
  }
}

// -----

#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
!barrier = !ttg.memdesc<1xi64, #bar, #ttg.shared_memory, mutable>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90"} {
  tt.func @commit_on_hopper(%b: !barrier) {
    // expected-error @below {{needs tensor memory, which sm_100a and sm_103a have; the module's target is sm_90a}}
    ttng.tc_gen5_commit %b : !barrier
    tt.return
  }
}

// -----

// Stores to the cluster: the chip, and how many bits lie side by side.
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[1, 0]]}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<2xi64, #bar, #smem, mutable>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 2 : i32, ttg.target = "hip:gfx1250"} {
  tt.func @on_amd(%x: tensor<64x64xf16, #blocked>, %m: !ttg.memdesc<64x64xf16, #plain, #smem, mutable>, %b: !barrier) {
    // expected-error @below {{needs sm_90 or later; the module's target is gfx1250}}
    ttng.async_shared_store %x, %m, %b : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #plain, #smem, mutable>, !barrier
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#permuted = #ttg.linear<{register = [[0, 2], [0, 1], [0, 4], [16, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = [[32, 0]]}>
#vec1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 8, order = [1, 0], CGALayout = [[1, 0]]}>
#vec2 = #ttg.swizzled_shared<{vec = 2, perPhase = 1, maxPhase = 8, order = [1, 0], CGALayout = [[1, 0]]}>
#padded = #ttg.padded_shared<[64:+8] {offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], block = [[32, 0]]}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<2xi64, #bar, #smem, mutable>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @swizzled_by_ones(%f: tensor<64x64xf16, #blocked>, %m1: !ttg.memdesc<64x64xf16, #vec1, #smem, mutable>, %b: !barrier) {
    // expected-error @below {{stores 16 bits at a time; the layouts must allow 32 or more}}
    ttng.async_shared_store %f, %m1, %b : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #vec1, #smem, mutable>, !barrier
    tt.return
  }
  tt.func @swizzled_by_pairs_of_bytes(%i: tensor<64x64xi8, #blocked>, %n2: !ttg.memdesc<64x64xi8, #vec2, #smem, mutable>, %b: !barrier) {
    // expected-error @below {{stores 16 bits at a time; the layouts must allow 32 or more}}
    ttng.async_shared_store %i, %n2, %b : tensor<64x64xi8, #blocked> -> !ttg.memdesc<64x64xi8, #vec2, #smem, mutable>, !barrier
    tt.return
  }
  tt.func @permuted_with_gaps(%p: tensor<64x64xf16, #permuted>, %mp: !ttg.memdesc<64x64xf16, #padded, #smem, mutable>, %b: !barrier) {
    // expected-error @below {{stores 16 bits at a time; the layouts must allow 32 or more}}
    ttng.async_shared_store %p, %mp, %b : tensor<64x64xf16, #permuted> -> !ttg.memdesc<64x64xf16, #padded, #smem, mutable>, !barrier
    tt.return
  }
  tt.func @wide_enough(%f: tensor<64x64xf16, #blocked>, %p: tensor<64x64xf16, #permuted>, %m2: !ttg.memdesc<64x64xf16, #vec2, #smem, mutable>, %mp: !ttg.memdesc<64x64xf16, #padded, #smem, mutable>, %b: !barrier) {
    ttng.async_shared_store %f, %m2, %b : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #vec2, #smem, mutable>, !barrier
    ttng.async_shared_store %f, %mp, %b : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #padded, #smem, mutable>, !barrier
    ttng.async_shared_store %p, %m2, %b : tensor<64x64xf16, #permuted> -> !ttg.memdesc<64x64xf16, #vec2, #smem, mutable>, !barrier
    tt.return
  }
}

// -----

// One dimension is contiguous either way.
#one = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = true, elementBitWidth = 32, rank = 1}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90"} {
  tt.func @transposed_vector(%d: !tt.tensordesc<64xf32, #one>, %m: !ttg.memdesc<64xf32, #one, #smem, mutable>, %x: i32) {
    ttng.async_tma_copy_local_to_global %d[%x] %m : !tt.tensordesc<64xf32, #one>, !ttg.memdesc<64xf32, #one, #smem, mutable>
    tt.return
  }
}

// -----

// A commit on a barrier of pairs, which no release wrote without ttng.two-ctas.
#pairs = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0], [1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @commit_without_two_ctas(%p: !ttg.memdesc<2xi64, #pairs, #smem, mutable>) {
    // expected-error @below {{has a completion barrier with CGALayout = [[0], [1]]; it must be [[1], [2]]}}
    ttng.tc_gen5_commit %p : !ttg.memdesc<2xi64, #pairs, #smem, mutable>
    tt.return
  }
}

// -----

#left = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#smem = #ttg.shared_memory
!operand = !ttg.memdesc<128x128xf16, #left, #smem, mutable>
!acc = !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @pair_in_one_cta(%a: !operand, %d: !acc, %t: i1) {
    // expected-error @below {{has two_ctas, which needs a cluster of two or more CTAs; the module's ttg.num-ctas is 1}}
    ttng.tc_gen5_mma %a, %a, %d, %t, %t {two_ctas} : !operand, !operand, !acc
    tt.return
  }
  tt.func @more_columns_than_there_are() {
    // expected-error @below {{takes 640 columns of tensor memory; a CTA has 512}}
    %0 = ttng.tmem_alloc : () -> !ttg.memdesc<5x128x128xf32, #tmem, #ttng.tensor_memory, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 16}>
#barrier = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #barrier, #smem, mutable>
!tile = !ttg.memdesc<64x4xf16, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @narrow(%desc: !tt.tensordesc<64x4xf16, #shared>, %x: i32, %live: i1) {
    %b = ttg.local_alloc : () -> !barrier
    %m = ttg.local_alloc : () -> !tile
    // expected-error @below {{copies rows of 8 bytes; TMA copies multiples of 16}}
    ttng.async_tma_copy_global_to_local %desc[%x, %x] %m, %b, %live : !tt.tensordesc<64x4xf16, #shared>, !barrier -> !tile
    tt.return
  }
}

// -----

#rows = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
!bar = !ttg.memdesc<2xi64, #bar, #smem, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} {
  // One message has all pixels of an im2col block, since where the next one begins depends on the image.
  tt.func public @pixels_of_two(%desc: !ttng.tensordesc_im2col<64x64xf16, #rows>, %to: !ttg.memdesc<64x64xf16, #rows, #smem, mutable>, %bar: !bar, %x: i32, %o: i16) {
    %true = arith.constant true
    // expected-error @below {{splits the pixels of an im2col block over several copies; one copy takes at most 1024, for one CTA}}
    ttng.async_tma_copy_global_to_local %desc[%x, %x, %x, %x] offsets = [%o, %o] %to, %bar, %true : !ttng.tensordesc_im2col<64x64xf16, #rows>, !bar -> !ttg.memdesc<64x64xf16, #rows, #smem, mutable>
    tt.return
  }
}

// -----

// Swizzles are of rows of 128 bytes, but the layout has 16 bits per element where the tensor has 32.
#half = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#indices = #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [1, 0]}>}>
#barrier = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #barrier, #smem, mutable>
!tile = !ttg.memdesc<64x64xf32, #half, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @block_of_other_bits(%d: !tt.tensordesc<64x64xf32, #half>, %m: !tile, %b: !barrier, %x: i32, %t: i1) {
    // expected-error @below {{which TMA cannot lay out as a block of '!tt.tensordesc<64x64xf32}}
    ttng.async_tma_copy_global_to_local %d[%x, %x] %m, %b, %t : !tt.tensordesc<64x64xf32, #half>, !barrier -> !tile
    tt.return
  }
  tt.func @stored_block_of_other_bits(%d: !tt.tensordesc<64x64xf32, #half>, %m: !tile, %x: i32) {
    // expected-error @below {{which TMA cannot lay out as a block of '!tt.tensordesc<64x64xf32}}
    ttng.async_tma_copy_local_to_global %d[%x, %x] %m : !tt.tensordesc<64x64xf32, #half>, !tile
    tt.return
  }
  tt.func @added_block_of_other_bits(%d: !tt.tensordesc<64x64xf32, #half>, %m: !tile, %x: i32) {
    // expected-error @below {{which TMA cannot lay out as a block of '!tt.tensordesc<64x64xf32}}
    ttng.async_tma_reduce add, %d[%x, %x] %m : !tt.tensordesc<64x64xf32, #half>, !tile
    tt.return
  }
  tt.func @rows_of_other_bits(%d: !tt.tensordesc<1x64xf32, #half>, %m: !tile, %b: !barrier, %r: tensor<64xi32, #indices>, %x: i32, %t: i1) {
    // expected-error @below {{which TMA cannot lay out as rows}}
    ttng.async_tma_gather %d[%r, %x] %m, %b, %t : !tt.tensordesc<1x64xf32, #half>, tensor<64xi32, #indices>, i32, !barrier, !tile, i1
    tt.return
  }
}

// -----

// Triton 3.6 and older wrote two_ctas on a commit, too.
#barrier = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @commit_of_a_pair_in_one_cta(%b: !ttg.memdesc<1xi64, #barrier, #smem, mutable>) {
    // expected-error @below {{has two_ctas, which needs a cluster of two or more CTAs; the module's ttg.num-ctas is 1}}
    ttng.tc_gen5_commit %b {two_ctas} : !ttg.memdesc<1xi64, #barrier, #smem, mutable>
    tt.return
  }
}
