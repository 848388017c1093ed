// Copies from global memory straight to LDS. On gfx9 a warp has one address, which is scalar, and its lanes write one after another.
// RUN: kernelscope opt %s --split-input-file --ttgir-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#swizzled = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  // Two instructions of 128 bits a lane: beyond the buffer's end, where the mask is false, the hardware reads zeros.
  // CHECK-LABEL: @by_buffer
  tt.func public @by_buffer(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %at: tensor<64x64xi32, #blocked>, %live: i1) {
    %mask = tt.splat %live : i1 -> tensor<64x64xi1, #blocked>
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #plain, #smem, mutable>
    // CHECK: %[[WARP:.*]] = llvm.call_intrinsic "llvm.amdgcn.readfirstlane.i32"
    // CHECK: %[[BITS:.*]] = llvm.and %[[WARP]]
    // CHECK: %[[ROW:.*]] = llvm.shl %[[BITS]]
    // CHECK: %[[BASE:.*]] = llvm.getelementptr %{{.*}}[%[[ROW]]]
    // CHECK: %[[SIZE:.*]] = llvm.mlir.constant(16 : i32)
    // CHECK: "llvm.amdgcn.raw.ptr.buffer.load.lds"(%{{.*}}, %[[BASE]], %[[SIZE]],
    // CHECK: "llvm.amdgcn.raw.ptr.buffer.load.lds"
    // CHECK-NOT: buffer.load.lds
    %t = amdg.buffer_load_to_local %p[%at] mask = %mask into %m {contiguity = 8 : i32} : !tt.ptr<f16>[tensor<64x64xi32, #blocked>] -> <64x64xf16, #plain, #smem, mutable>
    %c = ttg.async_commit_group tokens %t
    // vmcnt(0), nothing else.
    // CHECK: %[[NONE:.*]] = llvm.mlir.constant(3952 : i32)
    // CHECK: "llvm.amdgcn.s.waitcnt"(%[[NONE]])
    %w = ttg.async_wait %c {num = 0 : i32}
    tt.return
  }

  // Through pointers the lanes whose mask is false make no copy, and store what takes its place: first, and without a wait for other
  // copies. The swizzle is in what lanes load.
  // CHECK-LABEL: @by_pointers
  tt.func public @by_pointers(%a: tensor<64x64x!tt.ptr<f16>, #blocked>, %live: i1, %ones: tensor<64x64xf16, #blocked>) {
    %mask = tt.splat %live : i1 -> tensor<64x64xi1, #blocked>
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #swizzled, #smem, mutable>
    // CHECK: llvm.cond_br
    // CHECK: llvm.store {{.*}}noalias_scopes{{.*}} : vector<8xi16>, !llvm.ptr<3>
    // CHECK: "llvm.amdgcn.ds.bpermute"
    // CHECK: llvm.cond_br
    // CHECK: "llvm.amdgcn.global.load.lds"
    %t = ttg.async_copy_global_to_local %a, %m mask %mask other %ones {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #swizzled, #smem, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#padded = #ttg.padded_shared<[64:+8] {order = [1, 0], shape = [64, 64]}>
#bytes = #ttg.padded_shared<[4:+1] {order = [1, 0], shape = [64, 64]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  // Each lane has an address, so gaps between rows do not matter. These copies have their own counter.
  // CHECK-LABEL: @scattered
  tt.func public @scattered(%a: tensor<64x64x!tt.ptr<f16>, #blocked>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #padded, #smem, mutable>
    // CHECK-NOT: readfirstlane.p3
    // CHECK-COUNT-4: "llvm.amdgcn.global.load.async.to.lds.b128"
    %t = ttg.async_copy_global_to_local %a, %m {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #padded, #smem, mutable>
    %c = ttg.async_commit_group tokens %t
    // CHECK: "llvm.amdgcn.s.wait.asynccnt"
    %w = ttg.async_wait %c {num = 0 : i32}
    tt.return
  }

  // A lane whose mask is false has an address outside of LDS, where it loads and stores nothing.
  // CHECK-LABEL: @masked
  tt.func public @masked(%a: tensor<64x64x!tt.ptr<f16>, #blocked>, %n: i32, %ones: tensor<64x64xf16, #blocked>) {
    %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %row = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %rows = tt.splat %n : i32 -> tensor<64x1xi32, #blocked>
    %live = arith.cmpi slt, %row, %rows : tensor<64x1xi32, #blocked>
    %mask = tt.broadcast %live : tensor<64x1xi1, #blocked> -> tensor<64x64xi1, #blocked>
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #padded, #smem, mutable>
    // CHECK: %[[LAST:.*]] = llvm.mlir.constant(2147483632 : i32)
    // CHECK: %[[OUTSIDE:.*]] = llvm.inttoptr %[[LAST]]
    // CHECK: %[[ELSE:.*]] = llvm.select %[[LIVE:.*]], %[[OUTSIDE]],
    // CHECK: llvm.store {{.*}}, %[[ELSE]] {{.*}}noalias_scopes
    // CHECK: %[[TO:.*]] = llvm.select %[[LIVE]],
    // CHECK: "llvm.amdgcn.global.load.async.to.lds.b128"(%{{.*}}, %[[TO]],
    // CHECK-NOT: llvm.cond_br
    // CHECK: llvm.return
    %t = ttg.async_copy_global_to_local %a, %m mask %mask other %ones {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #padded, #smem, mutable>
    tt.return
  }

  // One condition for the whole copy: if it is false, nothing reads what the copy would have brought.
  // CHECK-LABEL: @all_or_nothing
  tt.func public @all_or_nothing(%a: tensor<64x64x!tt.ptr<f16>, #blocked>, %live: i1) {
    %mask = tt.splat %live : i1 -> tensor<64x64xi1, #blocked>
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #padded, #smem, mutable>
    // CHECK-NOT: llvm.store
    // CHECK-COUNT-4: "llvm.amdgcn.global.load.async.to.lds.b128"
    %t = ttg.async_copy_global_to_local %a, %m mask %mask {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #padded, #smem, mutable>
    tt.return
  }

  // Nor must an address be aligned to what is copied: the gaps here are single bytes.
  // CHECK-LABEL: @unaligned
  tt.func public @unaligned(%a: tensor<64x64x!tt.ptr<f8E5M2>, #blocked>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf8E5M2, #bytes, #smem, mutable>
    // CHECK-COUNT-8: "llvm.amdgcn.global.load.async.to.lds.b32"
    // CHECK-NOT: async.to.lds
    %t = ttg.async_copy_global_to_local %a, %m {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f8E5M2>, #blocked> -> <64x64xf8E5M2, #bytes, #smem, mutable>
    tt.return
  }
}

// -----

#lanes = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[0, 16], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]], warp = [[1, 0]], block = []}>
#words = #ttg.padded_shared<[1024:+8] {offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [1, 0]], block = []}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  // The second warp writes 1032 bytes after the first: whole words are enough for 128 bits.
  // CHECK-LABEL: @gap_of_words
  tt.func public @gap_of_words(%p: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %at: tensor<64x32xi32, #lanes>) {
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x32xi8, #words, #smem, mutable>
    // CHECK: %[[SIZE:.*]] = llvm.mlir.constant(16 : i32)
    // CHECK: "llvm.amdgcn.raw.ptr.buffer.load.lds"(%{{.*}}, %{{.*}}, %[[SIZE]],
    // CHECK-NOT: buffer.load.lds
    %t = amdg.buffer_load_to_local %p[%at] into %m {contiguity = 16 : i32} : !tt.ptr<i8>[tensor<64x32xi32, #lanes>] -> <64x32xi8, #words, #smem, mutable>
    tt.return
  }
}
