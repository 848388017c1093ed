// RUN: kernelscope opt %s --to-llvm=arch=sm_90a --mlir-print-ir-after-all -o /dev/null 2> %t.dump
// RUN: kernelscope bisect %t.dump | FileCheck %s
// RUN: sed '/IR Dump After AllocateSharedMemory /,$ s/arith.addf/arith.mulf/' %t.dump > %t.broken
// RUN: not kernelscope bisect %t.broken | FileCheck %s --check-prefix=BROKEN

// A compilation of ours does the same after each pass; then as if one of them had made a product of a sum.

// CHECK: sums: no pass changes the results
// CHECK: IR Dump After ConvertTtgirToLlvm and 2 more: not run: it has no tt.func

// BROKEN: sums: differs after AllocateSharedMemory
// BROKEN: IR Dump After AllocateSharedMemory: {{[0-9]+}} of {{[0-9]+}} elements of 'arg1' differ from the first section's
// BROKEN: -{{.*}}arith.addf
// BROKEN: +{{.*}}arith.mulf
tt.func public @sums(%in: !tt.ptr<f32> loc("in"), %out: !tt.ptr<f32> loc("out")) {
  %256 = arith.constant 256 : i32
  %program = tt.get_program_id x : i32
  %first = arith.muli %program, %256 : i32
  %from = tt.addptr %in, %first : !tt.ptr<f32>, i32
  %i = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
  %base = tt.splat %from : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
  %at = tt.addptr %base, %i : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
  %x = tt.load %at : tensor<256x!tt.ptr<f32>>
  %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<256xf32>) -> f32
  %to = tt.addptr %out, %program : !tt.ptr<f32>, i32
  tt.store %to, %sum : !tt.ptr<f32>
  tt.return
}
