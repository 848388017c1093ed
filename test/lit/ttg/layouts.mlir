// Every layout of ttg reads, and prints the same, under the alias that Triton gives it.
// RUN: kernelscope opt %s | FileCheck %s
// RUN: kernelscope opt %s | kernelscope opt | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#mma3 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#mma3d = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [1, 4, 1], instrShape = [16, 32, 16]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [0, 8], [0, 0]], warp = [[8, 0], [0, 0]], block = []}>
#generic = #ttg.generic_linear<{register = [[0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 2], [32, 2]], block = []}>
#swizzled = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#rotating = #ttg.amd_rotating_shared<{vec = 4, perPhase = 2, maxPhase = 8, order = [0, 1]}>
#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#nvmma3 = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = true, elementBitWidth = 8, fp4Padded = true, rank = 3}>
#padded = #ttg.padded_shared<[32:+4, 256:+8] {order = [1, 0], shape = [64, 64]}>
#padded1 = #ttg.padded_shared<[4:+2] {offset = [[0, 1], [0, 2], [2, 0], [1, 0]], block = []}>
#offsets = #ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 2], [2, 1]]}, alignment = 16>
#partitioned = #ttg.partitioned_shared<{numPartitions = 2, numGroups = 4, partitionDim = 0, partitionLayout = #swizzled}>
#smem = #ttg.shared_memory

// CHECK-DAG: #[[$BLOCKED:.+]] = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #[[$MMA:mma.*]] = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// CHECK-DAG: #[[$MMA3:mma.*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
// CHECK-DAG: #[[$MMA3D:mma.*]] = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [1, 4, 1], instrShape = [16, 32, 16]}>
// CHECK-DAG: #[[$LINEAR:linear.*]] = #ttg.linear<{register = {{\[\[}}0, 1], [0, 2], [0, 4]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [0, 8], [0, 0]], warp = {{\[\[}}8, 0], [0, 0]], block = []}>
// CHECK-DAG: #[[$GENERIC:generic_linear.*]] = #ttg.generic_linear<{register = {{\[\[}}0, 1]], lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = {{\[\[}}0, 2], [32, 2]], block = []}>
// CHECK-DAG: #[[$SWIZZLED:shared.*]] = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
// CHECK-DAG: #[[$ROTATING:shared.*]] = #ttg.amd_rotating_shared<{vec = 4, perPhase = 2, maxPhase = 8, order = [0, 1]}>
// CHECK-DAG: #[[$NVMMA:shared.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
// CHECK-DAG: #[[$NVMMA3:shared.*]] = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = true, elementBitWidth = 8, fp4Padded = true, rank = 3}>
// CHECK-DAG: #[[$PADDED:shared.*]] = #ttg.padded_shared<[32:+4, 256:+8] {order = [1, 0], shape = [64, 64]}>
// CHECK-DAG: #[[$PADDED1:shared.*]] = #ttg.padded_shared<[4:+2] {offset = {{\[\[}}0, 1], [0, 2], [2, 0], [1, 0]], block = []}>
// CHECK-DAG: #[[$OFFSETS:shared.*]] = #ttg.shared_linear<{offset = {{\[\[}}0, 1], [0, 2], [1, 2], [2, 1]]}, alignment = 16>
// CHECK-DAG: #[[$PARTITIONED:shared.*]] = #ttg.partitioned_shared<{numPartitions = 2, numGroups = 4, partitionDim = 0, partitionLayout = #[[$SWIZZLED]]}>
// CHECK-DAG: #[[$SMEM:smem]] = #ttg.shared_memory

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  // CHECK: tt.func @distributed(%{{.*}}: tensor<64x64xf16, #[[$BLOCKED]]>,
  // CHECK-SAME: tensor<64xf16, #ttg.slice<{dim = 1, parent = #[[$BLOCKED]]}>>,
  // CHECK-SAME: tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #[[$MMA]], kWidth = 2}>>,
  // CHECK-SAME: tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #[[$BLOCKED]]}>>,
  // CHECK-SAME: tensor<64x64xf32, #[[$MMA3]]>, %{{.*}}: tensor<16x16xf16, #[[$LINEAR]]>, %{{.*}}: tensor<64x4xf16, #[[$GENERIC]]>
  tt.func @distributed(%0: tensor<64x64xf16, #blocked>, %1: tensor<64xf16, #ttg.slice<{dim = 1, parent = #blocked}>>,
                       %2: tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>,
                       %3: tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>,
                       %4: tensor<64x64xf32, #mma3>, %5: tensor<16x16xf16, #linear>, %6: tensor<64x4xf16, #generic>) {
    tt.return
  }

  // A wgmma's shape has three values in three dimensions, too.
  // CHECK: tt.func @batch(%{{.*}}: tensor<2x64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #[[$MMA3D]], kWidth = 2}>>)
  tt.func @batch(%0: tensor<2x64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma3d, kWidth = 2}>>) {
    tt.return
  }

  // CHECK: tt.func @shared(%{{.*}}: !ttg.memdesc<64x64xf16, #[[$SWIZZLED]], #[[$SMEM]]>,
  // CHECK-SAME: !ttg.memdesc<64x64xf16, #[[$ROTATING]], #[[$SMEM]], mutable>,
  // CHECK-SAME: !ttg.memdesc<3x64x64xf16, #[[$NVMMA]], #[[$SMEM]], mutable>,
  // CHECK-SAME: !ttg.memdesc<64x32x16xi8, #[[$NVMMA3]], #[[$SMEM]]>,
  // CHECK-SAME: !ttg.memdesc<64x64xf16, #[[$PADDED]], #[[$SMEM]]>,
  // CHECK-SAME: !ttg.memdesc<4x4xf16, #[[$PADDED1]], #[[$SMEM]]>,
  // CHECK-SAME: !ttg.memdesc<4x4xf16, #[[$OFFSETS]], #[[$SMEM]]>,
  // CHECK-SAME: !ttg.memdesc<64x64xf16, #[[$PARTITIONED]], #[[$SMEM]]>,
  // CHECK-SAME: !ttg.memdesc<32x64xf16, #[[$SWIZZLED]], #[[$SMEM]], mutable, 64x64>
  tt.func @shared(%0: !ttg.memdesc<64x64xf16, #swizzled, #smem>, %1: !ttg.memdesc<64x64xf16, #rotating, #smem, mutable>,
                  %2: !ttg.memdesc<3x64x64xf16, #nvmma, #smem, mutable>, %3: !ttg.memdesc<64x32x16xi8, #nvmma3, #smem>,
                  %4: !ttg.memdesc<64x64xf16, #padded, #smem>, %5: !ttg.memdesc<4x4xf16, #padded1, #smem>,
                  %6: !ttg.memdesc<4x4xf16, #offsets, #smem>, %7: !ttg.memdesc<64x64xf16, #partitioned, #smem>,
                  %8: !ttg.memdesc<32x64xf16, #swizzled, #smem, mutable, 64x64>) {
    tt.return
  }
}
