// RUN: not kernelscope run %s --code %s --device cpu 2>&1 | FileCheck %s

// CHECK: error: GPU code cannot run on the CPU; --device must be cuda, hip or sim

tt.func public @nothing() {
  tt.return
}
