// What the axis analysis knows, beside each op that it knows it of.
// RUN: kernelscope opt %s --test-print-axis-info --split-input-file --verify-diagnostics -o /dev/null

// A block of indices, bounded by a size that 16 divides: neighbours in groups
// of 16 pass or fail the bound together.
tt.func @block(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
  // expected-remark @below {{contiguity = [1], divisibility = [1024], constancy = [1], constant = 1024}}
  %c1024 = arith.constant 1024 : i32
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %pid = tt.get_program_id x : i32
  // expected-remark @below {{contiguity = [1], divisibility = [1024], constancy = [1]}}
  %start = arith.muli %pid, %c1024 : i32
  // expected-remark @below {{contiguity = [1024], divisibility = [4611686018427387904], constancy = [1]}}
  %range = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1024], constancy = [1024]}}
  %starts = tt.splat %start : i32 -> tensor<1024xi32>
  // expected-remark @below {{contiguity = [1024], divisibility = [1024], constancy = [1]}}
  %index = arith.addi %starts, %range : tensor<1024xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1024]}}
  %bound = tt.splat %n : i32 -> tensor<1024xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [16]}}
  %mask = arith.cmpi slt, %index, %bound : tensor<1024xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1024]}}
  %base = tt.splat %a : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  // expected-remark @below {{contiguity = [1024], divisibility = [16], constancy = [1]}}
  %ptr = tt.addptr %base, %index : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  tt.return
}

// -----

// Rows of a matrix whose stride 16 divides: each row starts at a multiple of 16
// elements, 64 bytes.
tt.func @matrix(%a: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %stride: i32 {tt.divisibility = 16 : i32}) {
  // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1]}}
  %row = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  // expected-remark @below {{contiguity = [64], divisibility = [64], constancy = [1]}}
  %col = tt.make_range {start = 64 : i32, end = 128 : i32} : tensor<64xi32>
  // expected-remark @below {{contiguity = [32, 1], divisibility = [4611686018427387904, 1], constancy = [1, 1]}}
  %rows = tt.expand_dims %row {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [16, 16], constancy = [32, 1]}}
  %strides = tt.splat %stride : i32 -> tensor<32x1xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [16, 16], constancy = [1, 1]}}
  %offset = arith.muli %rows, %strides : tensor<32x1xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [64, 64], constancy = [32, 1]}}
  %base = tt.splat %a : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [64, 64], constancy = [1, 1]}}
  %starts = tt.addptr %base, %offset : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [64, 64], constancy = [1, 64]}}
  %wide = tt.broadcast %starts : tensor<32x1x!tt.ptr<f32>> -> tensor<32x64x!tt.ptr<f32>>
  // expected-remark @below {{contiguity = [1, 64], divisibility = [1, 64], constancy = [1, 1]}}
  %cols = tt.expand_dims %col {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  // expected-remark @below {{contiguity = [1, 64], divisibility = [1, 64], constancy = [32, 1]}}
  %all = tt.broadcast %cols : tensor<1x64xi32> -> tensor<32x64xi32>
  // expected-remark @below {{contiguity = [1, 64], divisibility = [4, 64], constancy = [1, 1]}}
  %ptr = tt.addptr %wide, %all : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
  // expected-remark @below {{contiguity = [64, 1], divisibility = [64, 4], constancy = [1, 1]}}
  %flip = tt.trans %ptr {order = array<i32: 1, 0>} : tensor<32x64x!tt.ptr<f32>> -> tensor<64x32x!tt.ptr<f32>>
  tt.return
}

// -----

// Quotients repeat, remainders run on; shifts and masks say the same.
tt.func @division() {
  // expected-remark @below {{contiguity = [64], divisibility = [4611686018427387904], constancy = [1]}}
  %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [64], constant = 8}}
  %c8 = arith.constant dense<8> : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [64], constant = 3}}
  %c3 = arith.constant dense<3> : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [64], constant = 7}}
  %c7 = arith.constant dense<7> : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [64], constant = 12}}
  %c12 = arith.constant dense<12> : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [8]}}
  %q = arith.divui %r, %c8 : tensor<64xi32>
  // expected-remark @below {{contiguity = [8], divisibility = [8], constancy = [1]}}
  %m = arith.remui %r, %c8 : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [8]}}
  %s = arith.shrui %r, %c3 : tensor<64xi32>
  // expected-remark @below {{contiguity = [8], divisibility = [8], constancy = [1]}}
  %a = arith.andi %r, %c7 : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [4]}}
  %q12 = arith.divsi %r, %c12 : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [1]}}
  %l = arith.shli %r, %c3 : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [64], constant = 1}}
  %k = arith.divsi %c12, %c8 : tensor<64xi32>
  tt.return
}

// -----

// The bound of a strict comparison may lie between runs; of one that is not
// strict, it must not.
tt.func @comparisons() {
  // expected-remark @below {{contiguity = [64], divisibility = [4611686018427387904], constancy = [1]}}
  %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [64], constant = 24}}
  %c = arith.constant dense<24> : tensor<64xi32>
  // expected-remark @below {{constancy = [8]}}
  %lt = arith.cmpi slt, %r, %c : tensor<64xi32>
  // expected-remark @below {{constancy = [1]}}
  %le = arith.cmpi sle, %r, %c : tensor<64xi32>
  // expected-remark @below {{constancy = [8]}}
  %ge = arith.cmpi uge, %r, %c : tensor<64xi32>
  // expected-remark @below {{constancy = [8]}}
  %flipped = arith.cmpi sle, %c, %r : tensor<64xi32>
  // expected-remark @below {{constancy = [8]}}
  %both = arith.andi %lt, %flipped : tensor<64xi1>
  tt.return
}

// -----

// A loop's index moves from its lower bound in steps.
tt.func @loop(%n: i32, %p: !tt.ptr<i32> {tt.divisibility = 32 : i32}) {
  // expected-remark @below {{divisibility = [16], constancy = [1], constant = 16}}
  %lower = arith.constant 16 : i32
  // expected-remark @below {{divisibility = [32], constancy = [1], constant = 96}}
  %step = arith.constant 96 : i32
  // expected-remark @below {{divisibility = [32]}}
  %end = scf.for %i = %lower to %n step %step iter_args(%q = %p) -> (!tt.ptr<i32>) : i32 {
    // expected-remark @below {{divisibility = [16], constancy = [1]}}
    %j = arith.addi %i, %step : i32
    // expected-remark @below {{divisibility = [4]}}
    %odd = tt.addptr %q, %n : !tt.ptr<i32>, i32
    // expected-remark @below {{divisibility = [32]}}
    %next = tt.addptr %q, %lower : !tt.ptr<i32>, i32
    scf.yield %next : !tt.ptr<i32>
  }
  // A loop that carries nothing.
  scf.for %i = %lower to %n step %step : i32 {
    // expected-remark @below {{divisibility = [16], constancy = [64]}}
    %starts = tt.splat %i : i32 -> tensor<64xi32>
  }
  tt.return
}

// -----

// Hints on ops replace what is computed.
tt.func @hints(%n: i32) {
  // expected-remark @below {{contiguity = [128], divisibility = [4611686018427387904], constancy = [1]}}
  %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [128]}}
  %s = tt.splat %n : i32 -> tensor<128xi32>
  // expected-remark @below {{contiguity = [64], divisibility = [16], constancy = [1]}}
  %m = arith.remsi %r, %s {tt.contiguity = dense<64> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>} : tensor<128xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [32]}}
  %k = arith.divsi %r, %s {tt.constancy = 32 : i32} : tensor<128xi32>
  tt.return
}

// -----

// Numbers that overflow, divide by zero or shift too far say little, and stop
// nothing.
tt.func @odd() {
  // expected-remark @below {{constant = 0}}
  %zero = arith.constant 0 : i32
  // expected-remark @below {{divisibility = [2147483648], constancy = [1], constant = -2147483648}}
  %min = arith.constant -2147483648 : i32
  // expected-remark @below {{constant = -1}}
  %minus = arith.constant -1 : i32
  // expected-remark @below {{constant = 99}}
  %far = arith.constant 99 : i32
  // expected-remark @below {{divisibility = [1]}}
  %q = arith.divsi %min, %zero : i32
  // expected-remark @below {{constant = -2147483648}}
  %overflow = arith.divsi %min, %minus : i32
  // expected-remark @below {{constant = 0}}
  %rest = arith.remsi %min, %minus : i32
  // expected-remark @below {{constant = 0}}
  %square = arith.muli %min, %min : i32
  // expected-remark @below {{divisibility = [1]}}
  %shifted = arith.shrui %minus, %far : i32
  // expected-remark @below {{constant = 4294967295}}
  %wide = arith.extui %minus : i32 to i64
  // expected-remark @below {{divisibility = [1], constancy = [1]}}
  %big = arith.constant 123456789012345678901234567890 : i128
  // expected-remark @below {{constant = 1}}
  %true = arith.constant true
  // expected-remark @below {{constant = -1}}
  %all = arith.extsi %true : i1 to i32
  tt.return
}

// -----

// A reshape keeps row-major order: a new dimension of size 1 changes nothing,
// the innermost dimension keeps the pieces of its runs, and outer ones what is
// constant over whole rows.
tt.func @reshape(%n: i32 {tt.divisibility = 16 : i32}) {
  // expected-remark @below {{contiguity = [64], divisibility = [64], constancy = [1]}}
  %range = tt.make_range {start = 64 : i32, end = 128 : i32} : tensor<64xi32>
  // expected-remark @below {{contiguity = [1, 64], divisibility = [1, 64], constancy = [1, 1]}}
  %row = tt.reshape %range : tensor<64xi32> -> tensor<1x64xi32>
  // expected-remark @below {{contiguity = [64, 1], divisibility = [64, 1], constancy = [1, 1]}}
  %column = tt.reshape %range : tensor<64xi32> -> tensor<64x1xi32>
  // expected-remark @below {{contiguity = [1, 16], divisibility = [1, 16], constancy = [1, 1]}}
  %rows = tt.reshape %range : tensor<64xi32> -> tensor<4x16xi32>
  // expected-remark @below {{contiguity = [16], divisibility = [16], constancy = [1]}}
  %back = tt.reshape %rows : tensor<4x16xi32> -> tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
  %any = tt.reshape %range allow_reorder : tensor<64xi32> -> tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [64]}}
  %bound = tt.splat %n : i32 -> tensor<64xi32>
  // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [16]}}
  %mask = arith.cmpi slt, %range, %bound : tensor<64xi32>
  // expected-remark @below {{contiguity = [1, 1], divisibility = [1, 1], constancy = [2, 8]}}
  %masks = tt.reshape %mask : tensor<64xi1> -> tensor<8x8xi1>
  // expected-remark @below {{contiguity = [1, 1, 1], divisibility = [1, 1, 1], constancy = [2, 2, 4]}}
  %more = tt.reshape %masks : tensor<8x8xi1> -> tensor<8x2x4xi1>
  tt.return
}
