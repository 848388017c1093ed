// Each pass of the lowering stands alone, and says what it needs.
// RUN: kernelscope opt %s --split-input-file --verify-diagnostics --convert-ttgir-to-llvm

// expected-error @below {{the module has no 'ttg.shared': run allocate-shared-memory before convert-ttgir-to-llvm}}
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, ttg.shared = 0 : i32, ttg.target = "cuda:90"} {
  tt.func public @loop(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // expected-error @below {{no lowering for 'scf.for' on sm_90a yet}}
    scf.for %i = %c0 to %n step %c1 : i32 {
    }
    tt.return
  }
}

// -----

// expected-error @below {{unknown architecture 'hip:gfx000'}}
module attributes {"ttg.num-warps" = 4 : i32, ttg.shared = 0 : i32, ttg.target = "hip:gfx000"} {
}
