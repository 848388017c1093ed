// RUN: not kernelscope bisect %s 2>&1 | FileCheck %s --check-prefix=NODUMP
// RUN: not kernelscope bisect %t.nothing 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: kernelscope bisect --help | FileCheck %s --check-prefix=HELP
// RUN: kernelscope opt %s --canonicalize --cse --mlir-print-ir-after-all 2> %t.dump > /dev/null
// RUN: kernelscope bisect %t.dump | FileCheck %s --check-prefix=OURS
// RUN: not kernelscope bisect %t.dump --kernel=nobody 2>&1 | FileCheck %s --check-prefix=KERNEL

// NODUMP: error: the file is not a dump of passes: it has 0 lines '// -----// IR Dump Before (or After) PASS' and needs 2
// MISSING: .nothing: error: cannot read the file
// HELP: Exit codes: 0 no pass changes the results; 1 one does
// OURS: store: no pass changes the results
// OURS-NEXT: 2 of 2 sections produce the same results as the first
// KERNEL: error: the file has no kernel 'nobody'; it has store
tt.func public @store(%out: !tt.ptr<i32>) {
  %one = arith.constant 1 : i32
  %two = arith.addi %one, %one : i32
  tt.store %out, %two : !tt.ptr<i32>
  tt.return
}
