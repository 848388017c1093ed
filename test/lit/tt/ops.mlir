// Every op of tt: what is written is what is printed, by way of the generic form too.
// RUN: kernelscope opt --release=main %s | kernelscope opt --release=main | FileCheck %s
// RUN: kernelscope opt --release=main --mlir-print-op-generic %s | kernelscope opt --release=main | FileCheck %s

// CHECK-LABEL: tt.func public @elementwise
// CHECK-SAME: %{{.*}}: tensor<16xf32> {tt.divisibility = 16 : i32}
tt.func public @elementwise(%f: tensor<16xf32> {tt.divisibility = 16 : i32}, %d: tensor<16xf64>, %n: tensor<16xi64>, %i: tensor<16xi32>) attributes {noinline = false} {
  // CHECK: tt.int_to_ptr %{{.*}} : tensor<16xi64> -> tensor<16x!tt.ptr<f32>>
  %p = tt.int_to_ptr %n : tensor<16xi64> -> tensor<16x!tt.ptr<f32>>
  // CHECK: tt.ptr_to_int %{{.*}} : tensor<16x!tt.ptr<f32>> -> tensor<16xi64>
  %a = tt.ptr_to_int %p : tensor<16x!tt.ptr<f32>> -> tensor<16xi64>
  // CHECK: tt.bitcast %{{.*}} : tensor<16xf32> -> tensor<16xi32>
  %b = tt.bitcast %f : tensor<16xf32> -> tensor<16xi32>
  // CHECK: tt.fp_to_fp %{{.*}}, rounding = rtne : tensor<16xf32> -> tensor<16xf8E5M2>
  %c = tt.fp_to_fp %f, rounding = rtne : tensor<16xf32> -> tensor<16xf8E5M2>
  // CHECK: tt.fp_to_fp %{{.*}} : tensor<16xf8E5M2> -> tensor<16xf32>
  %e = tt.fp_to_fp %c : tensor<16xf8E5M2> -> tensor<16xf32>
  // CHECK: tt.clampf %{{.*}}, %{{.*}}, %{{.*}}, propagateNan = all : tensor<16xf32>
  %g = tt.clampf %f, %e, %f, propagateNan = all : tensor<16xf32>
  // CHECK: tt.precise_sqrt %{{.*}} : tensor<16xf32>
  %h = tt.precise_sqrt %f : tensor<16xf32>
  // CHECK: tt.precise_divf %{{.*}}, %{{.*}} : tensor<16xf64>
  %j = tt.precise_divf %d, %d : tensor<16xf64>
  // CHECK: tt.mulhiui %{{.*}}, %{{.*}} : tensor<16xi32>
  %k = tt.mulhiui %i, %i : tensor<16xi32>
  // CHECK: tt.addptr %{{.*}}, %{{.*}} : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %l = tt.addptr %p, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  // CHECK: tt.extern_elementwise %{{.*}} {libname = "", libpath = "", pure = true, symbol = "__nv_erff"} : (tensor<16xf32>) -> tensor<16xf32>
  %m = tt.extern_elementwise %f {libname = "", libpath = "", pure = true, symbol = "__nv_erff"} : (tensor<16xf32>) -> tensor<16xf32>
  // CHECK: tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %{{.*}} : tensor<16xi32> -> tensor<16xi32>
  %o = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %i : tensor<16xi32> -> tensor<16xi32>
  // CHECK: tt.return
  tt.return
}

// CHECK-LABEL: tt.func @memory
tt.func @memory(%p: !tt.ptr<f32>, %q: tensor<8x!tt.ptr<i32>>, %s: !tt.ptr<i32, 3>, %m: tensor<8xi1>, %v: tensor<8xi32>, %i: i32, %t: i64) {
  %g = tt.int_to_ptr %t : i64 -> !tt.ptr<i32>
  // CHECK: tt.load %{{.*}} : !tt.ptr<f32>
  %0 = tt.load %p : !tt.ptr<f32>
  // CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} cacheModifier = cg evictionPolicy = evict_last {isVolatile = true} : tensor<8x!tt.ptr<i32>>
  %1 = tt.load %q, %m, %v evictionPolicy = evict_last cacheModifier = cg {isVolatile = true} : tensor<8x!tt.ptr<i32>>
  // CHECK: tt.store %{{.*}}, %{{.*}} : !tt.ptr<f32>
  tt.store %p, %0 : !tt.ptr<f32>
  // CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} cacheModifier = wt {ignore_cta} : tensor<8x!tt.ptr<i32>>
  tt.store %q, %1, %m cacheModifier = wt {ignore_cta} : tensor<8x!tt.ptr<i32>>
  // CHECK: tt.atomic_rmw exch, acq_rel, gpu, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<8x!tt.ptr<i32>>, tensor<8xi32>, tensor<8xi1>) -> tensor<8xi32>
  %2 = tt.atomic_rmw exch, acq_rel, gpu, %q, %v, %m : (tensor<8x!tt.ptr<i32>>, tensor<8xi32>, tensor<8xi1>) -> tensor<8xi32>
  // CHECK: tt.atomic_cas relaxed, sys, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<8x!tt.ptr<i32>>, tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  %3 = tt.atomic_cas relaxed, sys, %q, %v, %2 : (tensor<8x!tt.ptr<i32>>, tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  // CHECK: tt.atomic_poll acquire, cta, %{{.*}}, %{{.*}} timeout %{{.*}} : !tt.ptr<i32>, i32 -> i1
  %4 = tt.atomic_poll acquire, cta, %g, %i timeout %t : !tt.ptr<i32>, i32 -> i1
  // CHECK: tt.atomic_poll relaxed, gpu, %{{.*}}, %{{.*}} : !tt.ptr<i32>, i32 -> i1
  %5 = tt.atomic_poll relaxed, gpu, %g, %i : !tt.ptr<i32>, i32 -> i1
  // CHECK: tt.atomic_poll relaxed, gpu, %{{.*}}, %{{.*}} timeout %{{.*}} : tensor<8x!tt.ptr<i32>>, tensor<8xi32> -> tensor<8xi1>
  %7 = tt.atomic_poll relaxed, gpu, %q, %v timeout %t : tensor<8x!tt.ptr<i32>>, tensor<8xi32> -> tensor<8xi1>
  // CHECK: tt.addptr %{{.*}}, %{{.*}} : !tt.ptr<i32, 3>, i32
  %6 = tt.addptr %s, %i : !tt.ptr<i32, 3>, i32
  tt.return
}

// CHECK-LABEL: tt.func @shape
tt.func @shape(%x: f32, %t: tensor<4x8xf32>, %one: tensor<1xf32>, %i: tensor<4x8xi32>, %m: tensor<32xi1>) {
  // CHECK: tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  // CHECK: tt.splat %{{.*}} : f32 -> tensor<4x8xf32>
  %0 = tt.splat %x : f32 -> tensor<4x8xf32>
  // CHECK: tt.unsplat %{{.*}} : tensor<1xf32>
  %1 = tt.unsplat %one : tensor<1xf32>
  // CHECK: tt.expand_dims %{{.*}} {axis = 1 : i32} : tensor<4x8xf32> -> tensor<4x1x8xf32>
  %2 = tt.expand_dims %t {axis = 1 : i32} : tensor<4x8xf32> -> tensor<4x1x8xf32>
  // CHECK: tt.broadcast %{{.*}} : tensor<4x1x8xf32> -> tensor<4x2x8xf32>
  %3 = tt.broadcast %2 : tensor<4x1x8xf32> -> tensor<4x2x8xf32>
  // CHECK: tt.reshape %{{.*}} allow_reorder efficient_layout : tensor<4x8xf32> -> tensor<32xf32>
  %4 = tt.reshape %t allow_reorder efficient_layout : tensor<4x8xf32> -> tensor<32xf32>
  // CHECK: tt.trans %{{.*}} {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<8x4xf32>
  %5 = tt.trans %t {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<8x4xf32>
  // CHECK: tt.join %{{.*}}, %{{.*}} : tensor<4x8xf32> -> tensor<4x8x2xf32>
  %6 = tt.join %t, %0 : tensor<4x8xf32> -> tensor<4x8x2xf32>
  // CHECK: tt.split %{{.*}} : tensor<4x8x2xf32> -> tensor<4x8xf32>
  %7, %8 = tt.split %6 : tensor<4x8x2xf32> -> tensor<4x8xf32>
  // CHECK: tt.gather %{{.*}}[%{{.*}}] {axis = 0 : i32} : (tensor<4x8xf32>, tensor<4x8xi32>) -> tensor<4x8xf32>
  %9 = tt.gather %t[%i] {axis = 0 : i32} : (tensor<4x8xf32>, tensor<4x8xi32>) -> tensor<4x8xf32>
  // CHECK: tt.histogram %{{.*}}, %{{.*}} : tensor<32xi32> -> tensor<64xi32>
  %10 = tt.histogram %r, %m : tensor<32xi32> -> tensor<64xi32>
  tt.return
}

// CHECK-LABEL: tt.func @dot
tt.func @dot(%a: tensor<32x64xf16>, %b: tensor<64x16xf16>, %c: tensor<32x16xf32>, %a4: tensor<32x32xi8>, %b4: tensor<32x16xi8>, %sa: tensor<32x2xi8>, %sb: tensor<16x2xi8>) {
  // CHECK: tt.dot %{{.*}}, %{{.*}}, %{{.*}}, inputPrecision = tf32 : tensor<32x64xf16> * tensor<64x16xf16> -> tensor<32x16xf32>
  %0 = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<32x64xf16> * tensor<64x16xf16> -> tensor<32x16xf32>
  // CHECK: tt.dot %{{.*}}, %{{.*}}, %{{.*}} {maxNumImpreciseAcc = 32 : i32} : tensor<32x64xf16> * tensor<64x16xf16> -> tensor<32x16xf32>
  %1 = tt.dot %a, %b, %c {maxNumImpreciseAcc = 32 : i32} : tensor<32x64xf16> * tensor<64x16xf16> -> tensor<32x16xf32>
  // CHECK: tt.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}} scale %{{.*}}, %{{.*}} lhs = e2m1 rhs = e2m1 {fastMath = false} : tensor<32x32xi8>, tensor<32x2xi8> * tensor<32x16xi8>, tensor<16x2xi8> -> tensor<32x16xf32>
  %2 = tt.dot_scaled %a4 scale %sa, %b4 scale %sb, %c lhs = e2m1 rhs = e2m1 {fastMath = false} : tensor<32x32xi8>, tensor<32x2xi8> * tensor<32x16xi8>, tensor<16x2xi8> -> tensor<32x16xf32>
  // CHECK: tt.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}}, %{{.*}} lhs = e2m1 rhs = fp16 {fastMath = true} : tensor<32x32xi8>, tensor<32x2xi8> * tensor<64x16xf16> -> tensor<32x16xf32>
  %3 = tt.dot_scaled %a4 scale %sa, %b, %c lhs = e2m1 rhs = fp16 {fastMath = true} : tensor<32x32xi8>, tensor<32x2xi8> * tensor<64x16xf16> -> tensor<32x16xf32>
  tt.return
}

// CHECK-LABEL: tt.func @regions
tt.func @regions(%t: tensor<4x8xf32>, %i: tensor<8xi32>) {
  // CHECK: "tt.reduce"(%{{.*}}) <{axis = 1 : i32}> ({
  // CHECK: tt.reduce.return %{{.*}} : f32
  // CHECK: }) : (tensor<4x8xf32>) -> tensor<4xf32>
  %0 = "tt.reduce"(%t) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  // CHECK: "tt.reduce"(%{{.*}}) <{axis = 0 : i32}> ({
  // CHECK: }) : (tensor<8xi32>) -> i32
  %1 = "tt.reduce"(%i) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %s = arith.maxsi %a, %b : i32
    tt.reduce.return %s : i32
  }) : (tensor<8xi32>) -> i32
  // CHECK: "tt.scan"(%{{.*}}) <{axis = 0 : i32, reverse = true}> ({
  // CHECK: tt.scan.return %{{.*}} : i32
  %2 = "tt.scan"(%i) <{axis = 0 : i32, reverse = true}> ({
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    tt.scan.return %s : i32
  }) : (tensor<8xi32>) -> tensor<8xi32>
  // CHECK: "tt.map_elementwise"(%{{.*}}) <{pack = 2 : i32}> ({
  // CHECK: tt.map_elementwise.return %{{.*}}, %{{.*}} : i32, i32
  %3 = "tt.map_elementwise"(%i) <{pack = 2 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    tt.map_elementwise.return %b, %a : i32, i32
  }) : (tensor<8xi32>) -> tensor<8xi32>
  tt.return
}

// CHECK-LABEL: tt.func @descriptors
tt.func @descriptors(%p: !tt.ptr<i8>, %rows: !tt.tensordesc<1x64xf16>, %i: i32, %s: i64, %x: tensor<32xi32>) {
  // CHECK: tt.make_tensor_descriptor %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] {padding = 2 : i32} : <i8>, <16x32xui8>
  %d = tt.make_tensor_descriptor %p, [%i, %i], [%s, %s] {padding = 2 : i32} : <i8>, <16x32xui8>
  // CHECK: tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] cacheModifier = ca evictionPolicy = evict_first : !tt.tensordesc<16x32xui8> -> tensor<16x32xi8>
  %0 = tt.descriptor_load %d[%i, %i] cacheModifier = ca evictionPolicy = evict_first : !tt.tensordesc<16x32xui8> -> tensor<16x32xi8>
  // CHECK: tt.descriptor_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<16x32xui8>, tensor<16x32xi8>
  tt.descriptor_store %d[%i, %i], %0 : !tt.tensordesc<16x32xui8>, tensor<16x32xi8>
  // CHECK: tt.descriptor_reduce add, %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<16x32xui8>, tensor<16x32xi8>
  tt.descriptor_reduce add, %d[%i, %i], %0 : !tt.tensordesc<16x32xui8>, tensor<16x32xi8>
  // CHECK: tt.descriptor_gather %{{.*}}[%{{.*}}, %{{.*}}] : (!tt.tensordesc<1x64xf16>, tensor<32xi32>, i32) -> tensor<32x64xf16>
  %1 = tt.descriptor_gather %rows[%x, %i] : (!tt.tensordesc<1x64xf16>, tensor<32xi32>, i32) -> tensor<32x64xf16>
  // CHECK: tt.descriptor_scatter %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<1x64xf16>, tensor<32xi32>, i32, tensor<32x64xf16>
  tt.descriptor_scatter %rows[%x, %i], %1 : !tt.tensordesc<1x64xf16>, tensor<32xi32>, i32, tensor<32x64xf16>
  tt.return
}

// CHECK: tt.func private @helper(i32) -> f32
tt.func private @helper(i32) -> f32

// CHECK-LABEL: tt.func @program
tt.func @program(%c: tensor<8xi1>, %f: f32) -> (i32, f32) {
  // CHECK: tt.get_program_id y : i32
  %0 = tt.get_program_id y : i32
  // CHECK: tt.get_num_programs x : i32
  %1 = tt.get_num_programs x : i32
  // CHECK: tt.grid_dependency_wait
  tt.grid_dependency_wait
  // CHECK: tt.grid_dependency_launch_dependents
  tt.grid_dependency_launch_dependents
  // CHECK: tt.assert %{{.*}}, "must hold" : tensor<8xi1>
  tt.assert %c, "must hold" : tensor<8xi1>
  // CHECK: tt.print " x: " {hex = false, isSigned = array<i32: 1, 0>} : %{{.*}}, %{{.*}} : i32, f32
  tt.print " x: " {hex = false, isSigned = array<i32: 1, 0>} : %0, %f : i32, f32
  // CHECK: tt.call @helper(%{{.*}}) : (i32) -> f32
  %2 = tt.call @helper(%1) : (i32) -> f32
  // CHECK: tt.return %{{.*}}, %{{.*}} : i32, f32
  tt.return %0, %2 : i32, f32
}
