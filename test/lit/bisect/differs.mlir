// RUN: not kernelscope bisect %s | FileCheck %s
// RUN: not kernelscope bisect %s --format=json | FileCheck %s --check-prefix=JSON
// RUN: kernelscope bisect %s --spec %S/Inputs/one-program.json | FileCheck %s --check-prefix=ONE

// Shrink makes neighbours read the same, which one program alone does not show. A pass on functions prints only its
// function, and one that changes nothing may print nothing.

// CHECK: copy: differs after Shrink
// CHECK: IR Dump After SymbolDCE: results of the first section
// CHECK: IR Dump After Shrink: 8064 of 8192 elements of 'to' differ from the first section's; the first is [128]:
// CHECK: @@ line
// CHECK: -    %c128_i32 = arith.constant 128 : i32
// CHECK: +    %c64_i32 = arith.constant 64 : i32
// CHECK-NOT: tt.load
// CHECK: 3 of 3 sections before it produce the same results as the first

// JSON: "passes": [
// JSON-NEXT: "Shrink"
// JSON: "outcome": "same"

// ONE: copy: no pass changes the results
// ONE: 4 of 5 sections produce the same results as the first
// ONE-NEXT: IR Dump After ToLLVM: not run: it has no tt.func

// -----// IR Dump Before CSE (cse) ('builtin.module' operation) //----- //
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @copy(%from: !tt.ptr<f32>, %to: !tt.ptr<f32>) {
    %c128_i32 = arith.constant 128 : i32
    %again = arith.constant 128 : i32
    %pid = tt.get_program_id x : i32
    %start = arith.muli %pid, %c128_i32 : i32
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %starts = tt.splat %start : i32 -> tensor<128xi32, #blocked>
    %at = arith.addi %starts, %range : tensor<128xi32, #blocked>
    %froms = tt.splat %from : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %tos = tt.splat %to : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %fromAt = tt.addptr %froms, %at : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %toAt = tt.addptr %tos, %at : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %value = tt.load %fromAt : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %toAt, %value : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

// -----// IR Dump After CSE (cse) ('tt.func' operation: @copy) //----- //
tt.func public @copy(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) {
  %c128_i32 = arith.constant 128 : i32
  %0 = tt.get_program_id x : i32
  %1 = arith.muli %0, %c128_i32 : i32
  %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %3 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %4 = arith.addi %3, %2 : tensor<128xi32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %5 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %6 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %7 = tt.addptr %5, %4 : tensor<128x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>, tensor<128xi32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %8 = tt.addptr %6, %4 : tensor<128x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>, tensor<128xi32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %9 = tt.load %7 : tensor<128x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  tt.store %8, %9 : tensor<128x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  tt.return
}

// -----// IR Dump After SymbolDCE (symbol-dce) ('builtin.module' operation) //----- //
// (no change)

// -----// IR Dump After Shrink (shrink) ('tt.func' operation: @copy) //----- //
tt.func public @copy(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) {
  %c64_i32 = arith.constant 64 : i32
  %c7_i32 = arith.constant 7 : i32
  %0 = tt.get_program_id x : i32
  %1 = arith.muli %0, %c64_i32 : i32
  %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %3 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %4 = arith.addi %3, %2 : tensor<128xi32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %10 = arith.shli %0, %c7_i32 : i32
  %11 = tt.splat %10 : i32 -> tensor<128xi32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %12 = arith.addi %11, %2 : tensor<128xi32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %5 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %6 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %7 = tt.addptr %5, %4 : tensor<128x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>, tensor<128xi32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %8 = tt.addptr %6, %12 : tensor<128x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>, tensor<128xi32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  %9 = tt.load %7 : tensor<128x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  tt.store %8, %9 : tensor<128x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
  tt.return
}

// -----// IR Dump After ToLLVM (to-llvm) ('builtin.module' operation) //----- //
module {
  llvm.func @copy()
}
