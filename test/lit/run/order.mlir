// The report says when results may depend on the order of programs.
// RUN: kernelscope run %s --kernel takes --device cpu | FileCheck %s --check-prefix=TAKES
// RUN: kernelscope run %s --kernel counts --device cpu | FileCheck %s --check-prefix=COUNTS
// TAKES: programs see each other's atomic updates, so that results may depend on their order
// COUNTS-NOT: order
module {
  tt.func public @takes(%counter: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
    %true = arith.constant true
    %one = arith.constant 1 : i32
    %i = tt.get_program_id x : i32
    %ticket = tt.atomic_rmw add, acq_rel, gpu, %counter, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %at = tt.addptr %out, %i : !tt.ptr<i32>, i32
    tt.store %at, %ticket : !tt.ptr<i32>
    tt.return
  }

  tt.func public @counts(%counter: !tt.ptr<i32>) {
    %true = arith.constant true
    %one = arith.constant 1 : i32
    %old = tt.atomic_rmw add, acq_rel, gpu, %counter, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
    tt.return
  }
}
