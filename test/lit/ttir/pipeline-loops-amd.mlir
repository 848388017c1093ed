// Loops of products on AMD: on gfx950 and gfx1250 an iteration starts the copies to LDS for the next one, into the slot that the iteration
// before has read, in layouts that Triton 3.9 chooses; elsewhere it loads to registers what the next one needs.
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=gfx950 | FileCheck %s --check-prefixes=COPY,CDNA
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=gfx1250 | FileCheck %s --check-prefixes=COPY,SCATTER
// RUN: kernelscope opt %s --ttir-to-ttgir="arch=gfx950 num-stages=3" | FileCheck %s --check-prefix=THREE
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=gfx942 | FileCheck %s --check-prefix=HOLD
// RUN: kernelscope opt %s --ttir-to-ttgir="arch=gfx950 num-stages=1" | FileCheck %s --check-prefix=ONE
// A wait that covers the copies of the iteration; those of the next one may be in flight.
// RUN: kernelscope preview %s --arch gfx950 --kernel product | FileCheck %s --check-prefix=ASM
// What they compute, without races.
// RUN: kernelscope run %s --kernel product --device sim --arch gfx950 --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel product --device sim --arch gfx950 --num-stages 4 --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel product --device sim --arch gfx1250 --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel product --device sim --arch gfx1250 --num-stages 3 --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel product --device sim --arch gfx942 --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel product --device sim --arch gfx1201 --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel computed --device sim --arch gfx950 --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel computed --device sim --arch gfx1100 --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel known --device sim --arch gfx942 --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel doubles --device sim --arch gfx950 --compare | FileCheck %s --check-prefix=RIGHT
// RIGHT: differs from the CPU executor by at most {{.*}}: within
// ONE-NOT: async

// Neighbouring rows are loaded by different warps, whose copies have a gap between them.
// CDNA-DAG: #[[A_LOADS:.*]] = #ttg.linear<{register = {{\[\[0, 1\], \[0, 2\], \[0, 4\]\]}}, lane = {{\[\[0, 8\], \[0, 16\], \[4, 0\], \[8, 0\], \[16, 0\], \[32, 0\]\]}}, warp = {{\[\[1, 0\], \[2, 0\]\]}}, block = []}>
// CDNA-DAG: #[[A_ROWS:.*]] = #ttg.padded_shared<[512:+8] {offset = {{\[\[0, 1\], \[0, 2\], \[0, 4\], \[0, 8\], \[0, 16\], \[4, 0\], \[8, 0\], \[16, 0\], \[32, 0\], \[1, 0\], \[2, 0\]\]}}, block = []}>
// The right operand is read transposed, four rows at once: a quarter of the banks between them.
// CDNA-DAG: #[[B_ROWS:.*]] = #ttg.padded_shared<[512:+32]
// SCATTER-DAG: #[[A_ROWS:.*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>

// COPY-LABEL: tt.func public @product
// COPY: %[[A:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x64x32xf16,
// COPY: %[[B:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x32x64xf16,
// COPY: ttg.async_commit_group
// COPY-NOT: ttg.async_commit_group
// COPY: scf.for
// COPY-NEXT: ttg.async_wait {num = 0 : i32}
// The buffer of `a` has less than 2 GiB.
// CDNA: amdg.buffer_load_to_local %{{.*}} {contiguity = 8 : i32}
// CDNA: ttg.async_copy_global_to_local %{{.*}} {contiguity = 8 : i32}
// SCATTER-COUNT-2: ttg.async_copy_global_to_local
// COPY: ttg.async_commit_group
// COPY: %[[AT_A:.*]] = ttg.memdesc_index %[[A]]
// COPY: ttg.local_load %[[AT_A]] {ttg.amdg.syncedViaAsyncWait = true}
// COPY: ttg.local_load %{{.*}} {ttg.amdg.syncedViaAsyncWait = true}
// COPY: tt.dot
// COPY-NEXT: scf.yield
// COPY: ttg.local_dealloc

// THREE-LABEL: tt.func public @product
// THREE: ttg.local_alloc : () -> !ttg.memdesc<3x64x32xf16,
// THREE-COUNT-2: ttg.async_commit_group
// THREE: scf.for
// THREE-NEXT: ttg.async_wait {num = 1 : i32}

// A load follows the last use of what it replaces.
// HOLD-LABEL: tt.func public @product
// HOLD-NOT: local_alloc
// HOLD: %[[FIRST:.*]] = amdg.buffer_load
// HOLD: scf.for {{.*}} iter_args({{.*}}, %[[NOW:[^ ]*]] = %[[FIRST]],
// HOLD: ttg.convert_layout %[[NOW]]
// HOLD-NEXT: %[[RUNS:.*]] = tt.splat
// HOLD-NEXT: %[[MASK:.*]] = arith.andi %[[RUNS]]
// HOLD-NEXT: %[[NEXT:.*]] = amdg.buffer_load {{.*}} %[[MASK]]
// HOLD: tt.dot
// HOLD: scf.yield {{.*}}%[[NEXT]]

// ASM-LABEL: product:
// ASM: Inner Loop Header
// ASM: s_waitcnt vmcnt(0)
// ASM: s_barrier
// ASM: buffer_load_dwordx4 {{.*}} lds
// ASM: global_load_lds_dwordx4
// ASM-NOT: vmcnt(0)
// ASM: _crit_edge
tt.func public @product(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %nothing = arith.constant dense<0.0> : tensor<64x32xf16>
  %next_a = arith.constant dense<32> : tensor<64x32xi32>
  %next_b = arith.constant dense<2048> : tensor<32x64xi32>
  %64 = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %32 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %rows = tt.expand_dims %64 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tt.expand_dims %64 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %deep = tt.expand_dims %32 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %down = tt.expand_dims %32 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %ks = tt.splat %k : i32 -> tensor<64x1xi32>
  %row_starts = arith.muli %rows, %ks : tensor<64x1xi32>
  %wide = arith.constant dense<64> : tensor<32x1xi32>
  %down_starts = arith.muli %down, %wide : tensor<32x1xi32>
  %ra = tt.broadcast %row_starts : tensor<64x1xi32> -> tensor<64x32xi32>
  %ca = tt.broadcast %deep : tensor<1x32xi32> -> tensor<64x32xi32>
  %oa = arith.addi %ra, %ca : tensor<64x32xi32>
  %sa = tt.splat %a : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
  %pa0 = tt.addptr %sa, %oa : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
  %rb = tt.broadcast %down_starts : tensor<32x1xi32> -> tensor<32x64xi32>
  %cb = tt.broadcast %columns : tensor<1x64xi32> -> tensor<32x64xi32>
  %ob = arith.addi %rb, %cb : tensor<32x64xi32>
  %sb = tt.splat %b : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
  %pb0 = tt.addptr %sb, %ob : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
  %r:3 = scf.for %i = %c0 to %k step %c32 iter_args(%sum = %zero, %pa = %pa0, %pb = %pb0) -> (tensor<64x64xf32>, tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>) : i32 {
    %left = arith.subi %k, %i : i32
    %lefts = tt.splat %left : i32 -> tensor<1x32xi32>
    %in = arith.cmpi slt, %deep, %lefts : tensor<1x32xi32>
    %mask = tt.broadcast %in : tensor<1x32xi1> -> tensor<64x32xi1>
    %x = tt.load %pa, %mask, %nothing : tensor<64x32x!tt.ptr<f16>>
    %y = tt.load %pb : tensor<32x64x!tt.ptr<f16>>
    %d = tt.dot %x, %y, %sum : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    %pa1 = tt.addptr %pa, %next_a : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %pb1 = tt.addptr %pb, %next_b : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    scf.yield %d, %pa1, %pb1 : tensor<64x64xf32>, tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>
  }
  %tall = arith.constant dense<64> : tensor<64x1xi32>
  %starts = arith.muli %rows, %tall : tensor<64x1xi32>
  %rc = tt.broadcast %starts : tensor<64x1xi32> -> tensor<64x64xi32>
  %cc = tt.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %oc = arith.addi %rc, %cc : tensor<64x64xi32>
  %sc = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %pc = tt.addptr %sc, %oc : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  tt.store %pc, %r#0 : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// Threads compute with what they load of `a`: registers hold it for the next iteration.
// COPY-LABEL: tt.func public @computed
// COPY: ttg.local_alloc : () -> !ttg.memdesc<2x32x64xf16,
// COPY-NOT: local_alloc
// COPY: scf.for {{.*}} iter_args
// COPY: %[[TWICE:.*]] = arith.addf %[[HELD:.*]], %[[HELD]]
// COPY: ttg.convert_layout %[[TWICE]]
// COPY: tt.dot
tt.func public @computed(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %nothing = arith.constant dense<0.0> : tensor<64x32xf16>
  %next_a = arith.constant dense<32> : tensor<64x32xi32>
  %next_b = arith.constant dense<2048> : tensor<32x64xi32>
  %64 = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %32 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %rows = tt.expand_dims %64 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tt.expand_dims %64 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %deep = tt.expand_dims %32 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %down = tt.expand_dims %32 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %ks = tt.splat %k : i32 -> tensor<64x1xi32>
  %row_starts = arith.muli %rows, %ks : tensor<64x1xi32>
  %wide = arith.constant dense<64> : tensor<32x1xi32>
  %down_starts = arith.muli %down, %wide : tensor<32x1xi32>
  %ra = tt.broadcast %row_starts : tensor<64x1xi32> -> tensor<64x32xi32>
  %ca = tt.broadcast %deep : tensor<1x32xi32> -> tensor<64x32xi32>
  %oa = arith.addi %ra, %ca : tensor<64x32xi32>
  %sa = tt.splat %a : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
  %pa0 = tt.addptr %sa, %oa : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
  %rb = tt.broadcast %down_starts : tensor<32x1xi32> -> tensor<32x64xi32>
  %cb = tt.broadcast %columns : tensor<1x64xi32> -> tensor<32x64xi32>
  %ob = arith.addi %rb, %cb : tensor<32x64xi32>
  %sb = tt.splat %b : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
  %pb0 = tt.addptr %sb, %ob : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
  %r:3 = scf.for %i = %c0 to %k step %c32 iter_args(%sum = %zero, %pa = %pa0, %pb = %pb0) -> (tensor<64x64xf32>, tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>) : i32 {
    %left = arith.subi %k, %i : i32
    %lefts = tt.splat %left : i32 -> tensor<1x32xi32>
    %in = arith.cmpi slt, %deep, %lefts : tensor<1x32xi32>
    %mask = tt.broadcast %in : tensor<1x32xi1> -> tensor<64x32xi1>
    %x = tt.load %pa, %mask, %nothing : tensor<64x32x!tt.ptr<f16>>
    %y = tt.load %pb : tensor<32x64x!tt.ptr<f16>>
    %twice = arith.addf %x, %x : tensor<64x32xf16>
    %d = tt.dot %twice, %y, %sum : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    %pa1 = tt.addptr %pa, %next_a : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %pb1 = tt.addptr %pb, %next_b : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    scf.yield %d, %pa1, %pb1 : tensor<64x64xf32>, tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>
  }
  %tall = arith.constant dense<64> : tensor<64x1xi32>
  %starts = arith.muli %rows, %tall : tensor<64x1xi32>
  %rc = tt.broadcast %starts : tensor<64x1xi32> -> tensor<64x64xi32>
  %cc = tt.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %oc = arith.addi %rc, %cc : tensor<64x64xi32>
  %sc = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %pc = tt.addptr %sc, %oc : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  tt.store %pc, %r#0 : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// The first iteration is known to run, so that its loads need no mask.
// HOLD-LABEL: tt.func public @known
// HOLD: amdg.buffer_load %{{[^,]*}} : !tt.ptr<f16>
// HOLD: scf.for
// HOLD: amdg.buffer_load %{{[^,]*}}, %{{.*}} : !tt.ptr<f16>
tt.func public @known(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %next = arith.constant dense<1024> : tensor<32x32xi32>
  %i = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %columns = tt.expand_dims %i {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %stride = arith.constant dense<32> : tensor<32x1xi32>
  %starts = arith.muli %rows, %stride : tensor<32x1xi32>
  %r = tt.broadcast %starts : tensor<32x1xi32> -> tensor<32x32xi32>
  %s = tt.broadcast %columns : tensor<1x32xi32> -> tensor<32x32xi32>
  %o = arith.addi %r, %s : tensor<32x32xi32>
  %as = tt.splat %a : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
  %p0 = tt.addptr %as, %o : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
  %sum:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%acc = %zero, %p = %p0) -> (tensor<32x32xf32>, tensor<32x32x!tt.ptr<f16>>) : i32 {
    %x = tt.load %p : tensor<32x32x!tt.ptr<f16>>
    %d = tt.dot %x, %x, %acc : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %q = tt.addptr %p, %next : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    scf.yield %d, %q : tensor<32x32xf32>, tensor<32x32x!tt.ptr<f16>>
  }
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  %to = tt.addptr %cs, %o : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
  tt.store %to, %sum#0 : tensor<32x32x!tt.ptr<f32>>
  tt.return
}

// gfx950 copies 32 or 128 bits, and these elements have 64.
// COPY-LABEL: tt.func public @doubles
// CDNA-NOT: async
// SCATTER: ttg.async_copy_global_to_local
// COPY: tt.return
tt.func public @doubles(%a: !tt.ptr<f64> {tt.divisibility = 8 : i32, tt.pointer_range = 32 : i32}, %c: !tt.ptr<f64> {tt.divisibility = 16 : i32}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf64>
  %next = arith.constant dense<1024> : tensor<32x32xi32>
  %i = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %columns = tt.expand_dims %i {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %stride = arith.constant dense<32> : tensor<32x1xi32>
  %starts = arith.muli %rows, %stride : tensor<32x1xi32>
  %r = tt.broadcast %starts : tensor<32x1xi32> -> tensor<32x32xi32>
  %s = tt.broadcast %columns : tensor<1x32xi32> -> tensor<32x32xi32>
  %o = arith.addi %r, %s : tensor<32x32xi32>
  %as = tt.splat %a : !tt.ptr<f64> -> tensor<32x32x!tt.ptr<f64>>
  %p0 = tt.addptr %as, %o : tensor<32x32x!tt.ptr<f64>>, tensor<32x32xi32>
  %sum:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%acc = %zero, %p = %p0) -> (tensor<32x32xf64>, tensor<32x32x!tt.ptr<f64>>) : i32 {
    %x = tt.load %p : tensor<32x32x!tt.ptr<f64>>
    %d = tt.dot %x, %x, %acc : tensor<32x32xf64> * tensor<32x32xf64> -> tensor<32x32xf64>
    %q = tt.addptr %p, %next : tensor<32x32x!tt.ptr<f64>>, tensor<32x32xi32>
    scf.yield %d, %q : tensor<32x32xf64>, tensor<32x32x!tt.ptr<f64>>
  }
  %cs = tt.splat %c : !tt.ptr<f64> -> tensor<32x32x!tt.ptr<f64>>
  %to = tt.addptr %cs, %o : tensor<32x32x!tt.ptr<f64>>, tensor<32x32xi32>
  tt.store %to, %sum#0 : tensor<32x32x!tt.ptr<f64>>
  tt.return
}
