// RUN: kernelscope opt --verify-diagnostics --split-input-file %s | FileCheck %s

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @ops
  tt.func @ops(%p: !tt.ptr<i32>, %m: !ttg.memdesc<512xi32, #shared, #smem, mutable>, %i: i32) {
    // CHECK: proton_gpu.initialize %{{.*}} : !tt.ptr<i32>
    proton_gpu.initialize %p : !tt.ptr<i32>
    // CHECK: proton_gpu.init_ctx %{{.*}} : !tt.ptr<i32>
    proton_gpu.init_ctx %p : !tt.ptr<i32>
    // CHECK: %[[S:.*]] = proton_gpu.segment_alloc %{{.*}} : !ttg.memdesc<512xi32, #shared, #smem, mutable> -> <2048, #smem, warp, [0, 1]>
    %s = proton_gpu.segment_alloc %m : !ttg.memdesc<512xi32, #shared, #smem, mutable> -> <2048, #smem, warp, [0, 1]>
    // CHECK: proton_gpu.segment_alloc %{{.*}} : !tt.ptr<i32> -> <2048, #proton_gpu.global_memory, warp>
    %g = proton_gpu.segment_alloc %p : !tt.ptr<i32> -> <2048, #proton_gpu.global_memory, warp>
    // CHECK: proton_gpu.restore_ctx %[[S]], %{{.*}} : !proton_gpu.segment<2048, #smem, warp, [0, 1]>, !tt.ptr<i32>
    proton_gpu.restore_ctx %s, %p : !proton_gpu.segment<2048, #smem, warp, [0, 1]>, !tt.ptr<i32>
    // CHECK: %[[C:.*]] = proton_gpu.read_counter : i32
    %c = proton_gpu.read_counter : i32
    // CHECK: proton_gpu.circular_store start %[[S]], %[[C]] {scopeId = 0 : i32} : !proton_gpu.segment<2048, #smem, warp, [0, 1]>, i32
    proton_gpu.circular_store start %s, %c {scopeId = 0 : i32} : !proton_gpu.segment<2048, #smem, warp, [0, 1]>, i32
    // CHECK: proton_gpu.circular_store end %{{.*}}, %[[C]], %{{.*}} : !proton_gpu.segment<2048, #proton_gpu.global_memory, warp>, i32
    proton_gpu.circular_store end %g, %c, %i : !proton_gpu.segment<2048, #proton_gpu.global_memory, warp>, i32
    // CHECK: proton_gpu.save_ctx %[[S]], %{{.*}} : !proton_gpu.segment<2048, #smem, warp, [0, 1]>, !tt.ptr<i32>
    proton_gpu.save_ctx %s, %p : !proton_gpu.segment<2048, #smem, warp, [0, 1]>, !tt.ptr<i32>
    // CHECK: proton_gpu.finalize %[[S]], %{{.*}} : !proton_gpu.segment<2048, #smem, warp, [0, 1]>, !tt.ptr<i32>
    proton_gpu.finalize %s, %p : !proton_gpu.segment<2048, #smem, warp, [0, 1]>, !tt.ptr<i32>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @size(%s: !proton_gpu.segment<2000, #proton_gpu.global_memory, warp>, %c: i32) {
    // expected-error @below {{needs a buffer that gives each of 4 warps a power-of-two number of bytes, but it has 2000 bytes}}
    proton_gpu.circular_store start %s, %c {scopeId = 0 : i32} : !proton_gpu.segment<2000, #proton_gpu.global_memory, warp>, i32
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @scope(%s: !proton_gpu.segment<2048, #proton_gpu.global_memory, warp>, %c: i32) {
    // expected-error @below {{needs either scopeId or a dynamic scope, but has neither}}
    proton_gpu.circular_store start %s, %c : !proton_gpu.segment<2048, #proton_gpu.global_memory, warp>, i32
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @scope_range(%s: !proton_gpu.segment<2048, #proton_gpu.global_memory, warp>, %c: i32) {
    // expected-error @below {{needs a scopeId from 0 to 255, but has 256}}
    proton_gpu.circular_store start %s, %c {scopeId = 256 : i32} : !proton_gpu.segment<2048, #proton_gpu.global_memory, warp>, i32
    tt.return
  }
}

// -----

tt.func @select(%p: !tt.ptr<i32>) {
  // expected-error @below {{needs warp granularity to select some of the segments, but has cta}}
  %s = proton_gpu.segment_alloc %p : !tt.ptr<i32> -> <2048, #proton_gpu.global_memory, cta, [0]>
  tt.return
}
