// If the user chose no chip, a note names the default.
// RUN: kernelscope preview %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=CUDA
// RUN: kernelscope preview %s --emit amdgcn -o /dev/null 2>&1 | FileCheck %s --check-prefix=HIP
// RUN: kernelscope preview %s --arch sm_80 -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHOSEN --allow-empty

// CUDA: default-arch.mlir: note: compiled for sm_90a, the default, because the file names no chip of this vendor; --arch selects another
// HIP: compiled for gfx950, the default
// CHOSEN-NOT: note

module {
  tt.func public @store(%p: !tt.ptr<i32>, %x: i32) {
    tt.store %p, %x : !tt.ptr<i32>
    tt.return
  }
}
