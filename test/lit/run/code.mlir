// RUN: not kernelscope run %s --code %s --device cpu 2>&1 | FileCheck %s

// CHECK: error: code for a GPU runs on one; --device must be cuda, hip or sim

tt.func public @nothing() {
  tt.return
}
