// What cannot be lowered is said on the op, by name.
// RUN: kernelscope opt --ttgir-to-llvm=arch=sm_90a --split-input-file --verify-diagnostics %s

module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @no_lowering(%x: i32) {
    // expected-error @below {{no lowering for 'proton.record' on sm_90a yet}}
    proton.record start "x"
    // expected-error @below {{no lowering for 'proton.record' on sm_90a yet}}
    proton.record end "x"
    tt.return
  }
}

// -----

// expected-error @below {{the module has no 'ttg.num-warps'}}
module {
  tt.func public @no_warps() {
    tt.return
  }
}

// -----

// expected-error @below {{the layouts for 'ttg.threads-per-warp' = 64 cannot run on sm_90a, whose warps have 32 lanes}}
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @other_warps() {
    tt.return
  }
}

// -----

// expected-error @below {{'ttg.num-warps' = 64 makes a block of 2048 threads; on sm_90a it has at most 1024}}
module attributes {"ttg.num-warps" = 64 : i32} {
  tt.func public @too_many_threads() {
    tt.return
  }
}

// -----

// expected-error @below {{'ttg.maxnreg' = 80; with 65536 registers per SM, each of the 1024 threads of a block can have 1 to 64}}
module attributes {"ttg.num-warps" = 32 : i32, ttg.maxnreg = 80 : i32} {
  tt.func public @too_many_registers() {
    tt.return
  }
}

// -----

// expected-error @below {{'ttg.num-ctas' = 32 cannot run on sm_90a, whose clusters have at most 16 blocks}}
module attributes {"ttg.num-ctas" = 32 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func public @too_large_a_cluster() {
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @unequal() {
    // expected-error @below {{has elements that differ, which is not lowered}}
    %0 = arith.constant dense<[1, 2]> : tensor<2xi32, #blocked>
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @no_layout() {
    // expected-error @below {{'tt.make_range' op has a 'tensor<128xi32>' without a layout; the module has 'ttg.num-warps', so it is TTGIR, in which every tensor needs a layout}}
    %0 = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    tt.return
  }
}
