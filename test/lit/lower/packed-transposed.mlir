// Pairs of 4-bit values along M in memory, along K in registers: each byte is put together from two.
// RUN: split-file %s %t
// RUN: kernelscope run %t/gfx950.ttgir --device sim --compare | FileCheck %s
// RUN: kernelscope run %t/gfx1250.ttgir --device sim --compare | FileCheck %s
// The same in two partitions of LDS.
// RUN: sed -e 's/^#s = \(.*\)/#part = \1\n#s = #ttg.partitioned_shared<{numPartitions = 2, numGroups = 1, partitionDim = 0, partitionLayout = #part}>/' %t/gfx1250.ttgir > %t/parts.ttgir
// RUN: kernelscope run %t/parts.ttgir --device sim --compare | FileCheck %s
// Where memory has rows of K along M, reads that transpose 4-bit values do it, also with gaps between rows.
// RUN: sed -e 's/^#s = \(.*\)order = .1, 0.\(.*\)/#s = \1order = [0, 1]\2/' %t/gfx950.ttgir > %t/rows950.ttgir
// RUN: sed -e 's/^#s = .*/#s = #ttg.padded_shared<[256:+16] {order = [0, 1], shape = [64, 128]}>/' %t/gfx1250.ttgir > %t/rows1250.ttgir
// RUN: kernelscope run %t/rows950.ttgir --device sim --compare | FileCheck %s
// RUN: kernelscope run %t/rows1250.ttgir --device sim --compare | FileCheck %s
// RUN: kernelscope preview %t/rows950.ttgir | FileCheck %s --check-prefix=CDNA
// RUN: kernelscope preview %t/rows1250.ttgir | FileCheck %s --check-prefix=GFX1250
// CDNA: ds_read_b64_tr_b4
// CDNA-NOT: ds_read_u8
// GFX1250: ds_load_tr4_b64
// GFX1250-NOT: ds_load_u8
// CHECK: differs from the CPU executor by at most 0.000e+00 (0.000e+00 relative): equal

//--- gfx950.ttgir
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#mma = #ttg.amd_mfma<{version = 4, warpsPerCTA = [4, 1], instrShape = [16, 16, 128], isTransposed = true}>
#dot = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @k(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32) attributes {noinline = false} {
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %srcbase = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<i8>
    %srcr = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %srcc = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %srcre = tt.expand_dims %srcr {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<64x1xi32, #b>
    %srcce = tt.expand_dims %srcc {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x128xi32, #b>
    %srcw = arith.constant dense<128> : tensor<64x1xi32, #b>
    %srcrw = arith.muli %srcre, %srcw : tensor<64x1xi32, #b>
    %srcrb = tt.broadcast %srcrw : tensor<64x1xi32, #b> -> tensor<64x128xi32, #b>
    %srccb = tt.broadcast %srcce : tensor<1x128xi32, #b> -> tensor<64x128xi32, #b>
    %srcat = arith.addi %srcrb, %srccb : tensor<64x128xi32, #b>
    %srcps = tt.splat %srcbase : !tt.ptr<i8> -> tensor<64x128x!tt.ptr<i8>, #b>
    %srcp = tt.addptr %srcps, %srcat : tensor<64x128x!tt.ptr<i8>, #b>, tensor<64x128xi32, #b>
    %src = tt.load %srcp : tensor<64x128x!tt.ptr<i8>, #b>
    %m = ttg.local_alloc %src : (tensor<64x128xi8, #b>) -> !ttg.memdesc<64x128xi8, #s, #smem, mutable>
    %v = amdg.local_load_packed_transposed %m : !ttg.memdesc<64x128xi8, #s, #smem, mutable> -> tensor<128x64xi8, #dot>
    %u = ttg.convert_layout %v : tensor<128x64xi8, #dot> -> tensor<128x64xi8, #b>
    %ebase = tt.bitcast %q : !tt.ptr<i32> -> !tt.ptr<i8>
    %er = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %ec = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %ere = tt.expand_dims %er {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<128x1xi32, #b>
    %ece = tt.expand_dims %ec {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
    %ew = arith.constant dense<64> : tensor<128x1xi32, #b>
    %erw = arith.muli %ere, %ew : tensor<128x1xi32, #b>
    %erb = tt.broadcast %erw : tensor<128x1xi32, #b> -> tensor<128x64xi32, #b>
    %ecb = tt.broadcast %ece : tensor<1x64xi32, #b> -> tensor<128x64xi32, #b>
    %eat = arith.addi %erb, %ecb : tensor<128x64xi32, #b>
    %eps = tt.splat %ebase : !tt.ptr<i8> -> tensor<128x64x!tt.ptr<i8>, #b>
    %ep = tt.addptr %eps, %eat : tensor<128x64x!tt.ptr<i8>, #b>, tensor<128x64xi32, #b>
    tt.store %ep, %u : tensor<128x64x!tt.ptr<i8>, #b>
    tt.return
  }
}

//--- gfx1250.ttgir
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#mma = #ttg.amd_wmma<{version = 3, isTranspose = true, ctaLayout = {warp = [[1, 0], [2, 0]]}, instrShape = [16, 16, 128]}>
#dot = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32) attributes {noinline = false} {
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %srcbase = tt.bitcast %p : !tt.ptr<f32> -> !tt.ptr<i8>
    %srcr = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %srcc = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %srcre = tt.expand_dims %srcr {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<64x1xi32, #b>
    %srcce = tt.expand_dims %srcc {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x128xi32, #b>
    %srcw = arith.constant dense<128> : tensor<64x1xi32, #b>
    %srcrw = arith.muli %srcre, %srcw : tensor<64x1xi32, #b>
    %srcrb = tt.broadcast %srcrw : tensor<64x1xi32, #b> -> tensor<64x128xi32, #b>
    %srccb = tt.broadcast %srcce : tensor<1x128xi32, #b> -> tensor<64x128xi32, #b>
    %srcat = arith.addi %srcrb, %srccb : tensor<64x128xi32, #b>
    %srcps = tt.splat %srcbase : !tt.ptr<i8> -> tensor<64x128x!tt.ptr<i8>, #b>
    %srcp = tt.addptr %srcps, %srcat : tensor<64x128x!tt.ptr<i8>, #b>, tensor<64x128xi32, #b>
    %src = tt.load %srcp : tensor<64x128x!tt.ptr<i8>, #b>
    %m = ttg.local_alloc %src : (tensor<64x128xi8, #b>) -> !ttg.memdesc<64x128xi8, #s, #smem, mutable>
    %v = amdg.local_load_packed_transposed %m : !ttg.memdesc<64x128xi8, #s, #smem, mutable> -> tensor<128x64xi8, #dot>
    %u = ttg.convert_layout %v : tensor<128x64xi8, #dot> -> tensor<128x64xi8, #b>
    %ebase = tt.bitcast %q : !tt.ptr<i32> -> !tt.ptr<i8>
    %er = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %ec = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %ere = tt.expand_dims %er {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<128x1xi32, #b>
    %ece = tt.expand_dims %ec {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
    %ew = arith.constant dense<64> : tensor<128x1xi32, #b>
    %erw = arith.muli %ere, %ew : tensor<128x1xi32, #b>
    %erb = tt.broadcast %erw : tensor<128x1xi32, #b> -> tensor<128x64xi32, #b>
    %ecb = tt.broadcast %ece : tensor<1x64xi32, #b> -> tensor<128x64xi32, #b>
    %eat = arith.addi %erb, %ecb : tensor<128x64xi32, #b>
    %eps = tt.splat %ebase : !tt.ptr<i8> -> tensor<128x64x!tt.ptr<i8>, #b>
    %ep = tt.addptr %eps, %eat : tensor<128x64x!tt.ptr<i8>, #b>, tensor<128x64xi32, #b>
    tt.store %ep, %u : tensor<128x64x!tt.ptr<i8>, #b>
    tt.return
  }
}
