// Tensor memory: a kernel's columns, and moves to and from registers by the shape whose lanes a layout has.
// RUN: kernelscope opt --ttgir-to-llvm --split-input-file %s | FileCheck %s

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tmem_m64 = #ttng.tensor_memory_encoding<blockM = 64, blockN = 32, colStride = 1>
#tmem_f16 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 2>
#scales = #ttng.tensor_memory_scales_encoding<>
#rows = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
#fragment = #ttg.linear<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [64, 0]], block = []}>
#quarter = #ttg.linear<{register = [[8, 0], [0, 4], [0, 8], [0, 16], [0, 32], [16, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [64, 0]], block = []}>
#halves = #ttg.linear<{register = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [16, 0]], lane = [[8, 0], [0, 1], [1, 0], [2, 0], [4, 0]], warp = [[32, 0], [64, 0]], block = []}>
#eight = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [0, 32]], block = []}>
#m64 = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 16]], warp = [[16, 0], [32, 0]], block = []}>
#scale_rows = #ttg.linear<{register = [[0, 1], [0, 2], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]], block = []}>
!buffer = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
!half = !ttg.memdesc<128x32xf32, #tmem, #ttng.tensor_memory, mutable, 128x64>
!ring = !ttg.memdesc<2x128x64xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // One warp allocates a power of two of columns, and frees them when all warps are done.
  // CHECK-LABEL: @shapes
  // CHECK: "@$0 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$1], 64;", "b,r"
  // CHECK: barrier.cta.sync
  // CHECK: %[[BASE:.*]] = llvm.load
  // CHECK: barrier.cta.sync
  // CHECK: tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
  tt.func public @shapes(%p: i1) {
    %true = arith.constant true
    // Warp w sees the rows from 32 * w on: bits 16 and up of the address.
    // CHECK: %[[WARP:.*]] = llvm.and %{{.*}}, %{{.*}}
    // CHECK: %[[ROWS:.*]] = llvm.mul %[[WARP]], %{{.*}}
    // CHECK: tcgen05.ld.sync.aligned.32x32b.x64.b32 {
    // CHECK: tcgen05.wait::ld.sync.aligned;
    %m = ttng.tmem_alloc : () -> !buffer
    %0 = ttng.tmem_load %m : !buffer -> tensor<128x64xf32, #rows>
    // Two messages: a warp's lower and upper 16 rows.
    // CHECK: tcgen05.ld.sync.aligned.16x256b.x8.b32 {{.*}} + 0];
    // CHECK: tcgen05.ld.sync.aligned.16x256b.x8.b32 {{.*}} + 1048576];
    %1 = ttng.tmem_load %m : !buffer -> tensor<128x64xf32, #fragment>
    // CHECK-COUNT-2: tcgen05.ld.sync.aligned.16x128b.x16.b32
    %2 = ttng.tmem_load %m : !buffer -> tensor<128x64xf32, #quarter>
    // CHECK-COUNT-2: tcgen05.ld.sync.aligned.16x64b.x32.b32
    %3 = ttng.tmem_load %m : !buffer -> tensor<128x64xf32, #halves>
    // CHECK: "@${{[0-9]+}} tcgen05.st.sync.aligned.16x256b.x8.b32
    // CHECK: tcgen05.wait::st.sync.aligned;
    ttng.tmem_store %1, %m, %p : tensor<128x64xf32, #fragment> -> !buffer
    // CHECK: "@$0 tcgen05.dealloc.cta_group::1.sync.aligned.b32 $1, 64;"
    tt.return
  }

  // Places of 16 lanes: the upper half of a warp moves the columns from 16 on.
  // CHECK-LABEL: @half_of_the_lanes
  tt.func public @half_of_the_lanes(%x: tensor<64x32xf32, #m64>) {
    // CHECK: tcgen05.st.sync.aligned.16x32bx2.x16.b32 [$0 + 0], 16, {$1,
    // CHECK: tcgen05.ld.sync.aligned.16x32bx2.x16.b32 {{.*}} + 0], 16;
    %m = ttng.tmem_alloc %x : (tensor<64x32xf32, #m64>) -> !ttg.memdesc<64x32xf32, #tmem_m64, #ttng.tensor_memory, mutable>
    %0 = ttng.tmem_load %m : !ttg.memdesc<64x32xf32, #tmem_m64, #ttng.tensor_memory, mutable> -> tensor<64x32xf32, #m64>
    tt.return
  }

  // 16 bits in a column each: two columns to a register.
  // CHECK-LABEL: @packed
  tt.func public @packed(%x: tensor<128x64xf16, #rows>) {
    %m = ttng.tmem_alloc : () -> !ttg.memdesc<128x64xf16, #tmem_f16, #ttng.tensor_memory, mutable>
    %true = arith.constant true
    // CHECK: tcgen05.st.sync.aligned.32x32b.x32.unpack::16b.b32
    ttng.tmem_store %x, %m, %true : tensor<128x64xf16, #rows> -> !ttg.memdesc<128x64xf16, #tmem_f16, #ttng.tensor_memory, mutable>
    // CHECK: tcgen05.ld.sync.aligned.32x32b.x32.pack::16b.b32
    %0 = ttng.tmem_load %m : !ttg.memdesc<128x64xf16, #tmem_f16, #ttng.tensor_memory, mutable> -> tensor<128x64xf16, #rows>
    tt.return
  }

  // A buffer that is written once.
  // CHECK-LABEL: @constant
  tt.func public @constant(%x: tensor<128x4xi8, #scale_rows>) {
    // CHECK: tcgen05.st.sync.aligned.32x32b.x4.b32
    %m = ttng.tmem_alloc %x : (tensor<128x4xi8, #scale_rows>) -> !ttg.memdesc<128x4xi8, #scales, #ttng.tensor_memory>
    tt.return
  }

  // Every warp has the scales; four to a column.
  // CHECK-LABEL: @scales
  tt.func public @scales(%x: tensor<128x4xi8, #scale_rows>) {
    // CHECK: tcgen05.st.sync.aligned.32x32b.x4.b32
    %m = ttng.tmem_alloc %x : (tensor<128x4xi8, #scale_rows>) -> !ttg.memdesc<128x4xi8, #scales, #ttng.tensor_memory, mutable>
    tt.return
  }

  // CHECK-LABEL: @views
  tt.func public @views(%i: i32) {
    // CHECK: "@$0 tcgen05.alloc{{.*}} [$1], 128;"
    %ring = ttng.tmem_alloc : () -> !ring
    // CHECK: %[[STRIDE:.*]] = llvm.mlir.constant(64 : i32)
    // CHECK: llvm.mul %arg0, %[[STRIDE]]
    %m = ttg.memdesc_index %ring[%i] : !ring -> !buffer
    %h = ttng.tmem_subslice %m {offset = 32 : i32} : !buffer -> !half
    // CHECK: tcgen05.ld.sync.aligned.32x32b.x32.b32
    %0 = ttng.tmem_load %h : !half -> tensor<128x32xf32, #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>>
    tt.return
  }

  // The rows of a reduction are whole in a thread.
  // CHECK-LABEL: @reduced
  tt.func public @reduced() {
    %m = ttng.tmem_alloc : () -> !buffer
    // CHECK: tcgen05.ld
    // CHECK: llvm.fabs.f32
    // CHECK: llvm.maxnum.f32
    %0, %red = ttng.tmem_load %m {abs = true, redOp = #ttng.redOp<max>} : !buffer -> tensor<128x64xf32, #rows>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#eight = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [0, 32]], block = []}>
!buffer = !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // The second group of warps has the columns from 32 on.
  // CHECK-LABEL: @two_groups
  tt.func public @two_groups() {
    %m = ttng.tmem_alloc : () -> !buffer
    // CHECK: %[[SHIFT:.*]] = llvm.mlir.constant(2 : i32)
    // CHECK: llvm.lshr %{{.*}}, %[[SHIFT]]
    // CHECK: tcgen05.ld.sync.aligned.32x32b.x32.b32
    %0 = ttng.tmem_load %m : !buffer -> tensor<128x64xf32, #eight>
    tt.return
  }
}

// -----

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#rows = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]], block = []}>
!buffer = !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.total-num-warps" = 12 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // A message takes at most half of a thread's registers, of which twelve warps get 168 each.
  tt.func public @few_registers() {
    %m = ttng.tmem_alloc : () -> !buffer
    // CHECK-LABEL: @few_registers(
    // CHECK-SAME: ["nvvm.maxnreg", "168"]
    // CHECK-COUNT-2: tcgen05.ld.sync.aligned.32x32b.x64.b32
    // CHECK-LABEL: @few_registers_specialize0_partition0(
    // CHECK-COUNT-8: tcgen05.ld.sync.aligned.32x32b.x16.b32
    ttg.warp_specialize(%m) attributes {requestedRegisters = array<i32: 48, 24>, warpGroupStartIds = array<i32: 4, 8>}
    default {
      %0 = ttng.tmem_load %m : !buffer -> tensor<128x128xf32, #rows>
      ttg.warp_yield
    }
    partition0(%n: !buffer) num_warps(4) {
      %0 = ttng.tmem_load %n : !buffer -> tensor<128x128xf32, #rows>
      ttg.warp_return
    }
    partition1(%n: !buffer) num_warps(4) {
      ttg.warp_return
    } : (!buffer) -> ()
    tt.return
  }
}
