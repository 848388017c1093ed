// Copies straight to shared memory, as wide as pointers and layout allow, by mask and by group.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_80 | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<512xf32, #shared, #smem, mutable>
#across = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
#down = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @sixteen_bytes
  tt.func public @sixteen_bytes(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    %q = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %a = tt.addptr %q, %r : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %s = tt.splat %n : i32 -> tensor<512xi32, #blocked>
    %live = arith.cmpi slt, %r, %s : tensor<512xi32, #blocked>
    %m = ttg.local_alloc : () -> !buffer
    // Nothing is read where the mask is false: a size of 0 fills with zeros.
    // CHECK: llvm.select %{{.*}}, %{{.*}}, %{{.*}} : i1, i32
    // CHECK: cp.async.cg.shared.global
    // CHECK-NOT: cp.async.cg
    // CHECK: cp.async.commit.group
    %t = ttg.async_copy_global_to_local %a, %m mask %live : tensor<512x!tt.ptr<f32>, #blocked> -> !buffer
    %c = ttg.async_commit_group tokens %t
    // CHECK: cp.async.wait.group
    // CHECK: llvm.nvvm.barrier
    %w = ttg.async_wait %c {num = 0 : i32}
    tt.return
  }

  // Where the mask is false another value than zero is stored as usual, and nothing is copied over it.
  // CHECK-LABEL: @ones_elsewhere
  tt.func public @ones_elsewhere(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    %q = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %a = tt.addptr %q, %r : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %s = tt.splat %n : i32 -> tensor<512xi32, #blocked>
    %live = arith.cmpi slt, %r, %s : tensor<512xi32, #blocked>
    %ones = arith.constant dense<1.0> : tensor<512xf32, #blocked>
    %m = ttg.local_alloc : () -> !buffer
    // CHECK: "@$2 cp.async.cg.shared.global [$0], [$1], 16, 16;"
    // CHECK: "@$5 st.shared.v4
    %t = ttg.async_copy_global_to_local %a, %m mask %live other %ones : tensor<512x!tt.ptr<f32>, #blocked> -> !buffer
    tt.return
  }

  // Of unaligned pointers only single elements are sure; `contiguity` promises four.
  // CHECK-LABEL: @promised
  tt.func public @promised(%p: !tt.ptr<f32>) {
    %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    %q = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %a = tt.addptr %q, %r : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %m = ttg.local_alloc : () -> !buffer
    // CHECK-COUNT-4: cp.async.ca.shared.global
    %t = ttg.async_copy_global_to_local %a, %m : tensor<512x!tt.ptr<f32>, #blocked> -> !buffer
    // CHECK: cp.async.cg.shared.global
    %u = ttg.async_copy_global_to_local %a, %m {contiguity = 4 : i32} : tensor<512x!tt.ptr<f32>, #blocked> -> !buffer
    tt.return
  }

  // A policy of L2 says which lines it gives up first, past L1 or through it.
  // CHECK-LABEL: @evicted_first
  tt.func public @evicted_first(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    %q = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %a = tt.addptr %q, %r : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %m = ttg.local_alloc : () -> !buffer
    // CHECK: %[[POLICY:.*]] = llvm.inline_asm {{.*}}"createpolicy.fractional.L2::evict_first.b64 $0, 1.0;"
    // CHECK: "cp.async.cg.shared.global.L2::cache_hint [$0], [$1], 16, 16, $2;", "r,l,l" %{{.*}}, %{{.*}}, %[[POLICY]]
    %t = ttg.async_copy_global_to_local %a, %m evictionPolicy = evict_first : tensor<512x!tt.ptr<f32>, #blocked> -> !buffer
    // CHECK: "cp.async.ca.shared.global.L2::cache_hint
    %u = ttg.async_copy_global_to_local %a, %m cacheModifier = ca evictionPolicy = evict_first : tensor<512x!tt.ptr<f32>, #blocked> -> !buffer
    tt.return
  }

  // The neighbours that `contiguity` promises are a row's, and here a column's lie together in shared memory.
  // CHECK-LABEL: @promised_along_rows
  tt.func public @promised_along_rows(%a: tensor<32x512x!tt.ptr<f32>, #across>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<32x512xf32, #down, #smem, mutable>
    // CHECK-COUNT-128: cp.async.ca.shared.global
    // CHECK-NOT: cp.async.c
    // CHECK: llvm.return
    %t = ttg.async_copy_global_to_local %a, %m {contiguity = 4 : i32} : tensor<32x512x!tt.ptr<f32>, #across> -> <32x512xf32, #down, #smem, mutable>
    tt.return
  }

  // Of a row that four warps have, the first lanes of the first copy it, or store what is there instead.
  // CHECK-LABEL: @held_by_all_warps
  tt.func public @held_by_all_warps(%a: tensor<16x!tt.ptr<f32>, #blocked>, %live: tensor<16xi1, #blocked>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<16xf32, #shared, #smem, mutable>
    // CHECK: llvm.icmp "eq" %{{.*}}, %{{.*}} : i32
    // CHECK-COUNT-4: "@$3 cp.async.ca.shared.global [$0], [$1], 4, $2;"
    %t = ttg.async_copy_global_to_local %a, %m mask %live : tensor<16x!tt.ptr<f32>, #blocked> -> <16xf32, #shared, #smem, mutable>
    // CHECK: "@$2 cp.async.ca.shared.global [$0], [$1], 4, 4;"
    // CHECK: "@$2 st.shared
    %ones = arith.constant dense<1.0> : tensor<16xf32, #blocked>
    %u = ttg.async_copy_global_to_local %a, %m mask %live other %ones : tensor<16x!tt.ptr<f32>, #blocked> -> <16xf32, #shared, #smem, mutable>
    tt.return
  }
}
