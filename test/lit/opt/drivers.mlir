// What MLIR's own tools can do with passes works with our pipelines: the IR after each pass, those of inner pipelines
// included, their time, and a reproducer of a failure.
// RUN: kernelscope opt %s --to-llvm=arch=sm_90a --split-input-file --verify-diagnostics --mlir-print-ir-after-all -o /dev/null 2>&1 | FileCheck %s --check-prefix=AFTER
// RUN: kernelscope opt %s --to-llvm=arch=sm_90a --split-input-file --verify-diagnostics --mlir-timing -o /dev/null 2>&1 | FileCheck %s --check-prefix=TIMING
// RUN: not kernelscope opt %s --to-llvm=arch=sm_90a --mlir-pass-pipeline-crash-reproducer=%t 2>/dev/null
// RUN: FileCheck %s --check-prefix=REPRODUCER --input-file=%t
// RUN: not kernelscope opt %t --run-reproducer 2>&1 | FileCheck %s --check-prefix=AGAIN

// AFTER: IR Dump After SelectKernel (select-kernel)
// AFTER: IR Dump After ConvertTtirToTtgir (convert-ttir-to-ttgir)
// AFTER: tt.make_range {{.*}} : tensor<128xi32, #
// AFTER: IR Dump After EnsureTtgir (ensure-ttgir)
// AFTER: IR Dump After AllocateSharedMemory (allocate-shared-memory)
// AFTER: ttg.shared = 0 : i32
// AFTER: IR Dump After SCFToControlFlowPass (convert-scf-to-cf)
// AFTER: IR Dump After ConvertTtgirToLlvm Failed (convert-ttgir-to-llvm)

// TIMING: Execution time report
// TIMING: ConvertTtirToTtgir
// TIMING: ConvertTtgirToLlvm

// REPRODUCER: tt.make_range
// REPRODUCER: mlir_reproducer
// REPRODUCER-NEXT: pipeline: "builtin.module(select-kernel{kernel=}, ensure-ttgir{arch=sm_90a num-ctas=1 num-stages=0 num-warps=0}, lower-masks, inline-into-kernels, branch-over-sums, place-scales, convert-combined-operands, sink-operands, store-operands-together{arch=sm_90a}, assign-warps{arch=sm_90a}, annotate-access-runs{arch=sm_90a}, count-async-waits{arch=sm_90a},

// AGAIN: no lowering for 'proton.record' on sm_90a yet

tt.func public @print() {
  %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  tt.print "x" {hex = false, isSigned = array<i32: 1>} : %range : tensor<128xi32>
  // expected-error @below {{no lowering for 'proton.record' on sm_90a yet}}
  proton.record start "x"
  tt.return
}
