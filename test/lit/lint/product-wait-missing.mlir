// Results of asynchronous products that are read while they may still be computed.
// RUN: kernelscope check %s | FileCheck %s
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!sum = tensor<64x64xf32, #mma>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @no_wait(%a: !tile, %b: !tile, %c: !sum) -> !sum {
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    // CHECK: :[[@LINE+1]]:10: warning: 'arith.mulf' reads the result of an asynchronous product that may still be computed; a 'ttng.warp_group_dot_wait' must come between the two
    %e = arith.mulf %d, %d : !sum
    // CHECK: :[[@LINE-3]]:{{.*}} note: computed by this product
    tt.return %e : !sum
  }
  tt.func @waited(%a: !tile, %b: !tile, %c: !sum) -> !sum {
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    %w = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : !sum
    %e = arith.mulf %w, %w : !sum
    tt.return %e : !sum
  }
  // A wait counts even if another value goes through it.
  tt.func @waited_beside(%a: !tile, %b: !tile, %c: !sum) -> !sum {
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    %w = ttng.warp_group_dot_wait %a {pendings = 0 : i32} : !tile
    %e = arith.mulf %d, %d : !sum
    tt.return %e : !sum
  }
  tt.func @wait_in_a_branch(%a: !tile, %b: !tile, %c: !sum, %p: i1) -> !sum {
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    scf.if %p {
      %w = ttng.warp_group_dot_wait %a {pendings = 0 : i32} : !tile
    }
    %e = arith.mulf %d, %d : !sum
    tt.return %e : !sum
  }
  // The accumulator of the next product, and of the next iteration.
  tt.func @accumulated(%a: !tile, %b: !tile, %c: !sum, %n: i32) -> !sum {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %r = scf.for %i = %zero to %n step %one iter_args(%sum = %c) -> (!sum) : i32 {
      %d = ttng.warp_group_dot %a, %b, %sum {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
      %e = ttng.warp_group_dot %a, %b, %d {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
      scf.yield %e : !sum
    }
    %w = ttng.warp_group_dot_wait %r {pendings = 0 : i32} : !sum
    tt.return %w : !sum
  }
  tt.func @not_asynchronous(%a: !tile, %b: !tile, %c: !sum) -> !sum {
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32} : !tile * !tile -> !sum
    %e = arith.mulf %d, %d : !sum
    tt.return %e : !sum
  }
}
// CHECK: 1 warning
