// A store takes its values where they were computed, if that is as good for memory; else in a layout in which no
// value crosses warps.
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=sm_80 | FileCheck %s --check-prefixes=CHECK,NVIDIA
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=gfx942 | FileCheck %s --check-prefixes=CHECK,AMD
// RUN: kernelscope opt %s --ttir-to-ttgir=arch=gfx1100 | FileCheck %s --check-prefix=RDNA3
// Two rows of lanes exchange what they store in registers, without memory that others read.
// RUN: kernelscope preview %s --arch gfx1100 --kernel narrow | FileCheck %s --check-prefix=SWAP
// SWAP-LABEL: narrow:
// SWAP: v_wmma
// SWAP-NOT: {{s_barrier|ds_}}
// SWAP: v_permlanex16_b32
// SWAP-NOT: {{s_barrier|ds_}}
// SWAP: global_store_b128
// SWAP-NOT: {{s_barrier|ds_}}
// SWAP: s_endpgm

// The columns of an accumulator are 2 neighbours to a thread, and a warp has 16 rows of 16 columns: it stores 64 bytes
// of a row at a time, which is less than the 128 bytes that a store of all warps covers.
// NVIDIA-DAG: #[[SUM:mma]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// NVIDIA-DAG: #[[MEMORY:blocked[0-9]*]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// Warps along the rows only: 256 bytes of a row at a time.
// NVIDIA-DAG: #[[WARPS:linear]] = #ttg.linear<{register = {{\[\[0, 1\], \[0, 2\], \[2, 0\], \[4, 0\], \[8, 0\]\], lane = \[\[0, 4\], \[0, 8\], \[0, 16\], \[0, 32\], \[1, 0\]\], warp = \[\[16, 0\], \[32, 0\]\]}}, block = []}>
// AMD-DAG: #[[SUM:mma[0-9]*]] = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [16, 16, 16], isTransposed = true}>

// On RDNA 3 a lane has every other column of 16, and then 4 of each 8.
// RDNA3-DAG: #[[SUM:mma[0-9]*]] = #ttg.amd_wmma<{version = 1, isTranspose = true, ctaLayout = {warp = {{.*}}}}>
// RDNA3-DAG: #[[RUNS:linear]] = #ttg.linear<{register = {{\[\[0, 2\], \[0, 1\], \[0, 8\]\], lane = \[\[1, 0\], \[2, 0\], \[4, 0\], \[8, 0\], \[0, 4\]\]}}, warp = {{.*}}, block = []}>
// RDNA3-LABEL: @narrow
// RDNA3: %[[SUMS:.*]] = tt.dot {{.*}} -> tensor<32x32xf32, #[[SUM]]>
// RDNA3: %[[MOVED:.*]] = ttg.convert_layout %[[SUMS]] : tensor<32x32xf32, #[[SUM]]> -> tensor<32x32xf32, #[[RUNS]]>
// RDNA3: tt.store %{{.*}}, %[[MOVED]]
// CHECK-LABEL: @narrow
// NVIDIA: %[[SUMS:.*]] = tt.dot {{.*}} -> tensor<32x32xf32, #[[SUM]]>
// NVIDIA: %[[MOVED:.*]] = ttg.convert_layout %[[SUMS]] : tensor<32x32xf32, #[[SUM]]> -> tensor<32x32xf32, #[[MEMORY]]>
// NVIDIA: tt.store %{{.*}}, %[[MOVED]]
// A thread of a matrix instruction of AMD has 16 bytes of a row.
// AMD: %[[SUMS:.*]] = tt.dot {{.*}} -> tensor<32x32xf32, #[[SUM]]>
// AMD: tt.store %{{.*}}, %[[SUMS]] : tensor<32x32x!tt.ptr<f32>, #[[SUM]]>
tt.func public @narrow(%a: tensor<32x32xf16>, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %none = arith.constant dense<0.0> : tensor<32x32xf32>
  %i = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %columns = tt.expand_dims %i {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %stride = arith.constant dense<32> : tensor<32x1xi32>
  %starts = arith.muli %rows, %stride : tensor<32x1xi32>
  %r = tt.broadcast %starts : tensor<32x1xi32> -> tensor<32x32xi32>
  %c = tt.broadcast %columns : tensor<1x32xi32> -> tensor<32x32xi32>
  %offsets = arith.addi %r, %c : tensor<32x32xi32>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  %to = tt.addptr %outs, %offsets : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
  %sum = tt.dot %a, %a, %none : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
  tt.store %to, %sum : tensor<32x32x!tt.ptr<f32>>
  tt.return
}

// CHECK-LABEL: @chain
// NVIDIA: %[[MOVED:.*]] = ttg.convert_layout %{{.*}} -> tensor<64x64xf32, #[[WARPS]]>
// NVIDIA: tt.store %{{.*}}, %[[MOVED]] : tensor<64x64x!tt.ptr<f32>, #[[WARPS]]>
// AMD-NOT: convert_layout %{{.*}} : tensor<64x64xf32
// AMD: tt.return
tt.func public @chain(%a: tensor<64x64xf16>, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %columns = tt.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %stride = arith.constant dense<64> : tensor<64x1xi32>
  %starts = arith.muli %rows, %stride : tensor<64x1xi32>
  %r = tt.broadcast %starts : tensor<64x1xi32> -> tensor<64x64xi32>
  %c = tt.broadcast %columns : tensor<1x64xi32> -> tensor<64x64xi32>
  %offsets = arith.addi %r, %c : tensor<64x64xi32>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %to = tt.addptr %outs, %offsets : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  // The second product takes the result of the first: the warps of both share the rows.
  %scores = tt.dot %a, %a, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %p = arith.truncf %scores : tensor<64x64xf32> to tensor<64x64xf16>
  %sum = tt.dot %p, %a, %none : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  tt.store %to, %sum : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// Four warps compute the same 16 x 16 results, of which one stores 16 bytes per lane: no more stores than if each thread
// had one element.
// AMD-LABEL: @copies
// AMD: %[[SUMS:.*]] = tt.dot
// AMD-NOT: convert_layout
// AMD: tt.store %{{.*}}, %[[SUMS]]
tt.func public @copies(%a: tensor<16x16xf16>, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %none = arith.constant dense<0.0> : tensor<16x16xf32>
  %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %rows = tt.expand_dims %i {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %columns = tt.expand_dims %i {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %stride = arith.constant dense<16> : tensor<16x1xi32>
  %starts = arith.muli %rows, %stride : tensor<16x1xi32>
  %r = tt.broadcast %starts : tensor<16x1xi32> -> tensor<16x16xi32>
  %c = tt.broadcast %columns : tensor<1x16xi32> -> tensor<16x16xi32>
  %offsets = arith.addi %r, %c : tensor<16x16xi32>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %to = tt.addptr %outs, %offsets : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %sum = tt.dot %a, %a, %none : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.store %to, %sum : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
