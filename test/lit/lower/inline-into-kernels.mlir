// RUN: kernelscope opt %s --split-input-file --inline-into-kernels | FileCheck %s
// RUN: kernelscope opt %s --split-input-file --ttgir-to-llvm=arch=sm_100a | FileCheck %s --check-prefix=LLVM

// Each call has partitions of its own, in a loop, too. What has none stays a function.
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: tt.func public @straight(
  // CHECK-SAME: %[[P:.*]]: !tt.ptr<i32>
  // LLVM-LABEL: llvm.func ptx_kernelcc @straight(
  tt.func public @straight(%p: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK: scf.for %[[I:.*]] =
    scf.for %i = %c0 to %n step %c1 : i32 {
      // CHECK: %[[R:.*]] = ttg.warp_specialize(%[[P]])
      // CHECK: tt.call @store(%[[P]], %[[I]])
      // CHECK: partition0
      // CHECK: %[[DOUBLE:.*]] = arith.addi %[[R]], %[[R]]
      %r = tt.call @specialized(%p, %i) : (!tt.ptr<i32>, i32) -> i32
      // CHECK: tt.store %[[P]], %[[DOUBLE]]
      tt.store %p, %r : !tt.ptr<i32>
    }
    // CHECK: ttg.warp_specialize(%[[P]])
    tt.call @through(%p) : (!tt.ptr<i32>) -> ()
    tt.return
  }

  // CHECK-NOT: @through(
  tt.func private @through(%p: !tt.ptr<i32>) {
    %c7 = arith.constant 7 : i32
    %r = tt.call @specialized(%p, %c7) : (!tt.ptr<i32>, i32) -> i32
    tt.store %p, %r : !tt.ptr<i32>
    tt.return
  }

  // CHECK-NOT: @specialized(
  // LLVM: llvm.func internal @straight_specialize0_partition0(
  // LLVM: llvm.func internal @straight_specialize1_partition0(
  tt.func private @specialized(%p: !tt.ptr<i32>, %i: i32) -> i32 attributes {noinline = true} {
    %r = ttg.warp_specialize(%p)
    default {
      tt.call @store(%p, %i) : (!tt.ptr<i32>, i32) -> ()
      ttg.warp_yield %i : i32
    }
    partition0(%q: !tt.ptr<i32>) num_warps(4) {
      ttg.warp_return
    } : (!tt.ptr<i32>) -> i32
    %double = arith.addi %r, %r : i32
    tt.return %double : i32
  }

  // CHECK: tt.func private @store(
  tt.func private @store(%p: !tt.ptr<i32>, %i: i32) attributes {noinline = true} {
    tt.store %p, %i : !tt.ptr<i32>
    tt.return
  }
}

// -----

// A function that returns early becomes blocks of the kernel. Tensor memory is the kernel's, too.
#acc = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: tt.func public @branches(
  // LLVM-LABEL: llvm.func ptx_kernelcc @branches(
  // LLVM: tcgen05.alloc
  tt.func public @branches(%p: !tt.ptr<i32>, %skip: i1) {
    // CHECK: cf.br ^[[ENTRY:.*]](%{{.*}}, %{{.*}} : !tt.ptr<i32>, i1)
    // CHECK: ^[[ENTRY]](
    // CHECK: cf.cond_br %{{.*}}, ^[[EARLY:.*]], ^[[WORK:.*]]
    // CHECK: ^[[EARLY]]:
    // CHECK: cf.br ^[[AFTER:.*]](%{{.*}} : i32)
    // CHECK: ^[[WORK]]:
    // CHECK: ttng.tmem_alloc
    // CHECK: cf.br ^[[AFTER]](%{{.*}} : i32)
    // CHECK: ^[[AFTER]](%[[R:.*]]: i32):
    // CHECK: tt.store %{{.*}}, %[[R]]
    %r = tt.call @early(%p, %skip) : (!tt.ptr<i32>, i1) -> i32
    tt.store %p, %r : !tt.ptr<i32>
    tt.return
  }

  // CHECK-NOT: @early(
  tt.func private @early(%p: !tt.ptr<i32>, %skip: i1) -> i32 attributes {noinline = true} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    cf.cond_br %skip, ^early, ^work
  ^early:
    tt.return %c0 : i32
  ^work:
    %ones = arith.constant dense<1.0> : tensor<128x64xf32, #acc>
    %memory = ttng.tmem_alloc %ones : (tensor<128x64xf32, #acc>) -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory>
    tt.return %c1 : i32
  }
}
