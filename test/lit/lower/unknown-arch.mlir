// RUN: not kernelscope opt --ttgir-to-llvm=arch=sm_91 %s 2>&1 | FileCheck %s
// CHECK: unknown architecture 'sm_91'; known: sm_80, {{.*}}gfx1250
module attributes {"ttg.num-warps" = 4 : i32} {
}
