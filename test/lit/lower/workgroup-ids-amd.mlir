// From RDNA 4 on, one register holds the ids along y and z: a kernel that reads y alone takes its lower half, since a launch may
// have a z.
// RUN: kernelscope preview %s --emit amdgcn | FileCheck %s

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1201", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: y_of_three:
  // CHECK: s_and_b32 s{{[0-9]+}}, ttmp7, 0xffff
  tt.func public @y_of_three(%to: !tt.ptr<i32>) {
    %y = tt.get_program_id y : i32
    %place = tt.addptr %to, %y : !tt.ptr<i32>, i32
    tt.store %place, %y : !tt.ptr<i32>
    tt.return
  }
}
