// A kernel's last two parameters point to its scratch in global memory and to the profiler's, which plug-ins use, too.
// RUN: kernelscope opt %s --allocate-global-scratch | FileCheck %s --check-prefix=PLACES
// RUN: kernelscope preview %s --emit llvm --arch sm_90a | FileCheck %s
// RUN: kernelscope run %s --device sim --arch sm_90a | FileCheck %s --check-prefix=SIM
// RUN: sed 's/num-ctas" = 1/num-ctas" = 2/' %s | not kernelscope preview - --emit ptx --arch sm_90a 2>&1 | FileCheck %s --check-prefix=CLUSTER

// PLACES: ttg.global_scratch_memory_alignment = 16 : i32, ttg.global_scratch_memory_size = 144 : i32
// PLACES-SAME: ttg.profile_scratch_memory_alignment = 128 : i32, ttg.profile_scratch_memory_size = 1152 : i32
// SIM: differs from the CPU executor by at most 0.000e+00
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: define ptx_kernel void @k(ptr addrspace(1) {{.*}}%0, ptr addrspace(1) {{.*}}[[OWN:%[0-9]+]], ptr addrspace(1) {{.*}}[[PLUGINS:%[0-9]+]])
  tt.func public @k(%to: !tt.ptr<i32>) {
    %seven = arith.constant 7 : i32
    // PLACES: global_scratch_alloc {{.*}}ttg.global_scratch_memory_offset = 0 : i32
    %own = ttg.global_scratch_alloc {alignment = 16 : i32, nbytes = 100 : i32} : !tt.ptr<i32>
    // PLACES: global_scratch_alloc {{.*}}third_party_allocation, ttg.global_scratch_memory_offset = 0 : i32
    %plugins = ttg.global_scratch_alloc {alignment = 64 : i32, nbytes = 1000 : i32, third_party_allocation} : !tt.ptr<i32>
    // PLACES: global_scratch_alloc {{.*}}third_party_allocation, ttg.global_scratch_memory_offset = 1024 : i32
    %more = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 24 : i32, third_party_allocation} : !tt.ptr<i32>
    // PLACES: global_scratch_alloc {{.*}}ttg.global_scratch_memory_offset = 104 : i32
    // CLUSTER: error: 'ttg.global_scratch_alloc' op allocates memory that the CTAs of a cluster share, which is not lowered yet
    %shared = ttg.global_scratch_alloc {alignment = 8 : i32, nbytes = 40 : i32, shared_cluster_state} : !tt.ptr<i32>
    // CHECK-DAG: getelementptr i8, ptr addrspace(1) [[OWN]], i64
    // CHECK-DAG: getelementptr i8, ptr addrspace(1) [[PLUGINS]], i64
    tt.store %own, %seven : !tt.ptr<i32>
    tt.store %plugins, %seven : !tt.ptr<i32>
    tt.store %more, %seven : !tt.ptr<i32>
    tt.store %shared, %seven : !tt.ptr<i32>
    ttg.barrier all
    %a = tt.load %own : !tt.ptr<i32>
    %b = tt.load %more : !tt.ptr<i32>
    %sum = arith.addi %a, %b : i32
    tt.store %to, %sum : !tt.ptr<i32>
    tt.return
  }
}
