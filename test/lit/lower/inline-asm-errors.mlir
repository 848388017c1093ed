// Constraints that do not fit the op, or that the chip does not have.
// RUN: kernelscope opt --ttgir-to-llvm=arch=sm_90a %s --split-input-file --verify-diagnostics

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @too_many(%x: i32) -> i32 {
    // expected-error @below {{'tt.elementwise_inline_asm' op has constraints "=r,r,r" with 1 of outputs and 2 of inputs; its results and operands need 1 and 1}}
    %y = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r,r", packed_element = 1 : i32, pure = true} %x : i32 -> i32
    tt.return %y : i32
  }
}

// -----

#line = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Four halves are in two registers, four words in four.
  tt.func @groups(%x: tensor<512xf16, #line>, %w: tensor<512xf32, #line>) -> tensor<512xf16, #line> {
    // expected-error @below {{op has constraints "=r,r,r" with 1 of outputs and 2 of inputs; its results and operands need 2 and 6}}
    %y = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r,r", packed_element = 4 : i32, pure = true} %x, %w : tensor<512xf16, #line>, tensor<512xf32, #line> -> tensor<512xf16, #line>
    tt.return %y : tensor<512xf16, #line>
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @registers_of_amd(%x: i32) -> i32 {
    // expected-error @below {{op has the constraint 'v' in "=v,v", which sm_90a does not have; it has registers of 'b', 'c', 'h', 'r', 'l', 'q', 'f', 'd'}}
    %y = tt.elementwise_inline_asm "v_mov_b32 $0, $1" {constraints = "=v,v", packed_element = 1 : i32, pure = true} %x : i32 -> i32
    tt.return %y : i32
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @unreadable(%x: i32) -> i32 {
    // expected-error @below {{op has constraints "r,=r", which LLVM cannot read: first it needs 1 of outputs, then 1 of inputs, such as "=r,r"}}
    %y = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "r,=r", packed_element = 1 : i32, pure = true} %x : i32 -> i32
    tt.return %y : i32
  }
}

// -----

#line = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @registers(%x: tensor<256xf32, #line>) -> tensor<256xf32, #line> {
    // expected-error @below {{'ttg.inline_asm' op has constraints "=f,f" with 1 of outputs and 1 of inputs; its results and operands need 2 and 2}}
    %y = ttg.inline_asm "add.f32 $0, $1, $1;" {constraints = "=f,f", pure = true} %x : (tensor<256xf32, #line>) -> tensor<256xf32, #line>
    tt.return %y : tensor<256xf32, #line>
  }
}
