// RUN: kernelscope opt --release=main --split-input-file %s | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#turned = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]], block = []}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#packed = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#unpacked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#scale = #ttg.linear<{register = [[16, 0]], lane = [[0, 0], [0, 0], [0, 1], [0, 2], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}>
#row = #ttg.blocked<{sizePerThread = [1, 32], threadsPerWarp = [64, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#pairs = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [64, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#column = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>
#mma = #ttg.amd_mfma<{version = 4, warpsPerCTA = [4, 1], instrShape = [16, 16, 128], isTransposed = true}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  // CHECK-LABEL: @copies
  tt.func @copies(%p: !tt.ptr<f16>, %o: tensor<32x64xi32, #blocked>, %m: tensor<32x64xi1, #blocked>, %z: tensor<32x64xf16, #blocked>, %i: i32, %d: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %q: tensor<32x64x!tt.ptr<f16>, #blocked>) {
    // CHECK: amdg.buffer_load_to_local %{{.*}}[%{{.*}}] mask = %{{.*}} other = %{{.*}} stride = %{{.*}} cacheModifier = cg into %{{.*}} : <f16>[tensor<32x64xi32, #blocked>] tensor<32x64xf16, #blocked> -> <32x64xf16, #shared, #smem, mutable>
    %0 = amdg.buffer_load_to_local %p[%o] mask = %m other = %z stride = %i cacheModifier = cg into %d : <f16>[tensor<32x64xi32, #blocked>] tensor<32x64xf16, #blocked> -> <32x64xf16, #shared, #smem, mutable>
    // CHECK: amdg.buffer_load_to_local %{{.*}}[%{{.*}}] into %{{.*}} {contiguity = 8 : i32} : <f16>[tensor<32x64xi32, #blocked>] -> <32x64xf16, #shared, #smem, mutable>
    %1 = amdg.buffer_load_to_local %p[%o] into %d {contiguity = 8 : i32} : <f16>[tensor<32x64xi32, #blocked>] -> <32x64xf16, #shared, #smem, mutable>
    // CHECK: amdg.async_copy_local_to_global %{{.*}}, %{{.*}} mask %{{.*}} : !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %2 = amdg.async_copy_local_to_global %d, %q mask %m : !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    // CHECK: amdg.async_wait %{{.*}} {num_inst = 0 : i32}
    %3 = amdg.async_wait %0, %1 {num_inst = 0 : i32}
    tt.return
  }

  // CHECK-LABEL: @registers
  tt.func @registers(%a: tensor<32x64xf16, #blocked>, %b: tensor<64x64xf16, #blocked>) {
    // CHECK: amdg.extract_slice %{{.*}} [32, 0] : tensor<64x64xf16, #blocked> to tensor<32x64xf16, #blocked>
    %0 = amdg.extract_slice %b [32, 0] : tensor<64x64xf16, #blocked> to tensor<32x64xf16, #blocked>
    // CHECK: amdg.concat %{{.*}}, %{{.*}} : tensor<32x64xf16, #blocked>, tensor<32x64xf16, #blocked> -> tensor<64x64xf16, #blocked>
    %1 = amdg.concat %a, %0 : tensor<32x64xf16, #blocked>, tensor<32x64xf16, #blocked> -> tensor<64x64xf16, #blocked>
    // CHECK: amdg.in_thread_transpose %{{.*}} : tensor<32x64xf16, #blocked> -> tensor<32x64xf16, #linear>
    %2 = amdg.in_thread_transpose %a : tensor<32x64xf16, #blocked> -> tensor<32x64xf16, #turned>
    tt.return
  }

  // CHECK-LABEL: @casts
  tt.func @casts(%a: tensor<32x64xi8, #packed>, %s: tensor<32x128xi8, #unpacked>, %c: tensor<32x4xi8, #scale>, %f: tensor<32x128xf8E5M2, #unpacked>, %m: !ttg.memdesc<32x256xi8, #column, #smem>, %w: tensor<256x32xf32, #row>, %e: tensor<256x1xi8, #row>) {
    // CHECK: amdg.scaled_upcast_fp4 %{{.*}} scale %{{.*}} {axis = 1 : i32} : tensor<32x64xi8, #{{.*}}>, tensor<32x128xi8, #{{.*}}> -> tensor<32x128xbf16, #{{.*}}>
    %0 = amdg.scaled_upcast_fp4 %a scale %s {axis = 1 : i32} : tensor<32x64xi8, #packed>, tensor<32x128xi8, #unpacked> -> tensor<32x128xbf16, #unpacked>
    // One scale for 32 elements.
    // CHECK: amdg.scaled_upcast_fp4 %{{.*}} scale %{{.*}} {axis = 1 : i32} : tensor<32x64xi8, #{{.*}}>, tensor<32x4xi8, #{{.*}}> -> tensor<32x128xbf16, #{{.*}}>
    %1 = amdg.scaled_upcast_fp4 %a scale %c {axis = 1 : i32} : tensor<32x64xi8, #packed>, tensor<32x4xi8, #scale> -> tensor<32x128xbf16, #unpacked>
    // CHECK: amdg.scaled_upcast_fp8 %{{.*}} scale %{{.*}} : tensor<32x128xf8E5M2, #{{.*}}>, tensor<32x128xi8, #{{.*}}> -> tensor<32x128xf16, #{{.*}}>
    %2 = amdg.scaled_upcast_fp8 %f scale %s : tensor<32x128xf8E5M2, #unpacked>, tensor<32x128xi8, #unpacked> -> tensor<32x128xf16, #unpacked>
    // CHECK: amdg.scaled_downcast_fp8 %{{.*}} scale %{{.*}} {axis = 1 : i32} : tensor<256x32xf32, #{{.*}}>, tensor<256x1xi8, #{{.*}}> -> tensor<256x32xf8E4M3FN, #{{.*}}>
    %4 = amdg.scaled_downcast_fp8 %w scale %e {axis = 1 : i32} : tensor<256x32xf32, #row>, tensor<256x1xi8, #row> -> tensor<256x32xf8E4M3FN, #row>
    // CHECK: amdg.scaled_downcast_fp4 %{{.*}} scale %{{.*}} {axis = 1 : i32} : tensor<256x32xf32, #{{.*}}>, tensor<256x1xi8, #{{.*}}> -> tensor<256x16xi8, #{{.*}}>
    %5 = amdg.scaled_downcast_fp4 %w scale %e {axis = 1 : i32} : tensor<256x32xf32, #row>, tensor<256x1xi8, #row> -> tensor<256x16xi8, #pairs>
    // CHECK: amdg.local_load_packed_transposed %{{.*}} : !ttg.memdesc<32x256xi8, #{{.*}}, #smem> -> tensor<64x128xi8, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>
    %3 = amdg.local_load_packed_transposed %m : !ttg.memdesc<32x256xi8, #column, #smem> -> tensor<64x128xi8, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @tdm
  tt.func @tdm(%d: !tt.tensordesc<32x64xf16, #shared>, %m: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %b: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %i: i32, %c: i1, %rows: tensor<32xi32>) {
    // CHECK: amdg.async_tdm_copy_global_to_local %{{.*}} into %{{[a-z0-9_]+}}, barrier = %{{.*}} {warp_used_hint = 3 : i32} : !tt.tensordesc<32x64xf16, #shared>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %0 = amdg.async_tdm_copy_global_to_local %d into %m, barrier = %b {warp_used_hint = 3 : i32} : !tt.tensordesc<32x64xf16, #shared>, !ttg.memdesc<1xi64, #bar, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    // The spelling of Triton 3.6.
    // CHECK: [[AT:%.*]] = amdg.update_tensor_descriptor %{{.*}} add_offsets = [%{{.*}}, %{{.*}}] pred = %{{.*}} {clamp_bounds} : !tt.tensordesc<32x64xf16, #shared>
    // CHECK: amdg.async_tdm_copy_global_to_local [[AT]] into %{{.*}} : !tt.tensordesc<32x64xf16, #shared> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %1 = amdg.async_tdm_copy_global_to_local %d[%i, %i] into %m, %c : !tt.tensordesc<tensor<32x64xf16, #shared>> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    // CHECK: amdg.async_tdm_fused_copy_global_to_local %{{.*}}, %{{.*}} into %{{.*}}, %{{.*}} {warp_used_hints = array<i32: 3, 12>} : !tt.tensordesc<32x64xf16, #shared>, !tt.tensordesc<32x64xf16, #shared> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %2 = amdg.async_tdm_fused_copy_global_to_local %d, %d into %m, %m {warp_used_hints = array<i32: 3, 12>} : !tt.tensordesc<32x64xf16, #shared>, !tt.tensordesc<32x64xf16, #shared> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    // CHECK: amdg.async_tdm_copy_local_to_global %{{.*}} from %{{.*}} : !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> !tt.tensordesc<32x64xf16, #shared>
    %3 = amdg.async_tdm_copy_local_to_global %d from %m : !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> !tt.tensordesc<32x64xf16, #shared>
    // CHECK: amdg.async_tdm_gather %{{.*}}[%{{.*}}] to %{{.*}} : tensor<32xi32>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> !tt.tensordesc<32x64xf16, #shared>
    %4 = amdg.async_tdm_gather %d[%rows] to %m : tensor<32xi32>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> !tt.tensordesc<32x64xf16, #shared>
    // CHECK: amdg.async_tdm_scatter %{{.*}}[%{{.*}}] from %{{.*}} : tensor<32xi32>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> !tt.tensordesc<32x64xf16, #shared>
    %5 = amdg.async_tdm_scatter %d[%rows] from %m : tensor<32xi32>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> !tt.tensordesc<32x64xf16, #shared>
    // CHECK: amdg.async_tdm_wait %{{.*}}, %{{.*}} {num = 0 : i32}
    %6 = amdg.async_tdm_wait %0, %1 {num = 0 : i32}
    // CHECK: amdg.async_tdm_intrinsic_wait {count = 0 : i32}
    %7 = amdg.async_tdm_intrinsic_wait {count = 0 : i32}
    // CHECK: amdg.tdm_prefetch %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}}, speculative = true : !tt.tensordesc<32x64xf16, #shared>
    amdg.tdm_prefetch %d[%i, %i], %c, speculative = true : !tt.tensordesc<32x64xf16, #shared>
    // CHECK: amdg.update_tensor_descriptor %{{.*}} add_offsets = [%{{.*}}, %{{.*}}] pred = %{{.*}} {clamp_bounds} : !tt.tensordesc<32x64xf16, #shared>
    %8 = amdg.update_tensor_descriptor %d add_offsets = [%i, %i] pred = %i {clamp_bounds} : !tt.tensordesc<32x64xf16, #shared>
    tt.return
  }

  // CHECK-LABEL: @barriers
  tt.func @barriers(%b: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %i: i32) {
    // CHECK: amdg.init_barrier %{{.*}}, 4 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    amdg.init_barrier %b, 4 : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    // CHECK: amdg.arrive_barrier %{{.*}}, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> i32
    %0 = amdg.arrive_barrier %b, 1 : !ttg.memdesc<1xi64, #bar, #smem, mutable> -> i32
    // CHECK: amdg.async_copy_mbarrier_arrive %{{.*}} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    amdg.async_copy_mbarrier_arrive %b : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    // CHECK: amdg.wait_barrier %{{.*}}, %{{.*}} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    amdg.wait_barrier %b, %i : !ttg.memdesc<1xi64, #bar, #smem, mutable>
    tt.return
  }
}
