//===- TTGAttrs.td - Layouts, memory spaces, enums ---------*- tablegen -*-===//
#ifndef KERNELSCOPE_TTG_ATTRS_TD
#define KERNELSCOPE_TTG_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "dialects/ttg/TTGDialect.td"
include "dialects/ttg/TTGInterfaces.td"

class TTG_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<TTG_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

// A layout attribute is printed as in today's Triton, and checks its parameters.
class TTG_Layout<string name, string attrMnemonic, list<Trait> traits = []>
    : TTG_Attr<name, attrMnemonic, traits> {
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

class TTG_DistributedLayout<string name, string attrMnemonic, list<Trait> traits = []>
    : TTG_Layout<name, attrMnemonic, !listconcat([DistributedEncodingTrait], traits)>;

class TTG_SharedLayout<string name, string attrMnemonic, list<Trait> traits = []>
    : TTG_Layout<name, attrMnemonic, !listconcat([SharedEncodingTrait], traits)>;

def LinearLayoutParam : AttrOrTypeParameter<"::kernelscope::LinearLayout", "linear layout"> {
  let cppAccessorType = "const ::kernelscope::LinearLayout &";
}

//===----------------------------------------------------------------------===//
// Distributed layouts
//===----------------------------------------------------------------------===//

def BlockedEncodingAttr
    : TTG_DistributedLayout<"BlockedEncoding", "blocked", [LayoutEncodingTrait]> {
  let summary = "each thread owns a small box, adjacent threads own adjacent boxes";
  let description = [{
    The layout of coalesced loads and stores. A thread holds a box of
    `sizePerThread` elements; the lanes of a warp tile `threadsPerWarp` such boxes;
    the warps of a CTA tile `warpsPerCTA` of those. `order` lists the dimensions
    from fastest to slowest and applies to all three levels. A tensor larger than
    the tile repeats it (more registers per thread); a smaller one is held by
    several threads.

    Per dimension, one tile spans `sizePerThread * threadsPerWarp * warpsPerCTA`
    elements. The product of `threadsPerWarp` must be the warp size, and the product
    of `warpsPerCTA` the number of warps.

    ```mlir
    // 32 lanes, 8 values in a row each, four rows of 8 lanes in a warp
    #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8],
                  warpsPerCTA = [4, 1], order = [1, 0]}>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"unsigned">:$sizePerThread,
    ArrayRefParameter<"unsigned">:$threadsPerWarp,
    ArrayRefParameter<"unsigned">:$warpsPerCTA,
    ArrayRefParameter<"unsigned">:$order,
    "CGAEncodingAttr":$CGALayout
  );
  let extraClassDeclaration = [{
    /// A blocked layout for `shape` whose lanes and warps fill the dimensions in
    /// `order`, with the rest left to the slowest one. `numWarps` and
    /// `threadsPerWarp` are powers of two.
    static BlockedEncodingAttr getFor(::mlir::MLIRContext *context, ::llvm::ArrayRef<int64_t> shape,
                                      ::llvm::ArrayRef<unsigned> sizePerThread,
                                      ::llvm::ArrayRef<unsigned> order, unsigned numWarps,
                                      unsigned threadsPerWarp, CGAEncodingAttr cgaLayout);
  }];
}

def SliceEncodingAttr
    : TTG_DistributedLayout<"SliceEncoding", "slice", [DeclareLayoutMethods<["getCGALayout"]>]> {
  let summary = "a layout with one dimension removed";
  let description = [{
    The layout of a tensor without dimension `dim` of the `parent` layout: the
    result of `tt.reduce` and the operand of
    `tt.expand_dims`. An element is held by every
    thread that held any element of the removed dimension, so threads that differ
    only along `dim` hold copies.

    ```mlir
    #ttg.slice<{dim = 1, parent = #blocked}>   // one value per row of #blocked
    ```
  }];
  let parameters = (ins "unsigned":$dim, "DistributedEncodingTrait":$parent);
}

def DotOperandEncodingAttr
    : TTG_DistributedLayout<"DotOperandEncoding", "dot_op", [DeclareLayoutMethods<["getCGALayout"]>]> {
  let summary = "the registers that a matrix instruction needs for operand A or B";
  let description = [{
    The layout of a dot's left (`opIdx = 0`) or right (`opIdx = 1`) operand, given
    the layout `parent` of its result. `kWidth` is the number of consecutive
    elements along K that one lane holds. The instruction and the element type
    determine it (32 bits for mma.sync). A blocked parent (FMA dot) takes no
    `kWidth`. A Hopper parent takes only `opIdx = 0`: `wgmma` reads B from shared
    memory.
  }];
  let parameters = (ins
    "unsigned":$opIdx,
    "::mlir::Attribute":$parent,
    DefaultValuedParameter<"unsigned", "0">:$kWidth
  );
  let hasCustomAssemblyFormat = 0;
  let assemblyFormat = "`<` `{` struct(params) `}` `>`";
}

def NvidiaMmaEncodingAttr
    : TTG_DistributedLayout<"NvidiaMmaEncoding", "nvidia_mma",
                            [MmaEncodingTrait, LayoutEncodingTrait]> {
  let summary = "the result of NVIDIA's matrix instructions";
  let description = [{
    `versionMajor` is the generation: 2 for `mma.sync` (from sm_75; `versionMinor`
    is 0 for Ampere and newer, 1 for Turing), 3 for Hopper's `wgmma`, whose four
    warps share one instruction. `instrShape` is one instruction's tile, `[M, N]`
    (version 2) or `[M, N, K]` (version 3), and `warpsPerCTA` how warps tile the
    result. In a 16x8 tile, lane `l` holds columns `2 * (l % 4)` and `2 * (l % 4) +
    1` of rows `l / 4` and `l / 4 + 8`.
  }];
  let parameters = (ins
    "unsigned":$versionMajor,
    "unsigned":$versionMinor,
    ArrayRefParameter<"unsigned">:$warpsPerCTA,
    "CGAEncodingAttr":$CGALayout,
    ArrayRefParameter<"unsigned">:$instrShape
  );
  let extraClassDeclaration = [{
    bool isAmpere() const { return getVersionMajor() == 2; }
    bool isHopper() const { return getVersionMajor() == 3; }
    /// Whether there is such an instruction; else `error` is the rule that is
    /// broken. An attribute without one is valid, a tensor of it is not.
    bool hasInstruction(std::string &error) const;
  }];
}

def AMDMfmaEncodingAttr
    : TTG_DistributedLayout<"AMDMfmaEncoding", "amd_mfma", [MmaEncodingTrait, LayoutEncodingTrait]> {
  let summary = "the result of MFMA on CDNA (wave64)";
  let description = [{
    `version` is the generation: 1 gfx908, 2 gfx90a, 3 gfx942, 4 gfx950.
    `instrShape` is `[M, N, K]` with M x N one of 32x32, 16x16, 64x4, 4x64.
    `isTransposed` swaps rows and columns of the result, so that it can feed the
    next dot without going through LDS. `tilesPerWarp` (all ones by default) is the
    number of adjacent tiles in one warp; `elementBitWidth` is 32 or, for f64, 64.
  }];
  let parameters = (ins
    "unsigned":$version,
    ArrayRefParameter<"unsigned">:$warpsPerCTA,
    ArrayRefParameter<"unsigned">:$instrShape,
    "bool":$isTransposed,
    "CGAEncodingAttr":$CGALayout,
    ArrayRefParameter<"unsigned">:$tilesPerWarp,
    "unsigned":$elementBitWidth
  );
  let extraClassDeclaration = [{
    bool hasUnitTilesPerWarp() const;
  }];
}

def AMDWmmaEncodingAttr
    : TTG_DistributedLayout<"AMDWmmaEncoding", "amd_wmma", [MmaEncodingTrait, LayoutEncodingTrait]> {
  let summary = "the result of WMMA on RDNA and gfx1250 (wave32)";
  let description = [{
    `version` is the generation: 1 gfx11, 2 gfx12, 3 gfx1250. `ctaLayout` maps
    `register` and `warp` bits to tiles: `{warp = [[0, 1], [1, 0]]}` arranges four
    warps 2x2 with one tile each, and each `register` basis doubles the tiles of a
    warp. `isTranspose` swaps rows and columns of the result. `instrShape` is `[M,
    N, K]`, 16x16x16 when left out. Triton 3.6 and older wrote `warpsPerCTA` and
    `tilesPerWarp` instead of `ctaLayout`; both still parse.
  }];
  let parameters = (ins
    "unsigned":$version,
    LinearLayoutParam:$ctaLayout,
    "bool":$isTransposed,
    "CGAEncodingAttr":$CGALayout,
    ArrayRefParameter<"unsigned">:$instrShape
  );
  let extraClassDeclaration = [{
    static ::llvm::SmallVector<unsigned, 3> getDefaultInstrShape() { return {16, 16, 16}; }
  }];
}

def LinearEncodingAttr
    : TTG_DistributedLayout<"LinearEncoding", "linear",
                            [DeclareLayoutMethods<["getCGALayout", "getRank"]>]> {
  let summary = "any distributed layout, given bit by bit";
  let description = [{
    The bases of the bits of `register`, `lane`, `warp` and `block`; the element at
    (r, l, w, b) is the XOR of the bases of all set bits. Each basis is a power of
    two along one dimension, or zero, which means a copy. Apart from copies the map
    is one to one.

    ```mlir
    #ttg.linear<{register = [[0, 1], [0, 2]],
                 lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]],
                 warp = [[32, 0], [64, 0]], block = []}>
    ```
  }];
  let parameters = (ins LinearLayoutParam:$linearLayout);
}

def GenericLinearEncodingAttr
    : TTG_DistributedLayout<"GenericLinearEncoding", "generic_linear",
                            [DeclareLayoutMethods<["getCGALayout", "getRank"]>]> {
  let summary = "a linear layout whose warps may be swizzled";
  let description = [{
    Like `#ttg.linear`, but the basis of a warp bit may step along several
    dimensions at once, and the map only has to reach every element: two places may
    hold the same element without one being a plain copy of the other. gfx1250 uses
    it to keep warps on separate LDS partitions.
  }];
  let parameters = (ins LinearLayoutParam:$linearLayout);
}

//===----------------------------------------------------------------------===//
// Shared layouts
//===----------------------------------------------------------------------===//

def SwizzledSharedEncodingAttr
    : TTG_SharedLayout<"SwizzledSharedEncoding", "swizzled_shared", [LayoutEncodingTrait]> {
  let summary = "rows in order, columns XORed with the row to avoid bank conflicts";
  let description = [{
    Elements are stored in `order` (fastest first). Columns move in groups of `vec`;
    the group index in row `r` is XORed with `(r / perPhase) % maxPhase`, so that a
    warp reading a column touches `maxPhase` different banks. `vec = perPhase =
    maxPhase = 1` means no swizzle.

    The element at row `r`, column `c` is stored at column `((c / vec) ^ ((r /
    perPhase) % maxPhase)) * vec + c % vec` of that row.
  }];
  let parameters = (ins
    "unsigned":$vec,
    "unsigned":$perPhase,
    "unsigned":$maxPhase,
    ArrayRefParameter<"unsigned">:$order,
    "CGAEncodingAttr":$CGALayout
  );
}

def AMDRotatingSharedEncodingAttr
    : TTG_SharedLayout<"AMDRotatingSharedEncoding", "amd_rotating_shared", [LayoutEncodingTrait]> {
  let summary = "a swizzle that rotates by one phase with each block of rows";
  let description = [{
    Like `#ttg.swizzled_shared`, with phase `((r / perPhase) % maxPhase) ^ ((r /
    (perPhase * maxPhase)) % maxPhase)`: the pattern itself rotates from one block
    of `perPhase * maxPhase` rows to the next. On AMD hardware without a transposing
    LDS load, it keeps both reads along rows and writes along columns free of bank
    conflicts.
  }];
  let parameters = (ins
    "unsigned":$vec,
    "unsigned":$perPhase,
    "unsigned":$maxPhase,
    ArrayRefParameter<"unsigned">:$order,
    "CGAEncodingAttr":$CGALayout
  );
}

def NVMMASharedEncodingAttr
    : TTG_SharedLayout<"NVMMASharedEncoding", "nvmma_shared", [LayoutEncodingTrait]> {
  let summary = "the tiled, swizzled memory layout of TMA, wgmma and tcgen05";
  let description = [{
    Rows of `swizzlingByteWidth` bytes (0: no swizzle, 32, 64 or 128), in tiles of
    eight rows whose 16-byte chunks are XORed with the row. `transposed` means that
    the first dimension is the contiguous one. `elementBitWidth` is the size of an
    element as the hardware sees it; `fp4Padded` marks 4-bit data padded to bytes
    for mixed-precision MMA. `rank` is written out if it is not 2 and there is no
    `CGALayout`.
  }];
  let parameters = (ins
    "unsigned":$swizzlingByteWidth,
    "bool":$transposed,
    "unsigned":$elementBitWidth,
    "bool":$fp4Padded,
    "CGAEncodingAttr":$CGALayout
  );
  let extraClassDeclaration = [{
    /// Elements of one 16-byte chunk (1 without swizzle).
    unsigned getVec() const;
    /// Rows that share one XOR pattern.
    unsigned getPerPhase() const;
    /// The number of XOR patterns.
    unsigned getMaxPhase() const;
    int32_t getAlignment() const;
  }];
}

def PaddedSharedEncodingAttr
    : TTG_SharedLayout<"PaddedSharedEncoding", "padded_shared",
                       [DeclareLayoutMethods<["getCGALayout", "getRank"]>]> {
  let summary = "linear memory with padding at regular intervals";
  let description = [{
    `[interval:+pad, ...]` leaves `pad` unused elements after every `interval`
    elements, so that a column is not all in one bank: linear offset `i` is stored
    at `i + sum(i / interval * pad)`. The dictionary says which element has which
    linear offset: `{order, shape}` in the plain case, `{offset, block}` bases
    otherwise.

    ```mlir
    #ttg.padded_shared<[64:+4] {order = [1, 0], shape = [64, 64]}>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"unsigned">:$intervals,
    ArrayRefParameter<"unsigned">:$paddings,
    LinearLayoutParam:$linearComponent
  );
  let extraClassDeclaration = [{
    /// Dimensions by how fast the offset moves along them, fastest first.
    ::llvm::SmallVector<unsigned> getOrder() const;
  }];
}

def PartitionedSharedEncodingAttr
    : TTG_SharedLayout<"PartitionedSharedEncoding", "partitioned_shared",
                       [DeclareLayoutMethods<["getCGALayout", "getRank"]>]> {
  let summary = "one tensor distributed over several buffers";
  let description = [{
    Dimension `partitionDim` is divided into `numPartitions * numGroups` pieces,
    distributed round-robin: piece `i` goes to buffer `i % numPartitions`. Each
    buffer is in a different physical partition of LDS, so warps that read different
    pieces do not conflict. `partitionLayout` is the layout of one piece.
  }];
  let parameters = (ins
    "unsigned":$numPartitions,
    "unsigned":$numGroups,
    "unsigned":$partitionDim,
    "SharedEncodingTrait":$partitionLayout
  );
  let extraClassDeclaration = [{
    unsigned getNumLogicalPieces() const { return getNumPartitions() * getNumGroups(); }
  }];
}

def SharedLinearEncodingAttr
    : TTG_SharedLayout<"SharedLinearEncoding", "shared_linear",
                       [DeclareLayoutMethods<["getCGALayout", "getRank"]>]> {
  let summary = "any shared layout, given bit by bit";
  let description = [{
    The bases of the bits of the element offset (`offset`) and of the CTA id
    (`block`, omitted if empty) in the tensor. Apart from zero bases the map is one
    to one. `alignment` is the required alignment of the buffer, in bytes.

    ```mlir
    #ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 1], [2, 2]]}, alignment = 16>
    ```
  }];
  let parameters = (ins LinearLayoutParam:$linearLayout, "unsigned":$layoutAlignment);
  let extraClassDeclaration = [{
    int32_t getAlignment() const { return static_cast<int32_t>(getLayoutAlignment()); }
  }];
}

//===----------------------------------------------------------------------===//
// Memory space
//===----------------------------------------------------------------------===//

def SharedMemorySpaceAttr : TTG_Attr<"SharedMemorySpace", "shared_memory"> {
  let summary = "shared memory (LDS on AMD)";
  let description = "The memory space of a descriptor whose data is in the CTA's shared memory.";
}

#endif // KERNELSCOPE_TTG_ATTRS_TD
