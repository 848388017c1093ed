//===- TTNGAttrs.td - Layouts of tensor memory -------------*- tablegen -*-===//
#ifndef KERNELSCOPE_TTNG_ATTRS_TD
#define KERNELSCOPE_TTNG_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "dialects/tt/TTInterfaces.td"
include "dialects/ttg/TTGInterfaces.td"
include "dialects/ttng/TTNGDialect.td"
include "dialects/ttng/TTNGEnums.td"

class TTNG_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<TTNG_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def TensorMemorySpaceAttr : TTNG_Attr<"TensorMemorySpace", "tensor_memory"> {
  let summary = "tensor memory of an SM";
  let description = [{
    The memory space of a descriptor whose data is in Blackwell's tensor memory: 128
    rows (lanes) of 512 columns of 32 bits per SM. Warp `w` of a warp group can
    access rows `32 * (w % 4)` to `32 * (w % 4) + 31`.
  }];
}

def TensorMemoryEncodingAttr : TTNG_Attr<"TensorMemoryEncoding", "tensor_memory_encoding", [
    LayoutEncodingTrait,
    DeclareAttrInterfaceMethods<MemoryEncodingTrait, ["verifyMemDesc", "toLinearLayout", "verifyReinterpret"]>]> {
  let summary = "blocks of a matrix in tensor memory";
  let description = [{
    The matrix is divided into blocks of `blockM` (64 or 128) by `blockN`, the shape
    of one `tcgen05.mma`; blocks are ordered along M first, then along N. A block of
    128 rows takes all lanes, one row each; two blocks of 64 rows share them, each
    with 16 of every 32 lanes. `colStride` is the distance between adjacent elements
    of a row, in elements: 1 is packed, 32 / bits gives every element its own
    column. `twoCTAs` means that CTA pairs hold the matrix for `cta_group::2`,
    `fp4Padded` that 4-bit values are padded to bytes. `CGALayout` is written if
    there are several CTAs; Triton 3.6 and older wrote `CTASplitM` and `CTASplitN`.
  }];
  let parameters = (ins
    "unsigned":$blockM,
    "unsigned":$blockN,
    "unsigned":$colStride,
    "::kernelscope::ttg::CGAEncodingAttr":$CGALayout,
    "bool":$twoCTAs,
    "bool":$fp4Padded
  );
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TensorMemoryScalesEncodingAttr
    : TTNG_Attr<"TensorMemoryScalesEncoding", "tensor_memory_scales_encoding", [
    LayoutEncodingTrait,
    DeclareAttrInterfaceMethods<MemoryEncodingTrait, ["verifyMemDesc", "toLinearLayout", "verifyReinterpret"]>]> {
  let summary = "scales of a microscaled matrix in tensor memory";
  let description = [{
    Blocks of 128 rows by 4 scales of 8 bits, each stored as 32 lanes by 16 bytes
    and replicated in all four groups of 32 lanes, as `tcgen05.mma` with block
    scaling reads them. `blockRepOrder` is the order of the blocks: along M or N
    first (`mnThenK`, the default), or along K first (`kThenMn`).
  }];
  let parameters = (ins
    "::kernelscope::ttg::CGAEncodingAttr":$CGALayout,
    "TensorMemoryScalesBlockRepOrder":$blockRepOrder
  );
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TTNG_TMEMLoadReduceModifierAttr
    : EnumAttr<TTNG_Dialect, TTNG_TMEMLoadReduceModifier, "redOp"> {
  let summary = "reduction of a tensor memory load";
  let description = [{
    `#ttng.redOp<min>` or `#ttng.redOp<max>`: what `ttng.tmem_load` computes for
    each row.
  }];
  let assemblyFormat = "`<` $value `>`";
}

def CachePolicyAttr : TTNG_Attr<"CachePolicy", "cache_policy", [TT_CachePolicyInterface]> {
  let summary = "how the caches of an NVIDIA GPU keep what an op accesses";
  let description = [{
    The `cachePolicy` of an op, new in Triton 3.9. `cache_modifier` is an operator of
    PTX such as `.cg`; without it, `l1` is the priority in L1 (`.L1::evict_last`). L2
    keeps the part `l2_fraction` of the lines with the priority `l2_primary` and the
    others with `l2_secondary` (`createpolicy.fractional`, whose result is the
    operand of `.L2::cache_hint`). A load also fetches `l2_prefetch_size` bytes
    around it to L2 (`.L2::128B`). TMA takes the priorities of L2 only.
  }];
  let parameters = (ins
    DefaultValuedParameter<"::kernelscope::tt::CacheModifier", "::kernelscope::tt::CacheModifier::NONE">:$cache_modifier,
    DefaultValuedParameter<"CachePriority", "CachePriority::NONE">:$l1,
    DefaultValuedParameter<"CachePriority", "CachePriority::NONE">:$l2_primary,
    DefaultValuedParameter<"CachePriority", "CachePriority::NONE">:$l2_secondary,
    OptionalParameter<"::mlir::FloatAttr">:$l2_fraction,
    OptionalParameter<"::mlir::IntegerAttr">:$l2_prefetch_size
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Implements CachePolicyInterface.
    ::llvm::LogicalResult verifyOn(::mlir::Operation *op) const;
  }];
}

#endif // KERNELSCOPE_TTNG_ATTRS_TD
