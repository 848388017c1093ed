// Tensor descriptors that the device writes, in scratch memory of each block.
// RUN: kernelscope opt %s --split-input-file --ttgir-to-llvm=arch=sm_90a --verify-diagnostics | FileCheck %s

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK: module attributes
// CHECK-SAME: ttg.global_scratch_memory_alignment = 128 : i32, ttg.global_scratch_memory_size = 256 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @create
  // CHECK-SAME: %[[SCRATCH:[^:]*]]: !llvm.ptr<1>, %{{[^:]*}}: !llvm.ptr<1>)
  tt.func public @create(%base: !tt.ptr<f16>, %rows: i32, %columns: i32, %stride: i64) -> !tt.tensordesc<128x64xf16, #shared> {
    %one = arith.constant 1 : i32
    %w = arith.constant 64 : i32
    %h = arith.constant 128 : i32
    // 16 bytes, and 128 that begin at a multiple of as many, for each block of the grid.
    // CHECK: llvm.getelementptr %[[SCRATCH]]
    // CHECK: %[[MAP:.*]] = llvm.getelementptr %[[SCRATCH]]
    %other = ttg.global_scratch_alloc {alignment = 16 : i32, nbytes = 16 : i32} : !tt.ptr<i8>
    %map = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    // The first warp clears the map, its first thread fills it in, and the warp copies it.
    // CHECK: st.shared.b32
    // CHECK: llvm.nvvm.bar.warp.sync
    // CHECK: llvm.cond_br
    // CHECK: "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [$0], $1;", "l,l"
    // CHECK: "tensormap.replace.tile.rank.shared::cta.b1024.b32 [$0], 1;"
    // CHECK: tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [$0], 0, $1;
    // CHECK: tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [$0], 1, $1;
    // CHECK: tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [$0], 0, $1;
    // CHECK: tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [$0], 1, $1;
    // CHECK: tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [$0], 0, $1;
    // CHECK: tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [$0], 0, $1;
    // CHECK: tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [$0], 1, $1;
    // CHECK: tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [$0], 6;
    // CHECK: tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [$0], 0;
    // CHECK: tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [$0], 3;
    // CHECK: tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [$0], 0;
    // CHECK: llvm.nvvm.bar.warp.sync
    // CHECK: tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [$0], [$1], 128;", "l,l,b" %[[MAP]]
    ttng.tensormap_create %map, %base, [%w, %h], [%columns, %rows], [%stride], [%one, %one] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    // The warp acquires it before any other uses it.
    // CHECK: "@$1 fence.proxy.tensormap::generic.acquire.gpu [$0], 128;", "l,b" %[[MAP]]
    // CHECK: llvm.nvvm.barrier.cta.sync
    ttng.tensormap_fenceproxy_acquire %map : !tt.ptr<i8>
    // CHECK: llvm.return %{{.*}} : !llvm.ptr
    %desc = ttng.reinterpret_tensor_descriptor %map : !tt.ptr<i8> to !tt.tensordesc<128x64xf16, #shared>
    tt.return %desc : !tt.tensordesc<128x64xf16, #shared>
  }
}

// -----

// A partition is passed where its scratch memory is: its warps work that out before.
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @partition(
  // CHECK: llvm.call @partition_specialize0_partition0(%{{.*}}) : (!llvm.ptr<1>) -> ()
  // CHECK: llvm.func internal @partition_specialize0_partition0(%[[OWN:.*]]: !llvm.ptr<1>)
  // CHECK: fence.proxy.tensormap::generic.acquire.gpu [$0], 128;", "l,b" %[[OWN]]
  tt.func public @partition() {
    ttg.warp_specialize()
    default {
      ttg.warp_yield
    }
    partition0() num_warps(4) {
      %own = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
      ttng.tensormap_fenceproxy_acquire %own : !tt.ptr<i8>
      ttg.warp_return
    } : () -> ()
    tt.return
  }
}

// -----

// A function that needs scratch memory gets it as an argument: each call has its own.
// CHECK: module attributes
// CHECK-SAME: ttg.global_scratch_memory_size = 384 : i32
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK: llvm.func internal @maps(%[[OWN:.*]]: !llvm.ptr<1>)
  // CHECK: fence.proxy.tensormap::generic.acquire.gpu [$0], 128;", "l,b" %[[OWN]]
  tt.func private @maps() {
    %own = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    ttng.tensormap_fenceproxy_acquire %own : !tt.ptr<i8>
    tt.return
  }
  // CHECK: llvm.func internal @between(%[[PASSED:.*]]: !llvm.ptr<1>)
  // CHECK: llvm.call @maps(%[[PASSED]]) : (!llvm.ptr<1>) -> ()
  tt.func private @between() {
    tt.call @maps() : () -> ()
    tt.return
  }
  // CHECK-LABEL: @caller(
  tt.func public @caller() {
    // CHECK: %[[FIRST:.*]] = llvm.getelementptr
    // CHECK: llvm.call @between(%[[FIRST]]) : (!llvm.ptr<1>) -> ()
    tt.call @between() : () -> ()
    // CHECK: llvm.mlir.constant(128 : i64)
    // CHECK: %[[SECOND:.*]] = llvm.getelementptr
    // CHECK: llvm.call @maps(%[[SECOND]]) : (!llvm.ptr<1>) -> ()
    tt.call @maps() : () -> ()
    // CHECK: llvm.mlir.constant(256 : i64)
    // CHECK: %[[THIRD:.*]] = llvm.getelementptr
    // CHECK: llvm.call @maps(%[[THIRD]]) : (!llvm.ptr<1>) -> ()
    tt.call @maps() : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func private @again() {
    // expected-error @below {{is in a recursive function; scratch memory is allocated before the kernel starts}}
    %0 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    tt.call @again() : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @wide(%map: !tt.ptr<i8>, %base: !tt.ptr<f16>, %rows: i32, %stride: i64) {
    %one = arith.constant 1 : i32
    %w = arith.constant 512 : i32
    // expected-error @below {{has a box_dim[0] of 512; TMA copies 1 to 256 elements along a dimension}}
    ttng.tensormap_create %map, %base, [%w, %w], [%rows, %rows], [%stride], [%one, %one] {elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    tt.return
  }
}
