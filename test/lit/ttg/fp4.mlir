// Any bit of the register may choose between the two values of a byte, as long as both are in the byte's thread.
// RUN: kernelscope opt --verify-diagnostics --split-input-file %s -o /dev/null

#bytes = #ttg.blocked<{sizePerThread = [1, 2, 2], threadsPerWarp = [4, 4, 2], warpsPerCTA = [2, 2, 1], order = [0, 1, 2]}>
#values = #ttg.blocked<{sizePerThread = [1, 2, 4], threadsPerWarp = [4, 4, 2], warpsPerCTA = [2, 2, 1], order = [0, 1, 2]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @second_bit(%x: tensor<32x32x32xi8, #bytes>) {
    %0 = ttg.fp4_to_fp %x {axis = 2 : i32} : tensor<32x32x32xi8, #bytes> -> tensor<32x32x64xf16, #values>
    tt.return
  }
}

// -----

#bytes = #ttg.blocked<{sizePerThread = [1, 2, 2], threadsPerWarp = [4, 4, 2], warpsPerCTA = [2, 2, 1], order = [2, 0, 1]}>
#values = #ttg.blocked<{sizePerThread = [1, 4, 2], threadsPerWarp = [4, 4, 2], warpsPerCTA = [2, 2, 1], order = [2, 0, 1]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @second_bit_of_another_order(%x: tensor<32x32x32xi8, #bytes>) {
    %0 = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<32x32x32xi8, #bytes> -> tensor<32x64x32xf16, #values>
    tt.return
  }
}

// -----

#bytes = #ttg.linear<{register = [[0, 1], [0, 2], [16, 0]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}>
#values = #ttg.linear<{register = [[0, 2], [0, 4], [0, 1], [16, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @third_bit_of_a_linear_layout(%x: tensor<32x32xi8, #bytes>) {
    %0 = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<32x32xi8, #bytes> -> tensor<32x64xf16, #values>
    tt.return
  }
}

// -----

// A lane must not choose.
#bytes = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]], block = []}>
#values = #ttg.linear<{register = [[0, 2], [0, 4], [0, 8], [0, 16]], lane = [[0, 1], [0, 32], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @lane(%x: tensor<32x32xi8, #bytes>) {
    // expected-error @below {{each thread must have the two values of each of its bytes}}
    %0 = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<32x32xi8, #bytes> -> tensor<32x64xf16, #values>
    tt.return
  }
}

// -----

// Nor may a register hold a value of another thread's byte.
#bytes = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]], block = []}>
#values = #ttg.linear<{register = [[0, 1], [0, 4], [0, 8], [0, 2]], lane = [[0, 16], [0, 32], [1, 0], [2, 0], [8, 0]], warp = [[4, 0], [16, 0]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp(%x: tensor<32x32xi8, #bytes>) {
    // expected-error @below {{each thread must have the two values of each of its bytes}}
    %0 = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<32x32xi8, #bytes> -> tensor<32x64xf16, #values>
    tt.return
  }
}
