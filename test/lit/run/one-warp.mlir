// Warps run as one, so that the id of a warp or thread has a value if there is one, and a tensor of ids if there are several.
// RUN: kernelscope run %s --kernel alone --device cpu | FileCheck %s
// RUN: kernelscope run %s --kernel ids --device cpu --output %t && od -An -t d4 -w256 -v %t/out.npy | FileCheck %s --check-prefix=IDS
// RUN: not kernelscope run %s --kernel several --device cpu 2>&1 | FileCheck %s --check-prefix=SEVERAL
#two = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: outputs
  // CHECK: out {{ *}}i32[1]
  // CHECK-NEXT: first 7
  tt.func public @alone(%out: !tt.ptr<i32> loc("out")) {
    ttg.warp_specialize(%out)
    default {
      ttg.warp_yield
    }
    partition0(%to: !tt.ptr<i32>) num_warps(1) {
      %w = ttg.warp_id
      %7 = arith.constant 7 : i32
      %sum = arith.addi %w, %7 : i32
      tt.store %to, %sum : !tt.ptr<i32>
      ttg.warp_return
    } : (!tt.ptr<i32>) -> ()
    tt.return
  }

  // SEVERAL: error: the CPU executor runs 4 warps as one, so 'ttg.warp_id' has no single value, which 'scf.if' needs; only 'tt.splat' and 'amdg.cond_barrier' may depend on it
  tt.func public @several(%out: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %w = ttg.warp_id
    %is_first = arith.cmpi eq, %w, %c0 : i32
    scf.if %is_first {
      tt.store %out, %c0 : !tt.ptr<i32>
    }
    tt.return
  }

  // Each warp holds 64 elements, and each thread 2: 10 * warp, then the thread.
  // IDS: 0 0 0 {{.*}} 0{{$}}
  // IDS: 10 10 10 {{.*}} 10{{$}}
  // IDS: 20 20
  // IDS: 30 30
  // IDS: 0 0 1 1 2 2
  // IDS: 32 32 33 33
  tt.func public @ids(%out: !tt.ptr<i32> loc("out")) {
    %c10 = arith.constant 10 : i32
    %c256 = arith.constant 256 : i32
    %w = ttg.warp_id
    %tens = arith.muli %w, %c10 : i32
    %warps = tt.splat %tens : i32 -> tensor<256xi32, #two>
    %x = gpu.thread_id x
    %thread = arith.index_cast %x : index to i32
    %threads = tt.splat %thread : i32 -> tensor<256xi32, #two>
    %i = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #two>
    %base = tt.splat %out : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #two>
    %to = tt.addptr %base, %i : tensor<256x!tt.ptr<i32>, #two>, tensor<256xi32, #two>
    tt.store %to, %warps : tensor<256x!tt.ptr<i32>, #two>
    %after = tt.addptr %out, %c256 : !tt.ptr<i32>, i32
    %base2 = tt.splat %after : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #two>
    %to2 = tt.addptr %base2, %i : tensor<256x!tt.ptr<i32>, #two>, tensor<256xi32, #two>
    tt.store %to2, %threads : tensor<256x!tt.ptr<i32>, #two>
    tt.return
  }
}
