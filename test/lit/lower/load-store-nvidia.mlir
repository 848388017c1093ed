// Global loads and stores on NVIDIA: as wide as layout, alignment and mask allow.
// RUN: kernelscope opt %s --ttgir-to-llvm=arch=sm_90a --split-input-file | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  // Two registers of a thread are 512 elements apart, so there are two accesses
  // of 128 bits. The bound is a multiple of 16: four neighbours share a mask.
  // CHECK-LABEL: @wide
  // CHECK-COUNT-2: @$5 ld.global.v4.b32 {$0, $1, $2, $3}, [$4];
  // CHECK-NOT: ld.global
  // CHECK-COUNT-2: @$5 st.global.v4.b32 [$4], {$0, $1, $2, $3};
  // CHECK-NOT: st.global
  // CHECK: llvm.return
  tt.func public @wide(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #blocked>
    %s = tt.splat %a : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %p = tt.addptr %s, %r : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %bound = tt.splat %n : i32 -> tensor<1024xi32, #blocked>
    %mask = arith.cmpi slt, %r, %bound : tensor<1024xi32, #blocked>
    %x = tt.load %p, %mask : tensor<1024x!tt.ptr<f32>, #blocked>
    tt.store %p, %x, %mask : tensor<1024x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // A bound that only 2 divides allows pairs; `other` is what the registers hold
  // before the load.
  // CHECK-LABEL: @pairs
  // CHECK-COUNT-2: mov.b32 $0, $2;{{.*}}mov.b32 $1, $3;{{.*}}@$5 ld.global.v2.b32 {$0, $1}, [$4];
  // CHECK-NOT: ld.global
  // CHECK: llvm.return
  tt.func public @pairs(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 2 : i32}) {
    %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    %s = tt.splat %a : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %p = tt.addptr %s, %r : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %bound = tt.splat %n : i32 -> tensor<512xi32, #blocked>
    %mask = arith.cmpi slt, %r, %bound : tensor<512xi32, #blocked>
    %one = arith.constant dense<1.0> : tensor<512xf32, #blocked>
    %x = tt.load %p, %mask, %one : tensor<512x!tt.ptr<f32>, #blocked>
    tt.store %p, %x : tensor<512x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // Booleans lie in memory as bytes.
  // CHECK-LABEL: @booleans
  // CHECK: ld.global.b32
  // CHECK: llvm.trunc {{.*}} : i8 to i1
  // CHECK: llvm.zext {{.*}} : i1 to i8
  // CHECK: st.global.b32
  tt.func public @booleans(%a: !tt.ptr<i1> {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    %s = tt.splat %a : !tt.ptr<i1> -> tensor<512x!tt.ptr<i1>, #blocked>
    %p = tt.addptr %s, %r : tensor<512x!tt.ptr<i1>, #blocked>, tensor<512xi32, #blocked>
    %x = tt.load %p : tensor<512x!tt.ptr<i1>, #blocked>
    tt.store %p, %x : tensor<512x!tt.ptr<i1>, #blocked>
    tt.return
  }
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#twice = #ttg.linear<{register = [[0], [1]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32} {
  // Four warps hold the same 32 elements: the first stores them. One thread
  // stores a scalar.
  // CHECK-LABEL: @copies
  // CHECK: %[[M:.*]] = llvm.mlir.constant(96 : i32)
  // CHECK: %[[W:.*]] = llvm.and %{{.*}}, %[[M]]
  // CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %[[W]]
  // CHECK: st.global.b32 {{.*}}, %[[FIRST]] :
  // CHECK: %[[T:.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.x"
  // CHECK: %[[ONE:.*]] = llvm.icmp "eq" %[[T]]
  // CHECK: st.global.b32 {{.*}}, %[[ONE]] :
  tt.func public @copies(%a: !tt.ptr<f32>) {
    %r = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #rows>
    %s = tt.splat %a : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #rows>
    %p = tt.addptr %s, %r : tensor<32x!tt.ptr<f32>, #rows>, tensor<32xi32, #rows>
    %zero = arith.constant dense<0.0> : tensor<32xf32, #rows>
    tt.store %p, %zero : tensor<32x!tt.ptr<f32>, #rows>
    %one = arith.constant 1.0 : f32
    tt.store %a, %one : !tt.ptr<f32>
    tt.return
  }

  // The lowest register bit holds copies: the next makes the pair.
  // CHECK-LABEL: @copies_in_registers
  // CHECK: ld.global.v2.b32
  // CHECK-NOT: ld.global
  // CHECK: st.global.v2.b32
  // CHECK-NOT: st.global
  // CHECK: llvm.return
  tt.func public @copies_in_registers(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #twice>
    %s = tt.splat %a : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #twice>
    %p = tt.addptr %s, %r : tensor<256x!tt.ptr<f32>, #twice>, tensor<256xi32, #twice>
    %x = tt.load %p : tensor<256x!tt.ptr<f32>, #twice>
    tt.store %p, %x : tensor<256x!tt.ptr<f32>, #twice>
    tt.return
  }

  // PTX takes a cache operator or an eviction priority of L1, and a policy of
  // L2 beside either, as Triton's code has it.
  // CHECK-LABEL: @modifiers
  // CHECK: %[[FIRST:.*]] = llvm.inline_asm {{.*}}"createpolicy.fractional.L2::evict_first.b64 $0, 1.0;"
  // CHECK: "ld.global.cg.L2::cache_hint.b32 $0, [$1], $2;", "=r,l,l" %{{.*}}, %[[FIRST]]
  // CHECK: %[[LAST:.*]] = llvm.inline_asm {{.*}}"createpolicy.fractional.L2::evict_last.b64 $0, 1.0;"
  // CHECK: "ld.global.L1::evict_last.L2::cache_hint.b32 $0, [$1], $2;", "=r,l,l" %{{.*}}, %[[LAST]]
  // CHECK: "ld.global.volatile.b32 $0, [$1];"
  // CHECK: st.global.wt.b32
  // CHECK: st.global.L1::evict_first.L2::cache_hint.b32 [$1], $0, $2;
  tt.func public @modifiers(%a: !tt.ptr<i32>) {
    %x = tt.load %a cacheModifier = cg evictionPolicy = evict_first : !tt.ptr<i32>
    %y = tt.load %a evictionPolicy = evict_last : !tt.ptr<i32>
    %z = tt.load %a {isVolatile = true} : !tt.ptr<i32>
    tt.store %a, %x cacheModifier = wt : !tt.ptr<i32>
    tt.store %a, %y evictionPolicy = evict_first : !tt.ptr<i32>
    tt.return
  }
}
