//===- AMDGBufferOps.td - buffer accesses ------------------*- tablegen -*-===//
// A uniform base pointer and a tensor of offsets: one buffer resource serves all lanes.

include "dialects/amdg/AMDGOpBase.td"

// Types that follow from the tensor `value` that an access moves. 3.9 writes the pointer's before it.
class AMDG_PointsTo<string value>
    : TypesMatchWith<"ptr points to elements of " # value, value, "ptr", "getPointerTypeToElement($_self)">;
class AMDG_OffsetsLike<string value>
    : TypesMatchWith<"offsets have the shape of " # value, value, "offsets", "getI32SameShape($_self)">;
class AMDG_MaskLike<string value, string op>
    : TypesMatchWith<"mask has the shape of " # value, value, "mask", "getI1SameShape($_self)",
                     "!::llvm::cast<" # op # ">($_op).getMask() || std::equal_to<>()">;

def AMDG_Offsets : RankedTensorOf<[I32]>;

class AMDG_BufferOp<string mnemonic, string value, list<Trait> traits>
    : AMDG_Op<mnemonic, !listconcat([TT_AccessesGlobal, AMDG_PointsTo<value>, AMDG_OffsetsLike<value>], traits)>;

def AMDG_BufferLoadOp : AMDG_BufferOp<"buffer_load", "result", [
    TT_SameOperandsAndResultEncoding, AttrSizedOperandSegments, AMDG_MaskLike<"result", "BufferLoadOp">,
    TypesMatchWith<"other has the type of result", "result", "other", "$_self",
                   "!::llvm::cast<BufferLoadOp>($_op).getOther() || std::equal_to<>()">]> {
  let summary = "load through a buffer resource";
  let description = [{
    Loads `ptr[offsets]` where `mask` is true, and returns `other` (or zero) elsewhere. `ptr` is uniform, and the
    offsets are 32-bit element counts. A masked-off lane gets an out-of-bounds offset, so there is no branch. `stride`
    is the distance between rows in bytes, a hint for the cache's swizzle; `contiguity` limits the width of one
    access. It becomes `raw.ptr.buffer.load` (`buffer_load_dwordx4`).
  }];
  let arguments = (ins Arg<TT_Ptr, "", [MemRead<TT_GlobalMemory>]>:$ptr, AMDG_Offsets:$offsets, Optional<I32>:$stride,
    DefaultValuedAttr<TT_CacheModifierAttr, noCacheModifier>:$cache, Optional<TT_BoolTensor>:$mask,
    Optional<TT_Tensor>:$other, DefaultValuedAttr<I32Attr, "1">:$contiguity);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $ptr `[` $offsets `]` (`,` $mask^)? (`,` $other^)? oilist(`cacheModifier` `=` $cache) (`stride` `=` $stride^)?
    attr-dict `:` custom<PointerAndValue>(type($ptr), type($result))
  }];
}

def AMDG_BufferStoreOp : AMDG_BufferOp<"buffer_store", "value", [
    TT_SameOperandsEncoding, AttrSizedOperandSegments, AMDG_MaskLike<"value", "BufferStoreOp">]> {
  let summary = "store through a buffer resource";
  let description = [{
    Stores `value` to `ptr[offsets]` where `mask` is true: a masked-off lane gets an out-of-bounds offset, which the
    hardware drops. `stride` and `contiguity` are as in `amdg.buffer_load`. It becomes `raw.ptr.buffer.store`.
  }];
  let arguments = (ins TT_Tensor:$value, Arg<TT_Ptr, "", [MemWrite<TT_GlobalMemory>]>:$ptr, AMDG_Offsets:$offsets,
    Optional<I32>:$stride, DefaultValuedAttr<TT_CacheModifierAttr, noCacheModifier>:$cache,
    Optional<TT_BoolTensor>:$mask, DefaultValuedAttr<I32Attr, "1">:$contiguity);
  let assemblyFormat = [{
    $value `,` $ptr `[` $offsets `]` (`,` $mask^)? oilist(`cacheModifier` `=` $cache) (`stride` `=` $stride^)?
    attr-dict `:` custom<PointerAndValue>(type($ptr), type($value))
  }];
}

// The pointer of an atomic: read and written.
def AMDG_AtomicPtr : Arg<TT_Ptr, "", [MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>;

def AMDG_BufferAtomicRMWOp : AMDG_BufferOp<"buffer_atomic_rmw", "result", [
    AttrSizedOperandSegments, TT_SameOperandsAndResultEncoding, AMDG_MaskLike<"result", "BufferAtomicRMWOp">,
    TypesMatchWith<"value has the type of result", "result", "value", "$_self">]> {
  let summary = "atomic read-modify-write through a buffer resource";
  let description = [{
    Like `tt.atomic_rmw` on `ptr[offsets]`: combines `value` into memory where `mask` is true and returns the old value.
    It becomes `raw.ptr.buffer.atomic.*`, with fences around it that implement `sem` and `scope`.
  }];
  let arguments = (ins TT_RMWOpAttr:$atomic_rmw_op, AMDG_AtomicPtr:$ptr, AMDG_Offsets:$offsets, TT_Tensor:$value,
    Optional<I32>:$stride, TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope, Optional<TT_BoolTensor>:$mask);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $sem `,` $scope `,` $value `,` $ptr `[` $offsets `]` (`,` $mask^)? (`stride` `=` $stride^)?
    attr-dict `:` custom<PointerAndValue>(type($ptr), type($result))
  }];
  let hasVerifier = 1;
}

def AMDG_BufferAtomicCASOp : AMDG_BufferOp<"buffer_atomic_cas", "result", [
    TT_SameOperandsAndResultEncoding,
    TypesMatchWith<"val has the type of result", "result", "val", "$_self">,
    TypesMatchWith<"cmp has the type of result", "result", "cmp", "$_self">]> {
  let summary = "atomic compare and swap through a buffer resource";
  let description = [{
    Like `tt.atomic_cas` on `ptr[offsets]`: where memory holds `cmp`, stores `val`; returns the value found. It becomes
    `raw.ptr.buffer.atomic.cmpswap` between fences.
  }];
  let arguments = (ins AMDG_AtomicPtr:$ptr, AMDG_Offsets:$offsets, TT_Tensor:$cmp, TT_Tensor:$val,
    Optional<I32>:$stride, TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $cmp `,` $val `,` $ptr `[` $offsets `]` (`stride` `=` $stride^)?
    attr-dict `:` custom<PointerAndValue>(type($ptr), type($result))
  }];
}
