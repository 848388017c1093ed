//===- TTMemoryOps.td - loads, stores, atomics of tt -------*- tablegen -*-===//

include "dialects/tt/TTOpBase.td"

def TT_LoadOp : TT_Op<"load", [
    TT_SameAccessShape, TT_SameOperandsAndResultEncoding, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<InferTypeOpInterface>,
    TypesMatchWith<"result matches ptr", "ptr", "result", "getPointeeType($_self)">,
    TT_OptionalTypeMatches<"ptr", "mask", "getI1SameShape(getPointeeType($_self))", 1>,
    TT_OptionalTypeMatches<"ptr", "other", "getPointeeType($_self)", 2>]> {
  let summary = "load from global memory";
  let description = [{
    Loads through each pointer whose `mask` is true; elsewhere gives `other`, or an undefined value without it, and does
    not touch memory. Neighbouring addresses that one thread owns become one `ld.global.v4` (NVIDIA) or
    `global_load_dwordx4` (AMD). `isVolatile` forbids merging and elimination.
  }];
  let arguments = (ins TT_AccessPtr:$ptr, Optional<TT_BoolLike>:$mask, Optional<TT_Value>:$other,
    DefaultValuedAttr<TT_CacheModifierAttr, "::kernelscope::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr, "::kernelscope::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile);
  let results = (outs TT_Value:$result);
  // Clauses of an oilist begin with a keyword each, so there is no comma before them.
  let assemblyFormat = [{
    $ptr (`,` $mask^)? (`,` $other^)? oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
  let hasCanonicalizer = 1;
}

def TT_StoreOp : TT_Op<"store", [
    TT_SameAccessShape, TT_SameOperandsEncoding,
    TypesMatchWith<"value matches ptr", "ptr", "value", "getPointeeType($_self)">,
    TT_OptionalTypeMatches<"ptr", "mask", "getI1SameShape(getPointeeType($_self))", 2>]> {
  let summary = "store to global memory";
  let description = [{
    Stores each `value` through its pointer where `mask` is true. Of the threads that hold a copy of an element one
    stores it; `ignore_cta` drops that choice among the CTAs of a cluster. Neighbouring addresses become one wide store.
  }];
  let arguments = (ins Arg<TT_AccessPtr, "", [MemWrite<TT_GlobalMemory>]>:$ptr, TT_Value:$value,
    Optional<TT_BoolLike>:$mask,
    DefaultValuedAttr<TT_CacheModifierAttr, "::kernelscope::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr, "::kernelscope::tt::EvictionPolicy::NORMAL">:$evict,
    UnitAttr:$ignore_cta);
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)? oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
  let hasCanonicalizer = 1;
}

class TT_AtomicOp<string mnemonic, list<Trait> traits>
    : TT_Op<mnemonic, !listconcat([SameOperandsAndResultShape, TT_SameOperandsAndResultEncoding], traits)>;

// The pointer of an atomic: read and written.
def TT_AtomicPtr : Arg<TT_PtrLike, "", [MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>;

def TT_AtomicRMWOp : TT_AtomicOp<"atomic_rmw", [
    TypesMatchWith<"ptr matches val", "val", "ptr", "getPointerTypeSameShape($_self)">,
    TT_OptionalTypeMatches<"val", "mask", "getI1SameShape($_self)", 2>]> {
  let summary = "atomic read-modify-write of global memory";
  let description = [{
    Replaces the value at each pointer whose `mask` is true by that value combined with `val`, and gives the old value.
    Each element acts once, whatever copies threads hold. `sem` is the memory order, `scope` who sees it in that order.
    NVIDIA has vector forms (`red`/`atom` with `.v2`, `.noftz`) for packed floats.
  }];
  let arguments = (ins TT_RMWOpAttr:$atomic_rmw_op, TT_AtomicPtr:$ptr, TT_Value:$val, Optional<TT_BoolLike>:$mask,
    TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope);
  let results = (outs TT_Value:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict `:`
    functional-type(operands, $result)
  }];
}

def TT_AtomicCASOp : TT_AtomicOp<"atomic_cas", [
    TypesMatchWith<"ptr matches cmp", "cmp", "ptr", "getPointerTypeSameShape($_self)">,
    TypesMatchWith<"ptr matches val", "val", "ptr", "getPointerTypeSameShape($_self)">]> {
  let summary = "atomic compare and swap in global memory";
  let description = [{
    Where the value at a pointer equals `cmp`, bit for bit, replaces it by `val`. Gives the value found. Locks are made
    of it: `sem` acquire or acq_rel orders the accesses behind it.
  }];
  let arguments = (ins TT_AtomicPtr:$ptr, TT_Value:$cmp, TT_Value:$val, TT_MemSemanticAttr:$sem,
    TT_MemSyncScopeAttr:$scope);
  let results = (outs TT_Value:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $cmp `,` $val attr-dict `:` functional-type(operands, $result)
  }];
}

def TT_AtomicPollOp : TT_Op<"atomic_poll", [
    TypesMatchWith<"ptr matches expected", "expected", "ptr", "getPointerTypeSameShape($_self)">]> {
  let summary = "wait until memory holds a value";
  let description = [{
    One thread loads from `ptr` again and again until it finds `expected`, or `timeout` nanoseconds passed; the other
    threads wait for it. Gives whether the value was found. With `acquire`, a fence follows a find.
  }];
  let arguments = (ins Arg<TT_Ptr, "", [MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>:$ptr, TT_Int:$expected,
    Optional<I64>:$timeout, TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $expected (`timeout` $timeout^)? attr-dict
    `:` qualified(type($ptr)) `,` type($expected) `->` type($result)
  }];
  let hasVerifier = 1;
}
