// What Triton's profiler and its sanitizer of global memory put into a kernel leaves what it computes as it is.
// RUN: kernelscope run %s --kernel k --device cpu | FileCheck %s
// RUN: kernelscope run %s --kernel tables --device cpu | FileCheck %s --check-prefix=TABLES
// RUN: not kernelscope run %s --kernel stuck --device cpu 2>&1 | FileCheck %s --check-prefix=STUCK
// RUN: not kernelscope run %s --kernel unplaced --device cpu 2>&1 | FileCheck %s --check-prefix=UNPLACED
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

  // The sanitizer of concurrency knows buffers by their addresses, and keeps its tables behind a lock.
  // TABLES: outputs
  // TABLES: addresses {{ *}}i32[2]
  // TABLES-NEXT: first 384 640
  // TABLES: descriptors {{ *}}i64[2]
  // TABLES-NEXT: first 1099511628160 1099511628416
  // TABLES: lock {{ *}}i32[1]
  // TABLES-NEXT: first 0
  tt.func public @tables(%addresses: !tt.ptr<i32> loc("addresses"), %descriptors: !tt.ptr<i64> loc("descriptors"), %lock: !tt.ptr<i32> loc("lock")) {
    %1 = arith.constant 1 : i32
    %never = arith.constant false
    %ring = ttg.local_alloc {allocation.offset = 384 : i32} : () -> !ttg.memdesc<2x64xi32, #s, #smem, mutable>
    %second = ttg.memdesc_index %ring[%1] : !ttg.memdesc<2x64xi32, #s, #smem, mutable> -> !ttg.memdesc<64xi32, #s, #smem, mutable>
    tti.experimental_lock_acquire %lock : !tt.ptr<i32>
    tti.experimental_lock_acquire %lock, %never : !tt.ptr<i32>
    %a = tti.experimental_memory_offset_to_i32 384, shared_mem
    %b = tti.experimental_memdesc_to_i32 %second : !ttg.memdesc<64xi32, #s, #smem, mutable>
    tt.store %addresses, %a : !tt.ptr<i32>
    %next = tt.addptr %addresses, %1 : !tt.ptr<i32>, i32
    tt.store %next, %b : !tt.ptr<i32>
    %table = tti.experimental_buffer_descriptors [384, 640], [256, 256], shared_mem : tensor<2xi64>
    %i = tt.make_range {start = 0 : i32, end = 2 : i32} : tensor<2xi32>
    %base = tt.splat %descriptors : !tt.ptr<i64> -> tensor<2x!tt.ptr<i64>>
    %to = tt.addptr %base, %i : tensor<2x!tt.ptr<i64>>, tensor<2xi32>
    tt.store %to, %table : tensor<2x!tt.ptr<i64>>
    tti.experimental_lock_release %lock : !tt.ptr<i32>
    tt.return
  }

  // STUCK: error: program (0, 0, 0): deadlock: it waits for a lock in memory to be 0
  tt.func public @stuck(%lock: !tt.ptr<i32>) {
    tti.experimental_lock_acquire %lock : !tt.ptr<i32>
    tti.experimental_lock_acquire %lock : !tt.ptr<i32>
    tt.return
  }

  // UNPLACED: error: program (0, 0, 0): no pass has placed this buffer; the address needs 'allocation.offset' on its allocation
  tt.func public @unplaced(%out: !tt.ptr<i32>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<64xi32, #s, #smem, mutable>
    %a = tti.experimental_memdesc_to_i32 %m : !ttg.memdesc<64xi32, #s, #smem, mutable>
    tt.store %out, %a : !tt.ptr<i32>
    tt.return
  }
}
