// Exchanges between the CTAs of a cluster in partitions, in the default region and outside of both, in loops.
// RUN: kernelscope run %s --device sim --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --device sim --arch sm_90a --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --device cpu --schedule seed:2 --sanitize=all | FileCheck %s --check-prefix=CLEAN
// RUN: kernelscope preview %s --emit llvm -o %t.ll
// A CTA that does not wait uses memory that the other one still reads.
// RUN: sed -e 's/again: mbarrier.try_wait[^;]*;\\0A@!complete bra again;//' %t.ll > %t.early.ll
// RUN: not kernelscope run %s --device sim --code %t.early.ll 2>&1 | FileCheck %s --check-prefix=EARLY
// A CTA that never arrives keeps the other one waiting.
// RUN: sed -e '/mbarrier.arrive.release.cluster/d' %t.ll > %t.alone.ll
// RUN: not kernelscope run %s --device sim --code %t.alone.ll 2>&1 | FileCheck %s --check-prefix=ALONE
// RIGHT: exchanges on sim: the wave simulator
// RIGHT-COUNT-2: differs from the CPU executor by at most 0.000e+00
// CLEAN: exchanges on cpu: {{.*}}sanitizer on
// EARLY: of shared memory, which lane {{[0-9]+}} of warp {{[0-9]+}} of CTA {{[01]}} has {{loaded|stored}}; no barrier orders the two
// ALONE: the warp waits forever for the mbarrier in shared memory at {{.*}}, which still needs 1 of 1 arrivals
#from = #ttg.linear<{register = [[128]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], block = [[256]]}>
#to = #ttg.linear<{register = [[256]], lane = [[128], [2], [4], [8], [16]], warp = [[32], [64]], block = [[1]]}>
#one = #ttg.linear<{register = [[32], [64], [128]], lane = [[1], [2], [4], [8], [16]], warp = [], block = [[256]]}>
#other = #ttg.linear<{register = [[32], [256], [128]], lane = [[1], [2], [4], [8], [16]], warp = [], block = [[64]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttg.total-num-warps" = 8 : i32} {
  tt.func public @exchanges(%sums: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %counter: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %i = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #from>
    %before = ttg.convert_layout %i : tensor<512xi32, #from> -> tensor<512xi32, #to>
    ttg.warp_specialize(%sums, %counter)
    default {
      %squares = scf.for %step = %c0 to %c3 step %c1 iter_args(%x = %before) -> (tensor<512xi32, #to>) : i32 {
        %back = ttg.convert_layout %x : tensor<512xi32, #to> -> tensor<512xi32, #from>
        %product = arith.muli %back, %i : tensor<512xi32, #from>
        %next = ttg.convert_layout %product : tensor<512xi32, #from> -> tensor<512xi32, #to>
        scf.yield %next : tensor<512xi32, #to>
      }
      %places = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #to>
      %out = tt.splat %sums : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>, #to>
      %pointers = tt.addptr %out, %places : tensor<512x!tt.ptr<i32>, #to>, tensor<512xi32, #to>
      tt.store %pointers, %squares : tensor<512x!tt.ptr<i32>, #to>
      ttg.warp_yield
    }
    // Of one warp, whose CTAs also share the result of an atomic of the first one.
    partition0(%out: !tt.ptr<i32>, %count: !tt.ptr<i32>) num_warps(1) {
      %p0 = arith.constant 0 : i32
      %p1 = arith.constant 1 : i32
      %p5 = arith.constant 5 : i32
      %size = arith.constant 512 : i32
      %true = arith.constant true
      %x = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #one>
      %total = scf.for %step = %p0 to %p5 step %p1 iter_args(%sum = %p0) -> (i32) : i32 {
        %old = tt.atomic_rmw add, acq_rel, gpu, %count, %p1, %true : (!tt.ptr<i32>, i32, i1) -> i32
        %turned = ttg.convert_layout %x : tensor<512xi32, #one> -> tensor<512xi32, #other>
        %largest = "tt.reduce"(%turned) <{axis = 0 : i32}> ({
        ^bb0(%a: i32, %b: i32):
          %max = arith.addi %a, %b : i32
          tt.reduce.return %max : i32
        }) : (tensor<512xi32, #other>) -> i32
        %with = arith.addi %sum, %largest : i32
        %next = arith.addi %with, %old : i32
        scf.yield %next : i32
      }
      %end = tt.addptr %out, %size : !tt.ptr<i32>, i32
      tt.store %end, %total : !tt.ptr<i32>
      ttg.warp_return
    } : (!tt.ptr<i32>, !tt.ptr<i32>) -> ()
    ttng.cluster_barrier
    tt.return
  }
}
