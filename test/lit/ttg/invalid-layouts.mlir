// Each rule of a layout or a memory descriptor, broken once.
// RUN: kernelscope opt --verify-diagnostics --split-input-file %s -o /dev/null

// expected-error @below {{threadsPerWarp has 1 value; it needs 2, one per dimension}}
#a = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32], warpsPerCTA = [4, 1], order = [1, 0]}>

// -----

// expected-error @below {{sizePerThread is [1, 0]; every value must be a power of two}}
#a = #ttg.blocked<{sizePerThread = [1, 0], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>

// -----

// expected-error @below {{warpsPerCTA is [3, 1]; every value must be a power of two}}
#a = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [3, 1], order = [1, 0]}>

// -----

// expected-error @below {{layout has sizePerThread = [1, -1]; it must be a list of integers from 0 to 2^31 - 1}}
#a = #ttg.blocked<{sizePerThread = [1, -1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>

// -----

// expected-error @below {{order is [1, 1]; it must be a permutation of [0, 1]}}
#a = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 1]}>

// -----

// expected-error @below {{order is [0, 7]; it must be a permutation of [0, 1]}}
#a = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 7]}>

// -----

// expected-error @below {{layout has no 'order'}}
#a = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1]}>

// -----

// expected-warning @below {{layout has an unknown entry 'sizePerWarp', which is ignored}}
#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], sizePerWarp = [1]}>

// -----

// expected-error @below {{layout has 0 dimensions; it needs from 1 to 16}}
#a = #ttg.blocked<{sizePerThread = [], threadsPerWarp = [], warpsPerCTA = [], order = []}>

// -----

// expected-error @below {{layout's tile has 2^40 elements; at most 2^30 are possible}}
#a = #ttg.blocked<{sizePerThread = [1048576], threadsPerWarp = [1048576], warpsPerCTA = [1], order = [0]}>

// -----

// expected-error @below {{CGALayout must map each bit}}
#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[2]]}>

// -----

// expected-error @below {{CGALayout = [[1, 0]] is not a linear map: basis 0 of 'block' has 2 values; it needs 1}}
#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1, 0]]}>

// -----

// expected-error @below {{layout has CTAsPerCGA = [2], CTASplitNum = [4], CTAOrder = [0]; each needs 1 value}}
#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CTAsPerCGA = [2], CTASplitNum = [4], CTAOrder = [0]}>

// -----

#p = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// expected-error @below {{slice has dim = 2; its parent's dimensions are 0 to 1}}
#a = #ttg.slice<{dim = 2, parent = #p}>

// -----

#p = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// expected-error @below {{slice's parent has 1 dimension; it needs two or more}}
#a = #ttg.slice<{dim = 0, parent = #p}>

// -----

// expected-error @below {{layout has parent = "x"; it must be the layout of a tensor}}
#a = #ttg.slice<{dim = 0, parent = "x"}>

// -----

#p = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// expected-error @below {{dot operand has opIdx = 2; it must be 0 (the left operand) or 1 (the right)}}
#a = #ttg.dot_op<{opIdx = 2, parent = #p, kWidth = 2}>

// -----

#p = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// expected-error @below {{dot operand of an nvidia_mma layout needs a kWidth}}
#a = #ttg.dot_op<{opIdx = 0, parent = #p}>

// -----

#p = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
// expected-error @below {{with a version 3 (wgmma) parent it must be 0}}
#a = #ttg.dot_op<{opIdx = 1, parent = #p, kWidth = 2}>

// -----

#p = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// expected-error @below {{dot operand has kWidth = 2; with a blocked parent it must be absent}}
#a = #ttg.dot_op<{opIdx = 0, parent = #p, kWidth = 2}>

// -----

#p = #ttg.amd_wmma<{version = 1, isTranspose = true, ctaLayout = {warp = [[0, 1], [1, 0]]}}>
// expected-error @below {{dot operand of an amd_wmma layout of version 1 has kWidth = 4; it must be 8 or 16}}
#a = #ttg.dot_op<{opIdx = 0, parent = #p, kWidth = 4}>

// -----

#a = #ttg.nvidia_mma<{versionMajor = 5, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
// expected-error @below {{nvidia_mma has versionMajor = 5; it must be 2 (mma.sync) or 3 (wgmma)}}
#b = #ttg.dot_op<{opIdx = 0, parent = #a, kWidth = 2}>

// -----

#a = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @f(%x: tensor<64x64xf32, #a>) {
    // expected-error @below {{nvidia_mma of version 3 has instrShape = [16, 64]; it needs 3 values}}
    %0 = tt.trans %x {order = array<i32: 0, 1>} : tensor<64x64xf32, #a> -> tensor<64x64xf32, #a>
    tt.return
  }
}

// -----

// expected-error @below {{instrShape is [16, 48, 16]; every value must be a power of two}}
#a = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 48, 16]}>

// -----

// expected-error @below {{layout has no bases 'block'}}
#a = #ttg.padded_shared<[2:+1, 4:+2] {offset = [[0, 1]]}>

// -----

// expected-error @below {{amd_mfma has a tile of 0x0; it must be 32x32, 16x16, 64x4 or 4x64}}
#a = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [0, 0, 8], isTransposed = true}>

// -----

// expected-error @below {{amd_mfma has instrShape = [32]; it needs [M, N, K]}}
#a = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32], isTransposed = true}>

// -----

// expected-error @below {{amd_wmma of version 1 has instrShape = [16, 16, 32]; it must be [16, 16, 16]}}
#a = #ttg.amd_wmma<{version = 1, isTranspose = true, ctaLayout = {warp = [[0, 1], [1, 0]]}, instrShape = [16, 16, 32]}>

// -----

// expected-error @below {{layout has no 'ctaLayout'}}
#a = #ttg.amd_wmma<{version = 1, isTranspose = true}>

// -----

// expected-error @below {{layout has no bases 'warp'}}
#a = #ttg.linear<{register = [[1]], lane = [], block = []}>

// -----

// expected-error @below {{layout is not a linear map: basis 1 of 'register' has 1 value; it needs 2}}
#a = #ttg.linear<{register = [[0, 1], [2]], lane = [], warp = [], block = []}>

// -----

// expected-error @below {{layout has no basis, so its number of dimensions is unknown}}
#a = #ttg.linear<{register = [], lane = [], warp = [], block = []}>

// -----

// expected-error @below {{linear layout must hold every element exactly once}}
#a = #ttg.linear<{register = [[1]], lane = [[1]], warp = [], block = []}>

// -----

// expected-error @below {{linear layout must hold every element exactly once}}
#a = #ttg.linear<{register = [[3]], lane = [[1]], warp = [], block = []}>

// -----

// expected-error @below {{generic linear layout must reach every element}}
#a = #ttg.generic_linear<{register = [[4]], lane = [[1]], warp = [], block = []}>

// -----

// expected-error @below {{vec is 0; it must be a power of two}}
#a = #ttg.swizzled_shared<{vec = 0, perPhase = 1, maxPhase = 1, order = [0]}>

// -----

// expected-error @below {{nvmma_shared has swizzlingByteWidth = 48; it must be 0, 32, 64 or 128}}
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 48, transposed = false, elementBitWidth = 16}>

// -----

// expected-error @below {{nvmma_shared has elementBitWidth = 0; it must be 8, 16, 32 or 64}}
#a = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 0}>

// -----

// expected-error @below {{interval is 48; it must be a power of two}}
#a = #ttg.padded_shared<[48:+4] {order = [0], shape = [64]}>

// -----

// expected-error @below {{padded_shared has the interval 32 twice}}
#a = #ttg.padded_shared<[32:+4, 32:+8] {order = [0], shape = [64]}>

// -----

// expected-error @below {{padded_shared stores an element at two offsets}}
#a = #ttg.padded_shared<[32:+4] {offset = [[1], [0]], block = []}>

// -----

// expected-error @below {{the order must be a permutation of the dimensions}}
#a = #ttg.padded_shared<[32:+4] {order = [0, 0], shape = [64, 64]}>

// -----

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
// expected-error @below {{partitioned_shared has partitionDim = 1; its layout's dimensions are 0 to 0}}
#a = #ttg.partitioned_shared<{numPartitions = 2, numGroups = 1, partitionDim = 1, partitionLayout = #s}>

// -----

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
// expected-error @below {{partitioned_shared has numPartitions = 1; it must be 2 or more}}
#a = #ttg.partitioned_shared<{numPartitions = 1, numGroups = 1, partitionDim = 0, partitionLayout = #s}>

// -----

// expected-error @below {{shared_linear must hold every element exactly once}}
#a = #ttg.shared_linear<{offset = [[1], [1]]}, alignment = 16>

// -----

// expected-error @below {{alignment is 12; it must be a power of two}}
#a = #ttg.shared_linear<{offset = [[1], [2]]}, alignment = 12>

// -----

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @below {{shape has 1 dimension; a layout of rank 2 needs 2, or 3 for a ring of buffers}}
tt.func private @f(!ttg.memdesc<64xf16, #s, #smem>)

// -----

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @below {{shape is [48, 64]; every size that the layout covers must be a power of two}}
tt.func private @f(!ttg.memdesc<48x64xf16, #s, #smem>)

// -----

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @below {{shape is [0, 64]; every size must be positive}}
tt.func private @f(!ttg.memdesc<0x64xf16, #s, #smem>)

// -----

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @below {{at most 2^30 elements are possible}}
tt.func private @f(!ttg.memdesc<4611686018427387904x4611686018427387904xf16, #s, #smem>)

// -----

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
// expected-error @below {{shape [64, 64] does not fit the allocation [32, 64]}}
tt.func private @f(!ttg.memdesc<64x64xf16, #s, #smem, 32x64>)

// -----

#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
// expected-error @below {{memory space is 3 : i64; a layout of shared memory needs #ttg.shared_memory}}
tt.func private @f(!ttg.memdesc<64x64xf16, #s, 3>)

// -----

#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#smem = #ttg.shared_memory
// expected-error @below {{it must be a layout of shared or tensor memory}}
tt.func private @f(!ttg.memdesc<64xf16, #b, #smem>)

// -----

#s = #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 64]}>
#smem = #ttg.shared_memory
// expected-error @below {{layout is of shape [64, 64]; the allocation's is [32, 64]}}
tt.func private @f(!ttg.memdesc<32x64xf16, #s, #smem>)

// -----

#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
// expected-error @below {{nvmma_shared rows have 64 bytes in dimension 1; a swizzle of 128 bytes needs at least as many}}
tt.func private @f(!ttg.memdesc<64x32xf16, #s, #smem>)

// -----

#rows = #ttg.padded_shared<[64:+4] {order = [1, 0], shape = [8, 64]}>
#parts = #ttg.partitioned_shared<{numPartitions = 2, numGroups = 4, partitionDim = 0, partitionLayout = #rows}>
#smem = #ttg.shared_memory
// expected-error @below {{an allocation of shape [32, 64] cannot be divided into the pieces of its layout: the layout has size 8 along 'dim0', the shape 4}}
tt.func private @pieces(!ttg.memdesc<32x64xf16, #parts, #smem, mutable>)
