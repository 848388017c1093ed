// What a release of Triton does not write is hinted at: the file's own, or the one that is named.
// RUN: kernelscope check %s | count 0
// RUN: kernelscope check --release=3.8 %s | FileCheck %s --check-prefix=NEWER
// RUN: kernelscope check --release=3.6 %s | count 0
// RUN: kernelscope check --release=3.5 %s | FileCheck %s --check-prefix=OLDER
// RUN: kernelscope check --release=3.8 --allow older-spelling %s | count 0
// RUN: not kernelscope check --release=4.0 %s 2>&1 | FileCheck %s --check-prefix=RELEASE
// RUN: not kernelscope check --allow older-speling %s 2>&1 | FileCheck %s --check-prefix=CODE

// NEWER: :17:16: hint: the tensor type in '!tt.tensordesc' is the spelling of Triton 3.7 and older; since 3.8 it gives the shape and element type directly [older-spelling]
// NEWER: :18:5: hint: 'ttg.local_barrier' is the spelling of Triton 3.6 and older; since 3.7 it is 'ttg.barrier local' [older-spelling]
// NEWER: 2 hints{{$}}
// OLDER: :19:5: hint: 'amdg.cond_barrier' is the spelling since Triton 3.6; 3.5 spells it 'amdgpu.cond_barrier' [newer-spelling]
// RELEASE: --release: '4.0' is not one of 3.4, 3.5, 3.6, 3.7, 3.8, 3.9
// CODE: --allow: 'older-speling' is not the code of a warning or hint; the codes are: older-spelling, newer-spelling,
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @f(%d: !tt.tensordesc<tensor<64x32xf16>>, %p: i1) {
    ttg.local_barrier
    amdg.cond_barrier %p
    tt.return
  }
}
