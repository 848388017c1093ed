// What a chip cannot do is an error on the op, with the chips that can, or with what this one takes.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_80 --split-input-file --verify-diagnostics

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 32, 16]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @wgmma(%a: !ttg.memdesc<64x32xf16, #shared, #smem>, %b: !ttg.memdesc<32x32xf16, #shared, #smem>, %c: tensor<64x32xf32, #mma>) {
    // expected-error @below {{'ttng.warp_group_dot' has no instruction on sm_80; it has one on sm_90a}}
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32} : !ttg.memdesc<64x32xf16, #shared, #smem> * !ttg.memdesc<32x32xf16, #shared, #smem> -> tensor<64x32xf32, #mma>
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-error @below {{takes a descriptor as argument 0, which sm_80 cannot copy with; sm_90a and later, and gfx1250, can}}
  tt.func public @descriptor(%desc: !tt.tensordesc<64x64xf16, #shared>) {
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#flat = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @no_descriptor(%p: !tt.ptr<f16>, %b: !ttg.memdesc<1xi64, #flat, #smem, mutable>, %m: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %x: i32, %live: i1) {
    // expected-error @below {{operand #0 must be tensor descriptor, but got '!tt.ptr<f16>'}}
    ttng.async_tma_copy_global_to_local %p[%x, %x] %m, %b, %live : !tt.ptr<f16>, !ttg.memdesc<1xi64, #flat, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#matrix = #ttg.swizzled_shared<{vec = 2, perPhase = 1, maxPhase = 2, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @barrier(%b: !ttg.memdesc<4x1xi64, #matrix, #smem, mutable>) {
    // expected-error @below {{needs a barrier of Nxi64 with N at most the number of CTAs (1), but it is '!ttg.memdesc<4x1xi64,}}
    ttng.init_barrier %b, 1 : !ttg.memdesc<4x1xi64, #matrix, #smem, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @atomic(%x: tensor<512xf8E4M3FN, #blocked>, %p: tensor<512x!tt.ptr<f8E4M3FN>, #blocked>) {
    // expected-error @below {{needs an atomic 'fadd' of 'f8E4M3FN', which sm_80 does not have; it has one of f16, bf16, f32 and f64}}
    %y = tt.atomic_rmw fadd, acq_rel, gpu, %p, %x : (tensor<512x!tt.ptr<f8E4M3FN>, #blocked>, tensor<512xf8E4M3FN, #blocked>) -> tensor<512xf8E4M3FN, #blocked>
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @largest_byte(%p: !tt.ptr<f8E5M2>, %x: f8E5M2) {
    // expected-error @below {{needs an atomic 'max' of 'f8E5M2', which sm_80 does not have; it has one of i8, i16, i32, i64, f16, bf16, f32 and f64}}
    %y = tt.atomic_rmw max, relaxed, gpu, %p, %x : (!tt.ptr<f8E5M2>, f8E5M2) -> f8E5M2
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @bits_of_float(%p: !tt.ptr<f32>, %x: f32) {
    // expected-error @below {{needs an atomic 'and' of 'f32', which sm_80 does not have; it has one of i8, i16, i32 and i64}}
    %y = tt.atomic_rmw and, relaxed, gpu, %p, %x : (!tt.ptr<f32>, f32) -> f32
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @bit(%p: !tt.ptr<i1>, %x: i1) {
    // expected-error @below {{needs an atomic 'or' of 'i1', which sm_80 does not have; it has one of i8, i16, i32 and i64}}
    %y = tt.atomic_rmw or, relaxed, gpu, %p, %x : (!tt.ptr<i1>, i1) -> i1
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @swapped_bit(%p: !tt.ptr<i1>, %x: i1) {
    // expected-error @below {{needs an atomic 'cas' of 'i1', which sm_80 does not have; it has one of integers and floats of 8, 16, 32 and 64 bits}}
    %y = tt.atomic_cas relaxed, gpu, %p, %x, %x : (!tt.ptr<i1>, i1, i1) -> i1
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @bytes_in_shared(%i: tensor<128xi32, #blocked>, %x: tensor<128xf8E5M2, #blocked>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<128xf8E5M2, #shared, #smem, mutable>
    // expected-error @below {{needs an atomic 'fadd' of 'f8E5M2', which sm_80 does not have; it has one of f16, bf16, f32 and f64}}
    %y = ttg.local_atomic_scatter_rmw fadd, %m[%i], %x {axis = 0 : i32} : (!ttg.memdesc<128xf8E5M2, #shared, #smem, mutable>, tensor<128xf8E5M2, #blocked>, tensor<128xi32, #blocked>) -> tensor<128xf8E5M2, #blocked>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @two_buffers(%x: tensor<32768xf32, #blocked>, %y: tensor<16384xf32, #blocked>) {
    // expected-error @below {{the kernel needs 196608 bytes of shared memory, but a block on sm_80 has at most 166912; this op takes 131072}}
    %m = ttg.local_alloc %x : (tensor<32768xf32, #blocked>) -> !ttg.memdesc<32768xf32, #shared, #smem>
    // expected-note @below {{at the same time this op takes 65536}}
    %n = ttg.local_alloc %y : (tensor<16384xf32, #blocked>) -> !ttg.memdesc<16384xf32, #shared, #smem>
    %a = ttg.local_load %m : !ttg.memdesc<32768xf32, #shared, #smem> -> tensor<32768xf32, #blocked>
    %b = ttg.local_load %n : !ttg.memdesc<16384xf32, #shared, #smem> -> tensor<16384xf32, #blocked>
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @rounding(%p: !tt.ptr<f16>, %x: f32) {
    // expected-error @below {{no lowering for rounding upward yet; to_nearest_even and toward_zero have one}}
    %y = arith.truncf %x upward : f32 to f16
    tt.store %p, %y : !tt.ptr<f16>
    tt.return
  }
}
