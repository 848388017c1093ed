// Arithmetic: one LLVM op for each element that the thread holds.
// RUN: kernelscope opt --ttgir-to-llvm=arch=sm_90a %s | FileCheck %s --check-prefixes=CHECK,NV
// RUN: kernelscope opt --ttgir-to-llvm=arch=gfx1100 %s | FileCheck %s --check-prefixes=CHECK,AMD

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @integers
  tt.func public @integers(%x: tensor<256xi32, #blocked>, %y: i32) {
    // CHECK: llvm.add
    // CHECK-NEXT: llvm.add
    // CHECK-NOT: llvm.add
    %sum = arith.addi %x, %x : tensor<256xi32, #blocked>
    // CHECK: llvm.icmp "slt"
    %less = arith.cmpi slt, %sum, %x : tensor<256xi32, #blocked>
    // CHECK: llvm.select
    %least = arith.select %less, %sum, %x : tensor<256xi1, #blocked>, tensor<256xi32, #blocked>
    // The high half of a product of twice the width.
    // CHECK: llvm.zext %{{.*}} : i32 to i64
    // CHECK: llvm.mul
    // CHECK: llvm.lshr
    // CHECK: llvm.trunc
    %high = tt.mulhiui %least, %x : tensor<256xi32, #blocked>
    // A scalar is one element.
    // CHECK: llvm.ashr
    // CHECK-NOT: llvm.ashr
    %half = arith.shrsi %y, %y : i32
    tt.return
  }

  // Both registers of a thread are before a multiple of 16, or neither is: one comparison.
  // CHECK-LABEL: @tail
  tt.func public @tail(%n: i32 {tt.divisibility = 16 : i32}) -> tensor<256xi1, #blocked> {
    %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %ns = tt.splat %n : i32 -> tensor<256xi32, #blocked>
    // CHECK: %[[IN:.*]] = llvm.icmp "slt"
    // CHECK-NOT: llvm.icmp
    // CHECK: llvm.insertvalue %[[IN]], %{{.*}}[0]
    // CHECK: llvm.insertvalue %[[IN]], %{{.*}}[1]
    %in = arith.cmpi slt, %range, %ns : tensor<256xi32, #blocked>
    tt.return %in : tensor<256xi1, #blocked>
  }

  // CHECK-LABEL: @floats
  tt.func public @floats(%x: f32, %y: f32) {
    // Triton's division may be off by two units in the last place.
    // NV: llvm.call_intrinsic "llvm.nvvm.div.full"
    // AMD: llvm.fdiv
    %quotient = arith.divf %x, %y : f32
    // CHECK: llvm.fdiv
    %precise = tt.precise_divf %x, %y : f32
    // CHECK: llvm.fdiv {{.*}}fastmathFlags = #llvm.fastmath<afn>
    %approximate = tt.approx_divf %x, %y : f32
    // A NaN of either operand wins in maximum; the number wins in maxnum.
    // CHECK: "llvm.maximum"
    %maximum = arith.maximumf %x, %y : f32
    // CHECK: "llvm.maxnum"
    %maxnum = arith.maxnumf %x, %y : f32
    // CHECK: "llvm.maximum"
    // CHECK: "llvm.minimum"
    %clamped = tt.clampf %x, %y, %x, propagateNan = all : f32
    // CHECK: "llvm.maxnum"
    // CHECK: "llvm.minnum"
    %number = tt.clampf %x, %y, %x, propagateNan = none : f32
    // CHECK: llvm.fcmp "ult"
    %less = arith.cmpf ult, %x, %y : f32
    tt.return
  }

  // Two elements at a time; an operand of f16 is widened first.
  // CHECK-LABEL: @packed
  tt.func public @packed(%x: tensor<256xf32, #blocked>, %h: tensor<256xf16, #blocked>) {
    // CHECK: llvm.fadd {{.*}} : vector<2xf32>
    %sum = ttng.packed_arith add %x, %x : (tensor<256xf32, #blocked>, tensor<256xf32, #blocked>) -> tensor<256xf32, #blocked>
    // CHECK: llvm.fpext
    // CHECK: "llvm.fma"{{.*}} : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
    %fma = ttng.packed_arith fma %h, %sum, %x : (tensor<256xf16, #blocked>, tensor<256xf32, #blocked>, tensor<256xf32, #blocked>) -> tensor<256xf32, #blocked>
    // CHECK: "llvm.minnum"{{.*}} : (vector<2xf16>, vector<2xf16>) -> vector<2xf16>
    %min = ttng.packed_arith min %h, %h : (tensor<256xf16, #blocked>, tensor<256xf16, #blocked>) -> tensor<256xf16, #blocked>
    tt.return
  }

  // CHECK-LABEL: @pointers
  tt.func public @pointers(%p: !tt.ptr<f16>, %flags: !tt.ptr<i1>, %n: i32) {
    // CHECK: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
    %next = tt.addptr %p, %n : !tt.ptr<f16>, i32
    // An i1 takes a byte.
    // CHECK: llvm.getelementptr {{.*}} -> !llvm.ptr<1>, i8
    %flag = tt.addptr %flags, %n : !tt.ptr<i1>, i32
    // CHECK: llvm.ptrtoint
    %address = tt.ptr_to_int %next : !tt.ptr<f16> -> i64
    // CHECK: llvm.inttoptr
    %again = tt.int_to_ptr %address : i64 -> !tt.ptr<f16>
    // No instruction: LLVM's pointers have no pointee.
    // CHECK-NEXT: llvm.return
    %bytes = tt.bitcast %again : !tt.ptr<f16> -> !tt.ptr<i8>
    tt.return
  }

  // Quotients that are rounded up or down, and results of two parts.
  // CHECK-LABEL: @rounded
  tt.func public @rounded(%x: i32, %y: i32) {
    // CHECK: llvm.sdiv
    // CHECK: llvm.icmp "sge"
    // CHECK: llvm.add
    %up = arith.ceildivsi %x, %y : i32
    // CHECK: llvm.sdiv
    // CHECK: llvm.icmp "slt"
    // CHECK: llvm.sub
    %down = arith.floordivsi %x, %y : i32
    // CHECK: llvm.udiv
    // CHECK: llvm.select
    %blocks = arith.ceildivui %x, %y : i32
    // CHECK: llvm.sext %{{.*}} : i32 to i64
    // CHECK: llvm.mul
    // CHECK: llvm.lshr
    %low, %high = arith.mulsi_extended %x, %y : i32
    // CHECK: llvm.icmp "ult"
    %sum, %carry = arith.addui_extended %x, %y : i32, i1
    tt.return
  }

  // CHECK-LABEL: @unknown
  // CHECK: %[[UNKNOWN:.*]] = llvm.mlir.undef : f32
  // CHECK: llvm.return %[[UNKNOWN]]
  tt.func @unknown() -> f32 {
    %unknown = ub.poison : f32
    tt.return %unknown : f32
  }

  // 8-bit floats are integers in LLVM. Arithmetic on them is done in f32; the magnitude needs none, but for a format
  // whose NaN is what would be the negative zero.
  // CHECK-LABEL: @bytes
  tt.func public @bytes(%x: f8E4M3FN, %y: f8E4M3FNUZ) {
    // CHECK: %[[MASK:.*]] = llvm.mlir.constant(127 : i8)
    // CHECK: llvm.and %{{.*}}, %[[MASK]] : i8
    // CHECK-NEXT: llvm.zext
    // CHECK: llvm.fadd %{{.*}} : f32
    %magnitude = math.absf %x : f8E4M3FN
    %sum = arith.addf %magnitude, %x : f8E4M3FN
    // CHECK: llvm.mlir.constant(-128 : i8)
    // CHECK: llvm.select
    %other = math.absf %y : f8E4M3FNUZ
    tt.return
  }
}
