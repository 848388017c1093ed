// Triton 3.5 gives an element of a ring the ring's allocation. It parses but is no longer valid; opt still reads it.
// RUN: kernelscope opt %s | FileCheck %s --check-prefix=OWN
// RUN: kernelscope opt --release=3.9 %s | FileCheck %s --check-prefix=TODAY

// OWN: ttg.memdesc_index %{{.*}}[%arg0] : !ttg.memdesc<3x64x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable
// TODAY: -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @f(%i: i32) {
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x64x32xf16, #shared, #smem, mutable>
    %1 = ttg.memdesc_index %0[%i] : !ttg.memdesc<3x64x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable, 3x64x32>
    tt.return
  }
}
