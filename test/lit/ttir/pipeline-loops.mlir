// Loops of products load some iterations ahead: by cp.async in groups, by TMA with an mbarrier for each slot of the ring.
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=sm_80 | FileCheck %s --check-prefixes=CHECK,AMPERE
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=sm_90a | FileCheck %s --check-prefixes=CHECK,HOPPER
// RUN: kernelscope opt %s --ttir-to-ttgir="arch=sm_80 num-stages=1" | FileCheck %s --check-prefix=ONE
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=gfx942 | FileCheck %s --check-prefix=AMD
// What they compute, without races, and on the simulator; the last iterations copy nothing.
// RUN: kernelscope preview %s --arch sm_80 --kernel product --emit ttgir -o %t.ampere.ttgir
// RUN: kernelscope preview %s --arch sm_90a --kernel described --num-stages 4 --emit ttgir -o %t.hopper.ttgir
// RUN: kernelscope run %t.ampere.ttgir --device cpu --schedule late && kernelscope run %t.ampere.ttgir --device cpu --schedule seed:5
// RUN: kernelscope run %t.hopper.ttgir --device cpu --schedule late && kernelscope run %t.hopper.ttgir --device cpu --schedule seed:5
// RUN: kernelscope run %s --kernel product --device sim --arch sm_80 --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope run %s --kernel described --device sim --arch sm_90a --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope preview %s --arch sm_90a --kernel attention --emit ttgir -o %t.attention.ttgir
// RUN: kernelscope run %t.attention.ttgir --device cpu --schedule late && kernelscope run %t.attention.ttgir --device cpu --schedule seed:5
// RUN: kernelscope run %s --kernel attention --device sim --arch sm_90a --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=sm_100a | FileCheck %s --check-prefix=BLACKWELL
// RUN: kernelscope preview %s --arch sm_100a --kernel product --emit ttgir -o %t.blackwell.ttgir
// RUN: kernelscope run %t.blackwell.ttgir --device cpu --schedule late && kernelscope run %t.blackwell.ttgir --device cpu --schedule seed:5
// RUN: kernelscope run %s --kernel product --device sim --arch sm_100a --compare | FileCheck %s --check-prefix=RIGHT
// RUN: kernelscope preview %s --arch sm_100a --kernel attention --emit ttgir -o %t.scores.ttgir
// RUN: kernelscope run %t.scores.ttgir --device cpu --schedule late && kernelscope run %t.scores.ttgir --device cpu --schedule seed:5
// RUN: kernelscope run %s --kernel attention --device sim --arch sm_100a --compare | FileCheck %s --check-prefix=RIGHT
// RIGHT: differs from the CPU executor by at most {{.*}}: within
// AMD-NOT: async
// ONE-LABEL: tt.func public @product
// ONE-NOT: async_copy
// ONE-LABEL: tt.func public @asked

// Two mbarriers take turns, and the product waits for that of the iteration before it.
// BLACKWELL-LABEL: tt.func public @product
// BLACKWELL: ttg.local_alloc : () -> !ttg.memdesc<3x64x32xf16,
// BLACKWELL: %[[DONE:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64,
// BLACKWELL-COUNT-2: ttng.init_barrier
// BLACKWELL: scf.for {{.*}}, %[[I:[^ ]*]] = %{{[^ ]*}}) ->
// BLACKWELL: %[[TURN:.*]] = arith.andi %[[I]],
// BLACKWELL: %[[BAR:.*]] = ttg.memdesc_index %[[DONE]][%[[TURN]]]
// BLACKWELL: ttng.tc_gen5_mma {{.*}}, %[[BAR]][%{{.*}}] {is_async}
// BLACKWELL: %[[NOT_FIRST:.*]] = arith.cmpi ne, %[[I]],
// BLACKWELL: %[[BEFORE:.*]] = arith.subi %[[I]],
// BLACKWELL: ttng.wait_barrier %{{.*}}, %{{.*}}, %[[NOT_FIRST]]
// BLACKWELL: ttg.async_copy_global_to_local
// BLACKWELL: scf.yield
// BLACKWELL: ttng.wait_barrier
// BLACKWELL-COUNT-2: ttng.inval_barrier
// BLACKWELL: ttng.tmem_load

// CHECK-LABEL: tt.func public @product
// AMPERE: %[[A:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x64x32xf16,
// AMPERE: %[[B:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x32x64xf16,
// HOPPER: %[[A:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x64x32xf16,
// HOPPER: %[[B:.*]] = ttg.local_alloc : () -> !ttg.memdesc<3x32x64xf16,
// CHECK-COUNT-2: ttg.async_commit_group
// CHECK: scf.for %[[K:.*]] = {{.*}} iter_args(%[[SUM:[^ ]*]] = {{.*}}, %[[SLOT:[^ ]*]] = %{{[^ ]*}}) -> (tensor<64x64xf32, {{[^ ]*}}>, tensor<64x32x!tt.ptr<f16>, {{[^ ]*}}>, tensor<32x64x!tt.ptr<f16>, {{[^ ]*}}>, i32)
// CHECK-NEXT: ttg.async_wait {num = 1 : i32}
// CHECK-NEXT: %[[AT_A:.*]] = ttg.memdesc_index %[[A]][%[[SLOT]]]
// AMPERE: ttg.local_load %[[AT_A]] {{.*}} -> tensor<64x32xf16, #ttg.dot_op
// CHECK: %[[AT_B:.*]] = ttg.memdesc_index %[[B]][%[[SLOT]]]
// AMPERE: ttg.local_load %[[AT_B]] {{.*}} -> tensor<32x64xf16, #ttg.dot_op
// AMPERE: tt.dot
// HOPPER: %[[D:.*]] = ttng.warp_group_dot %[[AT_A]], %[[AT_B]], %[[SUM]] {{{.*}}isAsync = true
// HOPPER-NEXT: ttng.warp_group_dot_wait %[[D]] {pendings = 1 : i32}
// CHECK: %[[RUNS:.*]] = arith.cmpi slt, %[[K]],
// The loop carries the pointers of the copies before.
// CHECK: %[[NEXT_A:.*]] = tt.addptr
// The slot that was just read is free, on Hopper the one before it.
// AMPERE: ttg.memdesc_index %[[A]][%[[SLOT]]]
// HOPPER: %[[FREE:.*]] = arith.select
// HOPPER: ttg.memdesc_index %[[A]][%[[FREE]]]
// CHECK: tt.splat %[[RUNS]]
// CHECK: ttg.async_copy_global_to_local %[[NEXT_A]],
// CHECK: ttg.async_copy_global_to_local
// CHECK: ttg.async_commit_group
// CHECK: scf.yield
// HOPPER: ttng.warp_group_dot_wait {{.*}} {pendings = 0 : i32}
// CHECK: ttg.async_wait {num = 0 : i32}
// CHECK-COUNT-2: ttg.local_dealloc
tt.func public @product(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) {
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

// One mbarrier for both blocks of an iteration; its phase changes each time round. The second block goes through
// registers, and so does not continue while the next iteration begins.
// CHECK-LABEL: tt.func public @described
// HOPPER: ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16
// HOPPER: ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16
// HOPPER: %[[BARS:.*]] = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64
// HOPPER-COUNT-2: ttng.init_barrier
// HOPPER: scf.for {{.*}} iter_args({{.*}}, %[[SLOT:[^ ]*]] = %{{[^ ]*}}, %[[PHASE:[^ ]*]] = %{{[^ ]*}}) ->
// HOPPER-NEXT: %[[BAR:.*]] = ttg.memdesc_index %[[BARS]][%[[SLOT]]]
// HOPPER-NEXT: ttng.wait_barrier %[[BAR]], %[[PHASE]]
// HOPPER: ttng.warp_group_dot
// HOPPER-NOT: warp_group_dot_wait
// HOPPER: %[[RUNS:.*]] = arith.cmpi slt
// HOPPER: ttng.barrier_expect %[[AT:.*]], 16384, %[[RUNS]]
// HOPPER-COUNT-2: ttng.async_tma_copy_global_to_local {{.*}} %[[AT]], %[[RUNS]]
// HOPPER: arith.xori %[[PHASE]]
// HOPPER: scf.yield
// HOPPER-COUNT-2: ttng.inval_barrier
tt.func public @described(%a: !tt.tensordesc<64x64xf16>, %b: !tt.tensordesc<64x64xf16>, %c: !tt.tensordesc<64x64xf16>, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = scf.for %i = %c0 to %k step %c64 iter_args(%sum = %zero) -> (tensor<64x64xf32>) : i32 {
    %x = tt.descriptor_load %a[%c0, %i] : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16>
    %y = tt.descriptor_load %b[%i, %c0] : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16>
    %twice = arith.addf %y, %y : tensor<64x64xf16>
    %s = tt.dot %x, %twice, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %s : tensor<64x64xf32>
  }
  %half = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %c[%c0, %c0], %half : !tt.tensordesc<64x64xf16>, tensor<64x64xf16>
  tt.return
}

// A loop that says how many stages it wants has them without a product.
// CHECK-LABEL: tt.func public @asked
// CHECK: ttg.local_alloc : () -> !ttg.memdesc<3x1024xf32
// CHECK: scf.for
// CHECK: ttg.async_wait {num = 2 : i32}
// CHECK: ttg.local_load {{.*}} -> tensor<1024xf32
// CHECK: ttg.async_copy_global_to_local
tt.func public @asked(%from: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %to: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  %range = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
  %f = tt.splat %from : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %t = tt.splat %to : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  scf.for %i = %c0 to %n step %c1024 : i32 {
    %start = tt.splat %i : i32 -> tensor<1024xi32>
    %at = arith.addi %start, %range : tensor<1024xi32>
    %pf = tt.addptr %f, %at : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %x = tt.load %pf : tensor<1024x!tt.ptr<f32>>
    %twice = arith.addf %x, %x : tensor<1024xf32>
    %pt = tt.addptr %t, %at : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    tt.store %pt, %twice : tensor<1024x!tt.ptr<f32>>
  } {tt.num_stages = 4 : i32}
  tt.return
}

// What it loads it may have stored an iteration before: a copy would be too early.
// CHECK-LABEL: tt.func public @written
// CHECK-NOT: async_copy
// CHECK: scf.for
// CHECK: tt.load
tt.func public @written(%from: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  %range = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
  %f = tt.splat %from : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %t = tt.splat %from : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  scf.for %i = %c0 to %n step %c1024 : i32 {
    %start = tt.splat %i : i32 -> tensor<1024xi32>
    %at = arith.addi %start, %range : tensor<1024xi32>
    %pf = tt.addptr %f, %at : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %x = tt.load %pf : tensor<1024x!tt.ptr<f32>>
    %twice = arith.addf %x, %x : tensor<1024xf32>
    %pt = tt.addptr %t, %at : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    tt.store %pt, %twice : tensor<1024x!tt.ptr<f32>>
  } {tt.num_stages = 4 : i32}
  tt.return
}

// The sum is first read after the next iteration's first product, which waits for both; the ring has one more slot.
// CHECK-LABEL: tt.func public @attention
// HOPPER: ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16
// HOPPER: scf.for {{.*}} iter_args(%[[SUM:[^ ]*]] =
// HOPPER: %[[S:.*]] = ttng.warp_group_dot {{.*}}isAsync = true
// HOPPER-NEXT: %[[READY:.*]]:2 = ttng.warp_group_dot_wait %[[S]], %[[SUM]] {pendings = 0 : i32}
// HOPPER: arith.truncf %[[READY]]#0
// HOPPER: %[[SCALED:.*]] = arith.mulf %[[READY]]#1
// HOPPER: %[[D:.*]] = ttng.warp_group_dot {{.*}}, {{.*}}, %[[SCALED]] {{{.*}}isAsync = true
// HOPPER: scf.yield %[[D]],
// HOPPER: ttng.warp_group_dot_wait {{.*}} {pendings = 0 : i32}
// On Blackwell the next iteration's scores are computed from when this one has read its own, and the sum until the next one scales it.
// BLACKWELL-LABEL: tt.func public @attention
// BLACKWELL: %[[Q:.*]] = ttg.local_alloc %{{.*}} : (tensor<64x64xf16,
// BLACKWELL: %[[K:.*]] = ttg.local_alloc : () -> !ttg.memdesc<4x64x64xf16,
// BLACKWELL: %[[S:.*]] = ttng.tmem_alloc : ()
// BLACKWELL: %[[SUM:.*]] = ttng.tmem_alloc %{{.*}} : (tensor
// BLACKWELL: %[[WEIGHTS:.*]] = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16,
// BLACKWELL: %[[ANY:.*]] = arith.cmpi slt, %{{.*}}, %arg4
// BLACKWELL: ttng.wait_barrier %{{.*}}, %{{.*}}, %[[ANY]]
// BLACKWELL: ttng.tc_gen5_mma %[[Q]], %{{.*}}, %[[S]], %false{{.*}}, %[[ANY]], {{.*}} {is_async}
// BLACKWELL: scf.for
// BLACKWELL: ttng.wait_barrier
// BLACKWELL-NEXT: %[[SCORES:.*]] = ttng.tmem_load %[[S]]
// BLACKWELL: %[[GOES_ON:.*]] = arith.cmpi slt, %{{.*}}, %arg4
// BLACKWELL: ttng.wait_barrier %{{.*}}, %{{.*}}, %[[GOES_ON]]
// BLACKWELL: %[[NEXT:.*]] = ttg.memdesc_index %[[K]]
// BLACKWELL: %[[COLUMNS:.*]] = ttg.memdesc_trans %[[NEXT]]
// BLACKWELL: ttng.tc_gen5_mma %[[Q]], %[[COLUMNS]], %[[S]], %false{{.*}}, %[[GOES_ON]], {{.*}} {is_async}
// BLACKWELL: %[[P:.*]] = arith.truncf %[[SCORES]]
// BLACKWELL: ttng.wait_barrier
// BLACKWELL-NEXT: %[[BEFORE:.*]] = ttng.tmem_load %[[SUM]]
// BLACKWELL: %[[SCALED:.*]] = arith.mulf %[[BEFORE]]
// BLACKWELL: ttng.tmem_store %[[SCALED]], %[[SUM]]
// BLACKWELL: ttg.local_store %[[P]], %[[WEIGHTS]]
// BLACKWELL: ttng.tc_gen5_mma %[[WEIGHTS]], %{{.*}}, %[[SUM]], {{.*}} {is_async}
// BLACKWELL-NOT: ttng.wait_barrier
// BLACKWELL: ttng.async_tma_copy_global_to_local
// BLACKWELL: scf.yield
// BLACKWELL: ttng.wait_barrier
// BLACKWELL-NEXT: ttng.tmem_load %[[SUM]]
tt.func public @attention(%q: !tt.tensordesc<64x64xf16>, %k: !tt.tensordesc<64x64xf16>, %v: !tt.tensordesc<64x64xf16>, %o: !tt.tensordesc<64x64xf16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %half = arith.constant dense<0.5> : tensor<64x64xf32>
  %x = tt.descriptor_load %q[%c0, %c0] : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16>
  %sums = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %zero) -> (tensor<64x64xf32>) : i32 {
    %rows = tt.descriptor_load %k[%i, %c0] : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16>
    %columns = tt.trans %rows {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
    %s = tt.dot %x, %columns, %zero : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %weights = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
    %values = tt.descriptor_load %v[%i, %c0] : !tt.tensordesc<64x64xf16> -> tensor<64x64xf16>
    %scaled = arith.mulf %sum, %half : tensor<64x64xf32>
    %d = tt.dot %weights, %values, %scaled : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %narrow = arith.truncf %sums : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %o[%c0, %c0], %narrow : !tt.tensordesc<64x64xf16>, tensor<64x64xf16>
  tt.return
}
