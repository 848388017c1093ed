// Programs that wait in a loop for what a later program stores: those after them run first. Without such a program, the op
// that looks at memory is in the error.
// RUN: kernelscope run %s --kernel wait --device cpu --spec %s.json | FileCheck %s
// RUN: kernelscope run %s --kernel wait --device sim --arch sm_90a --spec %s.json --compare | FileCheck %s
// RUN: kernelscope run %s --kernel wait --device sim --arch gfx942 --spec %s.json --compare | FileCheck %s
// RUN: kernelscope run %s --kernel wait_by_loads --device cpu --spec %s.json | FileCheck %s
// RUN: kernelscope run %s --kernel wait_by_loads --device sim --arch sm_90a --spec %s.json --compare | FileCheck %s
// RUN: kernelscope run %s --kernel wait_by_loads --device sim --arch gfx942 --spec %s.json --compare | FileCheck %s
// RUN: not kernelscope run %s --kernel forever --device cpu --spec %s.json 2>&1 | FileCheck %s --check-prefix=FOREVER
// RUN: not kernelscope run %s --kernel forever --device sim --arch sm_90a --no-compare --spec %s.json 2>&1 | FileCheck %s --check-prefix=SIM

// CHECK: outputs
// CHECK: data {{ *}}i32[1]
// CHECK-NEXT: first 42
// CHECK: out {{ *}}i32[4]
// CHECK-NEXT: first 42 42 42 42
module {
  // The last program stores.
  tt.func public @wait(%flag: !tt.ptr<i32> loc("flag"), %data: !tt.ptr<i32> loc("data"), %out: !tt.ptr<i32> loc("out")) {
    %pid = tt.get_program_id x : i32
    %n = tt.get_num_programs x : i32
    %1 = arith.constant 1 : i32
    %42 = arith.constant 42 : i32
    %yes = arith.constant true
    %last = arith.subi %n, %1 : i32
    %is_last = arith.cmpi eq, %pid, %last : i32
    scf.if %is_last {
      tt.store %data, %42 : !tt.ptr<i32>
      %before = tt.atomic_rmw exch, release, gpu, %flag, %1, %yes : (!tt.ptr<i32>, i32, i1) -> i32
    }
    scf.while : () -> () {
      %found = tt.atomic_cas acquire, gpu, %flag, %1, %1 : (!tt.ptr<i32>, i32, i32) -> i32
      %again = arith.cmpi ne, %found, %1 : i32
      scf.condition(%again)
    } do {
      scf.yield
    }
    %x = tt.load %data : !tt.ptr<i32>
    %to = tt.addptr %out, %pid : !tt.ptr<i32>, i32
    tt.store %to, %x : !tt.ptr<i32>
    tt.return
  }

  tt.func public @wait_by_loads(%flag: !tt.ptr<i32> loc("flag"), %data: !tt.ptr<i32> loc("data"), %out: !tt.ptr<i32> loc("out")) {
    %pid = tt.get_program_id x : i32
    %n = tt.get_num_programs x : i32
    %1 = arith.constant 1 : i32
    %42 = arith.constant 42 : i32
    %last = arith.subi %n, %1 : i32
    %is_last = arith.cmpi eq, %pid, %last : i32
    scf.if %is_last {
      tt.store %data, %42 : !tt.ptr<i32>
      tt.atomic_store release, gpu, %flag, %1 : !tt.ptr<i32>
    }
    scf.while : () -> () {
      %found = tt.atomic_load acquire, gpu, %flag : (!tt.ptr<i32>) -> i32
      %again = arith.cmpi ne, %found, %1 : i32
      scf.condition(%again)
    } do {
      scf.yield
    }
    %x = tt.load %data : !tt.ptr<i32>
    %to = tt.addptr %out, %pid : !tt.ptr<i32>, i32
    tt.store %to, %x : !tt.ptr<i32>
    tt.return
  }

  tt.func public @forever(%flag: !tt.ptr<i32> loc("flag"), %data: !tt.ptr<i32> loc("data"), %out: !tt.ptr<i32> loc("out")) {
    %1 = arith.constant 1 : i32
    scf.while : () -> () {
      // FOREVER: programs-that-wait.mlir:[[# @LINE + 2]]:16: error: program ({{.*}}, 0, 0): deadlock: it looks at memory in a loop for a change that no program makes; of 4 programs 0 have ended and 4 wait in such a loop
      // SIM: programs-that-wait.mlir:[[# @LINE + 1]]:1: error: CTA ({{.*}}, 0, 0), warp 0: deadlock: it looks at memory in a loop for a change that no CTA makes; of 4 programs 0 have ended and 4 wait in such a loop, in
      %found = tt.atomic_cas acquire, gpu, %flag, %1, %1 : (!tt.ptr<i32>, i32, i32) -> i32
      %again = arith.cmpi ne, %found, %1 : i32
      scf.condition(%again)
    } do {
      scf.yield
    }
    tt.store %data, %1 : !tt.ptr<i32>
    tt.store %out, %1 : !tt.ptr<i32>
    tt.return
  }
}
