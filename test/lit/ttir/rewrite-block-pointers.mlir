// Block pointers are replaced by their parts, and accesses through them by accesses through plain pointers.
// RUN: kernelscope opt %s --split-input-file --rewrite-block-pointers --verify-diagnostics | FileCheck %s
// RUN: kernelscope preview --arch sm_90a %s --kernel walk --line 9 | FileCheck %s --check-prefix=PTX

// The offsets of a loop's pointer go around it; 'boundaryCheck' says which dimensions have a mask, 'padding' what is loaded there.
// PTX: ld.global{{.*}}.v4.b32
// PTX: st.global.v4.b32
// CHECK-LABEL: @walk
tt.func public @walk(%from: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %to: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %rows: i64, %columns: i64 {tt.divisibility = 16 : i32}, %n: i32) {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  // CHECK-NOT: make_tensor_ptr
  %x = tt.make_tensor_ptr %from, [%rows, %columns], [%columns, %one], [%n, %zero] {order = array<i32: 1, 0>} : !tt.ptr<tensor<16x64xf16>>
  %y = tt.make_tensor_ptr %to, [%rows, %columns], [%columns, %one], [%n, %zero] {order = array<i32: 1, 0>} : !tt.ptr<tensor<16x64xf16>>
  // CHECK: scf.for {{.*}} -> (!tt.ptr<f16>, i64, i64, i64, i64, i64, i64, !tt.ptr<f16>, i64, i64, i64, i64, i64, i64)
  %end:2 = scf.for %i = %zero to %n step %step iter_args(%p = %x, %q = %y) -> (!tt.ptr<tensor<16x64xf16>>, !tt.ptr<tensor<16x64xf16>>) : i32 {
    // CHECK: arith.cmpi sge
    // CHECK: %[[IN:.*]] = tt.broadcast %{{.*}} : tensor<1x64xi1> -> tensor<16x64xi1>
    // CHECK: %[[NAN:.*]] = arith.constant dense<0x7E00> : tensor<16x64xf16>
    // CHECK: tt.load %{{.*}}, %[[IN]], %[[NAN]] evictionPolicy = evict_first : tensor<16x64x!tt.ptr<f16>>
    %v = tt.load %p evictionPolicy = evict_first {boundaryCheck = array<i32: 1>, padding = 2 : i32} : !tt.ptr<tensor<16x64xf16>>
    // CHECK-NOT: cmpi
    // CHECK: tt.store %{{.*}}, %{{.*}} : tensor<16x64x!tt.ptr<f16>>
    tt.store %q, %v : !tt.ptr<tensor<16x64xf16>>
    // CHECK: %[[BY:.*]] = arith.extsi %{{.*}} : i32 to i64
    // CHECK: arith.addi %{{.*}}, %[[BY]] : i64
    %p2 = tt.advance %p, [%zero, %step] : !tt.ptr<tensor<16x64xf16>>
    %q2 = tt.advance %q, [%zero, %step] : !tt.ptr<tensor<16x64xf16>>
    scf.yield %p2, %q2 : !tt.ptr<tensor<16x64xf16>>, !tt.ptr<tensor<16x64xf16>>
  }
  tt.return
}

// -----

// So do pointers in branches, in loops that are no counting ones, in selections and in calls.
// CHECK-LABEL: @next(%{{.*}}: !tt.ptr<f32>, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i32) -> (!tt.ptr<f32>, i64, i64, i64, i32)
tt.func private @next(%p: !tt.ptr<tensor<32xf32>>, %by: i32) -> (!tt.ptr<tensor<32xf32>>, i32) {
  %q = tt.advance %p, [%by] : !tt.ptr<tensor<32xf32>>
  tt.return %q, %by : !tt.ptr<tensor<32xf32>>, i32
}

// CHECK-LABEL: @flow
tt.func public @flow(%from: !tt.ptr<f32>, %n: i32, %size: i64, %c: i1) {
  %one = arith.constant 1 : i64
  %x = tt.make_tensor_ptr %from, [%size], [%one], [%n] {order = array<i32: 0>} : !tt.ptr<tensor<32xf32>>
  // CHECK: scf.if %{{.*}} -> (!tt.ptr<f32>, i64, i64, i64)
  %a = scf.if %c -> !tt.ptr<tensor<32xf32>> {
    %moved = tt.advance %x, [%n] : !tt.ptr<tensor<32xf32>>
    scf.yield %moved : !tt.ptr<tensor<32xf32>>
  } else {
    scf.yield %x : !tt.ptr<tensor<32xf32>>
  }
  // CHECK: scf.while ({{.*}}) : (!tt.ptr<f32>, i64, i64, i64, i32) -> (i32, !tt.ptr<f32>, i64, i64, i64)
  %w:2 = scf.while (%p = %a, %i = %n) : (!tt.ptr<tensor<32xf32>>, i32) -> (i32, !tt.ptr<tensor<32xf32>>) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i, %p : i32, !tt.ptr<tensor<32xf32>>
  } do {
  ^bb0(%i: i32, %p: !tt.ptr<tensor<32xf32>>):
    // CHECK: tt.call @next({{.*}}) : (!tt.ptr<f32>, i64, i64, i64, i32) -> (!tt.ptr<f32>, i64, i64, i64, i32)
    %q, %j = tt.call @next(%p, %i) : (!tt.ptr<tensor<32xf32>>, i32) -> (!tt.ptr<tensor<32xf32>>, i32)
    scf.yield %q, %j : !tt.ptr<tensor<32xf32>>, i32
  }
  // CHECK-COUNT-4: arith.select
  %s = arith.select %c, %x, %w#1 : !tt.ptr<tensor<32xf32>>
  // CHECK: cf.cond_br %{{.*}}, ^[[LEFT:.*]](%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : !tt.ptr<f32>, i64, i64, i64), ^[[RIGHT:.*]]
  cf.cond_br %c, ^left(%s : !tt.ptr<tensor<32xf32>>), ^right
// CHECK: ^[[LEFT]](%[[BASE:.*]]: !tt.ptr<f32>, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64)
^left(%l: !tt.ptr<tensor<32xf32>>):
  // CHECK: tt.splat %[[BASE]]
  // CHECK: tt.load %{{.*}} : tensor<32x!tt.ptr<f32>>
  %v = tt.load %l {boundaryCheck = array<i32>, padding = 1 : i32} : !tt.ptr<tensor<32xf32>>
  tt.store %w#1, %v {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<32xf32>>
  tt.return
^right:
  cf.br ^left(%a : !tt.ptr<tensor<32xf32>>)
}

// -----

tt.func public @masked(%p: !tt.ptr<tensor<32xf32>>, %m: tensor<32xi1>) {
  // expected-error @below {{'tt.load' op has both a mask and a block pointer; 'boundaryCheck' selects what is loaded}}
  %v = tt.load %p, %m : !tt.ptr<tensor<32xf32>>
  tt.return
}
