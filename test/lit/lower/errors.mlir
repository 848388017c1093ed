// What cannot be lowered is said on the op, by name.
// RUN: kernelscope opt --convert-ttgir-to-llvm=arch=sm_90a --split-input-file --verify-diagnostics %s

module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @no_lowering(%x: i32) {
    // expected-error @below {{no lowering for 'tt.print' on sm_90a yet}}
    tt.print "x" {hex = false, isSigned = array<i32: 1>} : %x : i32
    // expected-error @below {{no lowering for 'tt.print' on sm_90a yet}}
    tt.print "y" {hex = false, isSigned = array<i32: 1>} : %x : i32
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

// expected-error @below {{layouts for 'ttg.threads-per-warp' = 64 cannot run on sm_90a, whose warps have 32 lanes}}
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @other_warps() {
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @unequal() {
    // expected-error @below {{of unequal elements does not lower}}
    %0 = arith.constant dense<[1, 2]> : tensor<2xi32, #blocked>
    tt.return
  }
}
