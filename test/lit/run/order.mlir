// The report says if two runs may produce different bits.
// RUN: kernelscope run %s --kernel takes --device cpu | FileCheck %s --check-prefix=TAKES
// RUN: kernelscope run %s --kernel exchanges --device cpu | FileCheck %s --check-prefix=TAKES
// RUN: kernelscope run %s --kernel counts --device cpu | FileCheck %s --check-prefix=COUNTS
// RUN: kernelscope run %s --kernel sums --device cpu | FileCheck %s --check-prefix=SUMS
// RUN: kernelscope run %s --kernel sums_in_callee --device cpu | FileCheck %s --check-prefix=SUMS
// RUN: kernelscope run %s --kernel sums_by_descriptor --device cpu | FileCheck %s --check-prefix=REDUCES
// RUN: kernelscope run %s --kernel places --device cpu | FileCheck %s --check-prefix=PLACES
// RUN: kernelscope run %s --kernel times --device cpu | FileCheck %s --check-prefix=TIMES
// The executor's own runs do not differ, whatever the order of the additions would be elsewhere.
// RUN: kernelscope run %s --kernel sums --device cpu --output %t.a --format json | grep checksum > %t.first
// RUN: kernelscope run %s --kernel sums --device cpu --output %t.b --format json | grep checksum > %t.second
// RUN: diff %t.first %t.second
// TAKES: note: 'tt.atomic_rmw' reads memory that earlier programs have written, so results may depend on the order of programs
// COUNTS-NOT: note
// SUMS: note: 'tt.atomic_rmw' adds floats atomically, in any order on a GPU, so the last bits may differ between runs; the executor
// SUMS-NOT: note
// REDUCES: note: 'tt.descriptor_reduce' adds floats atomically
// PLACES: note: 'tt.ptr_to_int' converts an address to a number, which differs between runs
// TIMES: note: 'tt.elementwise_inline_asm' reads a clock
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

  tt.func public @exchanges(%last: !tt.ptr<i32>) {
    %true = arith.constant true
    %i = tt.get_program_id x : i32
    %old = tt.atomic_rmw exch, acq_rel, gpu, %last, %i, %true : (!tt.ptr<i32>, i32, i1) -> i32
    tt.return
  }

  tt.func public @counts(%counter: !tt.ptr<i32>) {
    %true = arith.constant true
    %one = arith.constant 1 : i32
    %old = tt.atomic_rmw add, acq_rel, gpu, %counter, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
    tt.return
  }

  tt.func public @sums(%x: !tt.ptr<f32>, %sum: !tt.ptr<f32>) {
    %true = arith.constant true
    %i = tt.get_program_id x : i32
    %at = tt.addptr %x, %i : !tt.ptr<f32>, i32
    %v = tt.load %at : !tt.ptr<f32>
    %old = tt.atomic_rmw fadd, relaxed, gpu, %sum, %v, %true : (!tt.ptr<f32>, f32, i1) -> f32
    tt.return
  }

  tt.func private @add(%sum: !tt.ptr<f32>) attributes {noinline = true} {
    %true = arith.constant true
    %v = arith.constant 1.0 : f32
    %old = tt.atomic_rmw fadd, relaxed, gpu, %sum, %v, %true : (!tt.ptr<f32>, f32, i1) -> f32
    tt.return
  }
  tt.func public @sums_in_callee(%sum: !tt.ptr<f32>) {
    tt.call @add(%sum) : (!tt.ptr<f32>) -> ()
    tt.return
  }

  tt.func public @sums_by_descriptor(%sum: !tt.tensordesc<8x8xf32>) {
    %c0 = arith.constant 0 : i32
    %v = arith.constant dense<1.0> : tensor<8x8xf32>
    tt.descriptor_reduce add, %sum[%c0, %c0], %v : !tt.tensordesc<8x8xf32>, tensor<8x8xf32>
    tt.return
  }

  tt.func public @places(%out: !tt.ptr<i64>) {
    %i = tt.get_program_id x : i32
    %at = tt.addptr %out, %i : !tt.ptr<i64>, i32
    %address = tt.ptr_to_int %at : !tt.ptr<i64> -> i64
    tt.store %at, %address : !tt.ptr<i64>
    tt.return
  }

  tt.func public @times(%out: !tt.ptr<i32>) {
    %i = tt.get_program_id x : i32
    %at = tt.addptr %out, %i : !tt.ptr<i32>, i32
    %now = tt.elementwise_inline_asm "mov.u32 $0, %clock;" {constraints = "=r,r", packed_element = 1 : i32, pure = false} %i : i32 -> i32
    tt.store %at, %now : !tt.ptr<i32>
    tt.return
  }
}
