// A ring whose readers are no matrix instructions of 16-byte rows has the swizzle with the fewest bank conflicts.
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=sm_80 | FileCheck %s
// RUN: kernelscope run %s --device sim --arch sm_80 --compare | FileCheck %s --check-prefix=RIGHT
// Without a swizzle if that has as few: the right operand, of which the lanes of a warp read one row.
// RUN: sed 's/f64/f32/g' %s | kernelscope opt - --ttir-to-ttgir=arch=sm_80 | FileCheck %s --check-prefix=PLAIN
// PLAIN: #[[$PLAIN:.*]] = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
// PLAIN: ttg.local_alloc : () -> !ttg.memdesc<{{[0-9]+}}x16x32xf32, #[[$PLAIN]],
// However many stages are asked for, the ring is as large as shared memory has room for.
// RUN: kernelscope opt %s --ttir-to-ttgir="arch=sm_80 num-stages=4000000000" | FileCheck %s --check-prefix=MANY
// MANY-COUNT-2: ttg.local_alloc : () -> !ttg.memdesc<19x{{.*}}xf64,
// RIGHT: differs from the CPU executor by at most {{.*}}: within

// Runs of 32 bytes: with 16, as rows of f16 have it, 8 bytes of neighbouring rows share banks.
// CHECK: #[[$SHARED:.*]] = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>
// CHECK-COUNT-2: ttg.local_alloc : () -> !ttg.memdesc<2x{{.*}}xf64, #[[$SHARED]],
tt.func public @product(%a: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f64> {tt.divisibility = 16 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<32x32xf64>
  %next_a = arith.constant dense<16> : tensor<32x16xi32>
  %next_b = arith.constant dense<512> : tensor<16x32xi32>
  %long = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %short = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %rows = tt.expand_dims %long {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %columns = tt.expand_dims %long {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %deep = tt.expand_dims %short {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %down = tt.expand_dims %short {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %pitch_a = arith.constant dense<64> : tensor<32x1xi32>
  %pitch_b = arith.constant dense<32> : tensor<16x1xi32>
  %pitch_c = arith.constant dense<32> : tensor<32x1xi32>
  %starts_a = arith.muli %rows, %pitch_a : tensor<32x1xi32>
  %ra = tt.broadcast %starts_a : tensor<32x1xi32> -> tensor<32x16xi32>
  %ca = tt.broadcast %deep : tensor<1x16xi32> -> tensor<32x16xi32>
  %oa = arith.addi %ra, %ca : tensor<32x16xi32>
  %sa = tt.splat %a : !tt.ptr<f64> -> tensor<32x16x!tt.ptr<f64>>
  %pa0 = tt.addptr %sa, %oa : tensor<32x16x!tt.ptr<f64>>, tensor<32x16xi32>
  %starts_b = arith.muli %down, %pitch_b : tensor<16x1xi32>
  %rb = tt.broadcast %starts_b : tensor<16x1xi32> -> tensor<16x32xi32>
  %cb = tt.broadcast %columns : tensor<1x32xi32> -> tensor<16x32xi32>
  %ob = arith.addi %rb, %cb : tensor<16x32xi32>
  %sb = tt.splat %b : !tt.ptr<f64> -> tensor<16x32x!tt.ptr<f64>>
  %pb0 = tt.addptr %sb, %ob : tensor<16x32x!tt.ptr<f64>>, tensor<16x32xi32>
  %r:3 = scf.for %i = %c0 to %c64 step %c16 iter_args(%sum = %zero, %pa = %pa0, %pb = %pb0) -> (tensor<32x32xf64>, tensor<32x16x!tt.ptr<f64>>, tensor<16x32x!tt.ptr<f64>>) : i32 {
    %x = tt.load %pa : tensor<32x16x!tt.ptr<f64>>
    %y = tt.load %pb : tensor<16x32x!tt.ptr<f64>>
    %d = tt.dot %x, %y, %sum : tensor<32x16xf64> * tensor<16x32xf64> -> tensor<32x32xf64>
    %na = tt.addptr %pa, %next_a : tensor<32x16x!tt.ptr<f64>>, tensor<32x16xi32>
    %nb = tt.addptr %pb, %next_b : tensor<16x32x!tt.ptr<f64>>, tensor<16x32xi32>
    scf.yield %d, %na, %nb : tensor<32x32xf64>, tensor<32x16x!tt.ptr<f64>>, tensor<16x32x!tt.ptr<f64>>
  }
  %starts_c = arith.muli %rows, %pitch_c : tensor<32x1xi32>
  %rc = tt.broadcast %starts_c : tensor<32x1xi32> -> tensor<32x32xi32>
  %cc = tt.broadcast %columns : tensor<1x32xi32> -> tensor<32x32xi32>
  %oc = arith.addi %rc, %cc : tensor<32x32xi32>
  %sc = tt.splat %c : !tt.ptr<f64> -> tensor<32x32x!tt.ptr<f64>>
  %pc = tt.addptr %sc, %oc : tensor<32x32x!tt.ptr<f64>>, tensor<32x32xi32>
  tt.store %pc, %r#0 : tensor<32x32x!tt.ptr<f64>>
  tt.return
}
