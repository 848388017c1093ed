// Programmatic dependent launch.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_90a | FileCheck %s
// RUN: not kernelscope opt %s --ttgir-to-llvm=arch=sm_80 2>&1 | FileCheck %s --check-prefix=SM80

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @dependent() {
    // CHECK: "griddepcontrol.wait;"
    // SM80: 'tt.grid_dependency_wait' has no instruction on sm_80; it has one on sm_90a
    tt.grid_dependency_wait
    // CHECK: "griddepcontrol.launch_dependents;"
    tt.grid_dependency_launch_dependents
    tt.return
  }
}
