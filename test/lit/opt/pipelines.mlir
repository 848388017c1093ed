// The named pipelines, as passes in their order.
// RUN: kernelscope opt %s --ttir-to-ttgir="arch=gfx942 num-warps=8" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=TTIR
// RUN: kernelscope opt %s --to-ttgir="arch=sm_90a kernel=copy" --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=TTGIR
// RUN: kernelscope opt %s --to-llvm="arch=sm_90a kernel=copy num-warps=2" --dump-pass-pipeline -o %t 2>&1 | FileCheck %s --check-prefix=LLVM
// RUN: FileCheck %s --check-prefix=IR --input-file=%t

// The chip of TTIR is named, unless the user or the module names one.
// RUN: kernelscope opt %s --to-llvm=kernel=copy -o /dev/null 2>&1 | FileCheck %s --check-prefix=DEFAULT
// RUN: kernelscope opt %s --to-llvm="arch=gfx950 kernel=copy" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NAMED --allow-empty
// RUN: echo 'module attributes {ttg.target = "hip:gfx942"} {' > %t.ttir && cat %s >> %t.ttir && echo '}' >> %t.ttir
// RUN: kernelscope opt %t.ttir --to-ttgir=kernel=copy 2>&1 | FileCheck %s --check-prefix=MODULE-CHIP
// DEFAULT: remark: compiled for sm_90a, the default, because the module names no chip; pass arch=, as in --to-llvm=arch=gfx950, for another
// NAMED-NOT: remark
// MODULE-CHIP-NOT: remark
// MODULE-CHIP: ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64

// What one pipeline begins, the next takes up: TTGIR is not given layouts again.
// RUN: kernelscope opt %s --to-ttgir="arch=sm_90a kernel=copy num-warps=2" | kernelscope opt - --to-llvm="num-warps=16" | FileCheck %s --check-prefix=IR
// RUN: kernelscope opt %s --pass-pipeline="builtin.module(to-ttgir{arch=sm_90a kernel=copy num-warps=2},ttgir-to-llvm)" | FileCheck %s --check-prefix=IR

// A product of TTIR takes as much shared memory as in a preview, whether one pipeline compiles it or two.
// RUN: kernelscope opt %S/../ttir/attention-groups.mlir --to-llvm=arch=gfx950 | FileCheck %s --check-prefix=OWN
// RUN: kernelscope opt %S/../ttir/attention-groups.mlir --to-ttgir=arch=gfx950 | kernelscope opt - --ttgir-to-llvm | FileCheck %s --check-prefix=OWN
// OWN: kernelscope.own_layouts
// OWN-SAME: ttg.shared = 40960 : i32

// TTIR: builtin.module(
// TTIR-NEXT: rewrite-block-pointers
// TTIR-NEXT: rewrite-descriptors-to-pointers{arch=gfx942 num-ctas=1},
// TTIR-NEXT: decompose-scaled-products{arch=gfx942 num-ctas=1 num-warps=8},
// TTIR-NEXT: convert-ttir-to-ttgir{arch=gfx942 num-ctas=1 num-warps=8 threads-per-warp=0},
// TTIR-NEXT: combine-after-loops,
// TTIR-NEXT: pipeline-loops{arch=gfx942 num-stages=0},
// TTIR-NEXT: use-buffer-accesses{arch=gfx942},
// TTIR-NEXT: lower-descriptors-to-tma{arch=gfx942},
// TTIR-NEXT: remove-proxy-fences
// TTIR-NEXT: )

// TTGIR: select-kernel{kernel=copy},
// TTGIR-NEXT: ensure-ttgir{arch=sm_90a num-ctas=1 num-stages=0 num-warps=0}
// TTGIR-NEXT: )

// LLVM: select-kernel{kernel=copy},
// LLVM-NEXT: ensure-ttgir{arch=sm_90a num-ctas=1 num-stages=0 num-warps=2},
// LLVM-NEXT: lower-masks,
// LLVM-NEXT: inline-into-kernels,
// LLVM-NEXT: branch-over-sums,
// LLVM-NEXT: place-scales,
// LLVM-NEXT: convert-combined-operands,
// LLVM-NEXT: sink-operands,
// LLVM-NEXT: store-operands-together{arch=sm_90a},
// LLVM-NEXT: assign-warps{arch=sm_90a},
// LLVM-NEXT: annotate-access-runs{arch=sm_90a},
// LLVM-NEXT: count-async-waits{arch=sm_90a},
// LLVM-NEXT: relax-store-waits,
// LLVM-NEXT: allocate-global-scratch,
// LLVM-NEXT: allocate-tensor-memory,
// LLVM-NEXT: allocate-shared-memory{arch=sm_90a},
// LLVM-NEXT: lower-warp-pipelines{arch=sm_90a},
// LLVM-NEXT: insert-proxy-fences{arch=sm_90a},
// LLVM-NEXT: insert-barriers,
// LLVM-NEXT: claim-tensor-memory{arch=sm_90a},
// LLVM-NEXT: convert-scf-to-cf{{.*}},
// LLVM-NEXT: lower-warp-specialization{arch=sm_90a},
// LLVM-NEXT: convert-ttgir-to-llvm{arch=sm_90a},
// LLVM-NEXT: lower-cluster-barriers{arch=sm_90a},
// LLVM-NEXT: ensure-debug-info-scope-on-llvm-func{emission-kind=DebugDirectivesOnly}
// LLVM-NEXT: )

// IR: module attributes {{.*}}"ttg.num-warps" = 2 : i32, ttg.shared = 0 : i32, ttg.target = "cuda:90"
// IR: llvm.func ptx_kernelcc @copy
// IR-NOT: @other

tt.func public @copy(%from: !tt.ptr<f32>, %to: !tt.ptr<f32>) {
  %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
  %froms = tt.splat %from : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
  %sources = tt.addptr %froms, %range : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
  %x = tt.load %sources : tensor<256x!tt.ptr<f32>>
  %tos = tt.splat %to : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
  %targets = tt.addptr %tos, %range : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
  tt.store %targets, %x : tensor<256x!tt.ptr<f32>>
  tt.return
}

tt.func public @other() {
  tt.return
}
