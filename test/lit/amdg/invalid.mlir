// Each rule of amdg, broken once: the message names the rule, what was found and what is needed.
// RUN: kernelscope opt --verify-diagnostics --split-input-file %s -o /dev/null

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx90a", "ttg.threads-per-warp" = 64 : i32} {
  tt.func @target(%p: !tt.ptr<f16>, %o: tensor<32x64xi32, #blocked>, %d: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>) {
    // expected-error @below {{needs buffer loads to LDS, which gfx942 and gfx950 have, but the target is hip:gfx90a}}
    %1 = amdg.buffer_load_to_local %p[%o] into %d : <f16>[tensor<32x64xi32, #blocked>] -> <32x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func @pieces(%b: tensor<64x64xf16, #blocked>) {
    // expected-error @below {{needs a slice inside the source, but in dimension 0 it starts at 48 and takes 32 of 64 elements}}
    %0 = amdg.extract_slice %b [48, 0] : tensor<64x64xf16, #blocked> to tensor<32x64xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func @pieces(%b: tensor<64x64xf16, #blocked>) {
    // expected-error @below {{needs an offset for each of the 2 dimensions, but has 1}}
    %1 = amdg.extract_slice %b [0] : tensor<64x64xf16, #blocked> to tensor<32x64xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#other = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func @pieces(%b: tensor<64x64xf16, #blocked>) {
    // expected-error @below {{needs layouts that agree on each lane}}
    %2 = amdg.extract_slice %b [0, 0] : tensor<64x64xf16, #blocked> to tensor<32x64xf16, #other>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func @pieces(%b: tensor<64x64xf16, #blocked>) {
    // expected-error @below {{needs every result element in a source register of the same thread, but no source register holds [16, 0]}}
    %3 = amdg.extract_slice %b [16, 0] : tensor<64x64xf16, #blocked> to tensor<32x64xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func @pieces(%a: tensor<32x64xf16, #blocked>) {
    // expected-error @below {{needs 2 sources to fill the result, but has 1}}
    %4 = amdg.concat %a : tensor<32x64xf16, #blocked> -> tensor<64x64xf16, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#other = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func @pieces(%a: tensor<32x64xf16, #blocked>) {
    // expected-error @below {{needs a result layout with transposed registers}}
    %5 = amdg.in_thread_transpose %a : tensor<32x64xf16, #blocked> -> tensor<32x64xf16, #other>
    tt.return
  }
}

// -----

#swizzled = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tdm(%d: !tt.tensordesc<32x64xf16>, %s: !ttg.memdesc<32x64xf16, #swizzled, #smem, mutable>) {
    // expected-error @below {{needs memory that is not swizzled (maxPhase = 1), but it has maxPhase = 8}}
    %0 = amdg.async_tdm_copy_global_to_local %d into %s : !tt.tensordesc<32x64xf16> -> !ttg.memdesc<32x64xf16, #swizzled, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tdm(%d: !tt.tensordesc<32x64xf16>, %m: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>) {
    // expected-error @below {{needs a hint with bits for warps 0 to 3 only, but it is 16}}
    %1 = amdg.async_tdm_copy_global_to_local %d into %m {warp_used_hint = 16 : i32} : !tt.tensordesc<32x64xf16> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tdm(%d: !tt.tensordesc<32x64xf16>, %m: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>) {
    // expected-error @below {{needs a hint whose warp ids agree on some bits}}
    %2 = amdg.async_tdm_copy_global_to_local %d into %m {warp_used_hint = 7 : i32} : !tt.tensordesc<32x64xf16> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tdm(%d: !tt.tensordesc<32x64xf16>, %m: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>) {
    // expected-error @below {{needs hints that select disjoint warps}}
    %3 = amdg.async_tdm_fused_copy_global_to_local %d, %d into %m, %m {warp_used_hints = array<i32: 3, 3>} : !tt.tensordesc<32x64xf16>, !tt.tensordesc<32x64xf16> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tdm(%d: !tt.tensordesc<32x64xf16>) {
    // expected-error @below {{needs something to change: add_offsets, set_bounds or pred}}
    %4 = amdg.update_tensor_descriptor %d : !tt.tensordesc<32x64xf16>
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tdm(%d: !tt.tensordesc<32x64xf16>, %i: i32) {
    // expected-error @below {{needs 2 values in add_offsets, one per dimension, but has 1}}
    %5 = amdg.update_tensor_descriptor %d add_offsets = [%i] : !tt.tensordesc<32x64xf16>
    tt.return
  }
}

// -----

#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @barrier(%b: !ttg.memdesc<1xi64, #bar, #smem, mutable>) {
    // expected-error @below {{needs a count of at least 1, but has 0}}
    amdg.init_barrier %b, 0 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    tt.return
  }
}

// -----

#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @barrier(%w: !ttg.memdesc<1xi32, #bar, #smem, mutable>) {
    // expected-error @below {{needs a barrier of Nxi64 with N at most the number of CTAs (1)}}
    amdg.init_barrier %w, 1 : !ttg.memdesc<1xi32, #bar, #smem, mutable>
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @barrier() {
    // expected-error @below {{needs a cluster of at least two CTAs, but the module has ttg.num-ctas = 1}}
    amdg.cluster_barrier_arrive
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func @narrow(%p: !tt.ptr<i16>, %o: tensor<64xi32, #blocked>, %v: tensor<64xi16, #blocked>) {
    // expected-error @below {{needs elements of f16, bf16, f32, f64, i32 or i64, which the instruction supports, but they are 'i16'}}
    %0 = amdg.buffer_atomic_rmw add, relaxed, gpu, %v, %p[%o] : tensor<64xi16, #blocked>
    tt.return
  }
}

// -----

#rows = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0], [8, 0]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [], block = [[0, 0], [0, 0]]}>
#slice = #ttg.slice<{dim = 1, parent = #rows}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[1, 0], [2, 0]]}>
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @rows_of_ctas(%m: !ttg.memdesc<16x64xf16, #shared, #ttg.shared_memory, mutable>, %d: !tt.tensordesc<16x64xf16>, %i: tensor<16xi32, #slice>) {
    // expected-error @below {{needs row indices distributed over CTAs like the memory's rows, in steps of [4, 8], but theirs are [0, 0]}}
    %0 = amdg.async_tdm_gather %d[%i] to %m : tensor<16xi32, #slice>, !ttg.memdesc<16x64xf16, #shared, #ttg.shared_memory, mutable> -> !tt.tensordesc<16x64xf16>
    tt.return
  }
}

// -----

#acc = #ttg.amd_wmma<{version = 3, isTranspose = true, ctaLayout = {warp = [[0, 1], [1, 0]]}, CGALayout = [[1, 0], [0, 1]], instrShape = [16, 16, 32]}>
#left = #ttg.amd_wmma<{version = 3, isTranspose = true, ctaLayout = {warp = [[0, 1], [1, 0]]}, CGALayout = [[1, 0], [0, 0]], instrShape = [16, 16, 32]}>
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @cluster(%a: tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #left, kWidth = 8}>>, %b: tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #left, kWidth = 8}>>, %c: tensor<32x32xf32, #acc>) {
    // expected-error @below {{has a right operand with the CGALayout}}
    %0 = tt.dot %a, %b, %c : tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #left, kWidth = 8}>> * tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #left, kWidth = 8}>> -> tensor<32x32xf32, #acc>
    tt.return
  }
  tt.func @shared_result(%a: tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #left, kWidth = 8}>>, %b: tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #left, kWidth = 8}>>, %d: tensor<32x32xf32, #left>) {
    // expected-error @below {{has a result that CTAs replicate}}
    %1 = tt.dot %a, %b, %d : tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #left, kWidth = 8}>> * tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #left, kWidth = 8}>> -> tensor<32x32xf32, #left>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func @upcast_mxfp_format(%a: tensor<32x32xi8>, %s: tensor<32x2xi8>) {
    // expected-error @below {{needs fp_type e2m1, e4m3 or e5m2, but it is e3m2}}
    %0 = amdg.upcast_mxfp %a, %s fp_type = e3m2 {fastMath = false} : tensor<32x32xi8>, tensor<32x2xi8> -> tensor<32x32xbf16>
    tt.return
  }
  tt.func @upcast_mxfp_size(%a: tensor<32x32xi8>, %s: tensor<32x2xi8>) {
    // expected-error @below {{needs a result with twice the source's size along K (dimension 1), a multiple of 32, but source and result are 'tensor<32x32xi8>' and 'tensor<32x32xbf16>'}}
    %0 = amdg.upcast_mxfp %a, %s fp_type = e2m1 {fastMath = false} : tensor<32x32xi8>, tensor<32x2xi8> -> tensor<32x32xbf16>
    tt.return
  }
  tt.func @upcast_mxfp_scales(%a: tensor<32x32xi8>, %s: tensor<32x2xi8>) {
    // expected-error @below {{needs one scale for every 32 elements along K (dimension 1 of the result), so a 'tensor<32x1xi8>', but it is 'tensor<32x2xi8>'}}
    %0 = amdg.upcast_mxfp %a, %s fp_type = e5m2 {fastMath = false} : tensor<32x32xi8>, tensor<32x2xi8> -> tensor<32x32xbf16>
    tt.return
  }
}
// -----

#row = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [64, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#four = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#eight = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func @downcast(%x: tensor<256x32xf32, #row>, %y: tensor<256x32xf32, #four>, %z: tensor<256x32xf32, #eight>, %s: tensor<256x1xi8, #row>) {
    // expected-error @below {{axis of the unpacked tensor and scales of its rank, but has axis 3}}
    %0 = amdg.scaled_downcast_fp8 %x scale %s {axis = 3 : i32} : tensor<256x32xf32, #row>, tensor<256x1xi8, #row> -> tensor<256x32xf8E5M2, #row>
    tt.return
  }
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [64, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#four = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#eight = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func @downcast(%x: tensor<256x32xf32, #row>, %y: tensor<256x32xf32, #four>, %z: tensor<256x32xf32, #eight>, %s: tensor<128x1xi8, #row>) {
    // expected-error @below {{needs scales with the unpacked tensor's shape, except along the axis}}
    %0 = amdg.scaled_downcast_fp8 %x scale %s {axis = 1 : i32} : tensor<256x32xf32, #row>, tensor<128x1xi8, #row> -> tensor<256x32xf8E5M2, #row>
    tt.return
  }
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [64, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#four = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#eight = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func @downcast(%x: tensor<256x32xf32, #row>, %y: tensor<256x32xf32, #four>, %z: tensor<256x32xf32, #eight>, %s: tensor<256x1xi8>) {
    // expected-error @below {{needs a layout on scales and tensor or on neither}}
    %0 = amdg.scaled_downcast_fp8 %x scale %s {axis = 1 : i32} : tensor<256x32xf32, #row>, tensor<256x1xi8> -> tensor<256x32xf8E5M2, #row>
    tt.return
  }
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [64, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#four = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#eight = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func @downcast(%x: tensor<256x32xf32, #row>, %y: tensor<256x32xf32, #four>, %z: tensor<256x32xf32, #eight>, %s: tensor<256x8xi8, #row>) {
    // expected-error @below {{needs one scale for every 8 elements along the axis, or for a larger power of two, but has one for every 4}}
    %0 = amdg.scaled_downcast_fp8 %x scale %s {axis = 1 : i32} : tensor<256x32xf32, #row>, tensor<256x8xi8, #row> -> tensor<256x32xf8E5M2, #row>
    tt.return
  }
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [64, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#four = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#eight = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func @downcast(%x: tensor<256x32xf32, #row>, %y: tensor<256x32xf32, #four>, %z: tensor<256x32xf32, #eight>, %s: tensor<256x32xi8, #row>) {
    // expected-error @below {{needs one scale for every 8 elements along the axis, or for a larger power of two, but has one for every 1}}
    %0 = amdg.scaled_downcast_fp8 %x scale %s {axis = 1 : i32} : tensor<256x32xf32, #row>, tensor<256x32xi8, #row> -> tensor<256x32xf8E5M2, #row>
    tt.return
  }
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [64, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#four = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#eight = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func @downcast(%x: tensor<256x32xf32, #row>, %y: tensor<256x32xf32, #four>, %z: tensor<256x32xf32, #eight>, %s: tensor<256x1xi8, #four>) {
    // expected-error @below {{needs every eight adjacent registers of the unpacked tensor to share one scale}}
    %0 = amdg.scaled_downcast_fp8 %y scale %s {axis = 1 : i32} : tensor<256x32xf32, #four>, tensor<256x1xi8, #four> -> tensor<256x32xf8E5M2, #four>
    tt.return
  }
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [64, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#four = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#eight = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func @downcast(%x: tensor<256x32xf32, #row>, %y: tensor<256x32xf32, #four>, %z: tensor<256x32xf32, #eight>, %s: tensor<256x4xi8, #eight>) {
    // expected-error @below {{needs scales laid out as the elements use them}}
    %0 = amdg.scaled_downcast_fp8 %z scale %s {axis = 1 : i32} : tensor<256x32xf32, #eight>, tensor<256x4xi8, #eight> -> tensor<256x32xf8E5M2, #eight>
    tt.return
  }
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [64, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#four = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#eight = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func @downcast(%x: tensor<256x32xf32, #row>, %y: tensor<256x32xf32, #four>, %z: tensor<256x32xf32, #eight>, %s: tensor<256x1xi8, #row>) {
    // expected-error @below {{needs a result with the shape and layout of its input}}
    %0 = amdg.scaled_downcast_fp8 %x scale %s {axis = 1 : i32} : tensor<256x32xf32, #row>, tensor<256x1xi8, #row> -> tensor<256x32xf8E5M2, #eight>
    tt.return
  }
}

// -----

#row = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [64, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#four = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#eight = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func @downcast(%x: tensor<256x32xf32, #row>, %y: tensor<256x32xf32, #four>, %z: tensor<256x32xf32, #eight>, %s: tensor<256x1xi8, #row>) {
    // expected-error @below {{has a result of size 32 in dimension 1; it must be 64}}
    %0 = amdg.scaled_downcast_fp4 %x scale %s {axis = 1 : i32} : tensor<256x32xf32, #row>, tensor<256x1xi8, #row> -> tensor<256x32xi8, #row>
    tt.return
  }
}

// -----

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
tt.func @prefetch(%d: !tt.tensordesc<4x128xf32, #s>, %i: i32, %p: i1) {
  // expected-error @below {{returns 'tensor<4x128xi64>'; it must return 'tensor<4x2xi64>', an offset for each 256 bytes of the block}}
  %0 = amdg.tdm_prefetch %d[%i, %i], %p, speculative = true returnOffsets : !tt.tensordesc<4x128xf32, #s> -> tensor<4x128xi64>
  tt.return
}

// -----

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
tt.func @prefetch_indices(%d: !tt.tensordesc<4x128xf32, #s>, %i: i32, %p: i1) {
  // expected-error @below {{needs an index for each of the 2 dimensions of the descriptor's block, but has 1}}
  amdg.tdm_prefetch %d[%i], %p, speculative = true : !tt.tensordesc<4x128xf32, #s>
  tt.return
}
