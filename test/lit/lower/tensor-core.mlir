// Products of Blackwell's tensor core, as LLVM optimises them.
// RUN: kernelscope preview %s --emit llvm --arch sm_100a | FileCheck %s
// kind::mxf4nvf4 needs PTX 8.7.
// RUN: kernelscope preview %s --arch sm_100a | FileCheck %s --check-prefix=PTX
// PTX: .version 8.7

#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#narrow = #ttng.tensor_memory_encoding<blockM = 128, blockN = 16, colStride = 1>
#scales = #ttng.tensor_memory_scales_encoding<>
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#b = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 8}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!a = !ttg.memdesc<128x128xi8, #a, #smem, mutable>
!b = !ttg.memdesc<128x128xi8, #b, #smem, mutable>
!d = !ttg.memdesc<128x128xf32, #tmem, #ttng.tensor_memory, mutable>
!s = !ttg.memdesc<128x8xi8, #scales, #ttng.tensor_memory, mutable>
!bar = !ttg.memdesc<1xi64, #bar, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // 64 values of four bits are 32 bytes, which matrix descriptors count as two.
  // CHECK-LABEL: @packed
  // CHECK: %[[W0:.*]] = zext nneg i32 %[[ADDRESS:.*]] to i64
  // CHECK: %[[A0:.*]] = or disjoint i64 %[[W0]], 4611756662049472512
  // CHECK: kind::mxf4.block_scale.scale_vec::2X {{.*}}(i32 %{{.*}}, i64 %[[A0]], i64
  // CHECK: %[[H1:.*]] = add nuw nsw i32 %[[ADDRESS]], 2
  // CHECK: %[[W1:.*]] = zext nneg i32 %[[H1]] to i64
  // CHECK: %[[A1:.*]] = or disjoint i64 %[[W1]], 4611756662049472512
  // CHECK: kind::mxf4.block_scale.scale_vec::2X {{.*}}(i32 %{{.*}}, i64 %[[A1]], i64
  // CHECK: %[[H2:.*]] = add nuw nsw i32 %[[ADDRESS]], 4
  // CHECK: %[[W2:.*]] = zext nneg i32 %[[H2]] to i64
  // CHECK: %[[A2:.*]] = or disjoint i64 %[[W2]], 4611756662049472512
  // CHECK: kind::mxf4.block_scale.scale_vec::2X {{.*}}(i32 %{{.*}}, i64 %[[A2]], i64
  // CHECK: %[[H3:.*]] = add nuw nsw i32 %[[ADDRESS]], 6
  // CHECK: %[[W3:.*]] = zext nneg i32 %[[H3]] to i64
  // CHECK: %[[A3:.*]] = or disjoint i64 %[[W3]], 4611756662049472512
  // CHECK: kind::mxf4.block_scale.scale_vec::2X {{.*}}(i32 %{{.*}}, i64 %[[A3]], i64
  tt.func public @packed() {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %a = ttg.local_alloc : () -> !a
    %b = ttg.local_alloc : () -> !b
    %bar = ttg.local_alloc : () -> !bar
    %d = ttng.tmem_alloc : () -> !d
    %s = ttng.tmem_alloc : () -> !s
    %t = ttng.tmem_alloc : () -> !s
    ttng.init_barrier %bar, 1 : !bar
    ttng.tc_gen5_mma_scaled %a, %b, %d, %s, %t, %true, %true lhs = e2m1 rhs = e2m1, %bar[%true] {is_async} : !a, !b, !d, !s, !s, !bar
    ttng.wait_barrier %bar, %c0 : !bar
    tt.return
  }

  // Scales of 16 columns are in half of the rows of tensor memory.
  // CHECK-LABEL: @narrow
  // CHECK: kind::mxf4.block_scale.scale_vec::2X
  tt.func public @narrow() {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %a = ttg.local_alloc : () -> !a
    %b = ttg.local_alloc : () -> !ttg.memdesc<128x16xi8, #b, #smem, mutable>
    %bar = ttg.local_alloc : () -> !bar
    %d = ttng.tmem_alloc : () -> !ttg.memdesc<128x16xf32, #narrow, #ttng.tensor_memory, mutable>
    %s = ttng.tmem_alloc : () -> !s
    %t = ttng.tmem_alloc : () -> !ttg.memdesc<16x8xi8, #scales, #ttng.tensor_memory, mutable>
    ttng.init_barrier %bar, 1 : !bar
    ttng.tc_gen5_mma_scaled %a, %b, %d, %s, %t, %true, %true lhs = e2m1 rhs = e2m1, %bar[%true] {is_async} : !a, !ttg.memdesc<128x16xi8, #b, #smem, mutable>, !ttg.memdesc<128x16xf32, #narrow, #ttng.tensor_memory, mutable>, !s, !ttg.memdesc<16x8xi8, #scales, #ttng.tensor_memory, mutable>, !bar
    ttng.wait_barrier %bar, %c0 : !bar
    tt.return
  }

  // What never happens is not there.
  // CHECK-LABEL: @never
  // CHECK-NOT: tcgen05.mma
  // CHECK-NOT: tcgen05.commit
  // CHECK: ret void
  tt.func public @never(%n: i32) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %a = ttg.local_alloc : () -> !a
    %b = ttg.local_alloc : () -> !b
    %bar = ttg.local_alloc : () -> !bar
    %d = ttng.tmem_alloc : () -> !d
    %s = ttng.tmem_alloc : () -> !s
    %less = arith.cmpi slt, %n, %n : i32
    ttng.tc_gen5_mma_scaled %a, %b, %d, %s, %s, %true, %less lhs = e2m1 rhs = e2m1, %bar[%true] {is_async} : !a, !b, !d, !s, !s, !bar
    tt.return
  }
}
