// Copies straight to LDS that the chip cannot make: width, order of the lanes, gaps.
// RUN: not kernelscope check %s | FileCheck %s
// RUN: cp %s %t.ttgir
// RUN: not kernelscope check %t.ttgir | FileCheck %s --check-prefix=STAGE --implicit-check-not=hint: --implicit-check-not="later pass"
#blocked0 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared0 = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 64], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared2 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#shared3 = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  // At the end of the stage no later pass changes the layout of the lanes.
  // STAGE: error: 'ttg.async_copy_global_to_local' copies 128 bits per lane at a time; a direct-to-LDS copy on gfx942 takes 32 [lds-width]
  tt.func @f16x8(%p: tensor<64x64x!tt.ptr<f16>, #blocked0>, %m: !ttg.memdesc<64x64xf16, #shared0, #smem, mutable>) {
    // CHECK: :[[@LINE+1]]:10: hint: 'ttg.async_copy_global_to_local' copies 128 bits per lane at a time; a direct-to-LDS copy on gfx942 takes 32; a later pass may give the lanes another layout [lds-width]
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f16>, #blocked0> -> <64x64xf16, #shared0, #smem, mutable>
    tt.return
  }
  tt.func @f64(%p: tensor<64x64x!tt.ptr<f64>, #blocked1>, %m: !ttg.memdesc<64x64xf64, #shared1, #smem, mutable>) {
    // CHECK: :[[@LINE+1]]:10: hint: 'ttg.async_copy_global_to_local' copies 64 bits per lane at a time; a direct-to-LDS copy on gfx942 takes 32; a later pass may give the lanes another layout [lds-width]
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f64>, #blocked1> -> <64x64xf64, #shared1, #smem, mutable>
    tt.return
  }
  tt.func @f16(%p: tensor<64x64x!tt.ptr<f16>, #blocked1>, %m: !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>) {
    // CHECK: :[[@LINE+1]]:10: hint: 'ttg.async_copy_global_to_local' copies 16 bits per lane at a time; a direct-to-LDS copy on gfx942 takes at least 32, so it overwrites adjacent data; a later pass may give the lanes another layout [lds-width]
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f16>, #blocked1> -> <64x64xf16, #shared1, #smem, mutable>
    tt.return
  }
  tt.func @f16x2_swizzled_by_ones(%p: tensor<64x64x!tt.ptr<f16>, #blocked2>, %m: !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>) {
    // CHECK: :[[@LINE+1]]:10: error: 'ttg.async_copy_global_to_local' copies 16 bits per lane at a time; a direct-to-LDS copy on gfx942 takes at least 32, so it overwrites adjacent data [lds-width]
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f16>, #blocked2> -> <64x64xf16, #shared2, #smem, mutable>
    tt.return
  }
  // CHECK-NOT: {{warning|hint|error}}:
  tt.func @f16x2(%p: tensor<64x64x!tt.ptr<f16>, #blocked2>, %m: !ttg.memdesc<64x64xf16, #shared3, #smem, mutable>) {
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f16>, #blocked2> -> <64x64xf16, #shared3, #smem, mutable>
    tt.return
  }
  tt.func @f32(%p: tensor<64x64x!tt.ptr<f32>, #blocked1>, %m: !ttg.memdesc<64x64xf32, #shared1, #smem, mutable>) {
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f32>, #blocked1> -> <64x64xf32, #shared1, #smem, mutable>
    tt.return
  }
}

// -----

#blocked0 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared0 = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 64], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [64, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared2 = #ttg.padded_shared<[16:+4] {order = [1, 0], shape = [64, 64]}>
#blocked4 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared3 = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#blocked5 = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared4 = #ttg.swizzled_shared<{vec = 2, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#blocked6 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared5 = #ttg.padded_shared<[64:+4] {order = [1, 0], shape = [64, 64]}>
#shared6 = #ttg.padded_shared<[512:+16] {order = [1, 0], shape = [64, 64]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func @f16x4(%p: tensor<64x64x!tt.ptr<f16>, #blocked0>, %m: !ttg.memdesc<64x64xf16, #shared0, #smem, mutable>) {
    // CHECK: :[[@LINE+1]]:10: hint: 'ttg.async_copy_global_to_local' copies 64 bits per lane at a time; a direct-to-LDS copy on gfx950 takes 32 or 128; a later pass may give the lanes another layout [lds-width]
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f16>, #blocked0> -> <64x64xf16, #shared0, #smem, mutable>
    tt.return
  }
  tt.func @f64(%p: tensor<64x64x!tt.ptr<f64>, #blocked1>, %m: !ttg.memdesc<64x64xf64, #shared1, #smem, mutable>) {
    // CHECK: :[[@LINE+1]]:10: hint: 'ttg.async_copy_global_to_local' copies 64 bits per lane at a time; a direct-to-LDS copy on gfx950 takes 32 or 128; a later pass may give the lanes another layout [lds-width]
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f64>, #blocked1> -> <64x64xf64, #shared1, #smem, mutable>
    tt.return
  }
  tt.func @columns_first(%p: tensor<64x64x!tt.ptr<f32>, #blocked2>, %m: !ttg.memdesc<64x64xf32, #shared1, #smem, mutable>) {
    // CHECK: :[[@LINE+1]]:10: hint: 'ttg.async_copy_global_to_local' does not write LDS in the order of the lanes; on gfx950 each lane of a direct-to-LDS copy writes right after the lane before it; a later pass may give the lanes another layout [lds-width]
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f32>, #blocked2> -> <64x64xf32, #shared1, #smem, mutable>
    tt.return
  }
  tt.func @lanes_4_by_16(%p: tensor<64x32x!tt.ptr<f32>, #blocked3>, %m: !ttg.memdesc<64x32xf32, #shared1, #smem, mutable>) {
    // CHECK: :[[@LINE+1]]:10: hint: 'ttg.async_copy_global_to_local' does not write LDS in the order of the lanes; on gfx950 each lane of a direct-to-LDS copy writes right after the lane before it; a later pass may give the lanes another layout [lds-width]
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x32x!tt.ptr<f32>, #blocked3> -> <64x32xf32, #shared1, #smem, mutable>
    tt.return
  }
  tt.func @lanes_without_elements(%p: tensor<64x32x!tt.ptr<f32>, #blocked1>, %m: !ttg.memdesc<64x32xf32, #shared1, #smem, mutable>) {
    // CHECK: :[[@LINE+1]]:10: hint: 'ttg.async_copy_global_to_local' does not write LDS in the order of the lanes; on gfx950 each lane of a direct-to-LDS copy writes right after the lane before it; a later pass may give the lanes another layout [lds-width]
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x32x!tt.ptr<f32>, #blocked1> -> <64x32xf32, #shared1, #smem, mutable>
    tt.return
  }
  tt.func @gap_in_a_warp(%p: tensor<64x64x!tt.ptr<f32>, #blocked1>, %m: !ttg.memdesc<64x64xf32, #shared2, #smem, mutable>) {
    // CHECK: :[[@LINE+1]]:10: hint: 'ttg.async_copy_global_to_local' writes 64 contiguous elements per warp on gfx950, but the layout has padding after every 16; a later pass may give the lanes another layout [lds-width]
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f32>, #blocked1> -> <64x64xf32, #shared2, #smem, mutable>
    tt.return
  }
  // CHECK-NOT: {{warning|hint|error}}:
  tt.func @f16x8(%p: tensor<64x64x!tt.ptr<f16>, #blocked4>, %m: !ttg.memdesc<64x64xf16, #shared3, #smem, mutable>) {
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f16>, #blocked4> -> <64x64xf16, #shared3, #smem, mutable>
    tt.return
  }
  tt.func @f64x2(%p: tensor<64x64x!tt.ptr<f64>, #blocked5>, %m: !ttg.memdesc<64x64xf64, #shared4, #smem, mutable>) {
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f64>, #blocked5> -> <64x64xf64, #shared4, #smem, mutable>
    tt.return
  }
  tt.func @lanes_2_by_32(%p: tensor<64x32x!tt.ptr<f32>, #blocked6>, %m: !ttg.memdesc<64x32xf32, #shared1, #smem, mutable>) {
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x32x!tt.ptr<f32>, #blocked6> -> <64x32xf32, #shared1, #smem, mutable>
    tt.return
  }
  tt.func @gap_after_a_warp(%p: tensor<64x64x!tt.ptr<f32>, #blocked1>, %m: !ttg.memdesc<64x64xf32, #shared5, #smem, mutable>) {
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f32>, #blocked1> -> <64x64xf32, #shared5, #smem, mutable>
    tt.return
  }
  tt.func @gap_after_wide_copies(%p: tensor<64x64x!tt.ptr<f16>, #blocked4>, %m: !ttg.memdesc<64x64xf16, #shared6, #smem, mutable>) {
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f16>, #blocked4> -> <64x64xf16, #shared6, #smem, mutable>
    tt.return
  }
  // If waits count instructions, no later pass fixes it.
  tt.func @no_longer_mended(%p: tensor<64x64x!tt.ptr<f16>, #blocked0>, %m: !ttg.memdesc<64x64xf16, #shared0, #smem, mutable>) {
    // CHECK: :[[@LINE+1]]:10: error: 'ttg.async_copy_global_to_local' copies 64 bits per lane at a time; a direct-to-LDS copy on gfx950 takes 32 or 128 [lds-width]
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f16>, #blocked0> -> <64x64xf16, #shared0, #smem, mutable>
    %1 = amdg.async_wait {num_inst = 0 : i32}
    tt.return
  }
}

// -----

#blocked0 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared0 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 2, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#shared2 = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared3 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#shared4 = #ttg.padded_shared<[64:+8] {order = [1, 0], shape = [64, 64]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @swizzled_by_ones(%p: tensor<64x64x!tt.ptr<f16>, #blocked0>, %m: !ttg.memdesc<64x64xf16, #shared0, #smem, mutable>) {
    // CHECK: :[[@LINE+1]]:10: error: 'ttg.async_copy_global_to_local' copies 16 bits per lane at a time; a direct-to-LDS copy on gfx1250 takes at least 32, so it overwrites adjacent data [lds-width]
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f16>, #blocked0> -> <64x64xf16, #shared0, #smem, mutable>
    tt.return
  }
  tt.func @i8x2(%p: tensor<64x64x!tt.ptr<i8>, #blocked1>, %m: !ttg.memdesc<64x64xi8, #shared1, #smem, mutable>) {
    // CHECK: :[[@LINE+1]]:10: error: 'ttg.async_copy_global_to_local' copies 16 bits per lane at a time; a direct-to-LDS copy on gfx1250 takes at least 32, so it overwrites adjacent data [lds-width]
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<i8>, #blocked1> -> <64x64xi8, #shared1, #smem, mutable>
    tt.return
  }
  // CHECK-NOT: {{warning|hint|error}}:
  tt.func @f16x8(%p: tensor<64x64x!tt.ptr<f16>, #blocked0>, %m: !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>) {
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f16>, #blocked0> -> <64x64xf16, #shared2, #smem, mutable>
    tt.return
  }
  tt.func @f16x4(%p: tensor<64x64x!tt.ptr<f16>, #blocked2>, %m: !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>) {
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f16>, #blocked2> -> <64x64xf16, #shared2, #smem, mutable>
    tt.return
  }
  tt.func @any_order(%p: tensor<64x64x!tt.ptr<f32>, #blocked3>, %m: !ttg.memdesc<64x64xf32, #shared3, #smem, mutable>) {
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f32>, #blocked3> -> <64x64xf32, #shared3, #smem, mutable>
    tt.return
  }
  tt.func @gaps(%p: tensor<64x64x!tt.ptr<f16>, #blocked0>, %m: !ttg.memdesc<64x64xf16, #shared4, #smem, mutable>) {
    %0 = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f16>, #blocked0> -> <64x64xf16, #shared4, #smem, mutable>
    tt.return
  }
}
