// What Triton's profiler and its sanitizer of global memory put into a kernel leaves what it computes as it is.
// RUN: kernelscope run %s --device cpu | FileCheck %s
// CHECK: outputs
// CHECK: out {{ *}}i32[1]
// CHECK-NEXT: first 12
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%p: !tt.ptr<i32>, %scratch: !tt.ptr<i32>, %out: !tt.ptr<i32> loc("out")) {
    tti.experimental_gsan_init
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<64xi32, #s, #smem, mutable>
    %segment = proton_gpu.segment_alloc %buffer : !ttg.memdesc<64xi32, #s, #smem, mutable> -> <256, #smem, warp>
    proton_gpu.initialize %scratch : !tt.ptr<i32>
    %start = proton_gpu.read_counter : i32
    proton_gpu.circular_store start %segment, %start {scopeId = 0 : i32} : !proton_gpu.segment<256, #smem, warp>, i32
    %true = arith.constant true
    %3 = arith.constant 3 : i32
    %4 = arith.constant 4 : i32
    %0 = arith.constant 0 : i32
    tti.experimental_gsan_atomic_store release, gpu, %p, %4 : !tt.ptr<i32>
    %old = tti.experimental_gsan_atomic_rmw add, acq_rel, gpu, %p, %3, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %seen = tti.experimental_gsan_atomic_load acquire, gpu, %p : (!tt.ptr<i32>) -> i32
    %other = tti.experimental_gsan_atomic_cas acq_rel, gpu, %p, %seen, %0 : (!tt.ptr<i32>, i32, i32) -> i32
    tti.experimental_gsan_tensor_access %out, true : !tt.ptr<i32>
    %end = proton_gpu.read_counter : i32
    %time = arith.subi %end, %start : i32
    // 4 + 7 + 1
    %sum = arith.addi %old, %other : i32
    %all = arith.addi %sum, %time : i32
    tt.store %out, %all : !tt.ptr<i32>
    proton_gpu.finalize %segment, %scratch : !proton_gpu.segment<256, #smem, warp>, !tt.ptr<i32>
    tti.experimental_gsan_kernel_exit
    tt.return
  }
}
