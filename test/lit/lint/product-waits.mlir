// What reads an asynchronous product in the loops that Triton makes for Hopper, with the wait taken away.
// RUN: kernelscope check %s | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared32 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#smem = #ttg.shared_memory
!tile = !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
!sum = tensor<64x64xf32, #mma>
!half = tensor<64x64xf16, #mma>
!dot = tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @truncated(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    // CHECK: :[[@LINE+1]]:10: warning: 'arith.truncf' reads the result of an asynchronous product that may still be computed; a 'ttng.warp_group_dot_wait' must come between the two [product-wait-missing]
    %e = arith.truncf %d : !sum to !half
    tt.return
  }
  tt.func @stored(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    // CHECK: :[[@LINE+1]]:5: warning: 'ttg.local_store' reads the result of an asynchronous product that may still be computed; a 'ttng.warp_group_dot_wait' must come between the two [product-wait-missing]
    ttg.local_store %d, %m : !sum -> !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>
    tt.return
  }
  tt.func @second_of_two(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %x = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    %w = ttng.warp_group_dot_wait %x {pendings = 0 : i32} : !sum
    %d = ttng.warp_group_dot %a, %b, %w {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    // CHECK: :[[@LINE+1]]:10: warning: 'arith.mulf' reads the result of an asynchronous product that may still be computed; a 'ttng.warp_group_dot_wait' must come between the two [product-wait-missing]
    %e = arith.mulf %d, %d : !sum
    tt.return
  }
  tt.func @after_the_loop(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (!sum) : i32 {
      %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
      %w = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : !sum
      scf.yield %w : !sum
    }
    // CHECK: :[[@LINE+1]]:10: warning: 'arith.truncf' reads the result of an asynchronous product that may still be computed; a 'ttng.warp_group_dot_wait' must come between the two [product-wait-missing]
    %e = arith.truncf %r : !sum to !half
    tt.return
  }
  // A choice between two sums that a branch makes, too, only hands one of them on.
  tt.func @chosen(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (!sum) : i32 {
      %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
      %w = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : !sum
      %next = arith.select %p, %c, %w : !sum
      scf.if %p {
        %done = ttng.warp_group_dot_wait %w {pendings = 0 : i32} : !sum
        %half = arith.truncf %done : !sum to !half
      }
      scf.yield %next : !sum
    }
    tt.return
  }
  tt.func @in_the_next_iteration(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (!sum) : i32 {
      // CHECK: :[[@LINE+1]]:12: warning: 'arith.truncf' reads the result of an asynchronous product that may still be computed; a 'ttng.warp_group_dot_wait' must come between the two [product-wait-missing]
      %e = arith.truncf %acc : !sum to !half
      %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
      scf.yield %d : !sum
    }
    tt.return
  }
  tt.func @in_a_branch_after_it(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    scf.if %p {
      // CHECK: :[[@LINE+1]]:12: warning: 'arith.truncf' reads the result of an asynchronous product that may still be computed; a 'ttng.warp_group_dot_wait' must come between the two [product-wait-missing]
      %e = arith.truncf %d : !sum to !half
    }
    tt.return
  }
  tt.func @given_by_a_branch(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %s = scf.if %p -> !sum {
      %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
      scf.yield %d : !sum
    } else {
      scf.yield %c : !sum
    }
    // CHECK: :[[@LINE+1]]:10: warning: 'arith.truncf' reads the result of an asynchronous product that may still be computed; a 'ttng.warp_group_dot_wait' must come between the two [product-wait-missing]
    %e = arith.truncf %s : !sum to !half
    tt.return
  }
  tt.func @given_by_the_other_branch(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %s = scf.if %p -> !sum {
      scf.yield %c : !sum
    } else {
      %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
      scf.yield %d : !sum
    }
    // CHECK: :[[@LINE+1]]:10: warning: 'arith.truncf' reads the result of an asynchronous product that may still be computed; a 'ttng.warp_group_dot_wait' must come between the two [product-wait-missing]
    %e = arith.truncf %s : !sum to !half
    tt.return
  }
  tt.func @given_by_a_branch_that_waits(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %s = scf.if %p -> !sum {
      %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
      %w = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : !sum
      scf.yield %w : !sum
    } else {
      scf.yield %c : !sum
    }
    %e = arith.truncf %s : !sum to !half
    tt.return
  }
  tt.func @given_by_a_branch_and_waited_for(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %s = scf.if %p -> !sum {
      %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
      scf.yield %d : !sum
    } else {
      scf.yield %c : !sum
    }
    %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sum
    %e = arith.truncf %w : !sum to !half
    tt.return
  }
  // One condition may decide over both.
  tt.func @given_and_waited_for_in_branches(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %s = scf.if %p -> !sum {
      %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
      scf.yield %d : !sum
    } else {
      scf.yield %c : !sum
    }
    scf.if %p {
      %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : !sum
    }
    %e = arith.truncf %s : !sum to !half
    tt.return
  }
  tt.func @after_a_wait_for_another(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %x = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    %w = ttng.warp_group_dot_wait %x {pendings = 1 : i32} : !sum
    // CHECK: :[[@LINE+1]]:10: warning: 'arith.truncf' reads the result of an asynchronous product that may still be computed; a 'ttng.warp_group_dot_wait' must come between the two [product-wait-missing]
    %e = arith.truncf %d : !sum to !half
    tt.return
  }
  tt.func @in_a_loop(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (!sum) : i32 {
      %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
      // CHECK: :[[@LINE+1]]:12: warning: 'arith.mulf' reads the result of an asynchronous product that may still be computed; a 'ttng.warp_group_dot_wait' must come between the two [product-wait-missing]
      %e = arith.mulf %d, %d : !sum
      %w = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : !sum
      scf.yield %w : !sum
    }
    tt.return
  }
  tt.func @reduced(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    // CHECK: :[[@LINE+1]]:10: warning: 'tt.reduce' reads the result of an asynchronous product that may still be computed; a 'ttng.warp_group_dot_wait' must come between the two [product-wait-missing]
    %e = "tt.reduce"(%d) <{axis = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %z = arith.maxnumf %x, %y : f32
      tt.reduce.return %z : f32
    }) : (!sum) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    tt.return
  }
  tt.func @converted(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    // CHECK: :[[@LINE+1]]:10: warning: 'ttg.convert_layout' reads the result of an asynchronous product that may still be computed; a 'ttng.warp_group_dot_wait' must come between the two [product-wait-missing]
    %e = ttg.convert_layout %d : !sum -> tensor<64x64xf32, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>>
    tt.return
  }
  tt.func @scaled_before_its_wait(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    // CHECK: :[[@LINE+1]]:10: warning: 'arith.addf' reads the result of an asynchronous product that may still be computed; a 'ttng.warp_group_dot_wait' must come between the two [product-wait-missing]
    %e = arith.addf %d, %c : !sum
    %w = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : !sum
    tt.return
  }
  tt.func @used_in_a_branch_block(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    // CHECK: :[[@LINE+1]]:10: warning: 'arith.select' reads the result of an asynchronous product that may still be computed; a 'ttng.warp_group_dot_wait' must come between the two [product-wait-missing]
    %e = arith.select %p, %d, %c : !sum
    tt.return
  }
  tt.func @compared(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    // CHECK: :[[@LINE+1]]:10: warning: 'arith.cmpf' reads the result of an asynchronous product that may still be computed; a 'ttng.warp_group_dot_wait' must come between the two [product-wait-missing]
    %e = arith.cmpf ogt, %d, %c : !sum
    tt.return
  }
  tt.func @wait_that_leaves_it(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    // CHECK: :[[@LINE+1]]:10: warning: 'ttng.warp_group_dot_wait' leaves up to 1 products in flight, but only 0 are newer than the one whose result is read next; it must leave at most 0 [product-wait-missing]
    %w = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : !sum
    %e = arith.truncf %w : !sum to !half
    tt.return
  }
  tt.func @loop_whose_last_wait_leaves_it(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (!sum) : i32 {
      %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    
      %w = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : !sum
      scf.yield %w : !sum
    }
    // CHECK: :[[@LINE+1]]:10: warning: 'ttng.warp_group_dot_wait' leaves up to 1 products in flight, but only 0 are newer than the one whose result is read next; it must leave at most 0 [product-wait-missing]
    %v = ttng.warp_group_dot_wait %r {pendings = 1 : i32} : !sum
    %e = arith.truncf %v : !sum to !half
    tt.return
  }
  tt.func @newer_of_two_is_left(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %x = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    %y = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    %w = ttng.warp_group_dot_wait %x {pendings = 1 : i32} : !sum
    %e = arith.mulf %w, %w : !sum
    %v = ttng.warp_group_dot_wait %y {pendings = 0 : i32} : !sum
    tt.return
  }
  tt.func @waited_and_truncated(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    %w = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : !sum
    %e = arith.truncf %w : !sum to !half
    tt.return
  }
  tt.func @pipelined_loop(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (!sum) : i32 {
      %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    
      %w = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : !sum
      scf.yield %w : !sum
    }
    %v = ttng.warp_group_dot_wait %r {pendings = 0 : i32} : !sum
    %e = arith.truncf %v : !sum to !half
    tt.return
  }
  tt.func @accumulates_onto_another(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %x = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    %d = ttng.warp_group_dot %a, %b, %x {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    %w = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : !sum
    %e = arith.mulf %w, %w : !sum
    tt.return
  }
  tt.func @of_one_that_is_not_asynchronous(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32} : !tile * !tile -> !sum
    %e = arith.mulf %d, %d : !sum
    tt.return
  }
  tt.func @other_values_meanwhile(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    %e = arith.mulf %c, %c : !sum
    %w = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : !sum
    tt.return
  }
  tt.func @both_through_one_wait(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %x = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    %y = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    %w:2 = ttng.warp_group_dot_wait %x, %y {pendings = 0 : i32} : !sum, !sum
    %e = arith.mulf %w#0, %w#1 : !sum
    tt.return
  }
  tt.func @waited_for_after_the_loop(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (!sum) : i32 {
      %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
      %w = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : !sum
      scf.yield %w : !sum
    }
    %e = arith.truncf %r : !sum to !half
    tt.return
  }
  tt.func @older_of_two_in_the_next_iteration(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%old = %c, %acc = %c) -> (!sum, !sum) : i32 {
      %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
      %w = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : !sum
      %e = arith.truncf %old : !sum to !half
      scf.yield %c, %w : !sum, !sum
    }
    tt.return
  }
  tt.func @after_one_that_is_not_asynchronous(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    %x = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32} : !tile * !tile -> !sum
    %e = arith.truncf %d : !sum to !half
    tt.return
  }
  tt.func @waited_for_in_a_branch(%a: !tile, %b: !tile, %c: !sum, %n: i32, %p: i1, %m: !ttg.memdesc<64x64xf32, #shared32, #smem, mutable>) {
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true} : !tile * !tile -> !sum
    scf.if %p {
      %w = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : !sum
      %e = arith.truncf %w : !sum to !half
    }
    tt.return
  }
}
