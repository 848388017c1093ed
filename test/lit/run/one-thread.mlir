// Ops on the pointers of one thread, among ops of the LLVM dialect, run once for all threads.
// RUN: kernelscope run %s --kernel accesses --device cpu --spec %s.json | FileCheck %s
// RUN: kernelscope run %s --kernel ids --device cpu | FileCheck %s --check-prefix=IDS
// RUN: not kernelscope run %s --kernel shared --device cpu 2>&1 | FileCheck %s --check-prefix=SHARED
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
  // x = 5; what is not loaded is 7, and what is not stored needs no memory.
  // CHECK: outputs
  // CHECK: out {{ *}}i32[3]
  // CHECK-NEXT: first 5 7 5
  tt.func public @accesses(%x: !tt.ptr<i32> loc("x"), %out: !tt.ptr<i32> loc("out")) {
    %true = arith.constant true
    %false = arith.constant false
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c7 = arith.constant 7 : i32
    %from = builtin.unrealized_conversion_cast %x : !tt.ptr<i32> to !llvm.ptr<1>
    %loaded = amdg.masked_load %from, %true, %c7 : (!llvm.ptr<1>, i1, i32) -> i32
    %other = amdg.masked_load %from, %false, %c7 : (!llvm.ptr<1>, i1, i32) -> i32
    %acquired = nvg.ld_acquire acquire, gpu, %from : (!llvm.ptr<1>) -> i32
    %to = builtin.unrealized_conversion_cast %out : !tt.ptr<i32> to !llvm.ptr<1>
    amdg.masked_store %to, %loaded, %true : !llvm.ptr<1>, i32, i1
    %out1 = tt.addptr %out, %c1 : !tt.ptr<i32>, i32
    tt.store %out1, %other : !tt.ptr<i32>
    %out2 = tt.addptr %out, %c2 : !tt.ptr<i32>, i32
    tt.store %out2, %acquired : !tt.ptr<i32>
    %out3 = tt.addptr %out, %c3 : !tt.ptr<i32>, i32
    %number = tt.ptr_to_int %out3 : !tt.ptr<i32> -> i64
    %to3 = llvm.inttoptr %number : i64 to !llvm.ptr<1>
    amdg.masked_store %to3, %loaded, %false : !llvm.ptr<1>, i32, i1
    tt.return
  }

  // Tensor memory begins at 0; the warps that the kernel starts with have barrier 0, and partition 1 has barrier 3.
  // IDS: outputs
  // IDS: out {{ *}}i32[3]
  // IDS-NEXT: first 0 0 3
  tt.func public @ids(%out: !tt.ptr<i32> loc("out")) {
    %c1 = arith.constant 1 : i32
    %base = nvg.tensor_memory_base
    %address = llvm.ptrtoint %base : !llvm.ptr<6> to i64
    %low = arith.trunci %address : i64 to i32
    tt.store %out, %low : !tt.ptr<i32>
    %own = nvg.warp_group_barrier_id
    %out1 = tt.addptr %out, %c1 : !tt.ptr<i32>, i32
    tt.store %out1, %own : !tt.ptr<i32>
    ttg.warp_specialize(%out)
    default {
      ttg.warp_yield
    }
    partition0(%arg: !tt.ptr<i32>) num_warps(1) {
      ttg.warp_return
    }
    partition1(%arg: !tt.ptr<i32>) num_warps(1) {
      %c2 = arith.constant 2 : i32
      %id = nvg.warp_group_barrier_id
      %out2 = tt.addptr %arg, %c2 : !tt.ptr<i32>, i32
      tt.store %out2, %id : !tt.ptr<i32>
      ttg.warp_return
    } : (!tt.ptr<i32>) -> ()
    tt.return
  }

  // SHARED: error: the CPU executor runs 'amdg.masked_store' on global memory, address space 0 or 1, but the pointer's is 3
  tt.func public @shared(%out: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i32
    %p = llvm.inttoptr %c0 : i64 to !llvm.ptr<3>
    amdg.masked_store %p, %c1, %true : !llvm.ptr<3>, i32, i1
    tt.return
  }
}
