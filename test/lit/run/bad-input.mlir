// Bad launches and kernels that do not end: one clear error each.
// RUN: echo '{"grid": 0}' > %t.grid.json
// RUN: not kernelscope run %s --kernel adds --device cpu --spec %t.grid.json 2>&1 | FileCheck %s --check-prefix=GRID
// GRID: 'grid' must be sizes from 1 to 2147483647, not 0
// RUN: echo '{"arguments": {"q": 3}}' > %t.name.json
// RUN: not kernelscope run %s --kernel adds --device cpu --spec %t.name.json 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: kernel 'adds' has no argument 'q'; it has p
// RUN: echo '{"arguments": {"arg0": {"shape": [1099511627776, 1099511627776]}}}' > %t.huge.json
// RUN: not kernelscope run %s --kernel adds --device cpu --spec %t.huge.json 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: needs 18446744073709551615 bytes, 18446744073709551615 with the arguments before it; the buffers of a run may have {{[0-9]+}} here, half of the free memory
// RUN: not kernelscope run %s --kernel endless --device cpu --max-steps 1000 2>&1 | FileCheck %s --check-prefix=ENDLESS
// ENDLESS: bad-input.mlir:[[# @LINE + 25]]:10: error: program (0, 0, 0) has done the work of 1000 ops on scalars and is still in this loop
// RUN: echo '{"maxSteps": 0}' > %t.steps.json
// RUN: not kernelscope run %s --kernel endless --device cpu --spec %t.steps.json 2>&1 | FileCheck %s --check-prefix=STEPS
// STEPS: 'maxSteps' must be an integer of at least 1, not 0
// RUN: not kernelscope run %s --kernel far --device cpu 2>&1 | FileCheck %s --check-prefix=FAR
// FAR: argument 'p' would need {{[0-9]+}} bytes with the default sizes, including the arguments before it, but the limit is {{[0-9]+}}; give scalars and shapes in a launch spec
// RUN: not kernelscope run %s --kernel circles --device cpu --max-steps 1000 2>&1 | FileCheck %s --check-prefix=CIRCLES
// CIRCLES: error: program (0, 0, 0) has done the work of 1000 ops on scalars and is still in this loop
// CIRCLES-NEXT: cf.br ^bb1
// RUN: not kernelscope run %s --kernel ping --device cpu 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: not kernelscope run %s --kernel again --device cpu 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: error: the CPU executor does not run recursive calls
module {
  tt.func public @adds(%p: !tt.ptr<i32>) {
    %x = tt.load %p : !tt.ptr<i32>
    %y = arith.addi %x, %x : i32
    tt.store %p, %y : !tt.ptr<i32>
    tt.return
  }

  tt.func public @endless(%p: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %true = arith.constant true


    %r = scf.while (%i = %c0) : (i32) -> i32 {
      scf.condition(%true) %i : i32
    } do {
    ^bb0(%i: i32):
      scf.yield %i : i32
    }
    tt.store %p, %r : !tt.ptr<i32>
    tt.return
  }

  tt.func public @far(%p: !tt.ptr<i32>) {
    %distance = arith.constant 2147483647 : i32
    %q = tt.addptr %p, %distance : !tt.ptr<i32>, i32
    %x = tt.load %q : !tt.ptr<i32>
    tt.store %p, %x : !tt.ptr<i32>
    tt.return
  }

  tt.func public @circles(%p: !tt.ptr<i32>) {
    cf.br ^bb1
  ^bb1:
    %x = tt.load %p : !tt.ptr<i32>
    cf.br ^bb1
  }

  tt.func public @ping(%p: !tt.ptr<i32>) {
    tt.call @pong(%p) : (!tt.ptr<i32>) -> ()
    tt.return
  }
  tt.func private @pong(%p: !tt.ptr<i32>) {
    tt.call @ping(%p) : (!tt.ptr<i32>) -> ()
    tt.return
  }

  tt.func public @again(%p: !tt.ptr<i32>) {
    tt.call @again(%p) : (!tt.ptr<i32>) -> ()
    tt.return
  }
}
