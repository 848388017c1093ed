// Each rule of an op of ttg, broken once.
// RUN: kernelscope opt --verify-diagnostics --split-input-file %s -o /dev/null

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @warps(%x: f32) {
    // expected-error @below {{layout has 8 warps; the op runs on 4}}
    %0 = tt.splat %x : f32 -> tensor<256xf32, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func @lanes(%x: f32) {
    // expected-error @below {{layout has 32 threads per warp; the module's ttg.threads-per-warp is 64}}
    %0 = tt.splat %x : f32 -> tensor<256xf32, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32} {
  tt.func @ctas(%x: f32) {
    // expected-error @below {{layout is for 2 CTAs; the module's ttg.num-ctas is 1}}
    %0 = tt.splat %x : f32 -> tensor<256xf32, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @rank(%x: f32) {
    // expected-error @below {{layout has 1 dimension; the tensor has 2}}
    %0 = tt.splat %x : f32 -> tensor<16x16xf32, #b>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @alloc_uninitialised() {
    // expected-error @below {{needs a tensor to initialise the memory, or a result that is mutable, but the result is}}
    %0 = ttg.local_alloc : () -> !ttg.memdesc<128xf32, #s, #smem>
    tt.return
  }
  tt.func @alloc_window() {
    // expected-error @below {{allocates a window [64] of [128]; the two shapes must be equal}}
    %0 = ttg.local_alloc : () -> !ttg.memdesc<64xf32, #s, #smem, mutable, 128>
    tt.return
  }
  tt.func @alloc_shape(%x: tensor<64xf32, #b>) {
    // expected-error @below {{needs a tensor of the memory's shape, [128], but its shape is [64]}}
    %0 = ttg.local_alloc %x : (tensor<64xf32, #b>) -> !ttg.memdesc<128xf32, #s, #smem>
    tt.return
  }
  tt.func @alloc_alignment() {
    // expected-error @below {{has alignment = 12; it must be a power of two}}
    %0 = ttg.local_alloc {alignment = 12 : i32} : () -> !ttg.memdesc<128xf32, #s, #smem, mutable>
    tt.return
  }
  tt.func @alloc_bits() {
    // expected-error @below {{allocates elements of 1 bits; they must be whole bytes}}
    %0 = ttg.local_alloc : () -> !ttg.memdesc<128xi1, #s, #smem, mutable>
    tt.return
  }
  tt.func @store_constant(%x: tensor<128xf32, #b>, %m: !ttg.memdesc<128xf32, #s, #smem>) {
    // expected-error @below {{needs mutable memory, but it is}}
    ttg.local_store %x, %m : tensor<128xf32, #b> -> !ttg.memdesc<128xf32, #s, #smem>
    tt.return
  }
  tt.func @load_type(%m: !ttg.memdesc<128xf16, #s, #smem>) {
    // expected-error @below {{needs a tensor and memory of the same element type, but they have 'f32' and 'f16'}}
    %0 = ttg.local_load %m : !ttg.memdesc<128xf16, #s, #smem> -> tensor<128xf32, #b>
    tt.return
  }
  tt.func @copy_constant(%p: tensor<128x!tt.ptr<f32>, #b>, %m: !ttg.memdesc<128xf32, #s, #smem>) {
    // expected-error @below {{needs mutable memory, but it is}}
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<128x!tt.ptr<f32>, #b> -> <128xf32, #s, #smem>
    tt.return
  }
  tt.func @gather_axis(%m: !ttg.memdesc<128xf32, #s, #smem>, %i: tensor<128xi32, #b>) {
    // expected-error @below {{has axis = 1; the memory's dimensions are 0 to 0}}
    %0 = ttg.local_gather %m[%i] {axis = 1 : i32} : !ttg.memdesc<128xf32, #s, #smem>, tensor<128xi32, #b> -> tensor<128xf32, #b>
    tt.return
  }
  tt.func @scatter_shape(%m: !ttg.memdesc<128xf32, #s, #smem, mutable>, %i: tensor<128xi32, #b>, %x: tensor<64xf32, #b>) {
    // expected-error @below {{both must have the same shape and layout}}
    ttg.local_scatter %m[%i], %x {axis = 0 : i32} : !ttg.memdesc<128xf32, #s, #smem, mutable>, tensor<128xi32, #b>, tensor<64xf32, #b>
    tt.return
  }
  tt.func @scratch() {
    // expected-error @below {{has alignment = 0; it must be a power of two}}
    %0 = ttg.global_scratch_alloc {alignment = 0 : i32, nbytes = 4 : i32} : !tt.ptr<i8>
    tt.return
  }
  tt.func @stage(%i: i32) {
    // expected-error @below {{has stage = 3 and maxStage = 2; the stage must be from 0 to maxStage}}
    %0 = ttg.predicate_stage %i, %i, %i maxStage 2 stage 3 : i32 -> i1
    tt.return
  }
  tt.func @mask(%p: i1, %x: i32) {
    // expected-error @below {{returns ('f32'); its ttg.mask.return has ('i32')}}
    %0 = "ttg.mask"(%p) ({
      ttg.mask.return %x : i32
    }) : (i1) -> f32
    tt.return
  }
}

// -----

#s = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#t = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#one = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!ring = !ttg.memdesc<3x64x64xf16, #s, #smem, mutable>
!buffer = !ttg.memdesc<64x64xf16, #s, #smem, mutable>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @index_shape(%r: !ring, %i: i32) {
    // expected-error @below {{it must drop the first dimension and keep the others}}
    %0 = ttg.memdesc_index %r[%i] : !ring -> !ttg.memdesc<32x64xf16, #s, #smem, mutable>
    tt.return
  }
  tt.func @subslice_offset(%b: !buffer) {
    // expected-error @below {{slices dimension 0 at offset 16; it must be a multiple of the slice's size, 32}}
    %0 = ttg.memdesc_subslice %b[16, 0] : !buffer -> !ttg.memdesc<32x64xf16, #s, #smem, mutable, 64x64>
    tt.return
  }
  tt.func @subslice_outside(%b: !buffer) {
    // expected-error @below {{slices 32 elements at offset 64 of dimension 0, whose size is 64}}
    %0 = ttg.memdesc_subslice %b[64, 0] : !buffer -> !ttg.memdesc<32x64xf16, #s, #smem, mutable, 64x64>
    tt.return
  }
  tt.func @subslice_swizzle(%b: !buffer) {
    // expected-error @below {{slices dimension 0 at 1, which divides the swizzle of}}
    %0 = ttg.memdesc_subslice %b[0, 0] : !buffer -> !ttg.memdesc<1x64xf16, #s, #smem, mutable, 64x64>
    tt.return
  }
  tt.func @subslice_rank(%b: !buffer) {
    // expected-error @below {{slices memory of 2 dimensions with 1 offset to a result of rank 2}}
    %0 = ttg.memdesc_subslice %b[0] : !buffer -> !ttg.memdesc<32x64xf16, #s, #smem, mutable, 64x64>
    tt.return
  }
  tt.func @trans_order(%b: !buffer) {
    // expected-error @below {{has order [0, 0]; it must be a permutation of [0, 1]}}
    %0 = ttg.memdesc_trans %b {order = array<i32: 0, 0>} : !buffer -> !buffer
    tt.return
  }
  tt.func @trans_layout(%b: !buffer) {
    // expected-error @below {{the transposed source has}}
    %0 = ttg.memdesc_trans %b {order = array<i32: 1, 0>} : !buffer -> !ttg.memdesc<64x64xf16, #t, #smem, mutable>
    tt.return
  }
  tt.func @reshape_elements(%b: !buffer) {
    // expected-error @below {{both need the same number of elements}}
    %0 = ttg.memdesc_reshape %b : !buffer -> !ttg.memdesc<2048xf16, #one, #smem, mutable>
    tt.return
  }
  tt.func @reshape_layout(%b: !buffer) {
    // expected-error @below {{the reshaped source has}}
    %0 = ttg.memdesc_reshape %b : !buffer -> !ttg.memdesc<4096xf16, #one, #smem, mutable>
    tt.return
  }
  tt.func @reinterpret_size(%b: !buffer) {
    // expected-error @below {{needs 16384 bytes; the source has 8192 in one contiguous piece}}
    %0 = ttg.memdesc_reinterpret %b : !buffer -> !ttg.memdesc<64x64xf32, #s, #smem, mutable>
    tt.return
  }
  tt.func @reinterpret_mutable(%b: !buffer) {
    // expected-error @below {{both must be mutable, or neither}}
    %0 = ttg.memdesc_reinterpret %b : !buffer -> !ttg.memdesc<64x64xi16, #s, #smem>
    tt.return
  }
}

// -----

#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#n = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#w = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @fp4_layout(%x: tensor<64x32xi8, #n>) {
    // expected-error @below {{each thread must have the two values of each of its bytes}}
    %0 = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<64x32xi8, #n> -> tensor<64x64xf16, #b>
    tt.return
  }
  tt.func @fp4_size(%x: tensor<64x32xi8, #n>) {
    // expected-error @below {{has a result of size 64 in dimension 0; it must be 128}}
    %0 = ttg.fp4_to_fp %x {axis = 0 : i32} : tensor<64x32xi8, #n> -> tensor<64x64xf16, #b>
    tt.return
  }
  tt.func @shuffle(%x: tensor<64x64xf16, #b>) {
    // expected-error @below {{has force_warp_shuffle, but elements move between warps}}
    %0 = ttg.convert_layout %x {force_warp_shuffle} : tensor<64x64xf16, #b> -> tensor<64x64xf16, #w>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @partition_warps() {
    // expected-error @below {{has partition 0 with num_warps(3); it must be a power of two of at most 64}}
    ttg.warp_specialize()
    default {
      ttg.warp_yield
    }
    partition0() num_warps(3) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
  tt.func @partition_arguments(%x: i32) {
    ttg.warp_specialize(%x)
    default {
      ttg.warp_yield
    }
    // expected-error @below {{has partition 0 with 0 arguments; it is passed 1}}
    partition0() num_warps(4) {
      ttg.warp_return
    } : (i32) -> ()
    tt.return
  }
  tt.func @yield_types(%x: i32) {
    %0 = ttg.warp_specialize()
    default {
      // expected-error @below {{yields ('i32'); the ttg.warp_specialize around it returns ('f32')}}
      ttg.warp_yield %x : i32
    } : () -> f32
    tt.return
  }
  tt.func @start_ids() {
    // expected-error @below {{has 2 warpGroupStartIds; it needs 1, one per partition}}
    ttg.warp_specialize() attributes {warpGroupStartIds = array<i32: 4, 8>}
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 2 : i32} {
  tt.func @few_warps() {
    // expected-error @below {{runs on 2 warps; warp specialisation needs a multiple of 4}}
    ttg.warp_specialize()
    default {
      ttg.warp_yield
    } : () -> ()
    tt.return
  }
}

// -----

tt.func @barrier() {
  // expected-error @below {{'shared' is not an address space; it must be none, local, global_read}}
  ttg.barrier shared
  tt.return
}

// -----

#split = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[1, 0]]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[0, 0]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @other_cta(%m: !ttg.memdesc<8x16xf16, #split, #smem, mutable>) {
    // expected-note @below {{the window comes from here}}
    %0 = ttg.memdesc_subslice %m [4, 0] : !ttg.memdesc<8x16xf16, #split, #smem, mutable> -> !ttg.memdesc<4x16xf16, #split, #smem, mutable, 8x16>
    // expected-error @below {{of which some CTAs hold no part; elements from 4 on are in another CTA}}
    %1 = ttg.memdesc_reinterpret %0 : !ttg.memdesc<4x16xf16, #split, #smem, mutable, 8x16> -> !ttg.memdesc<4x16xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#padded = #ttg.padded_shared<[4:+4] {order = [1, 0], shape = [32, 32]}>
#smem = #ttg.shared_memory
tt.func @padded_ring(%m: !ttg.memdesc<2x32x32xf32, #padded, #smem>) {
  // expected-error @below {{slices padded memory of 3 dimensions whose layout has 2; select one buffer of the ring first}}
  %0 = ttg.memdesc_subslice %m [0, 16, 0] : !ttg.memdesc<2x32x32xf32, #padded, #smem> -> !ttg.memdesc<2x16x32xf32, #padded, #smem, 2x32x32>
  tt.return
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @no_such_load(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %m: !ttg.memdesc<64x64xf16, #shared, #ttg.shared_memory, mutable>) {
    // expected-error @below {{needs loads to LDS, which gfx942, gfx950 and gfx1250 have; the module's target is hip:gfx1100}}
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f16>, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #ttg.shared_memory, mutable>
    tt.return
  }
}

// -----

// Assembly on memory, and on tensors without a layout.
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @pure_assembly_on_memory(%m: !ttg.memdesc<512xf32, #shared, #ttg.shared_memory, mutable>) {
    // expected-error @below {{assembly on memory is not pure: with memory descriptors, pure must be false}}
    %0 = ttg.inline_asm "ld.shared.b32 $0, [$1];" {constraints = "=r,r", pure = true} %m : (!ttg.memdesc<512xf32, #shared, #ttg.shared_memory, mutable>) -> i32
    tt.return
  }
  tt.func @assembly_without_a_layout(%x: tensor<512xf32>) {
    // expected-error @below {{tensors have a layout, which says what registers a thread holds}}
    %0 = ttg.inline_asm "add.f32 $0, $1, $1;" {constraints = "=f,f", pure = true} %x : (tensor<512xf32>) -> tensor<512xf32>
    tt.return
  }
}

// -----

tt.func @wait() {
  // expected-error @below {{waits until at most -1 accesses are in flight; the number must be at least 0}}
  %0 = ttg.async_wait {num = -1 : i32}
  tt.return
}
