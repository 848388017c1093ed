// The fields of a #ttng.cache_policy, and the ops that take it.
// RUN: kernelscope opt %s --split-input-file --verify-diagnostics

module {
  tt.func @both(%p: !tt.ptr<f32>) {
    // expected-error @below {{has both 'cache_modifier' and 'l1'; an access takes one of them}}
    %v = tt.load %p {cachePolicy = #ttng.cache_policy<cache_modifier = cg, l1 = evict_last>} : !tt.ptr<f32>
    tt.return
  }
}

// -----

module {
  tt.func @half(%p: !tt.ptr<f32>) {
    // expected-error @below {{needs all of 'l2_primary', 'l2_secondary' and 'l2_fraction' for L2, or none}}
    %v = tt.load %p {cachePolicy = #ttng.cache_policy<l2_primary = evict_first>} : !tt.ptr<f32>
    tt.return
  }
}

// -----

module {
  tt.func @primary(%p: !tt.ptr<f32>) {
    // expected-error @below {{has l2_primary = no_allocate; L2 has evict_normal, evict_unchanged, evict_first and evict_last}}
    %v = tt.load %p {cachePolicy = #ttng.cache_policy<l2_primary = no_allocate, l2_secondary = evict_first, l2_fraction = 1.000000e+00 : f32>} : !tt.ptr<f32>
    tt.return
  }
}

// -----

module {
  tt.func @secondary(%p: !tt.ptr<f32>) {
    // expected-error @below {{has l2_secondary = evict_last; it must be evict_unchanged or evict_first}}
    %v = tt.load %p {cachePolicy = #ttng.cache_policy<l2_primary = evict_first, l2_secondary = evict_last, l2_fraction = 1.000000e+00 : f32>} : !tt.ptr<f32>
    tt.return
  }
}

// -----

module {
  tt.func @fraction(%p: !tt.ptr<f32>) {
    // expected-error @below {{it must be an f32 above 0 and at most 1}}
    %v = tt.load %p {cachePolicy = #ttng.cache_policy<l2_primary = evict_first, l2_secondary = evict_first, l2_fraction = 1.500000e+00 : f32>} : !tt.ptr<f32>
    tt.return
  }
}

// -----

module {
  tt.func @prefetch(%p: !tt.ptr<f32>) {
    // expected-error @below {{has l2_prefetch_size = 32; it must be 64, 128 or 256}}
    %v = tt.load %p {cachePolicy = #ttng.cache_policy<l2_prefetch_size = 32 : i32>} : !tt.ptr<f32>
    tt.return
  }
}

// -----

module {
  tt.func @store(%p: !tt.ptr<f32>, %v: f32) {
    // expected-error @below {{has 'l2_prefetch_size' in its cache policy; only loads fetch more than they access}}
    tt.store %p, %v {cachePolicy = #ttng.cache_policy<l2_prefetch_size = 64 : i32>} : !tt.ptr<f32>
    tt.return
  }
}

// -----

module {
  tt.func @other(%p: !tt.ptr<f32>) {
    // expected-error @below {{has cachePolicy = 3 : i32; it must be a #tt.cache_policy or a #ttng.cache_policy}}
    %v = tt.load %p {cachePolicy = 3 : i32} : !tt.ptr<f32>
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func @amd(%p: !tt.ptr<f32>) {
    // expected-error @below {{has a cache policy of NVIDIA's chips, and the module is for gfx950; use #tt.cache_policy with a cache modifier}}
    %v = tt.load %p {cachePolicy = #ttng.cache_policy<l1 = evict_last>} : !tt.ptr<f32>
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tma(%d: !tt.tensordesc<64x64xf16, #shared>, %i: i32) {
    %tile = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #ttg.shared_memory, mutable>
    // expected-error @below {{has 'l1' in its cache policy; TMA takes priorities of L2 only}}
    ttng.async_tma_copy_local_to_global %d[%i, %i] %tile {cachePolicy = #ttng.cache_policy<l1 = evict_first>} : !tt.tensordesc<64x64xf16, #shared>, !ttg.memdesc<64x64xf16, #shared, #ttg.shared_memory, mutable>
    tt.return
  }
}
