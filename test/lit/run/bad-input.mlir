// Bad launches and kernels that do not end: one clear error each.
// RUN: echo '{"grid": 0}' > %t.grid.json
// RUN: not kernelscope run %s --kernel adds --device cpu --spec %t.grid.json 2>&1 | FileCheck %s --check-prefix=GRID
// GRID: 'grid' must be sizes from 1 to 2147483647, not 0
// RUN: echo '{"arguments": {"q": 3}}' > %t.name.json
// RUN: not kernelscope run %s --kernel adds --device cpu --spec %t.name.json 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: kernel 'adds' has no argument 'q'; it has p
// RUN: echo '{"arguments": {"arg0": {"shape": [1099511627776, 1099511627776]}}}' > %t.huge.json
// RUN: not kernelscope run %s --kernel adds --device cpu --spec %t.huge.json 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: needs 18446744073709551615 bytes, 18446744073709551615 with the arguments before it; the buffers of a run may have at most {{[0-9]+}} here, half of the free memory
// RUN: not kernelscope run %s --kernel endless --device cpu --max-steps 1000 2>&1 | FileCheck %s --check-prefix=ENDLESS
// ENDLESS: bad-input.mlir:[[# @LINE + 30]]:10: error: program (0, 0, 0) has done the work of 1000 ops on scalars and is still in this loop
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
// RUN: not kernelscope run %s --kernel wide --device cpu 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: error: the CPU executor does not run loops that count in 'i128'
// Calls that double 40 times end at the limit, which inlining them for the default inputs does not reach.
// RUN: not kernelscope run %s --kernel doubles0 --device cpu --max-steps 1000 2>&1 | FileCheck %s --check-prefix=DOUBLES
// DOUBLES: error: program (0, 0, 0) has done the work of 1000 ops on scalars and has only reached its end
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

  tt.func public @wide(%p: !tt.ptr<i32>, %n: i128) {
    scf.for %i = %n to %n step %n : i128 {
    }
    tt.return
  }

  tt.func public @doubles0() {
    tt.call @doubles1() : () -> ()
    tt.call @doubles1() : () -> ()
    tt.return
  }
  tt.func public @doubles1() {
    tt.call @doubles2() : () -> ()
    tt.call @doubles2() : () -> ()
    tt.return
  }
  tt.func public @doubles2() {
    tt.call @doubles3() : () -> ()
    tt.call @doubles3() : () -> ()
    tt.return
  }
  tt.func public @doubles3() {
    tt.call @doubles4() : () -> ()
    tt.call @doubles4() : () -> ()
    tt.return
  }
  tt.func public @doubles4() {
    tt.call @doubles5() : () -> ()
    tt.call @doubles5() : () -> ()
    tt.return
  }
  tt.func public @doubles5() {
    tt.call @doubles6() : () -> ()
    tt.call @doubles6() : () -> ()
    tt.return
  }
  tt.func public @doubles6() {
    tt.call @doubles7() : () -> ()
    tt.call @doubles7() : () -> ()
    tt.return
  }
  tt.func public @doubles7() {
    tt.call @doubles8() : () -> ()
    tt.call @doubles8() : () -> ()
    tt.return
  }
  tt.func public @doubles8() {
    tt.call @doubles9() : () -> ()
    tt.call @doubles9() : () -> ()
    tt.return
  }
  tt.func public @doubles9() {
    tt.call @doubles10() : () -> ()
    tt.call @doubles10() : () -> ()
    tt.return
  }
  tt.func public @doubles10() {
    tt.call @doubles11() : () -> ()
    tt.call @doubles11() : () -> ()
    tt.return
  }
  tt.func public @doubles11() {
    tt.call @doubles12() : () -> ()
    tt.call @doubles12() : () -> ()
    tt.return
  }
  tt.func public @doubles12() {
    tt.call @doubles13() : () -> ()
    tt.call @doubles13() : () -> ()
    tt.return
  }
  tt.func public @doubles13() {
    tt.call @doubles14() : () -> ()
    tt.call @doubles14() : () -> ()
    tt.return
  }
  tt.func public @doubles14() {
    tt.call @doubles15() : () -> ()
    tt.call @doubles15() : () -> ()
    tt.return
  }
  tt.func public @doubles15() {
    tt.call @doubles16() : () -> ()
    tt.call @doubles16() : () -> ()
    tt.return
  }
  tt.func public @doubles16() {
    tt.call @doubles17() : () -> ()
    tt.call @doubles17() : () -> ()
    tt.return
  }
  tt.func public @doubles17() {
    tt.call @doubles18() : () -> ()
    tt.call @doubles18() : () -> ()
    tt.return
  }
  tt.func public @doubles18() {
    tt.call @doubles19() : () -> ()
    tt.call @doubles19() : () -> ()
    tt.return
  }
  tt.func public @doubles19() {
    tt.call @doubles20() : () -> ()
    tt.call @doubles20() : () -> ()
    tt.return
  }
  tt.func public @doubles20() {
    tt.call @doubles21() : () -> ()
    tt.call @doubles21() : () -> ()
    tt.return
  }
  tt.func public @doubles21() {
    tt.call @doubles22() : () -> ()
    tt.call @doubles22() : () -> ()
    tt.return
  }
  tt.func public @doubles22() {
    tt.call @doubles23() : () -> ()
    tt.call @doubles23() : () -> ()
    tt.return
  }
  tt.func public @doubles23() {
    tt.call @doubles24() : () -> ()
    tt.call @doubles24() : () -> ()
    tt.return
  }
  tt.func public @doubles24() {
    tt.call @doubles25() : () -> ()
    tt.call @doubles25() : () -> ()
    tt.return
  }
  tt.func public @doubles25() {
    tt.call @doubles26() : () -> ()
    tt.call @doubles26() : () -> ()
    tt.return
  }
  tt.func public @doubles26() {
    tt.call @doubles27() : () -> ()
    tt.call @doubles27() : () -> ()
    tt.return
  }
  tt.func public @doubles27() {
    tt.call @doubles28() : () -> ()
    tt.call @doubles28() : () -> ()
    tt.return
  }
  tt.func public @doubles28() {
    tt.call @doubles29() : () -> ()
    tt.call @doubles29() : () -> ()
    tt.return
  }
  tt.func public @doubles29() {
    tt.call @doubles30() : () -> ()
    tt.call @doubles30() : () -> ()
    tt.return
  }
  tt.func public @doubles30() {
    tt.call @doubles31() : () -> ()
    tt.call @doubles31() : () -> ()
    tt.return
  }
  tt.func public @doubles31() {
    tt.call @doubles32() : () -> ()
    tt.call @doubles32() : () -> ()
    tt.return
  }
  tt.func public @doubles32() {
    tt.call @doubles33() : () -> ()
    tt.call @doubles33() : () -> ()
    tt.return
  }
  tt.func public @doubles33() {
    tt.call @doubles34() : () -> ()
    tt.call @doubles34() : () -> ()
    tt.return
  }
  tt.func public @doubles34() {
    tt.call @doubles35() : () -> ()
    tt.call @doubles35() : () -> ()
    tt.return
  }
  tt.func public @doubles35() {
    tt.call @doubles36() : () -> ()
    tt.call @doubles36() : () -> ()
    tt.return
  }
  tt.func public @doubles36() {
    tt.call @doubles37() : () -> ()
    tt.call @doubles37() : () -> ()
    tt.return
  }
  tt.func public @doubles37() {
    tt.call @doubles38() : () -> ()
    tt.call @doubles38() : () -> ()
    tt.return
  }
  tt.func public @doubles38() {
    tt.call @doubles39() : () -> ()
    tt.call @doubles39() : () -> ()
    tt.return
  }
  tt.func public @doubles39() {
    tt.call @doubles40() : () -> ()
    tt.call @doubles40() : () -> ()
    tt.return
  }
  tt.func public @doubles40() {
    tt.return
  }
}
