// Waits for tokens of the data mover leave as many messages as are certain to be newer.
// RUN: kernelscope opt %s --count-async-waits | FileCheck %s
// RUN: kernelscope opt %s --ttgir-to-llvm | FileCheck %s --check-prefix=LLVM

#shared = #ttg.padded_shared<[64:+8] {order = [1, 0], shape = [64, 64]}>
#smem = #ttg.shared_memory
!desc = !tt.tensordesc<64x64xf16, #shared>
!buffer = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  // Two copies of the block two iterations ahead are newer than those of the next one, on each path to the waits.
  // CHECK-LABEL: @ahead
  // LLVM-LABEL: @ahead
  tt.func public @ahead(%a: !desc, %b: !desc, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %x = ttg.local_alloc : () -> !buffer
    %y = ttg.local_alloc : () -> !buffer
    %a0 = amdg.async_tdm_copy_global_to_local %a into %x : !desc -> !buffer
    %b0 = amdg.async_tdm_copy_global_to_local %b into %y : !desc -> !buffer
    %a1 = amdg.async_tdm_copy_global_to_local %a into %x : !desc -> !buffer
    %b1 = amdg.async_tdm_copy_global_to_local %b into %y : !desc -> !buffer
    %t:4 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a0, %q = %b0, %r = %a1, %s = %b1)
        -> (!ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token) : i32 {
      // CHECK: amdg.async_tdm_intrinsic_wait %{{.*}}, %{{.*}} {count = 2 : i32}
      // LLVM: llvm.amdgcn.s.wait.tensorcnt"(%{{.*}})
      %w = amdg.async_tdm_wait %p, %q {num = 0 : i32}
      %a2 = amdg.async_tdm_copy_global_to_local %a into %x : !desc -> !buffer
      %b2 = amdg.async_tdm_copy_global_to_local %b into %y : !desc -> !buffer
      scf.yield %r, %s, %a2, %b2 : !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token
    }
    // CHECK: amdg.async_tdm_intrinsic_wait %{{.*}}, %{{.*}} {count = 2 : i32}
    %v = amdg.async_tdm_wait %t#0, %t#1 {num = 0 : i32}
    // CHECK: amdg.async_tdm_intrinsic_wait %{{.*}}, %{{.*}} {count = 0 : i32}
    %u = amdg.async_tdm_wait %t#2, %t#3 {num = 0 : i32}
    tt.return
  }

  // The store of an iteration is older than the two loads of the next one, and than one load in each branch.
  // CHECK-LABEL: @store_of_the_last_iteration
  tt.func public @store_of_the_last_iteration(%a: !desc, %out: !desc, %n: i32, %c: i1) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %x = ttg.local_alloc : () -> !buffer
    %y = ttg.local_alloc : () -> !buffer
    %none = amdg.async_tdm_wait {num = 0 : i32}
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%stored = %none) -> (!ttg.async.token) : i32 {
      %a0 = amdg.async_tdm_copy_global_to_local %a into %x : !desc -> !buffer
      scf.if %c {
        %a1 = amdg.async_tdm_copy_global_to_local %a into %x : !desc -> !buffer
        %a2 = amdg.async_tdm_copy_global_to_local %a into %x : !desc -> !buffer
      } else {
        %a1 = amdg.async_tdm_copy_global_to_local %a into %x : !desc -> !buffer
      }
      scf.if %c {
        %a1 = amdg.async_tdm_copy_global_to_local %a into %x : !desc -> !buffer
      }
      // CHECK: amdg.async_tdm_intrinsic_wait %{{.*}} {count = 2 : i32}
      %w = amdg.async_tdm_wait %stored {num = 0 : i32}
      %s = amdg.async_tdm_copy_local_to_global %out from %y : !buffer -> !desc
      scf.yield %s : !ttg.async.token
    }
    // CHECK: amdg.async_tdm_intrinsic_wait %{{.*}} {count = 0 : i32}
    %end = amdg.async_tdm_wait %last {num = 0 : i32}
    // A wait without a token, and one that leaves more, are as written.
    // CHECK: amdg.async_tdm_wait {num = 3 : i32}
    %rest = amdg.async_tdm_wait {num = 3 : i32}
    // CHECK: amdg.async_tdm_intrinsic_wait %{{.*}} {count = 4 : i32}
    %more = amdg.async_tdm_wait %last {num = 4 : i32}
    tt.return
  }
}
