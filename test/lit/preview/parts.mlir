// Of a file that is split, the part with the line is compiled; its lines stay the file's.
// RUN: not kernelscope preview %s --arch sm_80 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: kernelscope preview %s --arch sm_80 --line 10 | FileCheck %s --check-prefix=FIRST
// RUN: kernelscope preview %s --arch sm_80 --line 20 | FileCheck %s --check-prefix=SECOND
// RUN: kernelscope run %s --device cpu --line 20 | FileCheck %s --check-prefix=RESULT

// NONE: parts.mlir:15:{{.*}}: error: '// -----' splits this file into 2 parts with IR; choose one with --line, a line in it
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @first() {
    // FIRST: .entry first(
    tt.return
  }
}
// -----// IR Dump
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32} {
  tt.func public @first() {
    // SECOND: parts.mlir:22:5
    // SECOND-NOT: 128
    // RESULT: first on cpu
    tt.return
  }
}

// RUN: not kernelscope preview %s --line 900 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not kernelscope run %s --line 900 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: parts.mlir: error: --line 900: the file has 28 lines
