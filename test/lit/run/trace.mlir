// RUN: kernelscope run %s --kernel handoff --trace %t.json > /dev/null
// RUN: FileCheck %s --input-file=%t.json
// RUN: python3 -c "import json, sys; json.load(open(sys.argv[1]))" %t.json
// RUN: kernelscope run %s --kernel alone --trace %t.alone.json > /dev/null
// RUN: FileCheck %s --input-file=%t.alone.json --check-prefix=ALONE
// RUN: not kernelscope run %s --kernel alone --trace %t.json --device cuda 2>&1 | FileCheck %s --check-prefix=DEVICE

// The default partition waits while the other one arrives.

// CHECK: "process_name", "args": {"name": "handoff, program (0, 0, 0)"}
// CHECK: "tid": [[DEFAULT:[0-9]+]], "name": "thread_name", "args": {"name": "the default partition"}
// CHECK: "tid": [[DEFAULT]], "name": "ttng.init_barrier"
// CHECK: "tid": [[DEFAULT]], "name": "ttng.wait_barrier", "ts": 4, "dur": 2, "args": {"line": 28}
// CHECK: "tid": [[OTHER:[0-9]+]], "name": "thread_name", "args": {"name": "partition0"}
// CHECK: "tid": [[OTHER]], "name": "ttng.arrive_barrier", "ts": 5
// CHECK: "tid": [[DEFAULT]], "name": "waits", "ts": 5, "dur": 1, "args": {"line": 28, "for": "phase 0 of the barrier, which still needs 1 of 1 arrivals"}
// DEVICE: error: only the CPU executor writes a timeline; --device must be cpu

#lines = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32, rank = 1}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @handoff(%out: !tt.ptr<i32>) {
    %zero = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
    ttng.init_barrier %b, 1 : !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
    ttg.warp_specialize(%b)
    default {
      ttng.wait_barrier %b, %zero : !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
      ttg.warp_yield
    }
    partition0(%in: !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>) num_warps(4) {
      ttng.arrive_barrier %in, 1 : !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
      ttg.warp_return
    } : (!ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>) -> ()
    tt.store %out, %zero : !tt.ptr<i32>
    tt.return
  }

  // A wait for a copy, during which no agent runs, takes time too, within its op's.
  // ALONE: "name": "ttng.wait_barrier", "ts": [[# %u, BEGIN:]], "dur": 2,
  // ALONE: "name": "waits", "ts": [[# BEGIN + 1]], "dur": 1,
  tt.func public @alone(%in: !tt.tensordesc<32xi32, #lines>) {
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    %b = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
    %m = ttg.local_alloc : () -> !ttg.memdesc<32xi32, #lines, #ttg.shared_memory, mutable>
    ttng.init_barrier %b, 1 : !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
    ttng.barrier_expect %b, 128, %true : !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
    ttng.async_tma_copy_global_to_local %in[%zero] %m, %b, %true : !tt.tensordesc<32xi32, #lines>, !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable> -> !ttg.memdesc<32xi32, #lines, #ttg.shared_memory, mutable>
    ttng.wait_barrier %b, %zero : !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
    tt.return
  }
}
