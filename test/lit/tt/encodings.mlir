// MLIR takes any attribute as the encoding of a tensor; its own are no layouts.
// RUN: kernelscope opt %s --split-input-file --verify-diagnostics

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func @result() {
    // expected-error @below {{result 0 has 5 : i32 where a layout must be: 'tensor<64xi32, 5 : i32>'}}
    %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, 5 : i32>
    tt.return
  }
}

// -----

module {
  // expected-error @below {{argument 1 has "blocked" where a layout must be: 'tensor<4xf32, "blocked">'}}
  tt.func @argument(%n: i32, %x: tensor<4xf32, "blocked">) {
    tt.return
  }
}
